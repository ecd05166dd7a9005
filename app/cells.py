"""A heat map: a grid of cells with a number in each, filled the stronger the more it is, and a ring where the reader stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bokeh.models import FixedTicker, NoOverlap
from numpy.typing import ArrayLike

from .figures import PALETTE, figure, put, text

_STRONGEST = .5  # so that the numbers stay readable
_ROW = 30  # px


class Cells:
    """The figure. The cell in row r and column c has its middle at (c, r), rows from below."""

    def __init__(self, label: str, x_label: str, y_label: str):
        self.plot = plot = figure(label, x_label=x_label, y_label=y_label, x_range=(-.5, .5), y_range=(-.5, .5))
        plot.grid.grid_line_color = None
        plot.min_border_right = 2
        plot.xaxis.ticker, plot.yaxis.ticker, plot.xaxis.major_label_policy = FixedTicker(), FixedTicker(), NoOverlap()
        self._cells = plot.rect("x", "y", 1, 1, fill_color=PALETTE["accent"], fill_alpha="strength", line_color=PALETTE["paper"],
                                line_width=2, source={"x": [], "y": [], "strength": [], "label": []}).data_source
        self._hatched = plot.rect("x", "y", .94, .94, fill_color=None, line_color=None, hatch_pattern="/",
                                  hatch_color=PALETTE["rule"], hatch_weight=2, hatch_scale=10,
                                  source={"x": [], "y": []}).data_source
        plot.text("x", "y", "label", source=self._cells, text_align="center", text_baseline="middle", **text())
        self._ring = plot.ellipse([], [], width=.9, height=.9, fill_color=None, line_color=PALETTE["ink"], line_width=3).data_source

    def show(self, columns: Sequence[str], rows: Sequence[str], amounts: ArrayLike, labels: ArrayLike,
             hatched: ArrayLike = False) -> None:
        """Draw what is in the cells (R, C): `amounts` of at least 0, which fill them, `labels`, and whether each is hatched."""
        amounts, labels = np.asarray(amounts, dtype=np.float64), np.asarray(labels)
        y, x = np.indices(amounts.shape)
        full = max(float(amounts.max()), 1e-9)
        put(self._cells, x=x.ravel().tolist(), y=y.ravel().tolist(), label=labels.ravel().tolist(),
            strength=(_STRONGEST * np.sqrt(amounts / full)).ravel().tolist())
        lined = np.broadcast_to(hatched, amounts.shape)
        put(self._hatched, x=x[lined].tolist(), y=y[lined].tolist())
        for axis, range_, names in (self.plot.xaxis[0], self.plot.x_range, columns), (self.plot.yaxis[0], self.plot.y_range, rows):
            axis.ticker.ticks = list(range(len(names)))
            axis.major_label_overrides = dict(enumerate(names))
            range_.update(start=-.5, end=len(names) - .5)
        self.plot.height = _ROW * len(rows) + 70

    def stand(self, column: float, row: float) -> None:
        """Put the ring there; between two columns or rows it stands between them."""
        put(self._ring, x=[column], y=[row])
