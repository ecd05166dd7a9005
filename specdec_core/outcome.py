"""What a rule does to the words that come out, in one word; and a long vocabulary cut down to what a chart can show."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .check import SAME_LAW
from .divergence import total_variation
from .rule import Rule

Outcome = Literal["exact", "more", "fewer", "other"]

SHOWN_WORDS = 10
"""How many words a chart names; of a longer vocabulary the rest is one more bar."""


def outcome(rule: Rule, p: ArrayLike, q: ArrayLike, gamma: int) -> Outcome:
    """What a rule does to the draft's favourites, the words with q > p, in all the words of many calls.

    "exact" if its words have law p; else "more" or "fewer" by the sign of Σ over the favourites of (its law − p), or "other" where
    that sum is 0: the favourites come out as often as they should, taken together, and yet the law is wrong. Differences below
    1e-12 count as none, as in `calls_to_catch`.
    """
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    law = rule.words_distribution(p, q, gamma)
    if total_variation(law, p) < SAME_LAW:
        return "exact"
    shift = (law - p)[q > p].sum()
    return "other" if abs(shift) < SAME_LAW else "more" if shift > 0 else "fewer"


def shown_words(p: ArrayLike, most: int = SHOWN_WORDS) -> NDArray[np.intp]:
    """The words that a chart of p (V,) names: all in their order if one more than `most` are enough, else the `most` likeliest."""
    p = np.asarray(p)
    return np.arange(len(p)) if len(p) <= most + 1 else np.argsort(-p, kind="stable")[:most]


def gathered(values: ArrayLike, shown: NDArray[np.intp]) -> NDArray:
    """`values` (V,) of the words `shown`, and behind them the sum over all the rest, where there is a rest."""
    values = np.asarray(values)
    return values[shown] if len(shown) == len(values) else np.append(values[shown], np.delete(values, shown).sum())
