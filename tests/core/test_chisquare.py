"""χ²: its tails against closed forms and tables, and the verdict by hand, with the false alarms that it promises."""

from math import erfc, exp, factorial, inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from word_laws import EXACT, HALF, P, run

from specdec_core import RULES, chi_square, simulate_rule
from specdec_core.check import LEVEL
from specdec_core.chisquare import chi_square_tail, critical_value, noncentral_tail


# χ² and its tails

def even_tail(x, degrees):
    """With an even number of degrees the tail is a Poisson sum."""
    return exp(-x / 2) * sum((x / 2) ** k / factorial(k) for k in range(degrees // 2))


@given(st.floats(1e-6, 300), st.integers(1, 20))
def test_the_tail_for_even_degrees_is_a_poisson_sum(x, half):
    assert chi_square_tail(x, 2 * half) == pytest.approx(even_tail(x, 2 * half), rel=1e-10)


@given(st.floats(1e-9, 1000))
def test_the_tail_for_odd_degrees(x):
    assert chi_square_tail(x, 1) == pytest.approx(erfc(sqrt(x / 2)), rel=1e-10)
    five = erfc(sqrt(x / 2)) + sqrt(2 * x / 3.141592653589793) * exp(-x / 2) * (1 + x / 3)
    assert chi_square_tail(x, 5) == pytest.approx(five, rel=1e-10)


def test_tails_known_from_tables():
    for x, degrees, level in ((3.841458820694124, 1, .05), (11.070497693516351, 5, .05), (15.08627246938899, 5, .01),
                              (35.88818687967267, 5, 1e-6), (29.58829844507442, 10, .001), (124.34211340400407, 100, .05)):
        assert chi_square_tail(x, degrees) == pytest.approx(level, rel=1e-9)
        assert critical_value(degrees, level) == pytest.approx(x, rel=1e-9)
    assert critical_value(5, 1e-6) == pytest.approx(35.89, abs=.005)


@pytest.mark.parametrize("degrees", (1, 2, 5, 999, 49_999))
def test_tails_fall_from_one_to_zero(degrees):
    xs = np.concatenate([[0], np.geomspace(5e-324, 1e308, 400), [inf]])
    tails = [chi_square_tail(x, degrees) for x in xs]
    assert tails[0] == 1 and tails[-1] == 0 and all(a >= b - 1e-12 for a, b in zip(tails, tails[1:])) and min(tails) >= 0
    assert chi_square_tail(degrees, degrees) == pytest.approx(.5, abs=.2)
    for level in (1e-300, 1e-9, .5, .999):
        assert chi_square_tail(critical_value(degrees, level), degrees) == pytest.approx(level, rel=1e-6)


def test_no_degrees_of_freedom():
    assert chi_square_tail(0, 0) == 1 and chi_square_tail(1, 0) == 0


@given(st.floats(.01, 400), st.floats(0, 400))
def test_the_noncentral_tail_of_one_degree_is_two_normal_tails(x, shift):
    def normal(z):
        return erfc(z / sqrt(2)) / 2
    both = normal(sqrt(x) - sqrt(shift)) + normal(sqrt(x) + sqrt(shift))
    assert noncentral_tail(x, 1, shift) == pytest.approx(both, abs=1e-9)


@pytest.mark.parametrize("degrees, shift, x", [(5, 60, 35.9), (5, 20, 35.9), (3, 5, 8), (11, 300, 250)])
def test_the_noncentral_tail_is_that_of_shifted_squares(degrees, shift, x):
    z = np.random.default_rng(1).standard_normal((200_000, degrees))
    z[:, 0] += sqrt(shift)
    assert noncentral_tail(x, degrees, shift) == pytest.approx(((z**2).sum(axis=1) >= x).mean(), abs=.005)


def test_the_noncentral_tail_at_its_ends():
    assert noncentral_tail(35.9, 5, 0) == chi_square_tail(35.9, 5)
    assert noncentral_tail(35.9, 5, inf) == noncentral_tail(35.9, 5, 1e300) == noncentral_tail(0, 5, 3) == 1
    assert noncentral_tail(1e300, 5, 3) == 0


# the verdict

def test_chi_square_by_hand():
    verdict = chi_square([30, 50, 20], (.5, .3, .2))
    assert verdict.statistic == pytest.approx(20**2 / 50 + 20**2 / 30) and verdict.degrees == 2
    assert verdict.p_value == pytest.approx(even_tail(verdict.statistic, 2)) and not verdict.passed and verdict.level == LEVEL
    assert "not the target's law" in verdict.sentence("abc") and "10,000" in verdict.sentence("abc")
    fine = chi_square([51, 29, 20], (.5, .3, .2))
    assert fine.passed and "97 % of runs" in fine.sentence("abc")
    assert chi_square([30, 50, 20], (.5, .3, .2), level=1e-9).passed


def test_rare_words_share_a_cell():
    """100 words: 1, 3 and 6 are expected of the last three; the first two of them are pooled and still too few, so 6 joins."""
    p = (.5, .4, .06, .03, .01)
    verdict = chi_square([50, 40, 0, 4, 6], p)
    assert verdict.degrees == 2 and verdict.statistic == 0
    assert chi_square([500, 400, 60, 30, 10], p).degrees == 4
    alone = chi_square([50, 40, 10, 0, 0], (.5, .4, .05, .03, .02))  # 5, 3 and 2 are expected: 3 and 2 make a cell of 5
    assert alone.degrees == 3 and alone.statistic == pytest.approx(25 / 5 + 25 / 5)


def test_a_word_that_is_never_said_is_a_proof():
    verdict = chi_square([500, 499, 1], (.5, .5, 0))
    assert (verdict.statistic, verdict.p_value, verdict.impossible, verdict.passed) == (inf, 0, (2,), False)
    assert verdict.sentence(("the", "a", "my")) == "The target never says ‘my’, and yet it came out: no exact rule does that."
    assert chi_square([500, 500, 0], (.5, .5, 0)).statistic == 0
    many = chi_square([0, 1, 1, 1, 1], (1, 0, 0, 0, 0))
    assert "‘b’, ‘c’, ‘d’, …" in many.sentence("abcde")


@pytest.mark.parametrize("counts, p", [([0, 0], (.5, .5)), ([1, 0], (.5, .5)), ([9, 0], (.5, .5)), ([7], (1,)), ([7, 0], (1, 0))])
def test_too_few_words_decide_nothing(counts, p):
    verdict = chi_square(counts, p)
    assert verdict.passed and verdict.p_value == 1 and verdict.degrees == 0 and "Too few" in verdict.sentence("ab")


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1, max_size=30))
def test_a_verdict_is_always_a_number(law):
    counts, weights = zip(*law, (1, 1))
    p = np.array(weights) / sum(weights)
    verdict = chi_square(counts, p)
    assert 0 <= verdict.p_value <= 1 and verdict.statistic >= 0 and 0 <= verdict.degrees < len(p)
    assert verdict.sentence([str(i) for i in range(len(p))]).endswith(".")


