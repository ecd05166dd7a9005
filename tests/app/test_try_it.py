"""The component: its params, what they refuse, and new laws."""

import json
import math
import time

import pytest
from bokeh.client import pull_session

import specdec_core
from app.page import Page
from app.state import BOUNDS, State
from app.try_it import TryIt
from specdec_core import DistributionError
from specdec_core.examples import THE_AND_A, TRY_IT, Laws


def test_it_opens_in_the_default_state_with_the_examples_numbers():
    widget = TryIt()
    assert State(widget.closeness, widget.gamma, widget.seed, widget.calls) == State()
    assert widget.sweep == specdec_core.sweep(TRY_IT.target, TRY_IT.draft, TRY_IT.words).to_json()
    assert json.loads(TryIt(THE_AND_A).sweep)["words"] == list(THE_AND_A.words)


@pytest.mark.parametrize("name, value", [(name, value) for name, (least, most) in BOUNDS.items() if name in TryIt.param
                                         for value in (least - 1, most + 1, math.nan, math.inf, "1", None)])
def test_what_is_out_of_bounds_is_refused(name, value):
    widget = TryIt()
    with pytest.raises(ValueError, match=name):
        setattr(widget, name, value)
    with pytest.raises(ValueError, match=name):
        TryIt(**{name: value})
    assert getattr(widget, name) == getattr(State(), name)


def test_new_laws_are_a_new_sweep_and_bad_ones_change_nothing():
    widget = TryIt(gamma=3)
    widget.show(THE_AND_A)
    sweep = widget.sweep
    assert json.loads(sweep)["target"] == list(THE_AND_A.target) and widget.gamma == 3
    with pytest.raises(DistributionError, match="draft"):
        widget.show(Laws(("a", "b"), (.5, .5), (.5, .6)))
    assert widget.sweep == sweep


def test_it_brings_its_own_palette():
    """In a notebook no page around it does."""
    css = "".join(text for text in TryIt().get_root().stylesheets if isinstance(text, str))
    assert "--paper:" in css and ".try-it" in css


def test_values_from_the_browser_are_checked(serving):
    """Over the real wire, with Bokeh's client in the browser's place."""
    made = []

    def page():
        made.append(TryIt())
        return Page("test", [made[-1]])

    session = pull_session(url=serving({"/": page}))
    [widget], data = made, session.document.roots[0].data

    def send(name, value):
        setattr(data, name, value)
        session.force_roundtrip()
        time.sleep(.15)  # Panel gathers what comes in 50 ms

    for name, value in [("closeness", math.nan), ("closeness", 2.0), ("gamma", 11), ("seed", -1), ("calls", 10**9)]:
        send(name, value)
    assert (widget.closeness, widget.gamma, widget.seed, widget.calls) == (.5, 4, 7, 1)
    send("closeness", .25)
    assert widget.closeness == .25
    session.close()
