"""`total_variation` and `acceptance_rate`, against exact fractions and against what they mean."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from oracles import exact, pairs

from specdec_core import acceptance_rate, blend, closeness_at, expected_tokens, total_variation


@given(pairs())
def test_both_are_the_exact_sums_to_the_last_digits(pair):
    p, q = map(exact, pair)
    assert total_variation(*pair) == pytest.approx(float(sum(max(0, y - x) for x, y in zip(p, q))), rel=1e-14, abs=0)
    assert acceptance_rate(*pair) == pytest.approx(float(sum(map(min, p, q))), rel=1e-14, abs=0)


@given(pairs())
def test_they_add_up_to_1(pair):
    assert total_variation(*pair) + acceptance_rate(*pair) == pytest.approx(1, abs=1e-14)


@given(pairs())
def test_total_variation_is_the_largest_difference_that_any_event_shows(pair):
    p, q = pair
    events = [list(event) for size in range(len(p) + 1) for event in combinations(range(len(p)), size)]
    assert total_variation(p, q) == pytest.approx(max(q[event].sum() - p[event].sum() for event in events), abs=1e-14)


def test_equal_laws_are_at_distance_0_exactly_and_disjoint_ones_at_1():
    assert total_variation([.1, .2, .7], [.1, .2, .7]) == 0
    assert (total_variation([0, .5, .5], [1, 0, 0]), acceptance_rate([0, .5, .5], [1, 0, 0])) == (1, 0)


@given(pairs())
@example((np.array([.1, .2, .3, .4]) + 2.0**-40,) * 2)  # as far above 1 as `as_pmf` lets a sum be
@example((np.array([.1, .6, .3, 0]), np.array([0, 0, 0, 1 + 9e-10])))
def test_neither_exceeds_1_so_that_throughput_takes_every_rate(pair):
    p, q = pair
    for a, b in (p, q), (q, p), (p, p):
        assert total_variation(a, b) <= 1 and acceptance_rate(a, b) <= 1
        assert 1 <= expected_tokens(acceptance_rate(a, b), 4) <= 5
        assert 1 <= expected_tokens(1 - total_variation(a, b), 4) <= 5


@pytest.mark.parametrize("measure", [total_variation, acceptance_rate])
def test_leading_axes_broadcast(measure):
    rng = np.random.default_rng(5)
    p, q = rng.dirichlet(np.ones(4), (3, 1)), rng.dirichlet(np.ones(4), 2)
    assert measure(p, q).tolist() == [[measure(p[i, 0], q[j]) for j in range(2)] for i in range(3)]


@given(pairs())
def test_closeness_at_undoes_the_acceptance_rate_of_a_blend(pair):
    p, far = pair
    for closeness in 0, .3, 1:
        alpha = acceptance_rate(p, blend(p, far, closeness))
        assert acceptance_rate(p, blend(p, far, closeness_at(float(alpha), p, far))) == pytest.approx(alpha, abs=1e-12)


def test_closeness_at_ends():
    p, far = (.6, .4), (.2, .8)
    assert closeness_at(.6, p, far) == 0 == closeness_at(.1, p, far) and closeness_at(1, p, far) == 1 == closeness_at(1, p, p)
    with pytest.raises(ValueError, match="alpha"):
        closeness_at(1.1, p, far)
