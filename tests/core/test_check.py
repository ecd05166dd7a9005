"""The check against closed forms, counting, and experiments that it must pass or fail."""

import tracemalloc
from itertools import islice
from math import comb, erfc, exp, factorial, inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_core import (RULES, Tally, calls_to_catch, chi_square, examples, expected_distance, noncentrality, observed_distance,
                          power, share_band, simulate_rule, tallies)
from specdec_core.check import LEVEL
from specdec_core.chisquare import chi_square_tail, critical_value, noncentral_tail

P, HALF, FAR = (.42, .22, .12, .10, .07, .07), (.30, .31, .09, .075, .17, .055), (.18, .40, .06, .05, .27, .04)
EXACT = [name for name, rule in RULES.items() if rule.exact]
BROKEN = [name for name, rule in RULES.items() if not rule.exact]


def run(name, n_calls, seed, laws=(P, HALF), gamma=4):
    *_, last = tallies(RULES[name], *laws, gamma, n_calls, seed)
    return last


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


# what a run can see

def test_noncentrality():
    p, law = np.array(P), np.array(HALF)
    assert noncentrality(law, p) == pytest.approx(sum((b - a) ** 2 / a for a, b in zip(P, HALF)), rel=1e-12)
    assert noncentrality(law, p) == pytest.approx(.230925324675325, abs=1e-12)
    assert noncentrality(p, p) == 0 and noncentrality((.5, .5), (1, 0)) == inf and noncentrality((1, 0), (1, 0)) == 0


@pytest.mark.parametrize("n_words", (200, 500, 1000, 2000))
def test_power_is_how_often_such_words_are_caught(n_words):
    law = RULES["redraw"].words_distribution(P, HALF, 10)
    counts = np.random.default_rng(n_words).multinomial(n_words, law, size=2000)
    caught = np.mean([not chi_square(row, P, 1e-3).passed for row in counts])
    assert power(law, P, n_words, 1e-3) == pytest.approx(caught, abs=.04)


def test_power_from_an_impossible_word_alone():
    assert power((.99, .01), (1, 0), 100) == pytest.approx(1 - .99**100)
    assert power((0, 1), (1, 0), 1) == 1 and power((1, 0), (1, 0), 1000) == 0
    assert power(P, P, 10_000, 1e-4) == pytest.approx(1e-4, rel=1e-6)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("level", (LEVEL, 1e-6))
