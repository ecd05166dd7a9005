"""The rules against a second implementation: one call at a time, from uniforms or with real loops, and enumeration in fractions."""

from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_core import RULES, acceptance_rate, expected_tokens, simulate_calls, simulate_rule, total_variation
from specdec_core.rules import InclusiveTest, Lenience, OtherTemperature, SharedUniform

P, HALF = (.42, .22, .12, .10, .07, .07), (.30, .31, .09, .075, .17, .055)  # the Try-it words at closeness .5
BROKEN = [name for name, rule in RULES.items() if not rule.exact]
every_rule = pytest.mark.parametrize("name", RULES)


def laws(draw):
    v = draw(st.integers(1, 6))
    weights = st.lists(st.integers(0, 9), min_size=v, max_size=v).filter(any)
    return tuple([Fraction(w, sum(law)) for w in law] for law in (draw(weights), draw(weights)))


pairs = st.composite(laws)()


def floats(*fractions):
    return [np.array([float(x) for x in law]) for law in fractions]


# a second implementation, a call at a time

def find(law, u):
    """The first word with u below the running total; the last with mass if rounding leaves none."""
    total = 0.0
    for word, mass in enumerate(law):
        total += mass
        if u < total:
            return word
    return max(word for word, mass in enumerate(law) if mass)


def drawn_from(name, q):
    if name == "greedy":
        return [float(i == max(range(len(q)), key=lambda j: (q[j], -j))) for i in range(len(q))]
    if name == "temperature":
        return [x**2 / sum(y**2 for y in q) for x in q]
    return list(q)


def keeps(name, x, u, p, q):
    match name:
        case "match":
            return find(p, u) == x
        case "always":
            return True
        case "inclusive":
            return floor(u * 2**11) / 2**11 * q[x] <= p[x]
        case "lenience":
            return u * (q[x] / 2) < p[x]
    return u * q[x] < p[x]


def replaced_from(name, p, q):
    """The law of the word that replaces a rejected one, for rules where it depends on nothing else."""
    if name == "redraw":
        return list(p)
    if name == "misaligned":
        mine, theirs = [i for i, x in enumerate(p) if x], [q[i] for i in range(len(q)) if q[i]]
        left = [0.0] * len(p)
        for position, word in enumerate(mine):
            left[word] = max(0.0, p[word] - (theirs[position] if position < len(theirs) else 0.0))
    else:
        left = [max(0.0, a - b) for a, b in zip(p, q)]
    return [x / sum(left) for x in left] if sum(left) else list(p)


def play(name, p, q, gamma, uniforms):
    """One call, judged word by word from its 21 uniforms."""
    drafted = [find(drawn_from(name, q), u) for u in uniforms[:gamma]]
    for i, x in enumerate(drafted):
        u = uniforms[10 if name == "shared" else 10 + i]
        if not keeps(name, x, u, p, q):
            return drafted, i, find(p, u) if name == "match" else find(replaced_from(name, p, q), uniforms[20])
    return drafted, gamma, find(p, uniforms[20])


@pytest.mark.parametrize("name", [name for name in RULES if name != "retry"])
@pytest.mark.parametrize("gamma", (0, 1, 4, 10))
def test_every_call_is_what_a_plain_loop_makes_of_its_uniforms(name, gamma):
    rule = RULES[name]
    for p, q in (rule.laws.target, rule.laws.draft), (P, HALF):
        calls = simulate_rule(rule, p, q, gamma, 300, 11)
        stream = np.random.RandomState(11).random_sample((300, 21))
        for k, uniforms in enumerate(stream):
            assert (calls.drafted[k].tolist(), calls.accepted[k], calls.last[k]) == play(name, p, q, gamma, uniforms.tolist())


def test_the_retry_loop_settles_on_the_law_that_the_rule_draws_from():
    rng, p, q = np.random.default_rng(5), np.array(P), np.array(HALF)
    out = []
    for _ in range(6000):
        x = rng.choice(6, p=q)
        while rng.random() * q[x] >= p[x]:
            x = rng.choice(6, p=q)
        out.append(x)
    shares, law = np.bincount(out, minlength=6) / 6000, RULES["retry"].recovery(p, q)
    assert law == pytest.approx(np.minimum(p, q) / np.minimum(p, q).sum())
    assert (np.abs(shares - law) < 4 * np.sqrt(law / 6000)).all()


# laws by enumeration

