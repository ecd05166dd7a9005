"""What a run counts: the distance to the target, words per call, tallies that can be watched and stopped; edge laws."""

import tracemalloc
from itertools import islice
from math import comb, inf, sqrt

import numpy as np
import pytest
from word_laws import FAR, HALF, P, run

from specdec_core import (RULES, Tally, calls_to_catch, chi_square, expected_distance, observed_distance, share_band,
                          simulate_rule, tallies)


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
