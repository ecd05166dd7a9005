"""What `/check` needs beyond the shared controls: a list of rules, a box for words and laws, and the buttons that save results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import param

from .assets import module, style
from .controls import _Control


class _Own(_Control):
    _esm = module("check.js")
    _stylesheets = [*_Control._stylesheets, style("check.css")]


class Menu(_Own):
    """One of many options: a labelled native list."""

    kind = param.String("menu", constant=True)
    value = param.Selector(doc="The option chosen.")
    options = param.List(doc="Pairs of a value and what the list says for it, as plain text.")
    label = param.String(doc="Its name.")
    address = param.String(doc="The URL's parameter that follows; none if empty.")

    def __init__(self, label: str, options: Sequence[tuple[str, str]], value: str, **params):
        self.param["value"].objects = [option for option, _ in options]
        super().__init__(label=label, options=[list(pair) for pair in options], value=value, **params)


class Paste(_Own):
    """A box that keeps what was typed, behind a <details>; `used(text)` is called to use it, `used(None)` to have none."""

    kind = param.String("paste", constant=True)
    label = param.String(doc="What opens it.")
    hint = param.String(doc="The box's name, which says what goes into it.")
    example = param.String(doc="What stands in it at first.")
    fault = param.String(doc="What is wrong with what was typed, in a sentence; empty if nothing is.")

    def __init__(self, used: Callable[[str | None], None], **params):
        super().__init__(**params)
        self._used = used

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and isinstance(data.get("text"), str | None):
            self._used(data["text"])


class Downloads(_Own):
    """Two buttons: the numbers as CSV, which `csv()` writes when asked, and the named figures as one PNG under `title`."""

    kind = param.String("downloads", constant=True)
    file = param.String(doc="The files' name, without ending.")
    title = param.String(doc="What stands over the picture, as plain text.")
    figures = param.List(doc="The figures' names, from the top.")

    def __init__(self, csv: Callable[[], str], **params):
        super().__init__(**params)
        self._csv = csv

    def _handle_msg(self, data: Any) -> None:
        if data == "csv":
            self._send_msg({"name": f"{self.file}.csv", "text": self._csv()})
