"""Models that learn from a reader's own text in the background. Knows no view and touches no document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from specdec_core.own_text import TextError, check_text, check_words
from specdec_core.words import stretches

from .background import Background, State, in_turn
from .books import Models

_READ, _TRAIN = "reading the words", "training the models"
_READING = .5  # of the bar; the models take the rest, each about as long as its order


@dataclass(frozen=True, eq=False)
class Progress:
    """How far the learning has come. The worker replaces it as a whole, so whoever reads it reads one moment."""

    state: State | Literal["refused"]
    share: float
    """How much is done, 0 … 1."""
    doing: str
    """What is being done, or what is wrong with the text: the middle of a sentence."""
    models: Models | None = None
    """All the models, once they are trained."""


def learn(text: str) -> Iterator[Progress]:
    """Learn from `text` a step at a time: read the words, then train every model that a page may ask for.

    The last step has the models. Raises `TextError` for a text that is not fit.
    """
    check_text(text)
    words: list[str] = []
    read = 0
    for stretch in stretches(text):
        words += stretch
        read += sum(map(len, stretch)) + len(stretch)  # about as many characters, the spaces with them
        yield Progress("running", _READING * min(1, read / len(text)), _READ)
    models = Models(words)
    check_words(words, len(models.vocabulary))
    work = [(order, lambda order=order: models.order(order)) for order in (1, 2, 3, 5)] + [(2, lambda: models.stranger)]
    share, total = _READING, sum(weight for weight, _ in work)
    for weight, train in work:
        yield Progress("running", share, _TRAIN)
        train()
        share += (1 - _READING) * weight / total
    yield Progress("done", 1.0, "done", models)


class Learning(Background):
    """The learning of one text in the background, from the moment this is made; `progress` tells how it goes.

    `stop` ends it after the step at hand, some tenths of a second at most.
    """

    progress: Progress

    def __init__(self, text: str):
        self._text, self.progress = text, Progress("running", 0.0, _READ)
        super().__init__("learning")

    def _moments(self) -> Iterator[Progress]:
        try:
            for progress in in_turn(learn(self._text)):
                yield replace(progress, state=self._state(progress.state == "done"))
        except TextError as error:
            yield replace(self.progress, state="refused", doing=str(error))

    def _failed(self) -> Progress:
        return replace(self.progress, state="failed")
