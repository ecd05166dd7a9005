"""/speed: from a slider's event to its curves redrawn, against the round trip of a Panel callback that does next to nothing."""

from round_trip import redraw_ratio, turning

from app.lesson import speed


def test_a_redraw_after_a_slider_event(serving):
    """The medians of 25 moves each, taken in turns: at most 1.5 × the empty callback's."""
    with turning(serving, speed, "Acceptance rate", "data") as turn:
        assert redraw_ratio(turn, [.6 + .01 * i for i in range(27)]) <= 1.5
