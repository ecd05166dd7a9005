"""Points thrown at a cube, those outside its ball thrown away: rejection sampling to look at, and its price in many dimensions."""

from __future__ import annotations

from math import gamma, inf, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .speculative import MAX_SEED, whole


def ball_share(dimension: int) -> float:
    """The share of a cube's volume inside the ball that touches its faces: π/4 in 2 dimensions, 0.25 % in 10.

    (√π/2)^d / Γ(d/2 + 1). Raises `ValueError` for less than one dimension.
    """
    return (sqrt(pi) / 2) ** whole("dimension", dimension, 1, inf) / gamma(dimension / 2 + 1)


class Darts(NamedTuple):
    """Points in the cube [−1, 1]^d, and which of them the ball keeps."""

    points: NDArray[np.float64]
    """(n, d)."""
    inside: NDArray[np.bool_]
    """(n,): whether the point is less than 1 from the middle."""

    @property
    def kept(self) -> int:
        """How many points the ball keeps."""
        return int(np.count_nonzero(self.inside))

    def shares(self, counts: ArrayLike) -> NDArray[np.float64]:
        """The share kept of the first 1 … n points, for each of `counts`."""
        counts = np.asarray(counts)
        return np.cumsum(self.inside)[counts - 1] / counts


def ball_darts(dimension: int, n: int, seed: int) -> Darts:
    """`n` uniform points in the cube, dart k the same however many are thrown. Raises `ValueError` for numbers out of range."""
    shape = whole("n", n, 0, inf), whole("dimension", dimension, 1, inf)
    points = 2 * np.random.RandomState(whole("seed", seed, 0, MAX_SEED)).random_sample(shape) - 1
    return Darts(points, (points**2).sum(axis=1) < 1)
