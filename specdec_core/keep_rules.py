"""Which draws of a batch are kept as training data: all that pass a checker, a few of them, none twice, or the best one.

Draws come in batches of n with law p; `passing` (V,) is P(pass | y), the chance that the checker passes an answer. Each rule says
how many of each answer it keeps on average, by enumeration, and does so to batches that were drawn. Sources: no solution twice,
Yuan et al. 2023, arXiv:2308.01825; best of n, Stiennon et al. 2020, arXiv:2009.01325.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .counts import binomial
from .distributions import as_pmf
from .speculative import whole


class KeepRule(ABC):
    """What all rules share."""

    @abstractmethod
    def expected(self, p: ArrayLike, passing: ArrayLike, n: int) -> NDArray[np.float64]:
        """(V,): how many of each answer are kept from a batch of n draws with law p (V,), on average; exact."""

    @abstractmethod
    def keep(self, answers: NDArray[np.intp], passed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(B, n): which draws are kept, where `answers` (B, n) were drawn and `passed` (B, n) says which the checker passed."""


@dataclass(frozen=True)
class KeepPassed(KeepRule):
    """Keep all that passes."""

    def expected(self, p: ArrayLike, passing: ArrayLike, n: int) -> NDArray[np.float64]:
        return n * as_pmf(p) * passing

    def keep(self, answers: NDArray[np.intp], passed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return passed


@dataclass(frozen=True)
class Capped(KeepRule):
    """Keep the first `cap` of a batch that pass. Their law is that of all that pass; their number is min(cap, binomial)."""

    cap: int

    def expected(self, p: ArrayLike, passing: ArrayLike, n: int) -> NDArray[np.float64]:
        each = as_pmf(p) * passing
        share = each.sum()
        number = np.minimum(np.arange(n + 1), self.cap) @ binomial(n, min(share, 1.0))
        return each * (number / share if share > 0 else 0.0)

    def keep(self, answers: NDArray[np.intp], passed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return passed & (np.cumsum(passed, axis=1) <= self.cap)


@dataclass(frozen=True)
class Distinct(KeepRule):
    """Keep each answer once a batch, when it first passes: with chance 1 − (1 − p(y)·P(pass | y))^n."""

    def expected(self, p: ArrayLike, passing: ArrayLike, n: int) -> NDArray[np.float64]:
        return 1 - (1 - as_pmf(p) * passing) ** n

    def keep(self, answers: NDArray[np.intp], passed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        seen = (answers[:, :, None] == answers[:, None, :]) & passed[:, None, :]  # draw i, and an earlier j of the same answer
        return passed & ~np.tril(seen, -1).any(axis=2)


@dataclass(frozen=True)
class BestOf(KeepRule):
    """Keep the draw of a batch with the highest reward (V,), the first of equals. No checker is asked."""

    rewards: tuple[float, ...]

    def expected(self, p: ArrayLike, passing: ArrayLike, n: int) -> NDArray[np.float64]:
        return best_of_n(p, self.rewards, n)

    def keep(self, answers: NDArray[np.intp], passed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        best = np.asarray(self.rewards)[answers].argmax(axis=1)
        return np.arange(answers.shape[1]) == best[:, None]


def best_of_n(p: ArrayLike, rewards: ArrayLike, n: int) -> NDArray[np.float64]:
    """The law (V,) of the answer with the highest reward among n draws from p (V,); equal rewards share by p.

    F(r)^n − F(r−)^n for the answers of reward r, F the law of a draw's reward. Source: Beirami et al. 2024, arXiv:2401.01879,
    section 2. Raises `ValueError` for n below 1.
    """
    p, rewards = as_pmf(p), np.asarray(rewards, dtype=np.float64)
    n = whole("n", n, 1, inf)
    values, level = np.unique(rewards, return_inverse=True)
    mass = np.bincount(level, weights=p, minlength=len(values))
    below = np.concatenate([[0.0], np.minimum(np.cumsum(mass), 1.0)])
    won = np.diff(below**n)
    return p * np.divide(won, mass, out=np.zeros_like(mass), where=mass > 0)[level]


def best_of_n_kl_bound(n: int) -> float:
    """log n − (n − 1)/n, in nats: no less than KL(best of n ‖ p), and often more. Often quoted as if it were the KL itself.

    Source: Beirami et al. 2024, arXiv:2401.01879, theorem 3.1. Raises `ValueError` for n below 1.
    """
    n = whole("n", n, 1, inf)
    return log(n) - (n - 1) / n
