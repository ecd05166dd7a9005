"""What is drawn again when a hand moves a dial: some of it with the hand, the rest when the hand rests."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
import param

_REST = 120  # ms


class Redraw:
    """Calls what draws, whenever one of the dials that it hangs on moves; all that a dial redraws goes out in one message.

    What is drawn `later` waits until the hand has rested for a moment: sentences, tables, and pictures that do not stand beside the
    dial. So the one that does can follow the hand.
    """

    def __init__(self):
        self._drawn: dict[param.Parameterized, list[tuple[Callable[[], None], bool]]] = {}
        self._waiting: dict[Callable[[], None], None] = {}
        self._timer = None

    def draw(self, draw: Callable[[], None], *dials: param.Parameterized, later: bool = False) -> None:
        """Call `draw` now, and whenever the `value` of one of the `dials` changes."""
        for dial in dials:
            if dial not in self._drawn:
                self._drawn[dial] = []
                dial.param.watch(self._moved, "value")
            self._drawn[dial].append((draw, later))
        draw()

    @pn.io.hold()
    def _moved(self, event) -> None:
        for draw, later in self._drawn[event.obj]:
            if later:
                self._waiting[draw] = None
            else:
                draw()
        document = pn.state.curdoc
        if document is None or document.session_context is None:  # no browser, no hand
            return self._catch_up()
        if self._timer is not None:
            document.remove_timeout_callback(self._timer)
        self._timer = document.add_timeout_callback(self._catch_up, _REST)

    @pn.io.hold()
    def _catch_up(self) -> None:
        self._timer = None
        waiting, self._waiting = self._waiting, {}
        for draw in waiting:
            draw()
