"""`as_pmf`, `softmax`, `blend`, and drawing by inverse transform."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import exact, laws, pick

from specdec_core import DistributionError, as_pmf, blend, softmax
from specdec_core.distributions import choose, cumulative

NAN, INF = float("nan"), float("inf")
BELOW_ONE = math.nextafter(1.0, 0.0)


# --- as_pmf

@pytest.mark.parametrize("values, message", [
    ([.5, -.1, .6], r"entry 1 \(counting from 0\) is -0.1: .* negative"),
    ([.5, .5, NAN], r"entry 2 .* is nan: .* a number"),
    ([INF, .5], r"entry 0 .* is inf: .* finite"),
    ([.5, -INF], r"entry 1 .* is -inf: .* finite"),
    ([[.5, .5], [1.2, -.2]], r"entry \(1, 1\) .* is -0.2: .* negative"),
    ([-5e-324, 1.0], r"entry 0 .* is -5e-324: .* negative"),
    ([0, 0.0], "^every entry is 0"),
    ([[.5, .5], [0, 0]], r"^law 1 \(counting from 0\): every entry is 0"),
    ([[[.5, .5], [1, 0]], [[1, 0], [0, 0]]], r"^law \(1, 1\) \(counting from 0\): every entry is 0"),
    ([], "empty"),
    ([[], []], "empty"),
    (.5, "a list of numbers"),
    (None, "a list of numbers"),
    ("half", "a list of numbers"),
    (["0.5", "0.5"], "real numbers"),
    ([.5, "half"], "real numbers"),
    ([True, False], "real numbers"),
    ([None, 1.0], "real numbers"),
    ([.5, .5j], "real numbers"),
    ([10**400, 1], "real numbers"),
    ([[.5, .5], [1.0]], "same length"),
])
@pytest.mark.parametrize("normalise", [False, True])
def test_as_pmf_says_what_is_wrong_with_or_without_normalising(values, message, normalise):
    with pytest.raises(DistributionError, match=message) as error:
        as_pmf(values, normalise=normalise)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("values, total", [([.5, .4], "0.9"), ([3, 2, 1], "6"), ([.5, .5 - 2e-9], "0.999999998"),
                                           ([.5, .5 + 2e-9], "1.000000002"), ([1e308, 1e308], "inf")])
def test_as_pmf_refuses_a_wrong_sum_unless_asked_to_normalise(values, total):
    with pytest.raises(DistributionError, match=f"^the entries sum to {total}, not to 1"):
        as_pmf(values)
    assert as_pmf(values, normalise=True).sum(axis=-1) == pytest.approx(1, abs=1e-15)


def test_a_wrong_sum_among_stacked_laws_names_the_law():
    with pytest.raises(DistributionError, match=r"^law 1 \(counting from 0\): the entries sum to 0.9, not to 1"):
        as_pmf([[1, 0], [.5, .4], [.5, .3]])
    with pytest.raises(DistributionError, match=r"^law \(0, 1\) \(counting from 0\): the entries sum to inf, not to 1"):
        as_pmf([[[1, 0], [1e308, 1e308]]])


def test_as_pmf_is_a_value_error():
    assert issubclass(DistributionError, ValueError)


@given(laws(6))
@example(np.array([.5, .5 - 9e-10]))
@example(np.array([5e-324, 0.0, 1.0]))
def test_as_pmf_repairs_nothing_and_returns_a_new_array(law):
    pmf = as_pmf(law)
    assert pmf.tolist() == law.tolist() and pmf.dtype == np.float64
    assert not np.shares_memory(pmf, law)


def test_as_pmf_takes_integers_and_float32_as_they_are():
    assert as_pmf([0, 1]).tolist() == [0.0, 1.0]
    assert as_pmf(np.array([.25, .75], dtype=np.float32)).dtype == np.float64


@given(st.lists(st.one_of(st.just(0.0), st.floats(5e-324, 1.7e308), st.just(5e-324)), min_size=1, max_size=9).filter(any))
@example([1e308] * 9)
@example([5e-324, 5e-324, 0.0])
@example([1.7e308, 5e-324])
def test_normalising_divides_by_the_sum_however_large_or_small(values):
    before = list(values)
    total = sum(exact(values))
    assert as_pmf(values, normalise=True).tolist() == pytest.approx([float(x / total) for x in exact(values)], rel=1e-14, abs=1e-300)
    assert values == before


def test_normalising_a_stack_is_row_by_row():
    assert as_pmf([[1, 3], [1e308, 1e308]], normalise=True).tolist() == [[.25, .75], [.5, .5]]


# --- softmax

@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(.1, 10))
def test_softmax_is_the_share_of_the_exponentials(logits, temperature):
    weights = [math.exp(x / temperature) for x in logits]
    assert softmax(logits, temperature).tolist() == pytest.approx([w / math.fsum(weights) for w in weights], rel=1e-12)


def test_softmax_at_temperature_0_is_the_first_largest():
    assert softmax([1, 3, 3, 2], 0).tolist() == [0, 1, 0, 0]
    assert softmax([[1, 2], [-INF, -5]], 0).tolist() == [[0, 1], [0, 1]]


def test_softmax_never_draws_a_masked_word():
    assert softmax([-INF, 0, -INF, 0]).tolist() == [0, .5, 0, .5]


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1.0])
def test_softmax_of_extreme_logits_is_finite_and_silent(temperature):
    assert softmax([1.7e308, -1.7e308, 1.7e308], temperature).tolist() == [.5, 0, .5]


def test_softmax_of_a_huge_temperature_is_flat():
    assert softmax([5, -5, -INF], 1e308).tolist() == [.5, .5, 0]


@pytest.mark.parametrize("logits, message", [
    ([0, NAN], "entry 1 .* nan"), ([INF, 0], r"entry 0 .* \+inf"), ([-INF, -INF], "^every logit"),
    ([[0, 1], [-INF, -INF]], "^law 1 .* every logit"), ([], "empty"), (3.0, "list"), (["x"], "real"),
])
@pytest.mark.parametrize("temperature", [0, 1])
def test_softmax_refuses_what_has_no_law(logits, message, temperature):
    with pytest.raises(DistributionError, match=message):
        softmax(logits, temperature)


@pytest.mark.parametrize("temperature", [-1, -1e-9, NAN, INF])
def test_softmax_refuses_a_temperature(temperature):
    with pytest.raises(ValueError, match="temperature"):
        softmax([0, 1], temperature)


# --- blend

@given(laws(6), laws(6))
def test_blend_is_exact_at_both_ends_and_a_law_between(target, far):
    blended = blend(target, far, [0, 1e-20, .25, .5, .99, 1])
    assert blended[0].tolist() == far.tolist() and blended[-1].tolist() == target.tolist()
    for closeness, row in zip([1e-20, .25, .5, .99], blended[1:]):
        assert row == pytest.approx([closeness * t + (1 - closeness) * f for t, f in zip(target, far)], abs=1e-15)
        assert (row >= 0).all()


@given(laws(6), st.floats(0, 1))
def test_blend_never_moves_a_word_on_which_the_laws_agree(law, closeness):
    assert blend(law, law, closeness).tolist() == law.tolist()


def test_blend_broadcasts_closeness_on_leading_axes():
    assert blend([1, 0], [0, 1], .25).tolist() == [.25, .75]
    assert blend([1, 0], [[0, 1], [.5, .5]], [[0], [.5], [1]]).shape == (3, 2, 2)


@pytest.mark.parametrize("closeness", [-.01, 1.01, NAN, [.5, 2]])
def test_blend_refuses_a_closeness_outside_0_to_1(closeness):
    with pytest.raises(ValueError, match="closeness"):
        blend([1, 0], [0, 1], closeness)


# --- cumulative, choose

@given(laws(7), st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20))
@example(np.array([.1] * 10), [BELOW_ONE])  # the sum of ten tenths is a rounding error short of 1
@example(np.array([.1] * 10 + [0.0]), [BELOW_ONE])
@example(np.array([0.0, 0.0, 1.0, 0.0]), [0.0, BELOW_ONE])
@example(np.array([0.0, .5, 0.0, .5, 0.0]), [0.0, .5, BELOW_ONE])
@example(np.array([.5, .5 - 9e-10, 0.0]), [BELOW_ONE])  # the most that `as_pmf` lets a sum lie off
def test_every_uniform_picks_the_word_that_a_plain_loop_picks_and_never_one_without_mass(law, us):
    chosen = choose(cumulative(law), us)
    assert chosen.tolist() == [pick(law, u) for u in us]
    assert (law[chosen] > 0).all()


@given(laws(7))
def test_the_totals_reach_1_at_the_last_word_with_mass_and_not_before_by_much(law):
    totals, last = cumulative(law), max(i for i, x in enumerate(law) if x > 0)
    assert (totals[last:] == 1).all()
    assert totals[:last] == pytest.approx([float(sum(exact(law[:i + 1]))) for i in range(last)], abs=1e-15)
