"""Rejection sampling against fractions, integrals and closed forms."""

from fractions import Fraction
from math import factorial, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_core import (BELL_PROPOSAL, FLAT_PROPOSAL, DistributionError, Normal, Uniform, ball_darts, ball_share,
                          envelope_constant, kept_distribution, kept_share, propose, rejection_sample, share_band, three_ways,
                          two_bumps)
from specdec_core.rejection import MAX_TRIES

P, Q = (.5, .3, .2), (.2, .3, .5)
TRY_IT_P, TRY_IT_HALF = (.42, .22, .12, .10, .07, .07), (.30, .31, .09, .075, .17, .055)


def stream(seed=0):
    return np.random.RandomState(seed)


weights = st.integers(2, 6).flatmap(lambda v: st.tuples(st.lists(st.integers(0, 30), min_size=v, max_size=v).filter(any),
                                                        st.lists(st.integers(1, 30), min_size=v, max_size=v)))


# pmfs

def test_the_numbers_of_the_page():
    assert envelope_constant(P, Q) == 2.5
    assert envelope_constant(TRY_IT_P, TRY_IT_HALF) == pytest.approx(1.4, abs=1e-12)
    assert kept_share(P, Q, 2) == pytest.approx(.45, abs=1e-12)
    assert kept_distribution(P, Q, 2) == pytest.approx([4 / 9, 3 / 9, 2 / 9], abs=1e-12)
    assert kept_share(P, Q, 2.5) == pytest.approx(.40, abs=1e-12)
    assert kept_distribution(P, Q, 2.5) == pytest.approx(P, abs=1e-12)


@given(weights, st.fractions(Fraction(1, 20), 20, max_denominator=40))
def test_what_is_kept_is_the_same_in_fractions(pair, M):
    p, q = ([Fraction(w, sum(law)) for w in law] for law in pair)
    darts = [q_x * min(Fraction(1), p_x / (M * q_x)) for p_x, q_x in zip(p, q)]  # proposed, then kept
    floats = [[float(x) for x in law] for law in (p, q)]
    assert kept_share(*floats, float(M)) == pytest.approx(float(sum(darts)), abs=1e-12)
    assert kept_distribution(*floats, float(M)) == pytest.approx([float(d / sum(darts)) for d in darts], abs=1e-12)
    assert envelope_constant(*floats) == pytest.approx(float(max(a / b for a, b in zip(p, q))), rel=1e-12)


@given(weights)
def test_the_true_constant_keeps_one_in_M_and_gives_the_target(pair):
    p, q = (np.array(law) / sum(law) for law in pair)
    M = envelope_constant(p, q)
    assert kept_share(p, q, M) == pytest.approx(1 / M, rel=1e-12)
    assert kept_distribution(p, q, M) == pytest.approx(p, abs=1e-12)
    assert propose(p, q, M, np.empty((0, 2))).short.size == 0  # not even by rounding
    assert propose(p, q, M * .999, np.empty((0, 2))).short.size > 0


@pytest.mark.parametrize("M", (2, 2.5, 4))
def test_a_sample_has_the_law_and_the_cost_that_enumeration_gives(M):
    seen = rejection_sample(P, Q, M, 20_000, stream(3))
    assert len(seen.sample) == 20_000 and seen.kept[-1] and seen.wasted == len(seen.x) - 20_000
    law, share = kept_distribution(P, Q, M), kept_share(P, Q, M)
    assert (np.abs(np.bincount(seen.sample, minlength=3) / 20_000 - law) < share_band(law, 20_000)).all()
    assert abs(20_000 / len(seen.x) - share) < 4 * np.sqrt(share * (1 - share) / len(seen.x))
    assert list(seen.short) == ([0] if M == 2 else [])


def test_each_proposal_is_judged_by_its_dart():
    seen = rejection_sample(P, Q, 2.5, 500, stream())
    assert (seen.target == np.take(P, seen.x)).all() and (seen.envelope == 2.5 * np.take(Q, seen.x)).all()
    assert ((seen.height >= 0) & (seen.height < seen.envelope)).all()
    assert (seen.kept == (seen.height < seen.target)).all() and (seen.sample == seen.x[seen.kept]).all()


