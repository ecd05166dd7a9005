"""Tokens per call and speed-up, against exact sums, enumeration and the paper's table."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from specdec_core import best_gamma, expected_tokens, speedup, tokens_distribution

BELOW_ONE = math.nextafter(1.0, 0.0)
ALPHAS = [0.0, 5e-324, 1e-9, .1, .5, .81, .99, 1 - 1e-12, BELOW_ONE, 1.0]


def exact_tokens(alpha, gamma):
    """1 + α + … + α^γ as a fraction."""
    return sum(Fraction(alpha) ** i for i in range(gamma + 1))


def exact_speedup(alpha, gamma, cost):
    return exact_tokens(alpha, gamma) / (gamma * Fraction(cost) + 1)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", [0, 1, 2, 4, 10, 60])
def test_expected_tokens_is_the_exact_sum_to_the_last_digits(alpha, gamma):
    assert expected_tokens(alpha, gamma) == pytest.approx(float(exact_tokens(alpha, gamma)), rel=1e-15, abs=0)


@pytest.mark.parametrize("alpha", [.5, .81, 1 - 1e-12, BELOW_ONE])
@pytest.mark.parametrize("gamma", [1000, 10**6, 10**12])
def test_expected_tokens_loses_no_digit_at_large_gamma(alpha, gamma):
    with localcontext(prec=60):
        wanted = (1 - Decimal(alpha) ** (gamma + 1)) / (1 - Decimal(alpha))
    assert expected_tokens(alpha, gamma) == pytest.approx(float(wanted), rel=1e-15, abs=0)


def test_expected_tokens_is_exact_at_both_ends():
    assert [expected_tokens(0, gamma) for gamma in (0, 1, 4, 10**9)] == [1, 1, 1, 1]
    assert [expected_tokens(1, gamma) for gamma in (0, 1, 4, 10**9)] == [1, 2, 5, 10**9 + 1]


@pytest.mark.parametrize("most", [np.uint8(255), np.int8(127), np.int32(2**31 - 1), 2**63 - 1])
def test_the_largest_gamma_of_a_number_type_does_not_wrap_around(most):
    assert expected_tokens(.5, most) == 2
    assert expected_tokens(1, most) == int(most) + 1
    assert speedup(.5, most, 1) == pytest.approx(2 / (int(most) + 1))


def test_arguments_broadcast_and_scalars_stay_scalar():
    table = expected_tokens(np.array([[0], [.5], [1]]), np.arange(5))
    assert table.tolist() == [[expected_tokens(alpha, gamma) for gamma in range(5)] for alpha in (0, .5, 1)]
    assert speedup([.5, .9], [1, 4], [.1, .2]).tolist() == [speedup(.5, 1, .1), speedup(.9, 4, .2)]
    assert best_gamma([[.5], [.9]], [.05, .2], 30).tolist() == [[best_gamma(a, c, 30) for c in (.05, .2)] for a in (.5, .9)]
    assert tokens_distribution([.5, 1], 2).tolist() == [[.5, .25, .25], [0, 0, 1]]
    assert np.ndim(expected_tokens(.5, 4)) == np.ndim(speedup(.5, 4, .1)) == np.ndim(best_gamma(.5, .1, 9)) == 0


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(3, 10), Fraction(1, 2), Fraction(81, 100), Fraction(1)])
@pytest.mark.parametrize("gamma", [0, 1, 4, 6])
def test_tokens_distribution_by_enumerating_every_way_to_accept(alpha, gamma):
    law = [Fraction(0)] * (gamma + 1)
    for kept in product([True, False], repeat=gamma):
        accepted = (*kept, False).index(False)
        law[accepted] += math.prod(alpha if k else 1 - alpha for k in kept)
    assert tokens_distribution(float(alpha), gamma).tolist() == pytest.approx([float(x) for x in law], abs=1e-15)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", [0, 1, 4, 10, 1000])
def test_tokens_distribution_sums_to_1_and_its_mean_is_expected_tokens(alpha, gamma):
    law = tokens_distribution(alpha, gamma)
    assert law.shape == (gamma + 1,)
    assert math.fsum(law) == pytest.approx(1, abs=1e-14)
    assert math.fsum(k * share for k, share in enumerate(law, 1)) == pytest.approx(expected_tokens(alpha, gamma), rel=1e-13)


@pytest.mark.parametrize("alpha", [0.0, .3, .81, BELOW_ONE, 1.0])
@pytest.mark.parametrize("gamma", [0, 1, 4, 10])
@pytest.mark.parametrize("cost", [0.0, .02, 1.0, 3.0])
def test_speedup_is_the_exact_ratio(alpha, gamma, cost):
    assert speedup(alpha, gamma, cost) == pytest.approx(float(exact_speedup(alpha, gamma, cost)), rel=2e-15, abs=0)


def test_best_gamma_is_the_published_grid():
    """Leviathan et al. 2023, section 3.5 and figure 3."""
    grid = best_gamma(np.array([[.5], [.7], [.8], [.9]]), [.01, .02, .05, .1, .2], 300)
    assert grid.tolist() == [[5, 4, 3, 2, 1], [9, 8, 6, 4, 3], [14, 11, 8, 6, 4], [24, 19, 13, 10, 7]]


def test_best_gamma_wins_an_exact_search():
    for alpha, cost in product([.03, .31, .62, .83], [.007, .061, .23, .41]):
        speeds = [exact_speedup(alpha, gamma, cost) for gamma in range(31)]
        assert best_gamma(alpha, cost, 30) == speeds.index(max(speeds))


@pytest.mark.parametrize("gamma", range(8))
def test_best_gamma_is_the_smaller_of_two_equals_in_spite_of_rounding(gamma):
    """c = α^(γ+1) / (1 + … + α^γ − γα^(γ+1)) makes γ and γ + 1 equally fast; at γ = 0 it is the break-even c = α."""
    for percent in range(1, 100):
        alpha = Fraction(percent, 100)
        cost = alpha ** (gamma + 1) / (exact_tokens(alpha, gamma) - gamma * alpha ** (gamma + 1))
        assert exact_speedup(alpha, gamma, cost) == exact_speedup(alpha, gamma + 1, cost)
        assert best_gamma(float(alpha), float(cost), 30) == gamma


def test_best_gamma_at_the_edges():
    assert best_gamma(0, .1, 10) == best_gamma(0, 0, 10) == best_gamma(1, 1, 10) == 0
    assert best_gamma(1, .9, 10) == best_gamma(.5, 0, 10) == 10
    assert best_gamma(.9, .01, 0) == 0


@pytest.mark.parametrize("alpha, gamma, cost, name", [
    (-1e-9, 4, .1, "alpha"), (1 + 1e-15, 4, .1, "alpha"), (math.nan, 4, .1, "alpha"), ([.5, 2], 4, .1, "alpha"),
    (.5, -1, .1, "gamma"), (.5, 4.0, .1, "gamma"), (.5, math.nan, .1, "gamma"), (.5, True, .1, "gamma"), (.5, "4", .1, "gamma"),
    (.5, 4, -.1, "cost"), (.5, 4, math.inf, "cost"), (.5, 4, math.nan, "cost"),
])
def test_numbers_out_of_range_are_refused_by_name(alpha, gamma, cost, name):
    with pytest.raises(ValueError, match=name):
        speedup(alpha, gamma, cost)
    with pytest.raises(ValueError, match=name):
        best_gamma(alpha, cost, gamma)
    if name != "cost":
        with pytest.raises(ValueError, match=name):
            expected_tokens(alpha, gamma)
        with pytest.raises(ValueError, match=name):
            tokens_distribution(alpha, gamma)
