"""How far two laws lie apart, and what share of one the other can take over."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def total_variation(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64] | np.float64:
    """TV(p, q) = Σ max(0, q − p): the largest difference in probability that any event can show.

    `p` and `q` broadcast on (..., V); returns (...), at most 1. Summed directly, so that no digit is lost where the laws
    nearly agree. Source: Leviathan et al. 2023, arXiv:2211.17192, definition 3.2 and lemma 3.3.
    """
    return np.minimum(np.maximum(np.subtract(q, p), 0.0).sum(axis=-1), 1.0)


def acceptance_rate(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64] | np.float64:
    """α = Σ min(p, q) = 1 − TV(p, q): the share of drafted words that the target keeps.

    `p` (target) and `q` (draft) broadcast on (..., V); returns (...), at most 1 however the sum rounds.
    Source: Leviathan et al. 2023, corollary 3.6.
    """
    return np.minimum(np.minimum(p, q).sum(axis=-1), 1.0)


def closeness_at(alpha: float, target: ArrayLike, far_draft: ArrayLike) -> float:
    """The closeness at which `blend(target, far_draft, closeness)` has this acceptance rate; 0 below the far draft's own.

    A blend is as far from the target as its share of the far draft, so α is linear in closeness. `target` and `far_draft` (V,) are
    laws. Raises `ValueError` unless α lies between 0 and 1.
    """
    if not 0 <= alpha <= 1:
        raise ValueError("alpha must lie between 0 and 1")
    far = float(total_variation(target, far_draft))
    return max(0.0, 1 - (1 - alpha) / far) if far > 0 else 1.0


def kl_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """KL(p ‖ q) = Σ p·log(p/q) in nats, for pmfs (V,): 0 only if they are equal, infinite if p has mass where q has none."""
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    here = p > 0
    with np.errstate(divide="ignore"):
        return max(0.0, float((p[here] * np.log(p[here] / q[here])).sum()))


def entropy(p: ArrayLike) -> NDArray[np.float64] | np.float64:
    """−Σ p·log p in nats over the last axis of p (..., V); 0 for a law that is sure of one word."""
    p = np.asarray(p, dtype=np.float64)
    return np.abs((p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1))
