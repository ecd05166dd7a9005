"""Native controls as Panel components: a range, radio buttons, a checkbox, a player, buttons, a seed; and text that follows them.

Panel's own sliders have handles without a name, and its panes no lasting element that a screen reader could listen to. What a
browser sends is checked here: what is out of bounds raises `ValueError` on the server and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import param
from markupsafe import Markup

from .assets import module, style
from .state import BOUNDS, State


class _Control(pn.custom.JSComponent):
    kind = param.String(constant=True, doc="Which of the module's controls this is.")

    _esm = module("controls.js")
    _stylesheets = [style("tokens.css", "controls.css", "reading.css", "host.css", "component.css")]

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": "stretch_width"} | params)


class Range(_Control):
    """A labelled native range with its value beside it; `value` follows the hand, sixteen times a second at most."""

    kind = param.String("range", constant=True)
    value = param.Number(doc="Where it stands, between `start` and `end`.")
    start = param.Number(0, doc="The least value.")
    end = param.Number(1, doc="The greatest value.")
    step = param.Number(.01, doc="From one value to the next.")
    digits = param.Integer(2, doc="Decimals of the value beside the label.")
    label = param.String(doc="Its name.")
    ends = param.List(doc="Words at its two ends; may be empty.")
    scale = param.Number(1, doc="What a value is multiplied by to be shown.")
    mark = param.Number(None, allow_None=True, doc="A value to mark below the range.")
    mark_label = param.String(doc="What stands at the mark.")
    address = param.String(doc="The URL's parameter that follows when it is let go; none if empty.")
    follows = param.Boolean(False, doc="Whether a value from elsewhere takes that parameter out of the URL, as it follows from "
                                       "others.")

    def __init__(self, **params):
        """Raises `ValueError` if the value is out of bounds."""
        super().__init__(**{name: value for name, value in params.items() if name != "value"})
        self.param["value"].bounds = (self.start, self.end)
        self.value = params["value"]


class Choice(_Control):
    """One of a few options: native radio buttons in a fieldset, which look like tabs."""

    kind = param.String("choice", constant=True)
    value = param.Selector(check_on_set=True, doc="The option chosen.")
    options = param.List(doc="What can be chosen, as plain text.")
    label = param.String(doc="The group's name.")
    address = param.String(doc="The URL's parameter that follows; none if empty.")
    keys = param.List(doc="What the address says for each option.")

    def __init__(self, label: str, options: Sequence[str], value: str | None = None, **params):
        """The first option is chosen unless `value` is another."""
        super().__init__(label=label, options=list(options), **params)
        self.param["value"].objects = list(options)  # of this choice: before `super().__init__` it would be of all
        self.value = options[0] if value is None else value


class Switch(_Control):
    """A labelled native checkbox."""

    kind = param.String("switch", constant=True)
    value = param.Boolean(False, allow_None=False, doc="Whether it is on.")
    label = param.String(doc="Its name.")
    address = param.String(doc="The URL's parameter that follows, 1 where it is on; none if empty.")


class Player(_Control):
    """Steps that a reader plays, pauses, goes on or back by one, or drags to: a range with buttons. `value` is the step shown."""

    kind = param.String("player", constant=True)
    value = param.Integer(0, doc="The step shown, from 0 to `end`.")
    end = param.Integer(1, doc="The last step.")
    label = param.String(doc="Its name.")
    address = param.String(doc="The URL's parameter that follows when it rests; none if empty.")

    def __init__(self, **params):
        """Raises `ValueError` if the value is out of bounds."""
        super().__init__(**{name: value for name, value in params.items() if name != "value"})
        self.param["value"].bounds = (0, self.end)
        self.value = params.get("value", 0)


class Buttons(_Control):
    """A row of native buttons, the first the one that matters most; `pressed(i)` is called when button i is."""

    kind = param.String("buttons", constant=True)
    labels = param.List(doc="What is on them, as plain text.")

    def __init__(self, labels: Sequence[str], pressed: Callable[[int], None], **params):
        super().__init__(labels=list(labels), **params)
        self._pressed = pressed

    def _handle_msg(self, data: Any) -> None:
        if type(data) is int and 0 <= data < len(self.labels):
            self._pressed(data)


class Seed(_Control):
    """The seed of what is drawn at random: a field that says what is wrong with what was typed."""

    kind = param.String("seed", constant=True)
    value = param.Integer(State().seed, bounds=BOUNDS["seed"], doc="The seed in use.")
    address = param.String(doc="The URL's parameter that follows; none if empty.")


class Text(_Control):
    """HTML that changes. With `role="status"` a screen reader says each change; a <details> in it stays as open as it was."""

    kind = param.String("text", constant=True)
    html = param.ClassSelector(default=Markup(), class_=Markup, doc="The text, escaped by having been made with `Markup`.")
    role = param.String(doc="An ARIA role for the element that holds it; none if empty.")

    @property
    def waiting(self) -> Markup:
        """What stands in its place until the scripts have drawn it."""
        return self.html if self.visible else Markup()
