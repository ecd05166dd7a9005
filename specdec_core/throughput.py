"""What acceptance buys: tokens per target call, and the speed-up once the draft's cost is paid.

Throughout, each drafted word is accepted with probability α independently of the others (Leviathan et al. 2023, arXiv:2211.17192,
section 3); γ words are drafted per call, and a draft step costs c target steps. Where acceptances are not independent, the survival
curve that an engine counted takes α's place (`survival_tokens`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_TIE = 4e-15  # speed-ups that lie closer together are equal up to rounding


def checked_gamma(gamma: ArrayLike) -> NDArray[np.integer]:
    """`gamma` as an array; `ValueError` unless all are whole numbers of at least 0."""
    gamma = np.asarray(gamma)
    if gamma.dtype.kind not in "iu" or (gamma < 0).any():
        raise ValueError("gamma must be a whole number, at least 0")
    return gamma


def positive(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """`values` as an array; `ValueError`, with the name that they have for a reader, unless all are finite and above 0."""
    values = np.asarray(values, dtype=np.float64)
    if not ((values > 0) & (values < np.inf)).all():
        raise ValueError(f"{name} must be finite and above 0")
    return values


def _checked(alpha: ArrayLike, gamma: ArrayLike, cost: ArrayLike = 0.0) -> tuple[NDArray, NDArray, NDArray]:
    alpha, gamma, cost = np.asarray(alpha, dtype=np.float64), checked_gamma(gamma), np.asarray(cost, dtype=np.float64)
    if not ((alpha >= 0) & (alpha <= 1)).all():
        raise ValueError("alpha must lie between 0 and 1")
    if not ((cost >= 0) & (cost < np.inf)).all():
        raise ValueError("cost must be finite and at least 0")
    return alpha, gamma, cost


def draft_cost(draft_time: float, target_time: float) -> float:
    """c from the times of a draft step and of a target step, in one unit. Raises `ValueError` unless both are above 0."""
    draft, target = positive("the times of a draft step and of a target step", [draft_time, target_time])
    return float(draft / target)


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


def speedup(alpha: ArrayLike, gamma: ArrayLike, cost: ArrayLike,
            verification: ArrayLike = 1.0) -> NDArray[np.float64] | np.float64:
    """How many times faster than plain decoding: expected tokens / (γc + v); below 1 it is slower.

    `alpha`, `gamma`, `cost` (a draft step over a target step) and `verification` (v, from `verification_cost`: judging γ + 1 words
    over a target step) broadcast. Raises `ValueError` outside their ranges. Source: Leviathan et al. 2023, theorem 3.8 (v = 1).
    """
    alpha, gamma, cost = _checked(alpha, gamma, cost)
    return expected_tokens(alpha, gamma) / call_cost(gamma, cost, verification)


def call_cost(gamma: ArrayLike, cost: ArrayLike, verification: ArrayLike = 1.0) -> NDArray[np.float64] | np.float64:
    """What a call costs in target steps, γ draft steps and the judging: γc + v. Raises `ValueError` outside their ranges."""
    _, gamma, cost = _checked(0, gamma, cost)
    return gamma * cost + positive("verification", verification)


def best_gamma(alpha: ArrayLike, cost: ArrayLike, max_gamma: int,
               verification: ArrayLike = 1.0) -> NDArray[np.intp] | np.intp:
    """The γ in 0 … `max_gamma` with the largest `speedup`, the smallest of equals; 0 means that plain decoding wins.

    `alpha` and `cost` broadcast; `verification` is a number or one for each γ (max_gamma + 1,). Raises `ValueError` outside their
    ranges. Source: Leviathan et al. 2023, section 3.5.
    """
    alpha, max_gamma, cost = _checked(alpha, max_gamma, cost)
    return fastest(speedup(alpha[..., None], np.arange(max_gamma + 1), cost[..., None], verification))


def fastest(speeds: ArrayLike) -> NDArray[np.intp] | np.intp:
    """The position (...) of the largest of the speed-ups (..., G), NaN passed over: the first of those equal up to rounding."""
    speeds = np.asarray(speeds)
    return (speeds >= np.fmax.reduce(speeds, axis=-1, keepdims=True) * (1 - _TIE)).argmax(axis=-1)


def break_even_cost(alpha: ArrayLike, gamma: ArrayLike,
                    verification: ArrayLike = 1.0) -> NDArray[np.float64] | np.float64:
    """The draft cost c at which drafting γ words neither gains nor loses: (expected tokens − v) / γ; negative if even c = 0 loses.

    With v = 1 it is α at γ = 1 and falls as γ grows, so that some γ gains iff α > c. `alpha`, `gamma` (at least 1) and
    `verification` broadcast. Raises `ValueError` outside their ranges. Source: Leviathan et al. 2023, corollary 3.9.
    """
    alpha, gamma, _ = _checked(alpha, gamma)
    if (gamma < 1).any():
        raise ValueError("gamma must be at least 1: without a drafted word there is no draft to pay for")
    return (expected_tokens(alpha, gamma) - positive("verification", verification)) / gamma


def guaranteed_gain(alpha: ArrayLike, cost: ArrayLike) -> NDArray[np.float64] | np.float64:
    """The speed-up that the best γ reaches at least: (1 + α)/(1 + c), the one of γ = 1, where α > c; else 1, plain decoding.

    `alpha` and `cost` broadcast. Raises `ValueError` outside their ranges. Source: Leviathan et al. 2023, corollary 3.9.
    """
    alpha, _, cost = _checked(alpha, 0, cost)
    return np.maximum((1 + alpha) / (1 + cost), 1.0)


def operations_factor(alpha: ArrayLike, gamma: ArrayLike, operations: ArrayLike) -> NDArray[np.float64] | np.float64:
    """How many times the arithmetic of plain decoding is spent on each word: (1 − α)(γĉ + γ + 1) / (1 − α^(γ+1)).

    `operations` is ĉ, the arithmetic of a draft step over that of a target step; `alpha` and `gamma` broadcast with it. Raises
    `ValueError` outside their ranges. Source: Leviathan et al. 2023, theorem 3.11.
    """
    alpha, gamma, operations = _checked(alpha, gamma, operations)
    return (gamma * operations + gamma + 1.0) / expected_tokens(alpha, gamma)


def tokens_ceiling(alpha: ArrayLike) -> NDArray[np.float64] | np.float64:
    """1/(1 − α), which tokens per call approach as γ grows; infinite at α = 1. Raises `ValueError` for α outside [0, 1]."""
    with np.errstate(divide="ignore"):
        return 1 / (1 - _checked(alpha, 0)[0])


def oracle_speedup(alpha: ArrayLike, cost: ArrayLike) -> NDArray[np.float64] | np.float64:
    """The speed-up if each call drafted just the words that will be accepted: 1/(1 − α + αc), out of reach of any fixed γ.

    Such a call gives k + 1 words in kc + 1 target steps with chance α^k (1 − α). `alpha` and `cost` broadcast; infinite at α = 1
    and c = 0. Raises `ValueError` outside their ranges. Source: Leviathan et al. 2023, section 3.5.
    """
    alpha, _, cost = _checked(alpha, 0, cost)
    with np.errstate(divide="ignore"):
        return 1 / (1 - alpha + alpha * cost)


def survival_tokens(survival: ArrayLike) -> NDArray[np.float64]:
    """Tokens per call (..., D + 1) at γ = 0 … D from what an engine counted, whatever depends on what: 1 + S₁ + … + S_γ.

    `survival` (..., D): S_i is the share of calls that accepted drafted words 1 … i; the words drafted do not depend on γ, so one
    run at γ = D answers for every smaller γ, and for none beyond. Raises `ValueError` unless 1 ≥ S₁ ≥ … ≥ S_D ≥ 0.
    """
    survival = np.asarray(survival, dtype=np.float64)
    if not ((survival >= 0) & (survival <= 1)).all() or (np.diff(survival, axis=-1) > 0).any():
        raise ValueError("survival must fall from at most 1 to at least 0")
    return np.concatenate([np.ones_like(survival[..., :1]), 1 + np.cumsum(survival, axis=-1)], axis=-1)


def survival_speedup(survival: ArrayLike, gamma: ArrayLike, cost: ArrayLike,
                     verification: ArrayLike = 1.0) -> NDArray[np.float64] | np.float64:
    """`speedup` from a counted survival curve (D,) instead of α: tokens / (γc + v), for γ up to D.

    `gamma`, `cost` and `verification` broadcast. Raises `ValueError` for a γ beyond the depth that was observed.
    """
    tokens = survival_tokens(survival)
    gamma = checked_gamma(gamma)
    if (gamma >= len(tokens)).any():
        raise ValueError(f"gamma {int(gamma.max())} was not observed: the counts end at {len(tokens) - 1} drafted words")
    return tokens[gamma] / call_cost(gamma, cost, verification)
