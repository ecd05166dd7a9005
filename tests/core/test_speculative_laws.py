"""`acceptance_probability`, `residual` and `output_distribution`: the exactness of speculative sampling without any sampling."""

import numpy as np
import pytest
from hypothesis import example, given
from oracles import exact, pairs

from specdec_core import acceptance_probability, acceptance_rate, output_distribution, residual

P, Q = [.5, .2, .2, .1, 0], [.15, .55, .2, 0, .1]
SUBNORMAL = np.array([1, 5e-324, 0.0]), np.array([1, 0.0, 5e-324])


@given(pairs())
@example(SUBNORMAL)
def test_kept_and_refilled_make_the_target(pair):
    """min(p, q) + (1 − α)·residual = p."""
    p, q = pair
    recovered = residual(p, q)
    refill = 0 if recovered is None else (1 - acceptance_rate(p, q)) * recovered
    assert np.minimum(p, q) + refill == pytest.approx(p, abs=1e-12)


@given(pairs())
@example(SUBNORMAL)
def test_what_comes_out_has_the_law_of_the_target(pair):
    p, q = pair
    assert output_distribution(p, q) == pytest.approx(p, abs=1e-12)


def test_the_output_law_is_enumerated_not_the_target_handed_back():
    """A "target" of mass 1.4 cannot come out: every drafted word is kept, and what comes out is the draft."""
    assert output_distribution([.9, .5], [.5, .5]).tolist() == [.5, .5]


@given(pairs())
@example(SUBNORMAL)
def test_residual_is_the_exact_excess_over_its_sum(pair):
    p, q = map(exact, pair)
    excess = [max(0, x - y) for x, y in zip(p, q)]
    if not any(excess):
        assert residual(*pair) is None
        return
    assert residual(*pair).tolist() == pytest.approx([float(x / sum(excess)) for x in excess], rel=1e-14, abs=1e-300)
    assert residual(*pair).sum() == pytest.approx(1, abs=1e-15 * len(p))


@given(pairs())
@example(SUBNORMAL)
def test_acceptance_probability_is_the_exact_ratio_or_1(pair):
    wanted = [1.0 if y == 0 or x >= y else float(x / y) for x, y in zip(*map(exact, pair))]
    assert acceptance_probability(*pair).tolist() == pytest.approx(wanted, rel=1e-15, abs=0)


def test_by_hand():
    assert acceptance_probability(P, Q).tolist() == pytest.approx([1, 4 / 11, 1, 1, 0])
    assert residual(P, Q).tolist() == pytest.approx([7 / 9, 0, 0, 2 / 9, 0])


def test_equal_laws_have_no_residual_and_every_word_is_kept():
    assert residual(P, P) is None
    assert acceptance_probability(P, P).tolist() == [1] * 5
    assert output_distribution(P, P).tolist() == P


def test_a_residual_of_one_word_is_that_word_to_the_last_digit():
    assert residual([.49, .51, 0], [.49, .2, .31]).tolist() == [0, 1, 0]


@pytest.mark.parametrize("of_pair", [acceptance_probability, residual, output_distribution])
def test_leading_axes_broadcast(of_pair):
    rng = np.random.default_rng(5)
    p, q = rng.dirichlet(np.ones(4), (3, 1)), rng.dirichlet(np.ones(4), 2)
    assert of_pair(p, q).tolist() == [[of_pair(p[i, 0], q[j]).tolist() for j in range(2)] for i in range(3)]


def test_among_stacked_laws_a_row_without_residual_is_zeros():
    assert residual([P, P], [P, Q]).tolist() == [[0] * 5, residual(P, Q).tolist()]
    assert residual([P, Q], [P, Q]) is None
    assert output_distribution([P, P], [P, Q]) == pytest.approx(np.array([P, P]), abs=1e-15)
