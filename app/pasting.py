"""What a reader brings along: a box to paste into or drop a file on, a list to choose from, fields for numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import param

from .assets import module, style
from .controls import _Control

LONGEST = 5_000_000
"""The most characters that are read."""

_DIGITS = 24  # characters of a number: nothing that is meant needs more


class _Own(_Control):
    opens = param.String(doc="What a reader opens to see it; it is open from the start if empty.")

    _esm = module("pasting.js")
    _stylesheets = [*_Control._stylesheets, style("pasting.css")]


class Paste(_Own):
    """A box that keeps what is in it, and takes files; `used(text)` is called with what a reader wants read."""

    kind = param.String("paste", constant=True)
    label = param.String(doc="The box's name, which says what goes into it.")
    file_label = param.String("or a file", doc="The name of the file chooser below it.")
    button = param.String("Read it", doc="What is on the button.")
    text = param.String(doc="What is put into the box; what a reader types comes by `used` alone.")
    rows = param.Integer(7, doc="Lines to see.")
    prose = param.Boolean(False, constant=True, doc="Whether long lines are broken to fit, as in a book.")
    longest = param.Integer(LONGEST, constant=True, doc="The most characters that are taken.")
    fault = param.String(doc="What is wrong with what was read, in a sentence; empty if nothing is.")
    address = param.String(doc="The URL's parameter that says `carried`; none if empty.")
    carried = param.String(doc="What the URL carries of what was read; the parameter goes if it is empty.")

    def __init__(self, used: Callable[[str], None], **params):
        super().__init__(**params)
        self._used = used

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, str):
            return
        self.fault = ""
        if len(data) > self.longest:
            self.fault = f"Not read: these are more than {self.longest:,} characters."
        else:
            self._used(data)


class Menu(_Own):
    """One of many options, which may change: a labelled native list. `value` is the place of the one chosen."""

    kind = param.String("menu", constant=True)
    label = param.String(doc="Its name.")
    options = param.List(doc="What can be chosen, as plain text.")
    value = param.Integer(0, doc="The place of the option chosen.")
    address = param.String(doc="The URL's parameter that follows; none if empty.")
    keys = param.List(doc="What the address says for each option.")

    def _handle_msg(self, data: Any) -> None:
        if type(data) is int and 0 <= data < len(self.options):
            self.value = data


@dataclass(frozen=True)
class Field:
    """A number that a reader may enter."""

    name: str
    label: str
    least: float
    most: float
    whole: bool = False
    needed: bool = False
    """Whether it may not be empty."""
    address: str = ""
    """The URL's parameter that follows, gone while the field is empty; none if ''."""


class Fields(_Own):
    """A few labelled fields for numbers. `values` has each by name, `None` where it is empty; a bad entry changes no value."""

    kind = param.String("fields", constant=True)
    label = param.String(doc="The group's name.")
    labels = param.Dict(doc="Name to label.")
    values = param.Dict(doc="Name to number or `None`.")
    faults = param.Dict({}, doc="Name to what is wrong with the entry, in a sentence.")
    addresses = param.Dict({}, constant=True, doc="Name to the URL's parameter that follows, for those that have one.")

    def __init__(self, label: str, fields: Sequence[Field], opens: str = "", **values):
        """Every field is empty that has no value here."""
        super().__init__(label=label, opens=opens, labels={field.name: field.label for field in fields},
                         addresses={field.name: field.address for field in fields if field.address},
                         values={field.name: values.get(field.name) for field in fields})
        self._fields = {field.name: field for field in fields}

    def enter(self, name: str, text: str) -> None:
        """Take what was entered: a number, or nothing."""
        field, text = self._fields[name], text.strip()
        try:
            value = None if not text and not field.needed else (int if field.whole else float)(text[:_DIGITS])
            good = value is None or len(text) <= _DIGITS and field.least <= value <= field.most
        except ValueError:
            good = False
        if not good:
            wanted = f"{'a whole' if field.whole else 'a'} number from {field.least:g} to {field.most:,g}"
            self.faults = self.faults | {name: f"{field.label} must be {wanted}{'' if field.needed else ', or empty'}; "
                                               f"{self._stands(name)}."}
            return
        self.faults = {other: fault for other, fault in self.faults.items() if other != name}
        self.values = self.values | {name: value}

    def _stands(self, name: str) -> str:
        value = self.values[name]
        return "it still counts as empty" if value is None else f"it is still {value:g}"

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, list) and len(data) == 2 and data[0] in self._fields and isinstance(data[1], str):
            self.enter(*data)
