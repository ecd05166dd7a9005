"""Controls: what a browser sends is checked, and text is escaped by being `Markup`."""

import math

import pytest
from markupsafe import Markup

from app.controls import Buttons, Choice, Range, Seed, Switch, Text
from app.pieces import details, numbers, percent, plural, probability, table


@pytest.mark.parametrize("wrong", [-.01, 1.01, math.nan, math.inf, "1", None])
def test_a_range_keeps_its_bounds(wrong):
    control, other = Range(label="M", value=.5, start=0, end=1), Range(label="γ", value=4, start=1, end=10)
    with pytest.raises(ValueError):
        control.value = wrong
    with pytest.raises(ValueError):
        Range(label="M", value=wrong, start=0, end=1)
    assert control.value == .5 and other.value == 4


def test_a_choice_knows_its_options():
    control, other = Choice("which", ["a", "b"]), Choice("other", ["c", "d"], "d")
    with pytest.raises(ValueError):
        control.value = "c"
    assert (control.value, other.value) == ("a", "d")


@pytest.mark.parametrize("wrong", [None, 1, "true"])
def test_a_switch_is_on_or_off(wrong):
    control = Switch(label="points", value=True)
    with pytest.raises(ValueError):
        control.value = wrong
    assert control.value is True


def test_buttons_pass_on_their_number_and_nothing_else():
    pressed = []
    control = Buttons(["one", "two"], pressed.append)
    for message in 1, 2, -1, True, "0", None, {"i": 0}, 0.0, 0:
        control._handle_msg(message)
    assert pressed == [1, 0]


@pytest.mark.parametrize("wrong", [-1, 2**32, 1.5, "7", None])
def test_a_seed_is_a_seed(wrong):
    control = Seed(value=2**32 - 1)
    with pytest.raises(ValueError):
        control.value = wrong
    assert control.value == 2**32 - 1


def test_text_must_be_markup():
    with pytest.raises(ValueError):
        Text(html="<b>not escaped</b>")
    shown, hidden = Text(html=Markup("<b>x</b>")), Text(html=Markup("<b>x</b>"), visible=False)
    assert shown.waiting == "<b>x</b>" and hidden.waiting == ""


def test_pieces_escape_and_print():
    nasty = "<img src=x onerror=alert(1)>"
    for piece in (numbers((nasty, nasty, nasty)), table(nasty, [nasty], [(nasty, nasty)]), details(nasty, Markup("<p>"))):
        assert "<img" not in piece and "&lt;img" in piece
    assert (percent(.785398, 2), probability(.7142857), probability(1.), plural(1, "point"), plural(1000, "point")) == (
        "78.54\N{NO-BREAK SPACE}%", ".714", "1.000", "1 point", "1,000 points")
