"""What acceptance buys: tokens per target call, and the speed-up once the draft's cost is paid.

Throughout, each drafted word is accepted with probability α independently of the others (Leviathan et al. 2023, arXiv:2211.17192,
section 3); γ words are drafted per call, and a draft step costs c target steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_TIE = 4e-15  # speed-ups that lie closer together are equal up to rounding


def _checked(alpha: ArrayLike, gamma: ArrayLike, cost: ArrayLike = 0.0) -> tuple[NDArray, NDArray, NDArray]:
    alpha, gamma, cost = np.asarray(alpha, dtype=np.float64), np.asarray(gamma), np.asarray(cost, dtype=np.float64)
    if not ((alpha >= 0) & (alpha <= 1)).all():
        raise ValueError("alpha must lie between 0 and 1")
    if gamma.dtype.kind not in "iu" or (gamma < 0).any():
        raise ValueError("gamma must be a whole number, at least 0")
    if not ((cost >= 0) & (cost < np.inf)).all():
        raise ValueError("cost must be finite and at least 0")
    return alpha, gamma, cost


def expected_tokens(alpha: ArrayLike, gamma: ArrayLike) -> NDArray[np.float64] | np.float64:
    """Mean tokens per target call: (1 − α^(γ+1)) / (1 − α), and γ + 1 at α = 1.

    `alpha` in [0, 1] and the whole number `gamma` >= 0 broadcast. Accurate to rounding right up to α = 1. Raises `ValueError`
    outside these ranges. Source: Leviathan et al. 2023, equation (1).
    """
    alpha, gamma, _ = _checked(alpha, gamma)
    with np.errstate(divide="ignore", invalid="ignore"):  # log 0 at α = 0 is wanted; 0/0 at α = 1 is replaced
        tokens = -np.expm1((gamma + 1.0) * np.log(alpha)) / (1 - alpha)
    return np.where(alpha == 1, gamma + 1.0, tokens)[()]


def tokens_distribution(alpha: ArrayLike, gamma: int) -> NDArray[np.float64]:
    """The law of tokens per call: entry k − 1 is the chance of k tokens, k = 1 … γ + 1.

    α^(k−1)(1 − α) up to γ, and α^γ for all γ drafted words and the bonus. `alpha` has shape (...), the result (..., γ + 1).
    Raises `ValueError` as `expected_tokens` does. Source: Leviathan et al. 2023, section 3.1 (a capped geometric variable).
    """
    alpha, gamma, _ = _checked(alpha, gamma)
    law = alpha[..., None] ** np.arange(gamma + 1)
    law[..., :-1] *= 1 - alpha[..., None]
    return law


def speedup(alpha: ArrayLike, gamma: ArrayLike, cost: ArrayLike) -> NDArray[np.float64] | np.float64:
    """How many times faster than plain decoding: expected tokens / (γc + 1); below 1 it is slower.

    `alpha`, `gamma` and `cost` (a draft step over a target step) broadcast. Raises `ValueError` outside their ranges.
    Source: Leviathan et al. 2023, theorem 3.8.
    """
    alpha, gamma, cost = _checked(alpha, gamma, cost)
    return expected_tokens(alpha, gamma) / (gamma * cost + 1)


def best_gamma(alpha: ArrayLike, cost: ArrayLike, max_gamma: int) -> NDArray[np.intp] | np.intp:
    """The γ in 0 … `max_gamma` with the largest `speedup`, the smallest of equals; 0 means that plain decoding wins.

    `alpha` and `cost` broadcast. Raises `ValueError` outside their ranges. Source: Leviathan et al. 2023, section 3.5.
    """
    alpha, max_gamma, cost = _checked(alpha, max_gamma, cost)
    speeds = speedup(alpha[..., None], np.arange(max_gamma + 1), cost[..., None])
    return (speeds >= speeds.max(axis=-1, keepdims=True) * (1 - _TIE)).argmax(axis=-1)