def test_the_same_luck_under_another_M_and_for_more():
    few, many, wide = (rejection_sample(P, Q, M, n, stream(9)) for M, n in ((2.5, 50), (2.5, 5000), (5, 5000)))
    assert (many.x[:len(few.x)] == few.x).all() and (many.height[:len(few.x)] == few.height).all()
    assert (wide.x[:len(many.x)] == many.x).all() and wide.height[:len(many.x)] == pytest.approx(2 * many.height)
    assert wide.wasted > many.wasted


def test_a_proposal_without_mass_names_the_word():
    for call in (lambda p, q: envelope_constant(p, q), lambda p, q: kept_share(p, q, 2), lambda p, q: kept_distribution(p, q, 2),
                 lambda p, q: rejection_sample(p, q, 2, 1, stream())):
        with pytest.raises(DistributionError, match=r"never gives word 1 \(counting from 0\), where the target has 0.5"):
            call((.5, .5, 0), (.5, 0, .5))
    assert envelope_constant((.5, 0, .5), (.25, .5, .25)) == 2  # mass that the target does not want is only waste


def test_hopeless_cases_end_with_an_error():
    with pytest.raises(RuntimeError, match="in a row were rejected"):
        rejection_sample(P, Q, 1e9, 1, stream())
    assert len(rejection_sample(P, Q, 1e9, 0, stream()).x) == 0
    for M in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="envelope constant"):
            rejection_sample(P, Q, M, 1, stream())
    with pytest.raises(ValueError, match="n must be a whole number"):
        rejection_sample(P, Q, 2.5, 1.5, stream())
    with pytest.raises(DistributionError, match="sum to"):
        rejection_sample((.5, .6), (.5, .5), 2, 1, stream())
    assert MAX_TRIES == 100_000


@pytest.mark.parametrize("words", (1, 2, 50_000))
def test_identical_laws_keep_everything(words):
    p = np.full(words, 1 / words)
    seen = rejection_sample(p, p, 1, 1000, stream())
    assert envelope_constant(p, p) == 1 and seen.wasted == 0 and len(seen.x) == 1000


def test_tiny_masses_give_no_nan():
    p, q = (.5, .5), (1 - 1e-320, 1e-320)
    assert envelope_constant(p, q) == np.inf
    assert kept_share(p, q, 1e-300) == pytest.approx(1) and np.isfinite(kept_distribution(p, q, 1e-300)).all()


# densities

def test_two_bumps_is_a_density_and_its_constants_are_the_documented_ones():
    x = np.linspace(-3, 3, 600_001)
    assert np.trapezoid(two_bumps(x), x) == pytest.approx(1, abs=1e-9)
    assert (two_bumps(x) >= 0).all() and two_bumps([-2.51, 2.51]) == pytest.approx([0, 0])
    assert np.count_nonzero(np.diff(np.sign(np.diff(two_bumps(x)))) < 0) == 2
    flat, bell = envelope_constant(two_bumps, FLAT_PROPOSAL, (-3, 3)), envelope_constant(two_bumps, BELL_PROPOSAL, (-2.5, 2.5))
    assert flat == pytest.approx(18 / 7, rel=1e-12)
    ratio = two_bumps(x) / BELL_PROPOSAL.density(x)
    assert bell == pytest.approx(ratio.max(), rel=1e-8) and bell >= ratio.max() and bell == pytest.approx(2.212, abs=5e-4)
    assert x[ratio.argmax()] == pytest.approx(-1.37, abs=.005) and 1 / bell == pytest.approx(.452, abs=5e-4)


@pytest.mark.parametrize("proposal", (FLAT_PROPOSAL, BELL_PROPOSAL))
def test_a_density_is_sampled(proposal):
    M = envelope_constant(two_bumps, proposal, (-2.5, 2.5))
    seen = rejection_sample(two_bumps, proposal, M, 20_000, stream(1))
    assert seen.short.size == 0 and (seen.height <= seen.envelope).all()
    assert 20_000 / len(seen.x) == pytest.approx(1 / M, abs=.01)
    edges = np.linspace(-2.5, 2.5, 26)
    grid = np.linspace(edges[:-1], edges[1:], 401)
    mass = np.trapezoid(two_bumps(grid), grid, axis=0)
    shares = np.histogram(seen.sample, edges)[0] / 20_000
    assert (np.abs(shares - mass) <= share_band(mass / mass.sum(), 20_000)).all()


