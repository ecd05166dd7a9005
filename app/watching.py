"""Runs in the background as a session watches them: one at a time, looked at until it ends, and none that outlives its session."""

from __future__ import annotations

import panel as pn

from .background import Background

_LOOK = 150  # ms between two looks at a run: often enough to be seen going, seldom enough to leave the loop to others


class Watcher:
    """A part of a page with a run. A subclass gives `_look`, which shows how far `_run` has come, and calls `_rest` at its end."""

    _run: Background | None = None
    _watch: pn.io.PeriodicCallback | None = None

    def __init__(self):
        if pn.state.curdoc:
            pn.state.on_session_destroyed(lambda _: self._end())

    def _begin(self, run: Background) -> None:
        """Watch this run; the one before it ends."""
        self._end()
        self._run = run
        if self._watch is None:
            self._watch = pn.state.add_periodic_callback(self._look, period=_LOOK)
        self._look()

    def _end(self) -> None:
        """End the run after the block at hand, if one is going."""
        if self._run:
            self._run.stop()

    def _rest(self) -> None:
        """Look no more."""
        if self._watch is not None:
            self._watch.stop()
            self._watch = None

    def _look(self) -> None:
        raise NotImplementedError
