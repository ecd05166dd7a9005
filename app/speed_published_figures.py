"""What papers measured, in two pictures: beside the formula, and beside the words that a call gave."""

from __future__ import annotations

from bokeh.plotting import figure as Figure

from .figures import PALETTE, figure, text
from .speed_points import COUNTED, MARK, MEASURED

_SHAPES = {"T5-small drafts": "triangle", "T5-base drafts": "square", "T5-large drafts": "circle"}
_LINES = (1, 1.25, 1.5)
_PLACES = {"EAGLE-3": (-.15, .3, "right"), "Medusa-2": (.3, -.15, "left"), "prompt look-up": (.2, -.4, "left")}
"""Where a name stands beside its point, and how it is aligned; the others stand to the right."""


def formula_figure() -> Figure:
    """Measured against computed, with what rounding leaves open."""
    ends = (1.2, 3.6)
    plot = figure("Measured speed-ups against those of the formula", x_label="times as fast, by the formula",
                  y_label="times as fast, by the clock", height=400, x_range=ends, y_range=ends)
    plot.line(ends, ends, line_color=PALETTE["ink"], line_width=2, line_dash="dashed")
    for x, y, align, name in ((ends[0] + .05, ends[1] - .12, "left", "faster than the formula"),
                              (ends[1] - .05, ends[0] + .12, "right", "slower than the formula")):
        plot.text([x], [y], [name], text_align=align, text_baseline="middle", background_fill_color=PALETTE["paper"], padding=3,
                  **text("soft"))
    lows, highs = zip(*(row.formula_range for row in MEASURED))
    y = [row.speedup for row in MEASURED]
    plot.segment(lows, y, highs, y, line_color=PALETTE["line"], line_width=1.5)
    for name, marker in _SHAPES.items():
        for cold in (True, False):
            rows = [row for row in MEASURED if row.method == name and ("temperature 0" in row.task) == cold]
            plot.scatter([row.formula for row in rows], [row.speedup for row in rows], marker=marker,
                         **MARK | ({} if cold else {"fill_color": PALETTE["paper"], "line_color": PALETTE["line"]}))
    return plot


def words_figure() -> Figure:
    """Speed-up against words per call; a point's distance from the upper line is what its calls cost."""
    plot = figure("Speed-up against words per call", x_label="words per call, the added one counted",
                  y_label="times as fast, by the clock",
                  height=400, x_range=(1, 7.9), y_range=(1, 7.2))
    plot.multi_line([[cost, 7] for cost in _LINES], [[1, 7 / cost] for cost in _LINES], line_color=PALETTE["soft"], line_width=1.5)
    plot.text([7.1] * len(_LINES), [7 / cost for cost in _LINES], [f"{cost:g}" for cost in _LINES], text_baseline="middle",
              **text("soft"))
    for name, row in {row.method: row for row in COUNTED}.items():
        x, y, align = _PLACES.get(name, (.2, -.12, "left"))
        plot.text([row.tokens + x], [row.speedup + y], [name], text_align=align, text_baseline="middle",
                  background_fill_color=PALETTE["paper"], **text())
    plot.scatter([row.tokens for row in COUNTED], [row.speedup for row in COUNTED], marker="square", **MARK)  # over the names
    return plot
