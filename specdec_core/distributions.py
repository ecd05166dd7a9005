"""Probability mass functions: the one place that validates them, and the ways to make one."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

SUM_TOLERANCE = 1e-9
"""How far the sum of a pmf may lie from 1."""


class DistributionError(ValueError):
    """A list of numbers is not a distribution; the message says which entry is wrong, in one sentence."""


def _reals(values: ArrayLike) -> NDArray[np.float64]:
    """`values` as float64 with at least one entry on the last axis, or a `DistributionError`."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise DistributionError("the rows do not all have the same length") from None
    if array.ndim == 0:
        raise DistributionError("a distribution is a list of numbers, not a single value")
    if array.shape[-1] == 0:
        raise DistributionError("a distribution needs at least one entry, and this one is empty")
    if array.dtype.kind not in "fiu":
        raise DistributionError(f"the entries must be real numbers, not {array.dtype}")
    return array.astype(np.float64)


def _place(where: tuple[int, ...]) -> str:
    """An index in words: a number for one axis, a tuple for more."""
    return f"{where[0] if len(where) == 1 else where} (counting from 0)"


def _refuse(array: NDArray, wrong: NDArray[np.bool_], what: str) -> None:
    """Raise, naming the first entry of `array` where `wrong` holds; return if it holds nowhere."""
    if wrong.any():
        where = tuple(np.argwhere(wrong)[0].tolist())
        raise DistributionError(f"entry {_place(where)} is {array[where]}: {what}")


def _refuse_law(totals: NDArray, wrong: NDArray[np.bool_], what: str) -> None:
    """Raise `what`, which tells a law's total as {total}, about the first law where `wrong` holds; return if it holds nowhere."""
    if wrong.any():
        where = tuple(np.argwhere(wrong)[0].tolist())
        which = f"law {_place(where)}: " if where else ""
        raise DistributionError(which + what.format(total=totals[where]))


def as_pmf(values: ArrayLike, *, normalise: bool = False) -> NDArray[np.float64]:
    """Probabilities as a float64 array, checked; nothing is repaired unless asked for.

    `values` has shape (..., V), the vocabulary on the last axis. Each law must be finite, non-negative and sum to 1
    within `SUM_TOLERANCE`; with `normalise` it need only have mass, and is divided by its sum. Returns a new array.
    Raises `DistributionError`: negative, NaN, infinite, no mass, empty, wrong shape, not numbers, wrong sum.
    """
    pmf = _reals(values)
    _refuse(pmf, np.isnan(pmf), "a probability must be a number")
    _refuse(pmf, np.isinf(pmf), "a probability must be finite")
    _refuse(pmf, pmf < 0, "a probability must not be negative")
    largest = pmf.max(axis=-1, keepdims=True)
    _refuse_law(largest[..., 0], largest[..., 0] == 0, "every entry is 0, so there is no mass to draw from")
    if normalise:
        pmf /= largest  # first, so that a sum of huge entries cannot overflow
        return pmf / pmf.sum(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):  # a sum beyond the largest float is infinite, and as wrong
        totals = np.asarray(pmf.sum(axis=-1))
    _refuse_law(totals, np.abs(totals - 1) > SUM_TOLERANCE, "the entries sum to {total:.12g}, not to 1")
    return pmf


def softmax(logits: ArrayLike, temperature: float = 1.0) -> NDArray[np.float64]:
    """The pmf ∝ exp(logits / temperature); temperature 0 puts all mass on the first largest logit.

    `logits` has shape (..., V); -inf is a masked word and gets probability 0. Raises `DistributionError` for a logit that
    is NaN or +inf or a row that is masked throughout, `ValueError` for a temperature that is negative or not finite.
    """
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature must be finite and at least 0, not {temperature}")
    logits = _reals(logits)
    _refuse(logits, np.isnan(logits), "a logit must be a number")
    _refuse(logits, logits == np.inf, "a logit must not be +inf")
    top = logits.max(axis=-1, keepdims=True)
    _refuse_law(top[..., 0], top[..., 0] == -np.inf, "every logit is -inf, so there is no mass to draw from")
    if temperature == 0:
        return (np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]).astype(np.float64)
    with np.errstate(over="ignore"):  # a gap beyond the largest float is a weight of 0, as it should be
        weights = np.exp((logits - top) / temperature)
    return weights / weights.sum(axis=-1, keepdims=True)


