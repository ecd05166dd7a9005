"""`top_k` and `top_p`, against a loop over the ranked words in exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_core import top_k, top_p

counts = st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any)  # few distinct values, so that ties are common


def restricted(weights, kept):
    """The law of whole-number `weights` on the words `kept`, as doubles."""
    return [float(Fraction(w, sum(weights[i] for i in kept))) if i in kept else 0.0 for i, w in enumerate(weights)]


def ranked(weights):
    return sorted(range(len(weights)), key=lambda i: (-weights[i], i))


@given(counts, st.integers(1, 10))
def test_top_k_keeps_the_k_likeliest_and_of_equals_the_earlier(weights, k):
    law = np.array(weights) / sum(weights)
    assert top_k(law, k).tolist() == pytest.approx(restricted(weights, ranked(weights)[:k]), abs=1e-15)


@given(counts, st.integers(1, 20))
def test_top_p_keeps_the_fewest_likeliest_words_that_hold_the_mass(weights, twentieths):
    held, kept = 0, []
    for i in ranked(weights):
        if Fraction(held, sum(weights)) >= Fraction(twentieths, 20) and twentieths < 20:
            break
        held, kept = held + weights[i], kept + [i]
    law = np.array(weights) / sum(weights)
    assert top_p(law, twentieths / 20).tolist() == pytest.approx(restricted(weights, kept), abs=1e-15)


def test_top_p_stops_at_a_sum_that_rounding_leaves_a_digit_short():
    assert .4 + .3 + .2 < .9
    assert top_p([.4, .3, .2, .1], .9).tolist() == pytest.approx([4 / 9, 3 / 9, 2 / 9, 0])


@pytest.mark.parametrize("mass", [1e-300, 1e-12, .01])
def test_top_p_always_keeps_the_likeliest(mass):
    assert top_p([.2, .5, .3], mass).tolist() == [0, 1, 0]


@pytest.mark.parametrize("cut", [lambda law: top_k(law, 3), lambda law: top_k(law, 99), lambda law: top_p(law, 1)])
def test_what_cuts_nothing_changes_no_digit_and_returns_a_new_array(cut):
    law = np.array([.1 + .2, .3, .4])
    assert cut(law).tolist() == law.tolist()
    assert not np.shares_memory(cut(law), law)


def test_stacked_laws_are_cut_row_by_row():
    laws = [[.1, .6, .3], [.5, .2, .3]]
    assert top_k(laws, 1).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert top_k(laws, 2).tolist() == [top_k(law, 2).tolist() for law in laws]
    assert top_p(laws, .55).tolist() == [top_p(law, .55).tolist() for law in laws]


@pytest.mark.parametrize("k", [0, -1, 1.5, 2.0, float("nan"), float("inf"), "2", None])
def test_top_k_refuses(k):
    with pytest.raises(ValueError, match="top-k"):
        top_k([.5, .5], k)


@pytest.mark.parametrize("mass", [0, -.1, 1.1, float("nan")])
def test_top_p_refuses(mass):
    with pytest.raises(ValueError, match="top-p"):
        top_p([.5, .5], mass)
