"""STaR, or expert iteration: draw answers, keep the right ones, refit, repeat; on a model that is a table.

The model gives Q questions laws over A answers. Each round every question is tried a few times, what is right is kept, and the
model is fitted again *from the base model*: (strength·base + kept) over its sum, as if the base were so many answers that it has
seen. A hint (rationalisation) lets the model try once more, the right result shown, where no try was right; what comes is kept as
if there had been no hint. Sources: Zelikman et al. 2022, arXiv:2203.14465, algorithm 1 (rationalisation, training again from the
original model); Anthony et al. 2017, arXiv:1705.08439 (expert iteration).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counts import multinomial, outcomes
from .distributions import as_pmf, choose, cumulative
from .divergence import entropy
from .speculative import MAX_SEED, whole

Table = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """One round of a run, and the model after it."""

    drawn: NDArray[np.intp]
    """(Q, n): the answers tried."""
    kept: NDArray[np.bool_]
    """(Q, n): which of them were right."""
    hinted: NDArray[np.intp]
    """(Q,): the answer given under a hint; −1 where none was needed, or there are no hints."""
    hint_kept: NDArray[np.bool_]
    """(Q,): whether that answer was right."""
    model: NDArray[np.float64]
    """(Q, A): the model fitted to what was kept."""
    accuracy: NDArray[np.float64]
    """(Q,): the chance that it answers right."""
    entropy: NDArray[np.float64]
    """(Q,): of its answers, in nats."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What the rounds give on average; row 0 is the base model."""

    accuracy: NDArray[np.float64]
    """(R + 1, Q)."""
    entropy: NDArray[np.float64]
    """(R + 1, Q): the mean of the models' entropies, in nats."""


@dataclass(frozen=True)
class Loop:
    """A base model and how it is trained. `base` and `hinted` (Q, A) are laws, `right` (Q, A) says which answers are.

    `tries` is the number of draws for each question and round, `strength` how many kept answers the base model outweighs alone,
    `hint` whether there are hints. Raises `DistributionError` for laws that are none, `ValueError` for numbers out of range.
    """

    base: Table
    right: tuple[tuple[bool, ...], ...]
    hinted: Table
    tries: int
    strength: float
    hint: bool = False

    def __post_init__(self) -> None:
        shapes = {as_pmf(self.base).shape, as_pmf(self.hinted).shape, np.shape(self.right)}
        if len(shapes) != 1:
            raise ValueError(f"base, hinted and right must have one shape, not {sorted(shapes)}")
        whole("tries", self.tries, 1, np.inf)
        if not self.strength > 0:
            raise ValueError("strength must be above 0")

    def refit(self, kept: NDArray) -> NDArray[np.float64]:
        """(..., Q, A): the model fitted to answers kept so often, `kept` (..., Q, A)."""
        weights = self.strength * np.asarray(self.base) + kept
        return weights / weights.sum(axis=-1, keepdims=True)

    def expected(self, rounds: int) -> Course:
        """The mean accuracy and entropy of each question after 0 … `rounds` rounds; exact.

        A question's next model depends on the last only, and only through how often each right answer was kept: a Markov chain over
        all such counts, whose transitions are multinomial.
        """
        accuracy, spread = (np.empty((rounds + 1, len(self.base))) for _ in range(2))
        for i, right in enumerate(np.asarray(self.right)):
            counts = outcomes(self.tries, int(right.sum()))
            kept = np.zeros((len(counts), len(self.base), len(right)))
            kept[:, i, right] = counts
            models = self.refit(kept)[:, i]
            steps = multinomial(self.tries, models[:, right], counts)
            if self.hint:
                self._add_hints(steps, counts, np.asarray(self.hinted[i])[right])
            law = np.zeros(len(counts))
            law[0] = 1.0  # nothing kept yet: the base model
            for r in range(rounds + 1):
                accuracy[r, i], spread[r, i] = law @ models[:, right].sum(axis=-1), law @ entropy(models)
                law = law @ steps
        return Course(accuracy, spread)

    @staticmethod
    def _add_hints(steps: NDArray, counts: NDArray, hinted: NDArray) -> None:
        """Where nothing was kept a hint keeps one right answer, with the chances `hinted` (right answers,)."""
        nothing = steps[:, 0].copy()
        singles = counts.sum(axis=1) == 1
        for state in np.flatnonzero(singles):
            steps[:, state] += nothing * hinted[counts[state].argmax()]
        steps[:, 0] = nothing * (1 - hinted.sum())

    def run(self, rounds: int, seed: int) -> tuple[Round, ...]:
        """One run of so many rounds. A try has the same luck with and without hints."""
        right, hinted = np.asarray(self.right), np.asarray(self.hinted)
        questions, answers = right.shape
        stream = np.random.RandomState(whole("seed", seed, 0, MAX_SEED)).random_sample((rounds, questions, self.tries + 1))
        model, done = np.asarray(self.base, dtype=np.float64), []
        for u in stream:
            drawn = np.stack([choose(cumulative(law), v[:-1]) for law, v in zip(model, u)])
            kept = np.take_along_axis(right, drawn, axis=1)
            needs = ~kept.any(axis=1) & self.hint
            shown = np.array([choose(cumulative(law), v[-1]) if need else -1 for law, v, need in zip(hinted, u, needs)])
            hint_kept = needs & right[np.arange(questions), shown]
            counts = np.stack([np.bincount(row[mask], minlength=answers) for row, mask in zip(drawn, kept)])
            counts[hint_kept, shown[hint_kept]] += 1
            model = self.refit(counts)
            done.append(Round(drawn, kept, shown, hint_kept, model, (model * right).sum(axis=1), entropy(model)))
        return tuple(done)
