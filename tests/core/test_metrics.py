"""Rates from counts, with their intervals, and what they advise: against exact fractions, and against simulation."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from specdec_core import (Counters, MetricsError, alpha_from_tokens, best_gamma, expected_tokens, flatness, rosetta, share_interval,
                          simulate_calls, speedup, survival_speedup, tune)
from specdec_core.examples import TRY_IT

SLOPING = Counters("vLLM counters", (), 1000, 4000, 2290, (800, 640, 510, 340))
FALLING = Counters("vLLM counters", (), 100_000, 400_000, 155_000, (80_000, 50_000, 20_000, 5_000))


def rates(counters, gamma=None):
    return {row.name: row for row in rosetta(counters, gamma)}


def counted(calls):
    """The counters of simulated calls."""
    n, gamma = calls.drafted.shape
    return Counters("test", (), n, n * gamma, int(calls.accepted.sum()),
                    tuple(int((calls.accepted >= i).sum()) for i in range(1, gamma + 1)))


def test_every_rate_is_its_definition():
    """Of 1000 calls 200 stop at word 1, 160 at 2, 130 at 3, 170 at 4 and 340 take all: 660 rejections."""
    r = rates(SLOPING)
    assert r["alpha"].value == pytest.approx(float(Fraction(2290, 2290 + 660)))
    assert r["accepted per drafted"].value == pytest.approx(2290 / 4000)
    assert r["survival"].value == pytest.approx((.8, .64, .51, .34))
    assert r["conditional"].value == pytest.approx((.8, .8, 51 / 64, 34 / 51))
    assert r["acceptance length"].value == pytest.approx(2.29) and r["tokens per call"].value == pytest.approx(3.29)
    assert r["draft efficiency"].value == pytest.approx(3.29 / 5)
    assert list(r) == ["alpha", "accepted per drafted", "survival", "conditional", "acceptance length", "tokens per call",
                       "draft efficiency"]
    for row in r.values():
        assert row.definition and row.called and row.reason == "counted by position"
        assert np.all(np.array(row.low) < row.value) and np.all(row.value < np.array(row.high))


def test_intervals_hold_what_they_promise():
    """Laws of a student's page, 300 runs of 400 calls: a 95 % interval misses its true value about one time in 20."""
    alpha = .62
    truth = {"alpha": alpha, "accepted per drafted": (expected_tokens(alpha, 4) - 1) / 4, "tokens per call": expected_tokens(alpha, 4)}
    missed = dict.fromkeys(truth, 0)
    for seed in range(300):
        r = rates(counted(simulate_calls(TRY_IT.target, TRY_IT.draft, 4, 400, seed)))
        for name, value in truth.items():
            missed[name] += not r[name].low <= value <= r[name].high
    assert all(5 <= count <= 28 for count in missed.values()), missed  # binomial(300, .05): 15 ± 3.4 deviations


def test_an_interval_by_hand_and_at_the_ends():
    share, low, high = share_interval([60, 40], [0, 1], [1, 1])  # plain binomial: Wilson for 40 of 100
    assert (share, low, high) == pytest.approx((.4, .3094, .4980), abs=5e-5)
    share, low, high = share_interval([0, 0, 50], [0, 1, 2], 2)  # all accepted: still not certain
    assert share == high == 1 and .9 < low < 1
    assert share_interval([50, 0], [0, 1], [1, 1])[:2] == (0, 0)
    assert all(math.isnan(x) for x in share_interval([0, 0], [0, 1], [1, 1]))


@pytest.mark.parametrize("alpha", [0, .3, .81, 1])
@pytest.mark.parametrize("gamma", [1, 4, 10])
def test_alpha_from_tokens_undoes_expected_tokens(alpha, gamma):
    assert alpha_from_tokens(float(expected_tokens(alpha, gamma)), gamma) == pytest.approx(alpha, abs=1e-12)
    with pytest.raises(MetricsError, match="cannot come of"):
        alpha_from_tokens(gamma + 1.001, gamma)


def test_alpha_without_positions_rests_on_independence_and_says_so():
    gamma, alpha, n = 4, .7, 10_000
    accepted = round(n * (expected_tokens(alpha, gamma) - 1))
    row = rates(Counters("test", (), n, n * gamma, accepted))["alpha"]
    assert row.value == pytest.approx(alpha, abs=1e-4) and row.low < alpha < row.high and "if acceptances are independent" in row.reason
    assert rates(Counters("test", (), n, n * gamma, accepted))["survival"].value is None


def test_alpha_of_accepted_over_drafted_needs_gamma():
    counters = Counters("llama.cpp run", drafted=240, accepted=132, calls=69)
    r = rates(counters)
    assert r["alpha"].value is None and "say γ" in r["alpha"].reason
    assert r["accepted per drafted"].value == pytest.approx(.55) and r["accepted per drafted"].low is None
    assert r["tokens per call"].value == pytest.approx(201 / 69) and "without a draft among them" in r["tokens per call"].reason
    assert rates(counters, 8)["alpha"].value == pytest.approx(alpha_from_tokens(1 + 132 / 30, 8))
    with pytest.raises(MetricsError, match="γ must be larger"):
        rosetta(Counters("test", drafts=100, drafted=None, accepted=250), 2)


