"""One ratio p/q, three uses: a chance to keep, a weight to average with, and a step in a policy gradient that is clipped.

q is the law that words were drawn from (the draft, the proposal, the policy as it was), p the law that is wanted (the target, the
policy as it is). Sources: acceptance, von Neumann 1951 and Leviathan et al. 2023, arXiv:2211.17192; weights, Kong 1992; the clip,
Schulman et al. 2017, arXiv:1707.06347, equation (7), and with two bounds DAPO, arXiv:2503.14476, section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .rejection import effective_share, envelope_constant
from .speculative import acceptance_probability


@dataclass(frozen=True)
class Clip:
    """The ratios that a policy gradient follows: from 1 − low to 1 + high. Raises `ValueError` unless 0 ≤ low ≤ 1 and high ≥ 0."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (0 <= self.low <= 1 and 0 <= self.high < np.inf):
            raise ValueError("a clip needs 0 ≤ low ≤ 1 and high ≥ 0")

    def ratio(self, ratio: ArrayLike) -> NDArray[np.float64]:
        """The ratios (...) moved to the nearest bound."""
        return np.clip(ratio, 1 - self.low, 1 + self.high)

    def objective(self, ratio: ArrayLike, advantage: ArrayLike) -> NDArray[np.float64]:
        """min(r·A, clip(r)·A): what a step gains, ratios and advantages broadcast on (...)."""
        return np.minimum(np.multiply(ratio, advantage), self.ratio(ratio) * advantage)

    def learns(self, ratio: ArrayLike, advantage: ArrayLike) -> NDArray[np.bool_]:
        """Whether a word still has a gradient: not if it did well and is above the upper bound, nor badly and below the lower."""
        ratio, advantage = np.asarray(ratio), np.asarray(advantage)
        return np.where(advantage > 0, ratio < 1 + self.high, (advantage < 0) & (ratio > 1 - self.low))


PPO_CLIP = Clip(.2, .2)
"""Proximal policy optimisation: the same on both sides. Source: arXiv:1707.06347, section 6.1."""

DAPO_CLIP = Clip(.2, .28)
"""'Clip-higher': more room above, so that unlikely words can still gain. Source: arXiv:2503.14476, section 4."""


@dataclass(frozen=True, slots=True, eq=False)
class ThreeUses:
    """What a word drawn from q is worth, (V,) each. A word that neither law ever says has ratio 0."""

    ratio: NDArray[np.float64]
    """p/q: the importance weight."""
    envelope: NDArray[np.float64]
    """p/(Mq), M = max p/q: the chance to be kept by classic rejection."""
    speculative: NDArray[np.float64]
    """min(1, p/q): the chance to be kept by the speculative rule."""
    clipped: NDArray[np.float64]
    """p/q within the clip's bounds."""
    effective_share: float
    """What one weighted draw is worth in draws from p."""
    envelope_constant: float
    """M."""


def three_uses(p: ArrayLike, q: ArrayLike, clip: Clip) -> ThreeUses:
    """The three uses of p/q. Raises `DistributionError` for laws (V,) that are none, or if q never says a word that p says."""
    M = envelope_constant(p, q)
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    ratio = np.divide(p, q, out=np.zeros_like(p), where=q > 0)
    return ThreeUses(ratio, ratio / M, acceptance_probability(p, q), clip.ratio(ratio), effective_share(p, q), M)