def test_too_small_an_M_for_a_density_is_reported():
    seen = rejection_sample(two_bumps, FLAT_PROPOSAL, 1.5, 2000, stream())
    assert seen.short.size and (two_bumps(seen.short) > 1.5 / 6).all()
    assert set(seen.x[seen.target > seen.envelope]) == set(seen.short)


def test_a_gap_under_a_density_names_the_place():
    with pytest.raises(DistributionError, match=r"never gives x = -2\.\d+, where the target has"):
        envelope_constant(two_bumps, Uniform(-2, 2), (-2.5, 2.5))


def test_proposals_are_their_own_laws():
    u = np.linspace(0, 1, 10_001)[:-1]
    for law in Uniform(-1, 3), Normal(.5, 2):
        x = law.quantile(u)
        assert np.isfinite(x).all()
        middle = slice(2000, 8000)  # the quantile's slope is one over the density
        assert np.gradient(x, u)[middle] * law.density(x)[middle] == pytest.approx(1, rel=1e-4)


def test_any_numpy_generator_will_do():
    assert len(rejection_sample(P, Q, 2.5, 100, np.random.default_rng(0)).sample) == 100


# the ball

def test_the_share_of_the_ball():
    assert ball_share(2) == pytest.approx(pi / 4, abs=1e-15) and ball_share(10) == pytest.approx(.0025, abs=5e-5)
    for k in range(1, 6):  # without half-integer factorials: π^k/k! and 2·k!·(4π)^k/(2k + 1)!, over the cube's 2^d
        assert ball_share(2 * k) == pytest.approx(pi**k / factorial(k) / 4**k, rel=1e-13)
        assert ball_share(2 * k + 1) == pytest.approx(factorial(k) * pi**k / factorial(2 * k + 1), rel=1e-13)
    with pytest.raises(ValueError, match="dimension"):
        ball_share(0)


@pytest.mark.parametrize("dimension", (1, 2, 3, 6, 10))
def test_darts_at_the_ball(dimension):
    darts, share = ball_darts(dimension, 50_000, 7), ball_share(dimension)
    assert darts.points.shape == (50_000, dimension) and (np.abs(darts.points) <= 1).all()
    assert (darts.inside == (np.linalg.norm(darts.points, axis=1) < 1)).mean() > .9999
    assert abs(darts.inside.mean() - share) <= share_band([share, 1 - share], 50_000)[0] + 1e-15
    again = ball_darts(dimension, 100, 7)
    assert (again.points == darts.points[:100]).all()


def test_darts_at_the_edges():
    assert len(ball_darts(2, 0, 0).points) == 0
    assert ball_darts(2, 1, 2**32 - 1).inside.shape == (1,)
    for bad in ((0, 1, 0), (2, -1, 0), (2, 1, 2**32), (2.5, 1, 0)):
        with pytest.raises(ValueError, match="whole number"):
            ball_darts(*bad)


# three ways

def test_three_ways_on_the_try_it_words():
    ways = three_ways(TRY_IT_P, TRY_IT_HALF)
    match = sum(a * b for a, b in zip(TRY_IT_P, TRY_IT_HALF))
    assert [way.kept for way in ways] == pytest.approx([1 / 1.4, match, .81], abs=1e-12)
    for way in ways:
        assert way.law == pytest.approx(TRY_IT_P, abs=1e-12)
    assert len({way.rejected for way in ways}) == 3


@given(weights)
def test_no_way_keeps_more_than_the_speculative_rule(pair):
    p, q = (np.array(law) / sum(law) for law in pair)
    classic, match, speculative = three_ways(p, q)
    assert speculative.kept + 1e-12 >= max(classic.kept, match.kept)
    assert speculative.kept == pytest.approx(1 - np.abs(p - q).sum() / 2, abs=1e-12)


def test_three_ways_where_classic_rejection_cannot():
    classic, match, speculative = three_ways((1, 0), (0, 1))
    assert (classic.kept, classic.law) == (0, None) and match.kept == speculative.kept == 0
    assert list(match.law) == list(speculative.law) == [1, 0]
