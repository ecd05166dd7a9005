"""The plot of shares against their bands: how far each word's share lies from its probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, FixedTicker, Range1d
from numpy.typing import NDArray

from specdec_core import share_band

from .figures import PALETTE, figure

REST = "all the rest"
"""What the chart and the table call the words that they do not name."""

_ROW, _FRAME = 30, 64  # px


class Shares:
    """How far each word's share is from p, in percentage points, and the band that chance stays in; a row for each word."""

    def __init__(self, name: str, label: str = "Share of each word, minus the target", longest: int = 12) -> None:
        """`name` is the figure's, `label` what a screen reader calls it; words have at most `longest` characters."""
        self._longest = longest
        self.plot = figure(label, x_label="share − target, % points",
                           x_range=Range1d(-1, 1), y_range=Range1d(-.6, .6), name=name)
        self._bands = ColumnDataSource({"low": [], "high": [], "row": []})
        self._inside, self._outside = (ColumnDataSource({"gap": [], "row": []}) for _ in range(2))
        self.plot.vspan(x=[0], line_color=PALETTE["ink"], line_width=2)
        self.plot.hbar(y="row", left="low", right="high", height=.5, source=self._bands, fill_color=PALETTE["panel"],
                       line_color=PALETTE["line"])
        for source, fill in (self._inside, "paper"), (self._outside, "ink"):  # a colour in a column would stay light in the dark
            self.plot.scatter("gap", "row", fill_color=PALETTE[fill], source=source, size=10, line_color=PALETTE["ink"],
                              line_width=2)
        self.plot.xaxis.ticker = BasicTicker(desired_num_ticks=4)  # what a phone has room for
        self.plot.ygrid.grid_line_color = None

    def show(self, names: Sequence[str], p: NDArray[np.float64], n_words: float, shares: NDArray[np.float64] | None) -> None:
        """The shares (V,) of `n_words` words beside their law p (V,), or the bands alone for so many that are to come."""
        band, rows = 100 * share_band(p, n_words), np.arange(len(p))[::-1]
        gap = np.empty(0) if shares is None else 100 * (shares - p)
        edge = 1.15 * max(band.max(), np.abs(gap).max(initial=0)) or 1
        self.plot.height = _FRAME + _ROW * len(p)
        self.plot.y_range.update(start=-.6, end=len(p) - .4)
        self.plot.x_range.update(start=-edge, end=edge)
        self.plot.yaxis.ticker = FixedTicker(ticks=rows.tolist())
        self.plot.yaxis.major_label_overrides = dict(zip(rows.tolist(), map(self._short, names)))
        self._bands.data = {"low": (-band).tolist(), "high": band.tolist(), "row": rows.tolist()}
        inside = np.abs(gap) <= band if len(gap) else np.empty(0, dtype=bool)
        for source, some in (self._inside, inside), (self._outside, ~inside):
            source.data = {"gap": gap[some].tolist(), "row": rows[:len(gap)][some].tolist()}

    def _short(self, word: str) -> str:
        """At most so many characters; nothing that Bokeh would take for mathematics."""
        return (word if len(word) <= self._longest else word[:self._longest - 1] + "…").replace("$$", "$\N{ZERO WIDTH SPACE}$")
