"""What papers printed, to set beside the curves: each number with its source and what it means.

Printed inputs are rounded: compare within the interval that rounding leaves (`rounded_speedup`), not at the printed point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .throughput import draft_cost, speedup


@dataclass(frozen=True, slots=True)
class Published:
    """One row of a paper's table; what the table does not give is `None`."""

    source: str
    """Paper and table."""
    method: str
    task: str
    speedup: float
    """How many times faster, as `versus` says."""
    versus: str
    """What the speed-up is over, and whether it was measured or computed."""
    gamma: int | None = None
    """Drafted words per target call, for a draft that is a chain."""
    alpha: float | None = None
    cost: float | None = None
    """c, a draft step over a target step."""
    predicted: float | None = None
    """The speed-up that the paper computes from α, γ and c."""
    operations: float | None = None
    """Arithmetic over plain decoding's, where the draft's own is free (ĉ = 0)."""
    tokens: float | None = None
    """Words per target call, as `tokens_mean` says."""
    tokens_mean: str = ""
    """Whether `tokens` counts the word that every call adds (recovered or bonus)."""
    overhead: float | None = None
    """Time of one call over that of a plain step, as the paper prints it."""
    times: tuple[float, float] | None = None
    """Milliseconds a word: plain, speculative."""

    @property
    def formula(self) -> float | None:
        """The formula's speed-up at the printed α, γ and c; `None` without them."""
        return float(speedup(self.alpha, self.gamma, self.cost)) if self.alpha is not None else None

    @property
    def formula_range(self) -> tuple[float, float] | None:
        """Between which the formula's speed-up lies, as α and c are known to two digits only; `None` without them."""
        if self.alpha is None:
            return None
        low, high = rounded_speedup(self.alpha, self.gamma, self.cost)
        return float(low), float(high)

    @property
    def beside(self) -> str | None:
        """Where the printed speed-up, known to ± .05, lies of `formula_range`: above, below or within; `None` without it."""
        if self.formula_range is None:
            return None
        low, high = self.formula_range
        return "above" if self.speedup - _TENTH > high else "below" if self.speedup + _TENTH < low else "within"

    @property
    def implied_tokens(self) -> float | None:
        """Words per call, if a call cost γc + 1 plain steps and nothing else; `None` without γ and c."""
        return None if self.gamma is None or self.cost is None else self.speedup * (self.gamma * self.cost + 1)

    @property
    def implied_overhead(self) -> float | None:
        """Tokens per call over the speed-up: what one call cost in plain steps; `None` without both."""
        return self.tokens / self.speedup if self.tokens is not None else None


_TENTH = .05  # half a unit of the last digit that a measured speed-up is printed with


