"""What is particular to a rule, each against its own sum; edge laws, a whole vocabulary, bad runs."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from word_laws import HALF, P, every_rule, floats

from specdec_core import RULES, acceptance_rate, simulate_rule, total_variation
from specdec_core.rules import InclusiveTest, Lenience, OtherTemperature, SharedUniform


def test_a_shared_uniform_over_two_positions():
    p, q = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(5, 8), Fraction(1, 8)]
    cuts = sorted({Fraction(0), Fraction(1), *(min(Fraction(1), a / b) for a, b in zip(p, q))})
    left = [max(Fraction(0), a - b) for a, b in zip(p, q)]
    back = [x / sum(left) for x in left]
    joint = [[Fraction(0)] * 3 for _ in p]
    for low, high in zip(cuts, cuts[1:]):
        kept = [b if b * (low + high) / 2 < a else Fraction(0) for a, b in zip(p, q)]
        for x, y in product(range(3), repeat=2):
            second = kept[y] + (1 - sum(kept)) * back[y]
            joint[x][y] += (high - low) * (kept[x] * second + (1 - sum(kept)) * back[x] * p[y])
    law = SharedUniform().joint_distribution(*floats(p, q))
    assert law == pytest.approx(np.array(joint, dtype=float), abs=1e-14)
    assert law.sum(axis=1) == pytest.approx(floats(p)[0], abs=1e-14)  # the first word is right
    assert np.abs(law.sum(axis=0) - floats(p)[0]).max() > .02  # the second is not


@pytest.mark.parametrize("gamma", (2, 5))
def test_a_shared_uniform_simulated_over_two_positions(gamma):
    calls, law = simulate_rule(SharedUniform(), P, HALF, gamma, 200_000, 4), SharedUniform().joint_distribution(P, HALF)
    first = np.where(calls.accepted > 0, calls.drafted[:, 0], calls.last)
    second = np.where(calls.accepted > 1, calls.drafted[:, 1], calls.last)[:-1]
    second = np.where(calls.accepted[:-1] > 0, second, first[1:])
    seen = np.zeros((6, 6))
    np.add.at(seen, (first[:-1], second), 1 / 199_999)
    assert (np.abs(seen - law) < 5 * np.sqrt(law / 199_999)).all()


def test_a_shared_uniform_cannot_hurt_a_single_draft():
    assert RULES["shared"].words_distribution(P, HALF, 1) == pytest.approx(P, abs=1e-15)
    assert total_variation(RULES["shared"].words_distribution(P, HALF, 2), P) > .01


@pytest.mark.parametrize("bits", (1, 3, 8))
def test_the_inclusive_test_is_counted_out_over_all_its_uniforms(bits):
    p, q = (.5, 0, .25, .25), (.25, .25, .375, .125)
    grid = np.arange(2**bits) / 2**bits
    assert list(InclusiveTest(bits).kept(p, q)) == [np.mean(grid * b <= a) for a, b in zip(p, q)]
    assert InclusiveTest(bits).output_distribution(p, q)[1] == .25 / 2**bits


def test_finer_uniforms_leak_less():
    p, q = RULES["inclusive"].laws.target, RULES["inclusive"].laws.draft
    leak = [InclusiveTest(bits).output_distribution(p, q)[1] for bits in (8, 11, 24, 53)]
    assert leak == pytest.approx([.2 / 2**bits for bits in (8, 11, 24, 53)], rel=1e-12)
    for bits in (0, 54, 2.5):
        with pytest.raises(ValueError, match="1 to 53 bits"):
            InclusiveTest(bits)


def test_lenience_stays_under_its_bound():
    for factor in (.1, .5, .9, 1):
        law = Lenience(factor).output_distribution(P, HALF)
        assert (law <= np.array(P) / factor + 1e-12).all()
    assert Lenience(1).output_distribution(P, HALF) == pytest.approx(P, abs=1e-12)
    for factor in (0, 1.1, float("nan")):
        with pytest.raises(ValueError, match="factor"):
            Lenience(factor)


def test_temperature_between_greedy_and_right():
    assert OtherTemperature(1).output_distribution(P, HALF) == pytest.approx(P, abs=1e-12)
    greedy = RULES["greedy"].output_distribution(P, HALF)
    assert OtherTemperature(0).output_distribution(P, HALF) == pytest.approx(greedy, abs=1e-12)
    assert OtherTemperature(.5).drawn(np.array(HALF)) == pytest.approx(np.square(HALF) / np.square(HALF).sum(), abs=1e-15)
    assert OtherTemperature(.5).drawn(np.array([0, .5, .5])).tolist() == [0, .5, .5]


def test_misaligned_lists_with_nothing_left_fall_back_on_the_target():
    rule = RULES["misaligned"]
    assert rule.recovery(np.array([0, .5, .5]), np.array([.5, .5, 0])).tolist() == [0, .5, .5]
    assert rule.output_distribution(P, HALF) == pytest.approx(P, abs=1e-12)  # the same words on both lists: right


# edges

@every_rule
@pytest.mark.parametrize("p, q", [((1.,), (1.,)), (P, P), ((1, 0), (0, 1)), ((.5, .5, 0, 0), (0, 0, .5, .5)), ((0, 1), (.5, .5)),
                                  ((.5, .5), (0, 1))])
def test_edge_laws(name, p, q):
    rule = RULES[name]
    for gamma in (1, 10):
        for n in (0, 1, 50):
            assert simulate_rule(rule, p, q, gamma, n, 0).tally.sum() >= n
        words = rule.words_distribution(p, q, gamma)
        assert np.isfinite(words).all() and words.sum() == pytest.approx(1)
    if p == q:
        expected = sum(x * x for x in p) if name == "match" else 1
        if name not in ("temperature", "greedy"):
            assert rule.acceptance_rate(p, q) == pytest.approx(expected)


@every_rule
def test_fifty_thousand_words(name):
    rng = np.random.default_rng(1)
    p, q = (law / law.sum() for law in rng.pareto(1.1, (2, 50_000)))
    rule = RULES[name]
    law = rule.words_distribution(p, q, 4)
    assert law.sum() == pytest.approx(1) and (law >= -1e-15).all()
    if rule.exact:
        assert total_variation(law, p) < 1e-12
    calls = simulate_rule(rule, p, q, 4, 2000, 2)
    assert calls.tally.shape == (50_000,) and calls.tally.sum() == calls.accepted.sum() + 2000


@every_rule
def test_bad_runs_are_refused(name):
    for arguments in (P, (.5, .5), 4, 1, 0), (P, HALF, 11, 1, 0), (P, HALF, 4, -1, 0), (P, HALF, 4, 1, 2**32), (P, HALF, 4, .5, 0):
        with pytest.raises(ValueError):
            simulate_rule(RULES[name], *arguments)


def test_the_exact_rule_keeps_the_most():
    assert RULES["speculative"].acceptance_rate(P, HALF) == pytest.approx(acceptance_rate(P, HALF), abs=1e-15)
