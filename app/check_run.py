"""The run behind `/check`: in a thread of its own, watched and stopped from the session. Knows no view and touches no document."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from specdec_core import Tally, observed_distance, tallies

from .background import Background, State, in_turn
from .experiment import Experiment

_STEP = 1.06  # the next point of the trail has at least so many times the words of the last one


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a run has come. The worker replaces it as a whole, so whoever reads it reads one moment."""

    state: State
    tally: Tally
    trail: tuple[tuple[int, float], ...]
    """Words so far and their distance to p, thinned for a logarithmic axis: a few hundred points at most."""
    seconds: float
    """How long the run has gone on."""

    @property
    def rate(self) -> float:
        """Calls per second; 0 before any time has passed."""
        return self.tally.calls / self.seconds if self.seconds else 0.0


class Run(Background):
    """The calls of one experiment, judged in the background from the moment this is made.

    `progress` is `None` until the first tally, a moment later. `stop` ends the run after the block at hand, some milliseconds, and
    keeps what has come out.
    """

    progress: Progress | None = None

    def __init__(self, experiment: Experiment):
        self.experiment = experiment
        super().__init__("check run")

    def _moments(self) -> Iterator[Progress]:
        it, trail, started = self.experiment, [], time.monotonic()
        for tally in in_turn(tallies(it.rule, it.p, it.q, it.gamma, it.calls, it.seed)):
            distance = observed_distance(tally.words, it.p)
            if distance is not None and (tally.calls == it.calls or not trail or tally.n_words >= _STEP * trail[-1][0]):
                trail.append((tally.n_words, distance))
            yield Progress(self._state(tally.calls == it.calls), tally, tuple(trail), time.monotonic() - started)

    def _failed(self) -> Progress:
        it = self.experiment
        empty = next(tallies(it.rule, it.p, it.q, it.gamma, 0, 0))
        return replace(self.progress or Progress("failed", empty, (), 0.0), state="failed")
