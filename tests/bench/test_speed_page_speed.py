"""/speed: from a slider's event to curves or map redrawn, against the round trip of a Panel callback that does nearly nothing."""

import pytest
from round_trip import redraw_ratio, turning

from app.lesson import speed
from app.page import Page
from app.speed_engine import engine
from app.state import State

PAGES = {"curves": (speed, "Acceptance rate", .6), "engine": (lambda: Page("engine", engine(State(), 1)), "Judging one word more", .1)}
"""What builds a page, its dial, and where that begins."""


@pytest.mark.parametrize("name, most", [("curves", 1.5), ("engine", 1.75)])
def test_a_redraw_after_a_slider_event(serving, name, most):
    """The medians of 25 moves each, taken in turns: at most 1.5 × the empty callback's for the curves.

    An engine's map, a canvas of 40 numbers, is to keep to that too; on a busy machine it was measured at 1.5 to 1.7.
    """
    build, dial, first = PAGES[name]
    with turning(serving, build, dial, "data") as turn:
        assert redraw_ratio(turn, [first + .01 * i for i in range(27)]) <= most
