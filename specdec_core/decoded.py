"""A text as speculative decoding wrote it: every call on record, and what it cost and gained."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .distributions import largest
from .divergence import acceptance_rate
from .outcome import gathered
from .speculative import Call, acceptance_probability
from .throughput import expected_tokens
from .timeline import Lane, lanes

SHOWN = 4
"""How many of the likeliest words a `Position` names, besides those that took part."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """The two laws at one place in a call, on K words and, as an entry more where there are others, on all the rest.

    Kept, rejected and refilled are summed word by word over the rest too: there both models may have words that the other lacks.
    """

    words: tuple[int, ...]
    """(K,): the words that either model likes most, then those that took part, if they are others."""
    p: NDArray[np.float64]
    """(K + 1,): the target's law."""
    q: NDArray[np.float64]
    """(K + 1,): the draft's law; all 0 where nothing was drafted."""
    kept: NDArray[np.float64]
    """(K + 1,): min(p, q)."""
    alpha: float | None
    """α = 1 − TV of the whole laws; `None` where nothing was drafted."""

    @property
    def rejected(self) -> NDArray[np.float64]:
        """(K + 1,): max(0, q − p)."""
        return np.maximum(self.q - self.kept, 0.0)

    @property
    def refill(self) -> NDArray[np.float64]:
        """(K + 1,): max(0, p − q)."""
        return np.maximum(self.p - self.kept, 0.0)

    @property
    def keep(self) -> NDArray[np.float64]:
        """(K + 1,): the chance that a drafted word is kept; 1 where none is drafted."""
        return acceptance_probability(self.kept, self.q)


def position(p: NDArray[np.float64], q: NDArray[np.float64] | None, *took_part: int) -> Position:
    """The laws p and q (V,) at one place, or p alone where nothing was drafted, cut to the words to show."""
    drafted, q = q is not None, np.zeros_like(p) if q is None else q
    words = tuple(dict.fromkeys((*largest(np.maximum(p, q), SHOWN), *took_part)))
    shown = np.array(words)
    return Position(words, gathered(p, shown), gathered(q, shown), gathered(np.minimum(p, q), shown),
                    float(acceptance_rate(p, q)) if drafted else None)


@dataclass(frozen=True, slots=True, eq=False)
class DecodedCall:
    """One target call of a text that drafted m words."""

    start: int
    """How many words had come out before it."""
    call: Call
    """How the m drafted words were judged."""
    draws: tuple[float, ...]
    """The m uniforms that chose them."""
    words: tuple[int, ...]
    """The words that came out: those of the call, up to an end word."""
    positions: tuple[Position, ...]
    """m + 1: the laws after 0 … m drafted words; the last one has no draft."""

    @property
    def tested(self) -> int:
        """How many drafted words were held against the target: the kept ones, and the one that was not."""
        return min(self.call.accepted + 1, len(self.call.drafted))


@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """The n calls that wrote a text after a prompt, up to γ words drafted in each."""

    prompt: tuple[int, ...]
    gamma: int
    calls: tuple[DecodedCall, ...]

    def after(self, n_calls: int) -> Decoding:
        """The same text when `n_calls` calls were done."""
        return replace(self, calls=self.calls[:n_calls])

    @property
    def words(self) -> tuple[int, ...]:
        """The words that came out."""
        return tuple(word for it in self.calls for word in it.words)

    @property
    def drafted(self) -> NDArray[np.intp]:
        """(n,): how many words each call drafted."""
        return np.array([len(it.call.drafted) for it in self.calls], dtype=np.intp)

    @property
    def given(self) -> NDArray[np.intp]:
        """(n,): how many words each call gave."""
        return np.array([len(it.words) for it in self.calls], dtype=np.intp)

    @property
    def tokens_per_call(self) -> float:
        """Words per call; NaN before the first."""
        return float(self.given.mean()) if self.calls else float("nan")

    @property
    def standard_error(self) -> float:
        """Of `tokens_per_call`, from the spread seen; NaN for fewer than two calls."""
        n = len(self.calls)
        return float(self.given.std(ddof=1)) / n**0.5 if n > 1 else float("nan")

    @property
    def tested(self) -> NDArray[np.intp]:
        """(γ,): how many words were tested as the first, second, … of their draft."""
        return (np.array([it.tested for it in self.calls], dtype=np.intp)[:, None] > np.arange(self.gamma)).sum(axis=0)

    @property
    def kept(self) -> NDArray[np.intp]:
        """(γ,): how many of those were kept."""
        return (np.array([it.call.accepted for it in self.calls], dtype=np.intp)[:, None] > np.arange(self.gamma)).sum(axis=0)

    @property
    def survival(self) -> NDArray[np.float64]:
        """(γ,): the share of calls that kept drafted words 1 … i; NaN before the first call."""
        return self.kept / len(self.calls) if self.calls else np.full(self.gamma, np.nan)

    @property
    def alphas(self) -> tuple[NDArray[np.float64], ...]:
        """γ arrays: α at each context at which a first, second, … drafted word was tested."""
        return tuple(np.array([it.positions[i].alpha for it in self.calls if it.tested > i]) for i in range(self.gamma))

    @property
    def alpha(self) -> float:
        """The mean α of all contexts at which a drafted word was tested; NaN if none was."""
        alphas = np.concatenate([np.empty(0), *self.alphas])
        return float(alphas.mean()) if len(alphas) else float("nan")

    @property
    def constant_alpha_tokens(self) -> float:
        """Words per call if every context had the mean α and every call drafted γ words; NaN if nothing was tested."""
        return float(expected_tokens(self.alpha, self.gamma)) if self.tested.any() else float("nan")

    def lanes(self, cost: float) -> tuple[Lane, Lane]:
        """Plain decoding of these words beside this one, a draft step at `cost` target steps."""
        return lanes(self.drafted, self.given, cost)

    def speedup(self, cost: float) -> float:
        """How many times sooner these words were there than by plain decoding, a draft step at `cost`; NaN for no words."""
        plain, speculative = self.lanes(cost)
        return plain.length / speculative.length if self.calls else float("nan")
