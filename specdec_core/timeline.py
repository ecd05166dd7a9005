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
    out = np.cumsum(calls.accepted + 1, dtype=np.intp)
    n_words = int(out[-1]) if n_calls else 0
    ticks = np.arange(n_words)
    plain = Lane(ticks.astype(np.float64), ticks + 1.0, np.zeros(n_words, dtype=bool), ticks, ticks + 1)
    begins = np.arange(n_calls)[:, None] * (gamma * cost + verification)
    edges = np.append(np.arange(gamma + 1) * cost, gamma * cost + verification)
    shape = (n_calls, gamma + 1)
    known = np.repeat((out - calls.accepted - 1)[:, None], gamma + 1, axis=1)
    known[:, -1] = out
    speculative = Lane((begins + edges[:-1]).ravel(), (begins + edges[1:]).ravel(),
                       np.broadcast_to(np.arange(gamma + 1) < gamma, shape).ravel(),
                       np.repeat(np.arange(n_calls), gamma + 1), known.ravel())
    return Timeline(calls, plain, speculative)
