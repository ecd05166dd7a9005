"""The page's own examples, by hand."""

from fractions import Fraction

import pytest

from specdec_core import acceptance_probability, as_pmf, best_gamma, expected_tokens, speedup
from specdec_core.examples import EDITOR_AND_JUNIOR, THE_AND_A, TRY_IT


@pytest.mark.parametrize("laws", [TRY_IT, THE_AND_A])
def test_the_laws_are_laws_over_their_words(laws):
    assert as_pmf([laws.target, laws.draft]).shape == (2, len(set(laws.words)))


def test_try_it_is_the_table_of_the_design():
    assert dict(zip(TRY_IT.words, zip(TRY_IT.target, TRY_IT.draft))) == {
        "the": (.42, .18), "a": (.22, .40), "this": (.12, .06), "her": (.10, .05), "my": (.07, .27), "its": (.07, .04)}


def test_the_is_always_kept_and_a_one_time_in_four():
    keep = dict(zip(THE_AND_A.words, acceptance_probability(THE_AND_A.target, THE_AND_A.draft)))
    assert (keep["the"], keep["a"]) == (1, .25)


def test_the_editor_and_the_junior():
    """1 + .8 + .64 + .512 + .4096 words in the time of 1.4 of the editor's; no other number of drafted words does much better."""
    alpha, gamma, cost = EDITOR_AND_JUNIOR
    assert expected_tokens(alpha, gamma) == pytest.approx(3.3616, rel=1e-15)
    assert speedup(alpha, gamma, cost) == pytest.approx(float(Fraction("3.3616") / Fraction("1.4")), rel=1e-15)
    assert speedup(alpha, best_gamma(alpha, cost, 20), cost) < 1.03 * speedup(alpha, gamma, cost)
