"""Every number the Try-it widget shows, at every position of its sliders, in one record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .check import CONFIDENCE, share_band
from .distributions import DistributionError, as_pmf, blend
from .divergence import acceptance_rate, total_variation
from .speculative import MAX_GAMMA, acceptance_probability, residual
from .throughput import expected_tokens

STEPS = 101
"""Positions of the closeness slider: 0.00, 0.01, … 1.00."""

MAX_WORDS = 12
"""The most words that the widget has room for."""

_LAW_DECIMALS = 12  # the draft at a position *is* this decimal, in Python and in the browser alike
_SHOWN_DECIMALS = 6  # in JSON: a hundred times finer than the finest figure printed, and a third of the bytes of a double
_DECIDING = {"target", "draft", "residual"}  # what calls are judged by, sent to the last digit


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """S = 101 positions of the closeness slider, V words, γ = 1 … G."""

    words: tuple[str, ...]
    """The V words."""
    target: NDArray[np.float64]
    """(V,): p."""
    draft: NDArray[np.float64]
    """(S, V): q, the blend of target and far draft at each closeness, to 12 decimals."""
    kept: NDArray[np.float64]
    """(S, V): min(p, q), the height of both amber bars."""
    rejected: NDArray[np.float64]
    """(S, V): max(0, q − p), the height of the red bar."""
    refill: NDArray[np.float64]
    """(S, V): max(0, p − q), the height of the green bar."""
    keep: NDArray[np.float64]
    """(S, V): min(1, p/q), the chance that a drafted word is kept."""
    residual: tuple[NDArray[np.float64] | None, ...]
    """S laws (V,) of the recovered word, or `None` where p = q."""
    alpha: NDArray[np.float64]
    """(S,): α = Σ min(p, q)."""
    tv: NDArray[np.float64]
    """(S,): TV(p, q) = 1 − α."""
    tokens: NDArray[np.float64]
    """(S, G): expected tokens per call for γ = 1 … G."""
    band: NDArray[np.float64]
    """(V,): half-width of each word's sampling band after one word that came out; after n it is this over √n."""
    confidence: float
    """How often all V bands hold at once."""

    def at(self, closeness: float) -> int:
        """The position nearest to a closeness in [0, 1], halves upwards. Raises `ValueError` outside."""
        if not 0 <= closeness <= 1:
            raise ValueError("closeness must lie between 0 and 1")
        return int(closeness * (STEPS - 1) + 0.5)

    def to_json(self) -> str:
        """The record as compact JSON: what decides calls (`target`, `draft`, `residual`) to the last digit, the rest to six."""
        fields = {name: value.round(_SHOWN_DECIMALS) if name not in _DECIDING and isinstance(value, np.ndarray) else value
                  for name, value in asdict(self).items()}
        return json.dumps(fields, default=_plain, separators=(",", ":"), allow_nan=False)


def _plain(array: NDArray) -> Any:
    """An array as lists, whole numbers written without their '.0'."""
    if array.ndim:
        return [_plain(row) for row in array]
    return int(array) if array == int(array) else float(array)


def sweep(target: ArrayLike, far_draft: ArrayLike, words: Sequence[str]) -> Sweep:
    """All the widget's numbers for a target and a far draft (V,) over 2 to 12 words.

    Raises `DistributionError` if a law is none (the message names which), their lengths differ from that of `words`, or a
    word is empty or there twice.
    """
    words = tuple(words)
    if not 2 <= len(words) <= MAX_WORDS:
        raise DistributionError(f"the widget shows 2 to {MAX_WORDS} words, not {len(words)}")
    for i, word in enumerate(words):
        if not isinstance(word, str) or not word.strip():
            raise DistributionError(f"word {i} (counting from 0) is empty or not a text")
        if word in words[:i]:
            raise DistributionError(f"the word {word!r} is there twice")
    laws = []
    for name, law in ("target", target), ("draft", far_draft):
        try:
            laws.append(as_pmf(law))
        except DistributionError as error:
            raise DistributionError(f"{name}: {error}") from None
        if laws[-1].shape != (len(words),):
            raise DistributionError(f"{name}: {len(words)} words need as many probabilities, not shape {laws[-1].shape}")
    p = laws[0]
    q = blend(p, laws[1], np.arange(STEPS) / (STEPS - 1))
    q = np.where(q == p, p, q.round(_LAW_DECIMALS))  # where draft and target agree, they do so to the last digit
    gammas = np.arange(1, MAX_GAMMA + 1)
    alpha = acceptance_rate(p, q)
    return Sweep(
        words=words, target=p, draft=q, kept=np.minimum(p, q), rejected=np.maximum(q - p, 0), refill=np.maximum(p - q, 0),
        keep=acceptance_probability(p, q), residual=tuple(residual(p, row) for row in q), alpha=alpha, tv=total_variation(p, q),
        tokens=expected_tokens(alpha[:, None], gammas), band=share_band(p, 1), confidence=CONFIDENCE)
