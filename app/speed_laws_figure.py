"""The words that lose most and the words that come instead, as bars: what is kept, rejected and refilled of each."""

from __future__ import annotations

import numpy as np
import panel as pn
from bokeh.models import NumeralTickFormatter

from specdec_core import OwnLaws

from .figures import KEPT, PALETTE, REFILL, REJECTED, figure, pane, text

_LONGEST = 11  # characters of a word beside its bar
_ROW = 26  # px


class Words:
    """One row a word. Words are text glyphs: as an axis' labels Bokeh would take $$…$$ for mathematics, and fetch a typesetter."""

    def __init__(self):
        self.plot = plot = figure("Words that lose most and words that come instead", x_label="probability",
                                  x_range=(-1, 1), y_range=(0, 1))
        self.pane = pane(plot)
        plot.yaxis.visible, plot.ygrid.grid_line_color, plot.xgrid.grid_line_color = False, None, PALETTE["rule"]
        plot.min_border_left = plot.min_border_top = 0
        plot.xaxis.formatter = NumeralTickFormatter(format="0.[00] %")
        plot.xaxis.ticker.desired_num_ticks = 4
        self._rows = plot.hbar("y", left=0, right="kept", height=.7, source={"y": []}, **KEPT).data_source
        plot.hbar("y", left="kept", right="draft", height=.7, source=self._rows, **REJECTED)
        plot.hbar("y", left="kept", right="target", height=.7, source=self._rows, **REFILL)
        plot.segment("aim", "low", "aim", "high", source=self._rows, line_color=PALETTE["ink"], line_width=3)
        plot.text(0, "y", "word", source=self._rows, text_align="right", text_baseline="middle", x_offset=-6, **text())

    @pn.io.hold()
    def show(self, laws: OwnLaws, names: dict[int, str]) -> None:
        """Draw the two lists of `laws`; `names` has what to call each word."""
        places = [*laws.losing, *(i for i in laws.refilled if i not in laws.losing)]
        self.pane.visible = bool(places)
        if not places:
            return
        p, q = laws.target[places], laws.draft[places]
        kept, y = np.minimum(p, q), np.arange(len(places), 0, -1.0)
        self._rows.data = {"y": y.tolist(), "low": (y - .45).tolist(), "high": (y + .45).tolist(), "kept": kept.tolist(),
                           "aim": p.tolist(), "draft": np.maximum(q, kept).tolist(), "target": np.maximum(p, kept).tolist(),
                           "word": [_cut(names[i]) for i in places]}
        end = 1.04 * float(max(p.max(), q.max()))
        self.plot.x_range.update(start=-.3 * end, end=end)
        self.plot.xaxis.bounds = (0, end)
        self.plot.y_range.update(start=.4, end=len(places) + .6)
        self.plot.height = _ROW * len(places) + 60


def _cut(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[:_LONGEST - 1]}…"