def rounded_speedup(alpha: ArrayLike, gamma: ArrayLike, cost: ArrayLike, half_step: float = 0.005) -> tuple[NDArray, NDArray]:
    """The least and the largest `speedup` when α and c are known to ± `half_step` only; the arguments broadcast."""
    alpha, cost = np.asarray(alpha, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    low, high = np.maximum(alpha - half_step, 0), np.minimum(alpha + half_step, 1)
    return speedup(low, gamma, cost + half_step), speedup(high, gamma, np.maximum(cost - half_step, 0))


_LEVIATHAN = "Leviathan et al. 2023, arXiv:2211.17192"
_T5 = "T5-XXL decoding without a draft, batch 1, one TPU-v4; measured"
_CHEN = "Chen et al. 2023, arXiv:2302.01318, table 1 and page 5"
_MEDUSA = "Cai et al. 2024, arXiv:2401.10774, table 1"
_EAGLE_3 = "Li et al. 2025, arXiv:2503.01840, table 1"
_WITH = "counts the word that every call adds"


def _computed(alpha: float, gamma: int, operations: float, speed: float) -> Published:
    return Published(f"{_LEVIATHAN}, table 1", "speculative decoding", "none: the formulas alone", speed,
                     "plain decoding; computed with c = 0", gamma=gamma, alpha=alpha, cost=0.0, operations=operations)


def _t5(task: str, draft: str, temperature: int, gamma: int, alpha: float, cost: float, predicted: float,
        measured: float) -> Published:
    return Published(f"{_LEVIATHAN}, tables 2 and 4", f"T5-{draft} drafts", f"{task}, temperature {temperature}", measured, _T5,
                     gamma=gamma, alpha=alpha, cost=cost, predicted=predicted)


def _chinchilla(task: str, time: float, speed: float) -> Published:
    """K = 4 is their γ; a step of the draft takes 1.8 ms, of the target 14.1."""
    return Published(_CHEN, "speculative sampling", task, speed, "Chinchilla 70B without a draft, batch 1, 16 TPU-v4; measured",
                     gamma=4, cost=draft_cost(1.8, 14.1), times=(14.1, time))


def _medusa(model: str, rate: float, overhead: float, speed: float) -> Published:
    """Medusa-2 trains the target too and accepts what is typical of it, so the law is not exactly the target's."""
    return Published(_MEDUSA, "Medusa-2", f"{model}, MT-Bench", speed, "the model in Hugging Face transformers, batch 1; measured",
                     tokens=rate, tokens_mean=f"acceleration rate, tokens per decoding step: {_WITH}", overhead=overhead)


def _eagle(method: str, tokens: float, speed: float) -> Published:
    """That τ counts the added word is from an author: github.com/SafeAILab/EAGLE, issue 195; for Medusa's τ issue 147."""
    return Published(_EAGLE_3, method, "Vicuna 13B, temperature 0, mean of five data sets", speed,
                     "decoding without a draft; measured", tokens=tokens, tokens_mean=f"the average acceptance length τ {_WITH}")


PUBLISHED = (
    _computed(.6, 2, 1.53, 1.96), _computed(.7, 3, 1.58, 2.53), _computed(.8, 2, 1.23, 2.44),
    _computed(.8, 5, 1.63, 3.69), _computed(.9, 2, 1.11, 2.71), _computed(.9, 10, 1.60, 6.86),
    _t5("EnDe", "small", 0, 7, .75, .02, 3.2, 3.4), _t5("EnDe", "base", 0, 7, .80, .04, 3.3, 2.8),
    _t5("EnDe", "large", 0, 7, .82, .11, 2.5, 1.7), _t5("EnDe", "small", 1, 7, .62, .02, 2.3, 2.6),
    _t5("EnDe", "base", 1, 5, .68, .04, 2.4, 2.4), _t5("EnDe", "large", 1, 3, .71, .11, 2.0, 1.4),
    _t5("CNNDM", "small", 0, 5, .65, .02, 2.4, 3.1), _t5("CNNDM", "base", 0, 5, .73, .04, 2.6, 3.0),
    _t5("CNNDM", "large", 0, 3, .74, .11, 2.0, 2.2), _t5("CNNDM", "small", 1, 5, .53, .02, 1.9, 2.3),
    _t5("CNNDM", "base", 1, 3, .55, .04, 1.8, 2.2), _t5("CNNDM", "large", 1, 3, .56, .11, 1.6, 1.7),
    _chinchilla("XSum, nucleus sampling", 7.52, 1.92), _chinchilla("XSum, greedy", 7.00, 2.01),
    _chinchilla("HumanEval, nucleus sampling", 5.73, 2.46),
    _medusa("Vicuna 7B", 3.47, 1.22, 2.83), _medusa("Zephyr 7B", 3.14, 1.18, 2.66),
    _medusa("Vicuna 13B", 3.51, 1.23, 2.83), _medusa("Vicuna 33B", 3.01, 1.27, 2.35),
    _eagle("a small draft model", 2.24, 1.92), _eagle("prompt look-up", 1.80, 1.74),
    _eagle("EAGLE", 3.96, 3.05), _eagle("EAGLE-2", 4.83, 4.22), _eagle("EAGLE-3", 6.62, 5.51),
)
"""30 rows. Medusa and EAGLE draft a tree, which no γ and α describe: they have tokens per call and an overhead instead."""
