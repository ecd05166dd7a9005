"""Two lanes on one clock: plain decoding beside speculative decoding, for the same words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .speculative import Calls, simulate_calls
from .throughput import speedup


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """The S steps of one way to decode, in order, none overlapping; times in target steps."""

    start: NDArray[np.float64]
    """(S,): when each step begins."""
    end: NDArray[np.float64]
    """(S,): when it ends."""
    is_draft: NDArray[np.bool_]
    """(S,): whether the draft model runs, else the target."""
    call: NDArray[np.intp]
    """(S,): the target call that the step belongs to, from 0."""
    words_out: NDArray[np.intp]
    """(S,): how many words have come out when the step ends."""

    @property
    def length(self) -> float:
        """When the last step ends; 0 for no steps."""
        return float(self.end[-1]) if len(self.end) else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """The same words by both ways."""

    calls: Calls
    """The target calls of the speculative lane; `calls.words` are the words of both lanes."""
    plain: Lane
    """One target step a word."""
    speculative: Lane
    """For each call γ draft steps and then one target step, of v(γ)."""

    @property
    def speedup(self) -> float:
        """How many times sooner the speculative lane has the words: of this run, not of the mean; NaN without a call."""
        return self.plain.length / self.speculative.length if self.speculative.length else float("nan")


def timeline(p: ArrayLike, q: ArrayLike, gamma: int, n_calls: int, seed: int, cost: float, verification: float = 1.0) -> Timeline:
    """The clock of `simulate_calls` under the seed, when a draft step takes `cost` target steps and a target call `verification`.

    `p` and `q` (V,) are the target's law and the draft's. Raises as `simulate_calls` and `throughput.speedup` do.
    """
    calls = simulate_calls(p, q, gamma, n_calls, seed)
    speedup(0, gamma, cost, verification)  # refuses what is out of range
    return Timeline(calls, *lanes(np.full(n_calls, gamma), calls.accepted + 1, cost, verification))


def lanes(drafted: ArrayLike, words: ArrayLike, cost: float, verification: float = 1.0) -> tuple[Lane, Lane]:
    """Plain and speculative decoding of the same words: call k drafts `drafted` (n,) words one by one and then gives `words` (n,).

    A draft step takes `cost` target steps, a target call `verification`; plain decoding takes one step a word.
    """
    drafted, out = np.asarray(drafted, dtype=np.intp), np.cumsum(words, dtype=np.intp)
    ticks = np.arange(out[-1] if len(out) else 0)
    plain = Lane(ticks.astype(np.float64), ticks + 1.0, np.zeros(len(ticks), dtype=bool), ticks, ticks + 1)
    steps = drafted + 1
    call = np.repeat(np.arange(len(steps)), steps)
    place = np.arange(len(call)) - np.repeat(np.cumsum(steps) - steps, steps)  # of each step in its call
    is_draft = place < drafted[call]
    begins = np.repeat(np.cumsum(drafted * cost + verification) - (drafted * cost + verification), steps)
    known = np.where(is_draft, (out - np.asarray(words, dtype=np.intp))[call], out[call])
    start = begins + place * cost
    return plain, Lane(start, start + np.where(is_draft, cost, verification), is_draft, call, known)
