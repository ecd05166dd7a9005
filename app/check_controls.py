"""What `/check` needs beyond the shared controls: the buttons that save its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param

from .assets import module
from .controls import _Control


class Downloads(_Control):
    """Two buttons: the numbers as CSV, which `csv()` writes when asked, and the named figures as one PNG under `title`."""

    _esm = module("check.js")

    file = param.String(doc="The files' name, without ending.")
    title = param.String(doc="What stands over the picture, as plain text.")
    figures = param.List(doc="The figures' names, from the top.")

    def __init__(self, csv: Callable[[], str], **params):
        super().__init__(**params)
        self._csv = csv

    def _handle_msg(self, data: Any) -> None:
        if data == "csv":
            self._send_msg({"name": f"{self.file}.csv", "text": self._csv()})
