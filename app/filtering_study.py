"""The main figure of `/filtering`: one filter and its run of draws, and what the core says about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from specdec_core import (BestOf, Capped, Checker, Distinct, Draws, Filtered, KeepPassed, KeepRule, draw_batches, filtered,
                          pooled_questions, share_band)
from specdec_core.examples import EASY_AND_HARD, EGGS

from .state import MAX_DRAWS

FATES = ("right, so it is kept", "wrong, so it is thrown away", "right, but the checker misses it: thrown away",
         "wrong, but the checker passes it: kept", "right, but enough of this batch are kept already: thrown away",
         "right, but this batch has it already: thrown away", "right, and the best of its batch: kept",
         "wrong, but the best of its batch: kept", "not the best of its batch: thrown away")
"""What becomes of a draw, and why."""

KEPT = (0, 3, 6, 7)
"""Those of them that are kept."""


@dataclass(frozen=True)
class Study:
    """A filter (one of `state.FILTERS`) and its numbers."""

    filter: str
    tpr: float
    fpr: float
    n: int
    cap: int
    seed: int

    @property
    def pooled(self) -> bool:
        """Whether two questions are pooled; if not, there is one."""
        return self.filter in ("pooled", "capped")

    @property
    def checker(self) -> Checker:
        """The checker in use."""
        return Checker(self.tpr, self.fpr) if self.filter == "errs" else Checker()

    @property
    def rule(self) -> KeepRule:
        """The rule in use."""
        return {"capped": Capped(self.cap), "distinct": Distinct(), "best": BestOf(EGGS.rewards)}.get(self.filter, KeepPassed())

    @cached_property
    def made(self) -> Filtered:
        """What the filter makes of the draws: an entry is a solution, or a question where two are pooled."""
        if self.pooled:
            return pooled_questions(list(EASY_AND_HARD.values()), self.rule, self.n)
        return filtered(EGGS.law, EGGS.right, self.rule, self.n, self.checker)

    @property
    def names(self) -> list[str]:
        """What stands under each pair of bars."""
        return list(EASY_AND_HARD) if self.pooled else [name + " ✓" * good for name, good in zip(EGGS.answers, EGGS.right)]

    @cached_property
    def run(self) -> Draws:
        """As many whole batches as `MAX_DRAWS` holds, under the seed."""
        batches = MAX_DRAWS // self.n
        if self.pooled:
            laws = [(s, 1 - s) for s in EASY_AND_HARD.values()]
            return draw_batches(laws, (1.0, 0.0), self.rule, self.n, batches, self.seed)
        return draw_batches(EGGS.law, self.checker.passing(EGGS.right), self.rule, self.n, batches, self.seed)

    @cached_property
    def right(self) -> NDArray[np.bool_]:
        """(B, n): which draws of the run are right."""
        return self.run.answers == 0 if self.pooled else np.array(EGGS.right)[self.run.answers]

    @cached_property
    def entries(self) -> NDArray[np.intp]:
        """(B, n): the pair of bars that each draw belongs to."""
        return np.broadcast_to(self.run.question[:, None], self.run.answers.shape) if self.pooled else self.run.answers

    @cached_property
    def fates(self) -> NDArray[np.intp]:
        """(B, n): the fate of each draw, a place in `FATES`."""
        right, passed, kept = self.right, self.run.passed, self.run.kept
        if self.filter == "best":
            return np.where(kept, np.where(right, 6, 7), 8)
        thrown = np.where(right, np.where(passed, 4 if self.pooled else 5, 2), 1)
        return np.where(kept, np.where(right, 0, 3), thrown)

    def counts(self, kept: bool) -> NDArray[np.intp]:
        """(V,): how often each entry was drawn, or kept, in the whole run."""
        return np.bincount(self.entries[self.run.kept] if kept else self.entries.ravel(), minlength=len(self.names))

    @property
    def band(self) -> NDArray[np.float64]:
        """(V,): the band of each one's share in what is kept, times the root of how many are kept."""
        return share_band(self.made.law, 1) if self.made.law is not None else np.zeros(len(self.names))
