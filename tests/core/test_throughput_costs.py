"""Break-even, guarantees, arithmetic, verification that is not free, and survival curves: against exact fractions and searches."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from specdec_core import (best_gamma, break_even_cost, expected_tokens, guaranteed_gain, operations_factor, oracle_speedup,
                          simulate_calls, speedup, survival_speedup, survival_tokens, timeline, tokens_ceiling, tokens_distribution,
                          verification_cost)
from specdec_core.examples import TRY_IT


@pytest.mark.parametrize("alpha", [.1, .5, .81, 1.0])
@pytest.mark.parametrize("gamma", [1, 2, 5, 10])
@pytest.mark.parametrize("verification", [1.0, 1.05])
def test_at_the_break_even_cost_nothing_is_gained_or_lost(alpha, gamma, verification):
    cost = break_even_cost(alpha, gamma, verification)
    if cost >= 0:
        assert speedup(alpha, gamma, cost, verification) == pytest.approx(1, abs=1e-14)
    else:
        assert speedup(alpha, gamma, 0, verification) < 1


def test_a_gain_exists_iff_alpha_is_above_c_and_is_then_at_least_the_guaranteed_one():
    for alpha, cost in product(np.arange(1, 20) / 20, np.arange(1, 20) / 20):
        gamma = best_gamma(alpha, cost, 60)
        assert (gamma > 0) == (alpha > cost)
        assert speedup(alpha, gamma, cost) >= guaranteed_gain(alpha, cost) - 1e-14
        assert guaranteed_gain(alpha, cost) == pytest.approx(max(1, (1 + alpha) / (1 + cost)))
    assert break_even_cost(.7, 1) == pytest.approx(.7)
    assert (np.diff(break_even_cost(.7, np.arange(1, 30))) < 0).all()
    with pytest.raises(ValueError, match="at least 1"):
        break_even_cost(.7, 0)


@pytest.mark.parametrize("alpha, gamma, operations", [(.6, 2, 0), (.9, 10, .05), (0, 3, .1), (1, 4, .25)])
def test_operations_by_counting_words_judged_and_drafted(alpha, gamma, operations):
    """A call judges γ + 1 positions and drafts γ; its words are Σ k·P(k)."""
    words = sum(k * share for k, share in enumerate(tokens_distribution(alpha, gamma), 1))
    assert operations_factor(alpha, gamma, operations) == pytest.approx((gamma + 1 + gamma * operations) / words, rel=1e-14)


def test_the_ceiling_is_never_passed_and_is_reached_in_the_end():
    for alpha in (0, .3, .81, .99):
        tokens = expected_tokens(alpha, np.arange(3000))
        assert (tokens <= tokens_ceiling(alpha) * (1 + 1e-15)).all() and tokens[-1] == pytest.approx(tokens_ceiling(alpha))
    assert tokens_ceiling(1) == math.inf


def test_costly_verification_makes_the_best_gamma_smaller():
    gammas = np.arange(21)
    for slope in (0, .05, .2, .9):
        v = verification_cost(gammas, slope)
        speeds = [Fraction(float(expected_tokens(.8, g))) / (g * Fraction(.05) + Fraction(v[g])) for g in range(21)]
        assert best_gamma(.8, .05, 20, v) == speeds.index(max(speeds))
        assert speedup(.8, gammas, .05, v) == pytest.approx([float(s) for s in speeds])
    assert best_gamma(.8, .05, 20, verification_cost(gammas, .9)) == 0 < best_gamma(.8, .05, 20)
    with pytest.raises(ValueError, match="verification"):
        speedup(.8, 4, .05, 0)


def test_an_oracle_by_summing_over_what_is_accepted():
    for alpha, cost in product((.2, .8, .95), (0, .05, .5)):
        k = np.arange(3000)
        share = alpha**k * (1 - alpha)
        assert oracle_speedup(alpha, cost) == pytest.approx((share @ (k + 1)) / (share @ (k * cost + 1)))
        assert oracle_speedup(alpha, cost) >= speedup(alpha, best_gamma(alpha, cost, 400), cost)
    assert oracle_speedup(1, 0) == math.inf


def test_a_survival_curve_of_independent_words_is_the_formula():
    survival = .81 ** np.arange(1, 8)
    assert survival_tokens(survival) == pytest.approx(expected_tokens(.81, np.arange(8)), rel=1e-14)
    assert survival_speedup(survival, [0, 3, 7], .1, [1, 1, 2]) == pytest.approx(speedup(.81, [0, 3, 7], .1, [1, 1, 2]))
    assert survival_tokens([.8, .56, .28])[-1] == pytest.approx(2.64)


def test_nothing_is_said_beyond_the_depth_that_was_counted():
    with pytest.raises(ValueError, match="gamma 4 was not observed: the counts end at 3 drafted words"):
        survival_speedup([.8, .5, .2], 4, .1)
    for bad in ([.5, .6], [1.1, .5], [math.nan]):
        with pytest.raises(ValueError, match="survival"):
            survival_tokens(bad)


def test_the_two_lanes_tell_the_same_words_step_by_step():
    gamma, cost, v = 3, .25, 1.5
    line = timeline(TRY_IT.target, TRY_IT.draft, gamma, 50, 7, cost, v)
    calls = simulate_calls(TRY_IT.target, TRY_IT.draft, gamma, 50, 7)
    assert line.calls.words.tolist() == calls.words.tolist()
    now, out, steps = 0.0, 0, []
    for k, accepted in enumerate(calls.accepted):
        for _ in range(gamma):
            steps.append((now, now + cost, True, k, out))
            now += cost
        out += int(accepted) + 1
        steps.append((now, now + v, False, k, out))
        now += v
    lane = line.speculative
    assert list(zip(lane.start, lane.end, lane.is_draft, lane.call, lane.words_out)) == steps
    assert line.plain.words_out.tolist() == list(range(1, out + 1)) and line.plain.length == out == len(calls.words)
    assert line.plain.end.tolist() == (line.plain.start + 1).tolist() and not line.plain.is_draft.any()
    assert line.speedup == out / now


def test_a_clock_without_draft_or_without_calls():
    line = timeline(TRY_IT.target, TRY_IT.draft, 0, 20, 7, .1)
    assert line.speedup == 1 and line.speculative.end.tolist() == line.plain.end.tolist()
    assert math.isnan(timeline(TRY_IT.target, TRY_IT.draft, 4, 0, 7, .1).speedup)
    with pytest.raises(ValueError, match="cost"):
        timeline(TRY_IT.target, TRY_IT.draft, 4, 1, 7, -1)
