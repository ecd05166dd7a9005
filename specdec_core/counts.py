"""How often things come out in a few draws, by enumeration: the binomial law, and all ways that draws can fall on a few answers."""

from __future__ import annotations

from math import comb, factorial, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray


def binomial(n: int, share: float) -> NDArray[np.float64]:
    """(n + 1,): the chance that 0 … n of n draws hit what one draw hits with chance `share`."""
    hits = np.arange(n + 1)
    return np.array([comb(n, k) for k in hits.tolist()]) * share**hits * (1 - share) ** (n - hits)


def outcomes(n: int, kinds: int) -> NDArray[np.intp]:
    """(S, kinds): every way in which at most n draws can fall on so many kinds, none of them first."""
    if kinds == 0:
        return np.zeros((1, 0), dtype=np.intp)
    ways = [(k, *rest) for k in range(n + 1) for rest in outcomes(n - k, kinds - 1).tolist()]
    return np.array(ways, dtype=np.intp)


def multinomial(n: int, shares: ArrayLike, counts: NDArray[np.intp]) -> NDArray[np.float64]:
    """(..., S): the chance of each row of `counts` (S, K) in n draws that hit kind k with chance `shares` (..., K), or nothing.

    Shares may sum to less than 1: what is left is the chance to hit nothing, and takes the draws that a row does not count.
    """
    shares = np.asarray(shares, dtype=np.float64)[..., None, :]
    missed = n - counts.sum(axis=-1)
    orders = np.array([factorial(n) // prod(map(factorial, (n - sum(row), *row))) for row in counts.tolist()], dtype=np.float64)
    left = np.maximum(1 - shares.sum(axis=-1), 0.0)  # rounding may leave −1e-16
    return orders * np.prod(shares**counts, axis=-1) * left**missed
