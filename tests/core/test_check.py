"""`share_band`: half-widths that hold all words at once in 99 % of exact runs."""

import math

import numpy as np
import pytest

from specdec_core.check import CONFIDENCE, share_band
from specdec_core.examples import TRY_IT
from specdec_core.sweep import sweep

P = np.array(TRY_IT.target)


@pytest.mark.parametrize("law, n", [(P, 1), (P, 1000), ([.5, .5], 20_000), ([.25, .25, .5], 37)])
def test_the_normal_tails_outside_the_bands_add_up_to_1_percent(law, n):
    spread = np.sqrt([x * (1 - x) / n for x in law])
    tails = [math.erfc(z / math.sqrt(2)) for z in share_band(law, n) / spread]
    assert tails == pytest.approx([(1 - CONFIDENCE) / len(law)] * len(law), rel=1e-9)
    assert sum(tails) == pytest.approx(.01, rel=1e-9)


def test_a_word_that_is_certain_or_impossible_has_no_band():
    assert share_band([0, 1, 0], 100).tolist() == [0, 0, 0]


def test_exact_runs_stay_inside_as_often_as_promised():
    """4,000 runs of 1,000 words: the share inside lies within three standard errors below 99 %, and not at 100 %."""
    shares = np.random.RandomState(7).multinomial(1000, P, size=4000) / 1000
    inside = (np.abs(shares - P) <= share_band(P, 1000)).all(axis=1).mean()
    assert .99 - 3 * math.sqrt(.99 * .01 / 4000) < inside < 1


def test_the_widgets_band_after_n_words_is_the_band_of_one_over_the_root_of_n():
    band = sweep(P, TRY_IT.draft, TRY_IT.words).band
    assert band / math.sqrt(1715) == pytest.approx(share_band(P, 1715), rel=1e-14)
