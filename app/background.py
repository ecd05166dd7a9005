"""A run in a thread of its own, watched and stopped from a session. Knows no view and touches no document."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from typing import Any, Literal, TypeVar

_TURN = threading.Lock()
# One block of work at a time over all sessions, so that the server's loop never has more than one rival for the interpreter,
# however many readers press Run at once; and a breath between blocks, in which the loop and the other runs come first.
_BREATH, _BREATHLESS = .0005, .004  # seconds: of rest, and of work between two rests

State = Literal["running", "done", "stopped", "failed"]
"""How a run stands."""

Item = TypeVar("Item")


def in_turn(source: Iterator[Item]) -> Iterator[Item]:
    """The items of `source`, each worked out while no other run works, with a breath between them."""
    rested = time.monotonic()
    while True:
        with _TURN:
            item = next(source, in_turn)
        if item is in_turn:
            return
        yield item
        if time.monotonic() - rested > _BREATHLESS:
            time.sleep(_BREATH)
            rested = time.monotonic()


class Background:
    """A run that goes on from the moment this is made, until its `_moments` end or `stop` is asked for.

    `progress`, `None` until the first moment, is replaced as a whole, so that whoever reads it reads one moment; its `state` is a
    `State`. A subclass gives the `_moments`, the last of which is not "running", and what there is when they `_fail`.
    """

    progress: Any = None

    def __init__(self, name: str):
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.progress is None or self.progress.state == "running"

    def stop(self) -> None:
        """Ask the run to end. Of a run that has ended, nothing."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the run has ended; whether it has, after at most `timeout` seconds."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _state(self, done: bool) -> State:
        """How the run stands after a block, which was the last one if `done`."""
        return "done" if done else "stopped" if self._stop.is_set() else "running"

    def _work(self) -> None:
        try:
            for self.progress in self._moments():
                if self.progress.state != "running":
                    return
        except Exception:
            logging.getLogger(__name__).exception("a run failed")
            self.progress = self._failed()

    def _moments(self) -> Iterator[Any]:
        raise NotImplementedError

    def _failed(self) -> Any:
        raise NotImplementedError
