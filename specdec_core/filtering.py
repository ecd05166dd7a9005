"""Rejection sampling for training data: draw answers from a model, throw some away, and train on the rest.

A model answers a question with law p; some answers are right. A checker passes an answer with a chance that depends on whether it
is right. What passes has the law p(y)·P(pass | y) over its sum. With a checker that makes no mistakes that is p(y | right): the
rejection sampling of `rejection`, with target p(y | right), proposal p and M = 1/P(right), keeps a right answer with chance
p(y | right)/(M·p(y)) = 1 and a wrong one with chance 0. Other rules to keep draws are in `keep_rules`. Source: rejection-sampling
fine-tuning, Yuan et al. 2023, arXiv:2308.01825.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .distributions import as_pmf, choose, cumulative
from .keep_rules import KeepRule
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


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """What a filter makes of the draws, on average. An entry is an answer, or a question where several are pooled."""

    drawn: NDArray[np.float64]
    """(V,): the share of each in all draws."""
    kept: NDArray[np.float64]
    """(V,): the share of the draws that are this one and kept."""
    target: NDArray[np.float64] | None
    """(V,): what the kept ones should be distributed as; `None` if there is no such law."""
    right: NDArray[np.float64]
    """(V,): the share of each one's kept draws that is right."""

    @property
    def thrown(self) -> NDArray[np.float64]:
        """(V,): the share of the draws that are this one and thrown away."""
        return np.maximum(self.drawn - self.kept, 0.0)

    @property
    def keep(self) -> NDArray[np.float64]:
        """(V,): the share of each one's draws that is kept; 0 if it is never drawn."""
        return np.divide(self.kept, self.drawn, out=np.zeros_like(self.kept), where=self.drawn > 0)

    @property
    def keep_rate(self) -> float:
        """The share of all draws that is kept."""
        return float(self.kept.sum())

    @property
    def law(self) -> NDArray[np.float64] | None:
        """(V,): the shares in what is kept, the training data; `None` if nothing ever is."""
        return self.kept / self.keep_rate if self.keep_rate > 0 else None

    @property
    def precision(self) -> float | None:
        """The share of what is kept that is right; `None` if nothing ever is kept."""
        return float(self.kept @ self.right) / self.keep_rate if self.keep_rate > 0 else None

    @property
    def draws_per_kept(self) -> float:
        """How many draws one kept answer costs; infinite if nothing ever is kept."""
        return 1 / self.keep_rate if self.keep_rate > 0 else inf


def filtered(p: ArrayLike, right: ArrayLike, rule: KeepRule, n: int, checker: Checker = Checker()) -> Filtered:
    """A filter on one question: batches of n answers with law p (V,), of which `right` (V,) are; the target is p(y | right)."""
    p, right = as_pmf(p), np.asarray(right, dtype=bool)
    return Filtered(p, rule.expected(p, checker.passing(right), n) / n, conditional(p, right), right.astype(np.float64))


def pooled_questions(pass_rates: Sequence[float], rule: KeepRule, n: int) -> Filtered:
    """A filter on Q questions with these pass rates (Q,), n draws each, what is kept thrown together; the target is 1/Q each."""
    even = np.full(len(pass_rates), 1 / len(pass_rates))
    kept = np.array([rule.expected((s, 1 - s), (1.0, 0.0), n).sum() for s in pass_rates])
    return Filtered(even, even * kept / n, even, np.ones(len(pass_rates)))


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
