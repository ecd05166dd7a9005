"""Rejection sampling for training data: draw answers from a model, throw some away, and train on the rest.

A model answers a question with law p; some answers are right. A checker passes an answer with a chance that depends on whether it
is right. What passes has the law p(y)·P(pass | y) over its sum. With a checker that makes no mistakes that is p(y | right): the
rejection sampling of `rejection`, with target p(y | right), proposal p and M = 1/P(right), keeps a right answer with chance
p(y | right)/(M·p(y)) = 1 and a wrong one with chance 0. Draws come in batches of n, and a *rule* says which draws of a batch are kept.
Sources: rejection-sampling fine-tuning, Yuan et al. 2023, arXiv:2308.01825 (who keep no solution twice); best of n, Stiennon et al.
2020, arXiv:2009.01325.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .counts import binomial
from .distributions import as_pmf, choose, cumulative
from .speculative import MAX_SEED, whole


def conditional(p: ArrayLike, event: ArrayLike) -> NDArray[np.float64] | None:
    """p(y | y in the event): p (V,) cut to the answers where `event` (V,) holds, over their sum; `None` if they have no mass."""
    p, event = as_pmf(p), np.asarray(event, dtype=bool)
    mass = p[event].sum()
    return np.where(event, p, 0.0) / mass if mass > 0 else None


@dataclass(frozen=True)
class Checker:
    """Passes a right answer with chance `tpr` (true positives) and a wrong one with chance `fpr` (false positives).

    Raises `ValueError` unless both lie between 0 and 1.
    """

    tpr: float = 1.0
    fpr: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.tpr <= 1 and 0 <= self.fpr <= 1):
            raise ValueError("a checker's rates must lie between 0 and 1")

    def passing(self, right: ArrayLike) -> NDArray[np.float64]:
        """(V,): P(pass | y) for answers that are `right` (V,) or not."""
        return np.where(np.asarray(right, dtype=bool), self.tpr, self.fpr)

    def keep_rate(self, share: float) -> float:
        """The chance that a draw passes if `share` of the draws are right."""
        return share * self.tpr + (1 - share) * self.fpr

    def precision(self, share: float) -> float | None:
        """The share of what passes that is right: Bayes' rule; `None` if nothing ever passes."""
        passes = self.keep_rate(share)
        return share * self.tpr / passes if passes > 0 else None


class KeepRule(ABC):
    """Which draws of a batch are kept. Here and below, `passing` (V,) is P(pass | y)."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """B batches of n draws, as a rule judged them."""

    question: NDArray[np.intp]
    """(B,): which question each batch answers."""
    answers: NDArray[np.intp]
    """(B, n): what was drawn."""
    passed: NDArray[np.bool_]
    """(B, n): which draws the checker passed."""
    kept: NDArray[np.bool_]
    """(B, n): which draws the rule kept."""

    @property
    def accepted(self) -> NDArray[np.intp]:
        """The answers kept, in order."""
        return self.answers[self.kept]

    @property
    def rejected(self) -> NDArray[np.intp]:
        """The answers thrown away, in order."""
        return self.answers[~self.kept]


def draw_batches(p: ArrayLike, passing: ArrayLike, rule: KeepRule, n: int, batches: int, seed: int) -> Draws:
    """Draw batches of n answers from p and judge them. With p and `passing` (Q, V), batch b answers question b mod Q.

    Draw k of the run has the same uniforms under every rule and for every n: one chooses the answer, one is the checker's.
    Raises `DistributionError` for a law that is none, `ValueError` for a number out of range.
    """
    p = np.atleast_2d(as_pmf(p))
    n, batches = whole("n", n, 1, inf), whole("batches", batches, 0, inf)
    passing = np.broadcast_to(np.asarray(passing, dtype=np.float64), p.shape)
    u = np.random.RandomState(whole("seed", seed, 0, MAX_SEED)).random_sample((batches, n, 2))
    question = np.arange(batches) % len(p)
    answers = np.zeros((batches, n), dtype=np.intp)
    for i, law in enumerate(p):
        answers[question == i] = choose(cumulative(law), u[question == i, :, 0])
    passed = u[..., 1] < passing[question[:, None], answers]
    return Draws(question, answers, passed, rule.keep(answers, passed))