def _restricted(pmf: NDArray, keep_sorted: NDArray[np.bool_], order: NDArray) -> NDArray[np.float64]:
    """`pmf` on the words that `keep_sorted` marks in `order`, renormalised."""
    keep = np.empty(pmf.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return _kept(pmf, keep)


def _kept(pmf: NDArray, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
    """`pmf` on the words that `keep` marks, renormalised."""
    cut = np.where(keep, pmf, 0.0)
    return cut / cut.sum(axis=-1, keepdims=True)


def top_k(pmf: ArrayLike, k: int) -> NDArray[np.float64]:
    """The pmf (..., V) on its `k` likeliest words, renormalised; of equal words the earlier stays.

    A `k` of V or more changes nothing. Raises `ValueError` unless k is a whole number, at least 1.
    """
    if not isinstance(k, Integral) or k < 1:
        raise ValueError(f"top-k must keep a whole number of words, at least 1, not {k!r}")
    pmf = np.asarray(pmf, dtype=np.float64)
    if k >= (size := pmf.shape[-1]):
        return pmf.copy()
    least = np.partition(pmf, size - k, axis=-1)[..., size - k:size - k + 1]  # no sort
    above, level = pmf > least, pmf == least
    keep = above | level & (np.cumsum(level, axis=-1) <= k - above.sum(axis=-1, keepdims=True))
    return _kept(pmf, keep)


def top_p(pmf: ArrayLike, mass: float) -> NDArray[np.float64]:
    """The pmf (..., V) on its nucleus, renormalised: the fewest likeliest words that together hold `mass`.

    A word stays while the words before it hold less than `mass` (to 1e-12, so that .4 + .3 + .2 does hold .9); at 1 nothing
    is cut. Raises `ValueError` for a mass outside (0, 1]. Source: Holtzman et al. 2020, arXiv:1904.09751.
    """
    if not 0 < mass <= 1:
        raise ValueError(f"top-p must be above 0 and at most 1, not {mass}")
    pmf = np.asarray(pmf, dtype=np.float64)
    if mass == 1:
        return pmf.copy()
    order = np.argsort(-pmf, axis=-1, kind="stable")
    ranked = np.take_along_axis(pmf, order, axis=-1)
    before = np.cumsum(ranked, axis=-1) - ranked
    kept = before < mass - 1e-12
    kept[..., 0] = True
    return _restricted(pmf, kept, order)


def blend(target: ArrayLike, far_draft: ArrayLike, closeness: ArrayLike) -> NDArray[np.float64]:
    """The draft between a stranger and a twin: closeness · target + (1 − closeness) · far_draft.

    `target` and `far_draft` broadcast on (..., V), `closeness` on their leading axes. It is exactly `far_draft` at 0 and exactly
    the target at 1, and a word on which the two agree never moves. Raises `ValueError` for a closeness outside [0, 1].
    """
    target, far_draft = np.asarray(target, dtype=np.float64), np.asarray(far_draft, dtype=np.float64)
    closeness = np.asarray(closeness, dtype=np.float64)[..., None]
    if not ((closeness >= 0) & (closeness <= 1)).all():
        raise ValueError("closeness must lie between 0 and 1")
    # Written as a step from the target: the sum of two products would move words by a rounding error.
    return np.where(closeness == 0, far_draft, target + (1 - closeness) * (far_draft - target))


def largest(weights: NDArray[np.float64], n: int) -> tuple[int, ...]:
    """The places of the n largest weights (V,) above 0, largest first, the earlier of equals first; fewer if fewer are."""
    n = min(n, len(weights))
    least = np.partition(weights, len(weights) - n)[len(weights) - n]
    places = np.flatnonzero((weights >= least) & (weights > 0))
    return tuple(places[np.argsort(-weights[places], kind="stable")][:n].tolist())


def cumulative(pmf: ArrayLike) -> NDArray[np.float64]:
    """F(i) = pmf(0) + … + pmf(i), exactly 1 from the last word with mass on, so that every u in [0, 1) finds a word.

    `pmf` has shape (V,). Summed from left to right, the order that the browser uses too.
    """
    pmf = np.asarray(pmf, dtype=np.float64)
    totals = np.cumsum(pmf)
    totals[np.flatnonzero(pmf)[-1]:] = 1.0
    return totals


def choose(totals: NDArray[np.float64], uniforms: ArrayLike) -> NDArray[np.intp]:
    """The word each uniform picks by inverse transform: the first i with u < F(i), F from `cumulative`."""
    return np.searchsorted(totals, uniforms, side="right")
