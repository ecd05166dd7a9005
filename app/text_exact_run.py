"""The run behind *exactly the target's text*: many continuations of one beginning, by three ways to write, tallied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from specdec_core import RULES, continuations, likeliest, total_variation
from specdec_core.decoding import LanguageLaw
from specdec_core.words import pieces

from .background import Background, State, in_turn
from .books import Models
from .shares import REST
from .text_drafts import Settings

LENGTH = 2
"""Words of a continuation."""

CELLS = 20
"""The likeliest continuations, which are counted by themselves; all others are one cell more."""

WAYS = ("plain", "speculative", "redraw")
"""The target alone, the rule, and the rule with its residual replaced by p."""

_BLOCK = 4  # continuations of each way between two looks
_KNOWN = 100  # contexts whose laws are kept at hand, 80 kB each


@dataclass(frozen=True, eq=False)
class Trial:
    """What is tried: `n` continuations each way, with these settings."""

    settings: Settings
    models: Models
    n: int

    @property
    def _laws(self) -> tuple[LanguageLaw, LanguageLaw]:
        """Target and draft."""
        return self.settings.target_law(self.models), self.settings.draft_law(self.models)

    @cached_property
    def context(self) -> tuple[int, ...]:
        """The beginning."""
        return tuple(self.settings.context(self.models))

    @cached_property
    def cells(self) -> dict[tuple[int, ...], float]:
        """The likeliest continuations and their exact probabilities."""
        return likeliest(self._laws[0], self.context, LENGTH, CELLS)

    @cached_property
    def law(self) -> NDArray[np.float64]:
        """(K + 1,): those probabilities, and that of all the rest."""
        return np.array([*self.cells.values(), max(0.0, 1 - sum(self.cells.values()))])

    @cached_property
    def names(self) -> list[str]:
        """The K continuations as text, and a name for the rest."""
        after = (self.settings.tokens or [None])[-1]
        texts = ["".join(pieces(self.models.vocabulary.tokens(words), after=after)).strip(" ") for words in self.cells]
        return [text.replace("\n", "¶") for text in texts] + [REST]

    @cached_property
    def first_word_distance(self) -> float:
        """TV from the target of the first word alone that the redraw rule writes, exact."""
        target, draft = (law(self.context) for law in self._laws)
        return 0.0 if draft is None else float(total_variation(target, RULES["redraw"].output_distribution(target, draft)))

    def blocks(self) -> Iterator[NDArray[np.int64]]:
        """(3, K + 1): how often each cell came out, each way, a few continuations at a time, all on the same uniforms."""
        (target, draft), seed = map(_remembered, self._laws), self.settings.seed
        gamma = min(self.settings.gamma, LENGTH)  # what is drafted beyond changes nothing
        ways = (continuations(target, draft, self.context, 0, LENGTH, seed),
                continuations(target, draft, self.context, gamma, LENGTH, seed),
                continuations(target, draft, self.context, gamma, LENGTH, seed, RULES["redraw"].recovery))
        cell = {words: i for i, words in enumerate(self.cells)}
        for done in range(0, self.n, _BLOCK):
            counts = [[cell.get(words, len(cell)) for words in islice(way, min(_BLOCK, self.n - done))] for way in ways]
            yield np.array([np.bincount(one, minlength=len(cell) + 1) for one in counts])


@dataclass(frozen=True, eq=False)
class Counted:
    """How far a trial has come."""

    state: State
    counts: NDArray[np.int64]
    """(3, K + 1): how often each cell came out, by `WAYS`."""

    @property
    def n(self) -> int:
        """Continuations each way."""
        return int(self.counts[0].sum())


class ExactRun(Background):
    """A trial in the background."""

    progress: Counted | None = None

    def __init__(self, trial: Trial):
        self.trial = trial
        super().__init__("continuations")

    def _moments(self) -> Iterator[Counted]:
        counts = np.zeros((len(WAYS), len(self.trial.law)), dtype=np.int64)
        for block in in_turn(self.trial.blocks()):
            counts = counts + block
            yield Counted(self._state(int(counts[0].sum()) == self.trial.n), counts)

    def _failed(self) -> Counted:
        return Counted("failed", self.progress.counts if self.progress else np.zeros((len(WAYS), 1), dtype=np.int64))


def _remembered(law: LanguageLaw) -> LanguageLaw:
    """The same law, which knows the last contexts it was asked for: most continuations begin alike."""
    known = lru_cache(maxsize=_KNOWN)(law)
    return lambda context: known(tuple(context))