def test_a_broken_rule_is_caught_at_the_promised_number_of_calls(name, level):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    calls = calls_to_catch(rule, p, q, 4, level=level)
    seeds = range(30)
    caught = sum(not chi_square(run(name, calls, seed, (p, q)).words, p, level).passed for seed in seeds)
    assert caught >= 27
    early = sum(not chi_square(run(name, calls // 10, seed, (p, q)).words, p, level).passed for seed in seeds)
    assert early <= 20  # with a tenth of the calls it is luck at best


def test_calls_to_catch_is_the_first_that_is_enough():
    rule = RULES["retry"]
    law, per_call = rule.words_distribution(P, HALF, 4), rule.tokens_per_call(P, HALF, 4)
    calls = calls_to_catch(rule, P, HALF, 4)
    assert power(law, P, calls * per_call) >= .99 > power(law, P, (calls - 1) * per_call)
    assert calls_to_catch(rule, P, HALF, 4, chance=.5) < calls < calls_to_catch(rule, P, HALF, 4, level=1e-6)


def test_nothing_is_promised_where_nothing_is_wrong():
    for name in EXACT:
        assert calls_to_catch(RULES[name], P, HALF, 4) is None
    for name in BROKEN:
        assert calls_to_catch(RULES[name], (1, 0), (1, 0), 4) is None
    assert calls_to_catch(RULES["shared"], P, HALF, 1) is None
    assert calls_to_catch(RULES["misaligned"], P, HALF, 4) is None
    assert calls_to_catch(RULES["always"], (1, 0), (0, 1), 4) == 1


def test_a_rule_that_passes_at_1000_calls_and_fails_at_100000():
    p, q = examples.CUT_LISTS.target, examples.CUT_LISTS.draft
    assert chi_square(run("inclusive", 1000, 1, (p, q)).words, p).passed
    assert not chi_square(run("inclusive", 100_000, 1, (p, q)).words, p).passed
    assert 1000 < calls_to_catch(RULES["inclusive"], p, q, 4) < 100_000


def test_the_negative_controls_of_the_design_document():
    """20,000 words at closeness .5 against the critical value 35.89."""
    rng = np.random.default_rng(0)
    for name, ncp in (("redraw", 303), ("retry", 462), ("always", 4618)):
        law = RULES[name].output_distribution(P, HALF)
        assert 20_000 * noncentrality(law, P) == pytest.approx(ncp, abs=.6) and power(law, P, 20_000, 1e-6) > .999999
        assert chi_square(rng.multinomial(20_000, law), P, 1e-6).statistic > 35.89


# distance

def test_the_distance_to_the_target():
    assert observed_distance([0, 0], (.5, .5)) is None
    assert observed_distance([3, 1], (.5, .5)) == .25
    assert observed_distance([0, 4], (1, 0)) == 1


@pytest.mark.parametrize("n", (1, 2, 7, 40))
def test_the_expected_distance_is_counted_out(n):
    p = (.42, .3, .28, 0)
    mean = sum(comb(n, k) * x**k * (1 - x) ** (n - k) * abs(k / n - x) / 2 for x in p for k in range(n + 1))
    assert expected_distance(p, n) == pytest.approx(mean, rel=1e-12)


def test_the_expected_distance_falls_like_the_root_of_the_number():
    n = np.array([10**3, 10**5, 10**7])
    expected = expected_distance(P, n)
    chance = sum(sqrt(x * (1 - x)) for x in P) / sqrt(2 * np.pi)
    assert expected.shape == (3,) and expected * np.sqrt(n) == pytest.approx([chance] * 3, rel=2e-3)
    assert expected_distance((1, 0), 10) == 0
    with pytest.raises(ValueError, match="at least one word"):
        expected_distance(P, 0)


def test_exact_runs_lie_at_the_expected_distance_and_broken_ones_stop_at_their_own():
    exact = np.mean([observed_distance(run("speculative", 500, seed).words, P) for seed in range(100)])
    words = np.mean([run("speculative", 500, seed).n_words for seed in range(100)])
    assert exact == pytest.approx(expected_distance(P, words), rel=.1)
    law = RULES["retry"].words_distribution(P, HALF, 4)
    assert observed_distance(run("retry", 200_000, 1).words, P) == pytest.approx(np.abs(law - P).sum() / 2, abs=.002)


# words per call

@pytest.mark.parametrize("n_calls", (20, 300))
def test_the_interval_covers_the_mean(n_calls):
    for name, laws in (("speculative", (P, HALF)), ("match", (P, FAR)), ("shared", (P, HALF))):
        mean = RULES[name].tokens_per_call(*laws, 4)
        runs = [simulate_rule(RULES[name], *laws, 4, n_calls, seed) for seed in range(600)]
        intervals = [Tally(n_calls, calls.tally, np.bincount(calls.accepted, minlength=5)).tokens_interval for calls in runs]
        assert .92 <= np.mean([low <= mean <= high for low, high in intervals]) <= .985


def test_the_interval_at_its_edges():
    empty = next(tallies(RULES["speculative"], P, HALF, 4, 0, 0))
    assert (empty.calls, empty.n_words, empty.tokens_per_call, empty.tokens_interval) == (0, 0, None, (1, 5))
    sure = run("speculative", 1000, 0, (P, P))
    assert sure.tokens_per_call == 5 and sure.tokens_interval[1] == 5 and 4.9 < sure.tokens_interval[0] < 5
    one = run("speculative", 1, 0)
    assert one.calls == 1 and one.tokens_interval[0] <= one.tokens_per_call <= one.tokens_interval[1]
    assert run("always", 10, 0, gamma=0).tokens_interval == (1, 1)


# the run

@pytest.mark.parametrize("name", RULES)
def test_a_run_counts_the_simulated_calls(name):
    calls, tally = simulate_rule(RULES[name], P, HALF, 4, 30_000, 5), run(name, 30_000, 5)
    assert (tally.words == calls.tally).all() and (tally.accepted == np.bincount(calls.accepted, minlength=5)).all()
    assert tally.n_words == len(calls.words) and tally.tokens_per_call == pytest.approx(calls.tokens_per_call)


def test_a_run_can_be_watched_and_stopped():
    seen = [tally.calls for tally in tallies(RULES["speculative"], P, HALF, 4, 200_000, 5)]
    assert seen[:12] == [*range(9), 10, 12, 15] and seen[-1] == 200_000
    assert max(np.diff(seen)) == 16_384 and all(b / a < 2.1 for a, b in zip(seen[1:], seen[2:])) and len(seen) < 70
    for k, tally in enumerate(islice(tallies(RULES["speculative"], P, HALF, 4, 10**9, 5), 30)):  # and then nobody asks for more
        assert (tally.words == simulate_rule(RULES["speculative"], P, HALF, 4, tally.calls, 5).tally).all()


def test_earlier_tallies_do_not_change_and_runs_do_not_meet():
    one, other = (tallies(RULES["speculative"], P, HALF, 4, 5000, 5) for _ in range(2))
    pairs = list(zip(one, other))
    assert all((a.words == b.words).all() for a, b in pairs)
    assert [a.n_words for a, _ in pairs] == sorted({a.n_words for a, _ in pairs})


def test_memory_is_flat():
    peaks = []
    for n_calls in (100_000, 400_000):
        tracemalloc.start()
        run("speculative", n_calls, 0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("laws", [(P, P), ((1, 0), (0, 1)), ((.5, .5, 0), (0, .5, .5)), ((1,), (1,))])
def test_a_check_on_edge_laws(name, laws):
    for gamma, seed in ((1, 0), (10, 2**32 - 1)):
        for n_calls in (0, 1, 200):
            tally = run(name, n_calls, seed, laws, gamma)
            low, high = tally.tokens_interval
            assert 1 <= low <= high <= gamma + 1 and 0 <= chi_square(tally.words, laws[0]).p_value <= 1
            distance = observed_distance(tally.words, laws[0])
            assert distance is None if not n_calls else 0 <= distance <= 1
        needed = calls_to_catch(RULES[name], *laws, gamma)
        assert needed is None or needed >= 1


def test_a_check_of_fifty_thousand_words():
    p, q = (law / law.sum() for law in np.random.default_rng(3).pareto(1.1, (2, 50_000)))
    for name in "speculative", "redraw":
        tally = run(name, 20_000, 1, (p, q))
        assert chi_square(tally.words, p).passed is RULES[name].exact
    assert observed_distance(tally.words, p) > expected_distance(p, tally.n_words)
    assert calls_to_catch(RULES["redraw"], p, q, 4) < 20_000


def test_bad_runs_are_refused_at_once():
    for arguments in (P, (.5, .5), 4, 1, 0), (P, HALF, 11, 1, 0), (P, HALF, 4, -1, 0), (P, HALF, 4, 1, 2**32):
        with pytest.raises(ValueError):
            tallies(RULES["speculative"], *arguments)


def test_bands():
    assert (share_band(P, 0) == inf).all()
    z = 3.14398  # the normal quantile at 1 − .01/12
    assert share_band(P, 400) == pytest.approx([z * sqrt(x * (1 - x) / 400) for x in P], rel=1e-4)
    inside = [np.abs(calls.tally / calls.tally.sum() - P) <= share_band(P, calls.tally.sum())
              for calls in (simulate_rule(RULES["speculative"], P, HALF, 4, 500, seed) for seed in range(1000))]
    assert .975 <= np.all(inside, axis=1).mean() <= .999