@pytest.mark.parametrize("name", ("speculative", "match", "redraw", "retry", "always", "misaligned", "lenience"))
@settings(max_examples=60)
@given(pair=pairs)
def test_the_law_of_a_drafted_position_in_fractions(name, pair):
    """Sum over the drafted word, what is kept, and what replaces it; for the match test, over both draws."""
    p, q = pair
    out = [Fraction(0)] * len(p)
    if name == "match":
        for x, y in product(range(len(p)), repeat=2):
            out[y] += q[x] * p[y]
        alpha = sum(a * b for a, b in zip(p, q))
    else:
        scale = {"always": Fraction(0), "lenience": Fraction(1, 2)}.get(name, Fraction(1))
        kept = [b * (min(Fraction(1), a / (scale * b)) if scale and b else 1) for a, b in zip(p, q)]
        alpha = sum(kept)
        if name == "retry":
            replaced = [k / alpha for k in kept] if alpha else q
        elif name == "misaligned":
            mine, theirs = [i for i, a in enumerate(p) if a], [b for b in q if b]
            left = {i: max(Fraction(0), p[i] - b) for i, b in zip(mine, theirs + [Fraction(0)] * len(p))}
            replaced = [left.get(i, Fraction(0)) / sum(left.values()) for i in range(len(p))] if any(left.values()) else p
        else:
            left = [max(Fraction(0), a - b) for a, b in zip(p, q)]
            replaced = p if name == "redraw" or not any(left) else [x / sum(left) for x in left]
        out = [k + (1 - alpha) * r for k, r in zip(kept, replaced)]
    numbers, rule = floats(p, q), RULES[name]
    assert rule.output_distribution(*numbers) == pytest.approx([float(x) for x in out], abs=1e-12)
    assert rule.acceptance_rate(*numbers) == pytest.approx(float(alpha), abs=1e-12)


@every_rule
@given(pair=pairs, gamma=st.integers(0, 10))
@settings(max_examples=60)
def test_what_rules_promise_for_any_laws(name, pair, gamma):
    rule, (p, q) = RULES[name], floats(*pair)
    one, words = rule.output_distribution(p, q), rule.words_distribution(p, q, gamma)
    tokens, mean = rule.tokens_distribution(p, q, gamma), rule.tokens_per_call(p, q, gamma)
    for law in one, words, tokens:
        assert (law > -1e-12).all() and law.sum() == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(tokens @ np.arange(1, gamma + 2), abs=1e-9) and 1 <= mean <= gamma + 1 + 1e-12
    if rule.exact:
        assert one == pytest.approx(p, abs=1e-12) and words == pytest.approx(p, abs=1e-12)
    if name != "shared":
        assert mean == pytest.approx(expected_tokens(min(1.0, rule.acceptance_rate(p, q)), gamma), abs=1e-9)
    if gamma == 0:
        assert words == pytest.approx(p, abs=1e-12)
    calls = simulate_rule(rule, p, q, gamma, 20, 3)
    assert calls.tally.sum() == calls.accepted.sum() + 20
    assert not calls.tally[(words < 1e-12)].any()


@every_rule
@pytest.mark.parametrize("gamma", (1, 4, 10))
def test_what_is_simulated_has_the_law_that_was_enumerated(name, gamma):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    calls, law = simulate_rule(rule, p, q, gamma, 100_000, 2026), rule.words_distribution(p, q, gamma)
    n = calls.tally.sum()
    spread = np.sqrt(law * (1 - law) / n) * (2 if name == "shared" else 1.2)  # words of a call depend on each other
    assert (np.abs(calls.tally / n - law) <= 4.5 * spread).all()
    assert abs(calls.tokens_per_call - rule.tokens_per_call(p, q, gamma)) <= 4.5 * calls.standard_error
    tokens = rule.tokens_distribution(p, q, gamma)
    seen = np.bincount(calls.accepted, minlength=gamma + 1) / 100_000
    assert (np.abs(seen - tokens) <= 4.5 * np.sqrt(tokens * (1 - tokens) / 100_000) + 1e-12).all()


def test_the_design_documents_numbers():
    """Non-centrality in 20,000 words at closeness .5, and the law of the widget's pair."""
    p = np.array(P)
    for name, wanted in (("redraw", 303), ("retry", 462), ("always", 4618)):
        law = RULES[name].output_distribution(P, HALF)
        assert 20_000 * ((law - p) ** 2 / p).sum() == pytest.approx(wanted, abs=.6)
    assert RULES["match"].acceptance_rate(P, HALF) == pytest.approx(sum(a * b for a, b in zip(P, HALF)), abs=1e-15)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_wrong_on_its_own_laws(name):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    assert total_variation(rule.words_distribution(p, q, 4), p) > 1e-4


@every_rule
def test_every_rule_says_where_it_was_seen(name):
    rule = RULES[name]
    assert rule.seen.endswith(".") and rule.name and len(rule.laws.words) == len(rule.laws.target) == len(rule.laws.draft)
    assert name.isalpha() and name.islower()
    with pytest.raises(AttributeError):
        rule.bits = 3


# the same luck

def test_the_exact_rule_is_simulate_calls():
    for gamma in (0, 1, 4, 10):
        one, other = simulate_rule(RULES["speculative"], P, HALF, gamma, 5000, 8), simulate_calls(P, HALF, gamma, 5000, 8)
        assert all((getattr(one, name) == getattr(other, name)).all() for name in ("drafted", "accepted", "last"))


@every_rule
def test_call_k_is_the_same_call_however_many_are_run(name):
    rule = RULES[name]
    few, many = (simulate_rule(rule, P, HALF, 4, n, 2**32 - 1) for n in (777, 40_000))
    assert all((getattr(few, field) == getattr(many, field)[:777]).all() for field in ("drafted", "accepted", "last"))
    wide = simulate_rule(rule, P, HALF, 10, 777, 2**32 - 1)
    assert (wide.drafted[:, :4] == few.drafted).all() and (np.minimum(wide.accepted, 4) == few.accepted).all()


# one by one

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