@pytest.mark.parametrize("name", EXACT)
def test_exact_rules_raise_false_alarms_at_the_stated_rate(name):
    """1,000 seeds: the p-values are as good as uniform, of the words and of words per call alike."""
    rule = RULES[name]
    runs = [simulate_rule(rule, P, HALF, 4, 400, seed) for seed in range(1000)]
    tokens = rule.tokens_distribution(P, HALF, 4)
    for verdicts in ([chi_square(calls.tally, P) for calls in runs],
                     [chi_square(np.bincount(calls.accepted, minlength=5), tokens) for calls in runs]):
        p_values = np.array([verdict.p_value for verdict in verdicts])
        for level in .5, .1, .01:
            assert abs((p_values < level).mean() - level) < 3.5 * sqrt(level * (1 - level) / 1000)
        assert sum(not verdict.passed for verdict in verdicts) <= 2  # a tenth is expected
    assert not any(chi_square(calls.tally, P, 1e-6).statistic > 35.89 for calls in runs)


@pytest.mark.parametrize("name", EXACT)
def test_exact_rules_pass_a_million_calls(name):
    tally = run(name, 1_000_000, 12)
    assert tally.calls == 1_000_000 and chi_square(tally.words, P).passed
    assert chi_square(tally.accepted, RULES[name].tokens_distribution(P, HALF, 4)).passed
    low, high = tally.tokens_interval
    assert low - .005 < RULES[name].tokens_per_call(P, HALF, 4) < high + .005
