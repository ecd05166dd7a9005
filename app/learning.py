"""Models that learn from a reader's own text in the background. Knows no view and touches no document."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from specdec_core.own_text import TextError, check_text, check_words
from specdec_core.words import stretches

from .books import Models

_TURN = threading.Lock()  # one step at a time over all sessions, however many readers bring a text at once
_BREATH = .002  # seconds between two steps, in which the server's loop comes first
_READING = .5  # of the bar; the models take the rest, each about as long as its order


@dataclass(frozen=True, eq=False)
class Progress:
    """How far the learning has come. The worker replaces it as a whole, so whoever reads it reads one moment."""

    state: Literal["running", "done", "refused", "stopped", "failed"]
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
        yield Progress("running", _READING * min(1, read / len(text)), "reading the words")
    models = Models(words)
    check_words(words, len(models.vocabulary))
    work = [(order, lambda order=order: models.order(order)) for order in (1, 2, 3, 5)] + [(2, lambda: models.stranger)]
    share, total = _READING, sum(weight for weight, _ in work)
    for weight, train in work:
        yield Progress("running", share, "training the models")
        train()
        share += (1 - _READING) * weight / total
    yield Progress("done", 1.0, "done", models)


class Learning:
    """The learning of one text, in a thread of its own from the moment this is made; `progress` tells how it goes.

    `stop` ends it after the step at hand, some tenths of a second at most.
    """

    def __init__(self, text: str):
        self.progress = Progress("running", 0.0, "reading the words")
        self._text, self._stop = text, threading.Event()
        self._thread = threading.Thread(target=self._work, name="learning", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.progress.state == "running"

    def stop(self) -> None:
        """Ask it to end. Of one that has ended, nothing."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; whether it has, after at most `timeout` seconds."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        steps = learn(self._text)
        try:
            while self.running:
                with _TURN:
                    progress = next(steps)
                self.progress = replace(progress, state="stopped", models=None) if self._stop.is_set() else progress
                time.sleep(_BREATH)
        except TextError as error:
            self.progress = replace(self.progress, state="refused", doing=str(error))
        except Exception:
            logging.getLogger(__name__).exception("a text could not be learned")
            self.progress = replace(self.progress, state="failed")
