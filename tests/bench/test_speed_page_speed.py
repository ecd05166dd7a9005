"""/speed: from a slider's event to curves or map redrawn, against the round trip of a Panel callback that does nearly nothing."""

import pytest
from round_trip import quick_enough, turning

from app.lesson import speed
from app.page import Page
from app.speed_engine import engine
from app.state import State

PAGES = {"curves": (speed, "Acceptance rate", .6),
         "engine": (lambda: Page("engine", engine(State(), 1)), "Judging one word more", .1)}
"""What builds a page, its dial, and where that begins."""


@pytest.mark.parametrize("name", PAGES)
def test_a_redraw_after_a_slider_event(serving, name):
    """The medians of 25 moves each, taken in turns: at most 1.5 × the empty callback's, of the curves and of an engine's map."""
    build, dial, first = PAGES[name]
    with turning(serving, build, dial, "data") as turn:
        assert quick_enough(turn, [first + .01 * i for i in range(27)], 1.5)
