"""/filtering: from a slider's event to its picture redrawn, against the round trip of a Panel callback that does nearly nothing."""

import pytest
from round_trip import quick_enough, turning

from app.lesson import filtering


@pytest.mark.parametrize("dial, attr, first, step", [("Wrong answers that pass", "scene", .1, .01), ("Round", "data", 0, 1),
                                                     ("Skill of the policy", "data", 2, .1), ("Closeness of q", "data", .2, .01)])
def test_a_redraw_after_a_slider_event(serving, dial, attr, first, step):
    """The medians of 20 moves each, taken in turns: at most 2 × the empty callback's."""
    with turning(serving, filtering, dial, attr, "?filter=errs") as turn:
        assert quick_enough(turn, [first + step * (i % 10 if step == 1 else i) for i in range(1, 23)], 2)
