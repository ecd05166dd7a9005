"""Is what came out what should come out? Sampling bands around a target."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.99
"""How often all the words of an exact run lie inside their bands at once."""


def share_band(p: ArrayLike, n_words: float) -> NDArray[np.float64]:
    """Half-widths (V,) around p (V,) that hold every word's observed share at once in 99 % of exact runs.

    `n_words` is how many words came out. The normal approximation to the binomial, z·√(p(1 − p)/n), with `CONFIDENCE` shared equally
    among the V words (Bonferroni), so that the largest gap of many words is not mistaken for a fault.
    """
    p = np.asarray(p, dtype=np.float64)
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * p.shape[-1]))
    return z * np.sqrt(p * (1 - p) / n_words)
