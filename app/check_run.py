"""The run behind `/check`: in a thread of its own, watched and stopped from the session. Knows no view and touches no document."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, replace
from typing import Literal

from specdec_core import Tally, observed_distance, tallies

from .experiment import Experiment

_TURN = threading.Lock()
# One block of calls at a time over all sessions, so that the server's loop never has more than one rival for the interpreter,
# however many readers press Run at once; and a breath between blocks, in which the loop and the other runs come first.
_BREATH, _BREATHLESS = .0005, .004  # seconds: of rest, and of work between two rests
_STEP = 1.06  # the next point of the trail has at least so many times the words of the last one


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a run has come. The worker replaces it as a whole, so whoever reads it reads one moment."""

    state: Literal["running", "done", "stopped", "failed"]
    tally: Tally
    trail: tuple[tuple[int, float], ...]
    """Words so far and their distance to p, thinned for a logarithmic axis: a few hundred points at most."""
    seconds: float
    """How long the run has gone on."""

    @property
    def rate(self) -> float:
        """Calls per second; 0 before any time has passed."""
        return self.tally.calls / self.seconds if self.seconds else 0.0


class Run:
    """The calls of one experiment, judged in the background from the moment this is made.

    `progress` is `None` until the first tally, a moment later. `stop` ends the run after the block at hand, some milliseconds, and
    keeps what has come out.
    """

    def __init__(self, experiment: Experiment):
        self.experiment = experiment
        self.progress: Progress | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="check run", daemon=True)
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

    def _work(self) -> None:
        try:
            for self.progress in self._judged():
                pass
        except Exception:
            logging.getLogger(__name__).exception("a run failed")
            empty = next(tallies(self.experiment.rule, self.experiment.p, self.experiment.q, self.experiment.gamma, 0, 0))
            self.progress = replace(self.progress or Progress("failed", empty, (), 0.0), state="failed")

    def _judged(self):
        it, trail, started = self.experiment, [], time.monotonic()
        rested = started
        source = tallies(it.rule, it.p, it.q, it.gamma, it.calls, it.seed)
        while True:
            with _TURN:
                tally = next(source)
                distance = observed_distance(tally.words, it.p)
            if distance is not None and (tally.calls == it.calls or not trail or tally.n_words >= _STEP * trail[-1][0]):
                trail.append((tally.n_words, distance))
            state = "done" if tally.calls == it.calls else "stopped" if self._stop.is_set() else "running"
            yield Progress(state, tally, tuple(trail), time.monotonic() - started)
            if state != "running":
                return
            if time.monotonic() - rested > _BREATHLESS:
                time.sleep(_BREATH)
                rested = time.monotonic()
