"""How a Bokeh figure looks here: the palette and sizes of `assets/tokens.css`, no tool that takes the wheel or a finger, a name.

Figures are painted in the palette's light colours. One `Scheme` on the page (every `Page` has one) gives them the scheme's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import bokeh.plotting
import panel as pn
import param
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource

from .assets import module, style

_TOKENS = style("tokens.css")

PALETTE: Mapping[str, str] = MappingProxyType(dict(re.findall(r"--([\w-]+): light-dark\((#\w+),", _TOKENS)))
"""The tokens' colours in the light scheme: all that a figure may be painted with, or it stays light in the dark."""

_SMALL = f"{16 * float(re.search(r'--size-small: ([.0-9]+)rem', _TOKENS)[1]):g}px"  # a canvas knows no rem
_SANS = re.search(r"--sans: (.*);", _TOKENS)[1]
_LINE = {"line_color": PALETTE["line"], "line_width": 1}

# What a mark means never hangs on its colour alone: each of the three has a pattern and an outline too.
KEPT = MappingProxyType({"fill_color": PALETTE["kept"], **_LINE})
"""What is kept, as an area: plain."""

REJECTED = MappingProxyType({"fill_color": PALETTE["rejected"], "hatch_pattern": "/", "hatch_color": PALETTE["rejected-stripe"],
                             "hatch_weight": 4, "hatch_scale": 16, **_LINE})
"""What is rejected, as an area: hatched."""

REFILL = MappingProxyType({"fill_color": PALETTE["refill"], "hatch_pattern": ".", "hatch_color": PALETTE["refill-dot"],
                           "hatch_scale": 10, **_LINE})
"""What is refilled, as an area: dotted."""

KEPT_MARK = MappingProxyType({"marker": "circle", "fill_color": PALETTE["kept"], **_LINE})
"""What is kept, as a point."""

REJECTED_MARK = MappingProxyType({"marker": "x", "line_color": PALETTE["rejected"], "line_width": 1.5})
"""What is rejected, as a point."""


def figure(label: str, *, x_label: str = "", y_label: str = "", height: int = 320, **options: Any) -> bokeh.plotting.figure:
    """A figure as wide as its place, which a screen reader calls `label`; `options` are Bokeh's own (ranges, aspect)."""
    plot = bokeh.plotting.figure(
        tools="", toolbar_location=None, background_fill_color=None, border_fill_color=None,
        outline_line_color=None, html_attributes={"role": "group", "aria-label": label},
        **{"height": height, "sizing_mode": "stretch_width"} | options)
    plot.xaxis.axis_label, plot.yaxis.axis_label = x_label or None, y_label or None
    for axis in plot.axis:
        axis.update(axis_line_color=PALETTE["line"], major_tick_line_color=PALETTE["line"], minor_tick_line_color=None,
                    **_text("axis_label_", PALETTE["soft"]), **_text("major_label_", PALETTE["soft"]))
    plot.xgrid.grid_line_color, plot.ygrid.grid_line_color = None, PALETTE["rule"]
    plot.min_border_right = 16  # px: half of the last tick's label
    return plot


def text(colour: str = "ink") -> dict[str, Any]:
    """The properties of a text glyph in the colour of this token."""
    return _text("", PALETTE[colour]) | {"text_font": value(_SANS)}  # a bare string would name a column


def put(source: ColumnDataSource, **columns: list) -> None:
    """Give a source these columns, unless it has them: whatever is sent is drawn again."""
    if columns != source.data:
        source.data = columns


class _Pane(pn.pane.Bokeh):
    # Panel's own, when it is to be shown again, asks its figure whether it is shown, and that was told to hide.
    def _track_overrides(self, *events: param.parameterized.Event) -> None:
        for event in events:
            if event.name == "visible":
                self.object.visible = event.new
        super()._track_overrides(*events)


def pane(plot: bokeh.plotting.figure) -> pn.pane.Bokeh:
    """The figure as a part of a page, to be hidden and shown by its `visible`."""
    return _Pane(plot, sizing_mode=plot.sizing_mode)


def _text(prefix: str, colour: str) -> dict[str, str]:
    return {f"{prefix}text_color": colour, f"{prefix}text_font": _SANS, f"{prefix}text_font_size": _SMALL,
            f"{prefix}text_font_style": "normal"}


class Scheme(pn.custom.JSComponent):
    """Repaints all figures of its document in the page's colour scheme, light or dark, also when that changes. Shows nothing."""

    palette = param.Dict(dict(PALETTE), constant=True, doc="Token to light colour.")

    _esm = module("scheme.js")
    _stylesheets = [style("tokens.css", "host.css")]