def test_printed_means_give_no_interval():
    counters = Counters("SGLang log", printed_tokens=2.8, note="a mean of printed means")
    r = rates(counters, 5)
    assert r["tokens per call"].value == pytest.approx(2.8) and r["tokens per call"].low is None
    assert r["alpha"].value == pytest.approx(alpha_from_tokens(2.8, 5)) and r["accepted per drafted"].value is None
    assert rates(counters)["alpha"].value is None
    tuned = tune(counters, .05, gamma=5)
    assert tuned.now.low is None and tuned.best_gamma == best_gamma(r["alpha"].value, .05, 20) and tuned.best_gamma_range is None


def test_drafts_of_different_lengths_leave_alpha_unknown():
    counters = replace(SLOPING, drafted=3500)
    r = rates(counters)
    for name in "alpha", "conditional", "draft efficiency":
        assert r[name].value is None and "different numbers of words" in r[name].reason
    assert r["accepted per drafted"].value == pytest.approx(2290 / 3500) and r["survival"].value == pytest.approx((.8, .64, .51, .34))
    tuned = tune(counters, .05)
    assert tuned.empirical and tuned.flat is None and tuned.alpha is None and "no one α" in tuned.note


def test_independent_calls_are_flat_and_others_are_not():
    level = sum(not flatness(counted(simulate_calls(TRY_IT.target, TRY_IT.draft, 6, 500, seed))).p_value >= .05 for seed in range(200))
    assert 2 <= level <= 22  # binomial(200, .05)
    test = flatness(FALLING)
    alpha = 155_000 / (155_000 + 95_000)
    by_hand = sum((k - alpha * t) ** 2 / (alpha * t) + (k - alpha * t) ** 2 / ((1 - alpha) * t)  # both cells of a two-by-D table
                  for k, t in zip((80_000, 50_000, 20_000, 5_000), (100_000, 80_000, 50_000, 20_000)))
    assert test.statistic == pytest.approx(by_hand) and test.degrees == 3 and not test.flat
    assert flatness(Counters("test", (), 10, 40, 40, (10, 10, 10, 10))).flat
    assert flatness(Counters("test", (), 10, 40, 20)) is None


def test_flat_counts_are_tuned_by_the_formula_at_any_depth():
    counters = counted(simulate_calls(TRY_IT.target, TRY_IT.draft, 4, 20_000, 3))
    tuned = tune(counters, .02, 30)
    alpha = rates(counters)["alpha"]
    assert not tuned.empirical and tuned.alpha == alpha.value and "one α tells every γ" in tuned.note
    assert tuned.best_gamma == best_gamma(alpha.value, .02, 30) and tuned.depth == 4
    assert tuned.best.value == pytest.approx(speedup(alpha.value, tuned.best_gamma, .02))
    assert (tuned.now.low, tuned.now.high) == pytest.approx((speedup(alpha.low, 4, .02), speedup(alpha.high, 4, .02)))
    assert tuned.break_even.value == pytest.approx(alpha.value) and tuned.break_even.low == pytest.approx(alpha.low)
    assert tuned.best_gamma_range[0] <= tuned.best_gamma <= tuned.best_gamma_range[1]
    assert tune(counters, .02, 30).best_gamma_range == tuned.best_gamma_range


def test_a_falling_curve_is_tuned_by_itself_and_the_formula_is_shown_wrong():
    cost = .03
    tuned = tune(FALLING, cost)
    survival = [.8, .5, .2, .05]
    speeds = survival_speedup(survival, np.arange(5), cost)
    assert tuned.empirical and "wrong for this engine" in tuned.note
    assert tuned.speedups[:5] == pytest.approx(speeds) and np.isnan(tuned.speedups[5:]).all()
    assert tuned.best_gamma == int(np.argmax(speeds)) == 3 and tuned.best.value == pytest.approx(speeds[3])
    assert tuned.now.value == pytest.approx(speeds[4]) and tuned.now.low < tuned.now.value < tuned.now.high
    assert tuned.break_even.value == pytest.approx(.8)
    assert tuned.formula[1] == pytest.approx(1 + 155 / 250) and tuned.counted[1] == pytest.approx(1.8)
    assert best_gamma(tuned.alpha, cost, 20) == 5
    deep = tune(FALLING, .001)
    assert deep.best_gamma == 4 and "nothing is known of deeper ones" in deep.note


def test_a_draft_that_never_pays_and_verification_that_is_not_free():
    tuned = tune(FALLING, .9)
    assert tuned.best_gamma == 0 and tuned.best.value == tuned.best.low == tuned.best.high == 1
    dear = tune(FALLING, .1, 20, 1 + .3 * np.arange(21))
    assert dear.best_gamma == 1 and dear.best.value == pytest.approx(1.8 / 1.4) and dear.break_even.value == pytest.approx(.5)


def test_what_cannot_be_tuned_is_refused():
    with pytest.raises(MetricsError, match="neither α nor survival"):
        tune(Counters("llama.cpp run", drafted=240, accepted=132, calls=69), .1)
    with pytest.raises(ValueError, match="cost"):
        tune(SLOPING, -1)
    with pytest.raises(ValueError, match="at least 4, the depth"):
        tune(SLOPING, .1, 3)


def test_sums_keep_what_both_sides_know():
    assert SLOPING.plus(SLOPING).per_position == (1600, 1280, 1020, 680)
    assert SLOPING.plus(replace(SLOPING, per_position=None)).per_position is None
    assert SLOPING.plus(replace(SLOPING, per_position=(800, 640))).per_position is None
    assert SLOPING.since(replace(SLOPING, per_position=(0, 0), drafted=None)).drafted is None
