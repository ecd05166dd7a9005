"""The two plots of an engine's counts: survival by position, and the speed-up against γ for the draft cost and its neighbours."""

from __future__ import annotations

import numpy as np
from bokeh.models import FixedTicker, NumeralTickFormatter
from markupsafe import Markup

from specdec_core import Quantity, Tuning, speedup

from .figures import KEPT, PALETTE, figure, text
from .pieces import details, probability, table

_WIDE = 12  # γ at the end of the axis, at least
_DASHES = ("dotted", "solid", "dashed")


class Survival:
    """How many calls come how far: counted, beside what one α would give."""

    def __init__(self):
        self.plot = plot = figure("Survival by position, counted and by one α", height=260,
                                  x_label="position i", y_label="calls that accepted 1 … i", x_range=(.4, 5), y_range=(0, 1.03))
        self._counted = plot.vbar("i", top="value", width=.6, source=dict.fromkeys(("i", "value", "low", "high"), []),
                                  **KEPT).data_source
        plot.segment("i", "low", "i", "high", source=self._counted, line_color=PALETTE["ink"], line_width=2)
        self._one = plot.line("i", "value", source={"i": [], "value": []}, line_color=PALETTE["accent"], line_width=2.5,
                              line_dash="dashed").data_source
        plot.scatter("i", "value", source=self._one, size=9, marker="diamond", fill_color=PALETTE["paper"],
                     line_color=PALETTE["accent"], line_width=2)
        plot.yaxis.formatter = NumeralTickFormatter(format="0 %")

    def show(self, survival: Quantity, tuning: Tuning) -> Markup:
        """Draw, and return the caption with the numbers."""
        depth = tuning.depth
        positions = list(range(1, depth + 1))
        seen = survival.value is not None
        columns = (survival.value, survival.low, survival.high) if seen else ((), (), ())
        self._counted.data = {"i": positions[:len(columns[0])], **dict(zip(("value", "low", "high"), map(list, columns)))}
        one = [] if tuning.alpha is None else np.diff(tuning.formula[:depth + 1]).tolist()  # the i-th word's part of the tokens
        self._one.data = {"i": positions[:len(one)], "value": one}
        self.plot.x_range.update(start=.4, end=depth + .6)
        self.plot.xaxis.ticker = FixedTicker(ticks=positions[::1 + depth // 15])
        said = ("Bars: the share of calls that accepted positions 1 to i, with 95 % intervals." if seen else
                "This format does not count by position, so there is nothing to hold against one α.")
        if one:
            said += f" Diamonds: what independent acceptances with α = {probability(tuning.alpha)} would give."
        rows = [(str(i + 1), *((probability(column[i]) for column in columns) if seen else ["–"] * 3),
                 probability(one[i]) if one else "–") for i in range(depth)]
        return Markup("<p>{}</p>{}").format(said, details("These numbers as a table", table(
            "Survival by position", ("position", "counted", "from", "to", "by one α"), rows)))


class Speedups:
    """Speed-up against γ, for the cost and its neighbours."""

    def __init__(self):
        self.plot = plot = figure("Speed-up against γ for three draft costs", x_label="words drafted per call, γ",
                                  y_label="times plain decoding", height=320, x_range=(0, _WIDE), y_range=(0, 2))
        self._slower = plot.quad(left=0, right="right", bottom="bottom", top=1, source={"right": [], "bottom": []},
                                 fill_color=PALETTE["rule"], line_color=None, fill_alpha=.6).data_source
        plot.line([0, 1000], [1, 1], line_color=PALETTE["line"], line_width=1.5)
        self._note = plot.text("x", "y", "text", source={"x": [], "y": [], "text": []}, text_baseline="top", y_offset=4, x_offset=6,
                               **text("soft")).data_source
        self._formula = plot.line("x", "y", source={"x": [], "y": []}, line_color=PALETTE["rejected"], line_width=2,
                                  line_dash="dotdash").data_source
        self._lines = [plot.line("x", "y", source={"x": [], "y": []}, line_color=PALETTE["accent"], line_dash=dash,
                                 line_width=3 if dash == "solid" else 2).data_source for dash in _DASHES]
        self._names = plot.text("x", "y", "text", source={"x": [], "y": [], "text": []}, text_baseline="middle", x_offset=10,
                                padding=2, background_fill_color=PALETTE["paper"], **text("ink")).data_source
        self._band = plot.segment("x", "low", "x", "high", source={"x": [], "low": [], "high": []}, line_color=PALETTE["ink"],
                                  line_width=2).data_source
        self._best = plot.scatter([], [], size=24, marker="star", fill_color=PALETTE["kept"],
                                  line_color=PALETTE["line"]).data_source
        self._now = plot.scatter([], [], size=8, marker="circle", fill_color=PALETTE["paper"], line_color=PALETTE["ink"],
                                 line_width=2).data_source

    def show(self, rows: list[tuple[float, Tuning]]) -> Markup:
        """Draw tunings at rising costs, the reader's in the middle; returns the caption."""
        mine = rows[len(rows) // 2][1]
        cost = rows[len(rows) // 2][0]
        end = min(len(mine.speedups) - 1, max(_WIDE, mine.depth + 3, *(tuning.best_gamma + 3 for _, tuning in rows)))
        gammas, names = np.arange(end + 1), {"x": [], "y": [], "text": []}
        dashes = _DASHES if len(rows) == 3 else _DASHES[1:2]
        top, low = 1.1, 1.0
        for source in self._lines:
            source.data = {"x": [], "y": []}
        for (c, tuning), dash in zip(rows, dashes):
            speeds = tuning.speedups[:end + 1]
            known = ~np.isnan(speeds)
            self._lines[_DASHES.index(dash)].data = {"x": gammas[known].tolist(), "y": speeds[known].tolist()}
            top, low = max(top, float(speeds[known].max())), min(low, float(speeds[known].min()))
            names = {"x": [*names["x"], int(gammas[known][-1])], "y": [*names["y"], float(speeds[known][-1])],
                     "text": [*names["text"], f"{c:.2g}"]}
        formula = mine.empirical and mine.alpha is not None
        promised = speedup(mine.alpha, gammas, cost) if formula else gammas[:0]
        self._formula.data = {"x": gammas[:len(promised)].tolist(), "y": promised.tolist()}
        top = max(top, *promised) if formula else top
        self._names.data = names
        estimates = [(mine.depth, mine.now), (mine.best_gamma, mine.best)]
        ends = [(at, e.low, e.high) for at, e in estimates if e.low is not None]
        self._band.data = dict(zip(("x", "low", "high"), map(list, zip(*ends)))) if ends else {"x": [], "low": [], "high": []}
        top, low = max(top, *(e[2] for e in ends)) if ends else top, min(low, *(e[1] for e in ends)) if ends else low
        self._now.data = {"x": [mine.depth], "y": [mine.now.value]}
        self._best.data = {"x": [mine.best_gamma], "y": [mine.best.value]}
        bottom = max(0.0, low - .15 * (top - low) - .05)
        self._slower.data = {"right": [end * 1.3], "bottom": [bottom]}
        self._note.data = {"x": [0], "y": [1], "text": ["slower than plain decoding"]}
        self.plot.x_range.update(start=0, end=end * 1.3)
        self.plot.y_range.update(start=bottom, end=top + .06 * (top - bottom))
        self.plot.xaxis.ticker = FixedTicker(ticks=gammas[::1 + end // 9].tolist())
        said = "Solid: your c; dotted and dashed: half and twice of it. Each line has its c at its end." if len(rows) == 3 else "The line: c = 0."
        said += " Circle: the γ in use; star: the best" + ("; the bars through them are 95 % intervals." if ends else ".")
        if mine.empirical:
            said += f" The lines are the counted survival curve’s and end at γ = {mine.depth}, the deepest that was observed."
        if formula:
            said += " Dash-dotted, in red: the i.i.d. formula with your c, which is wrong for this engine."
        return Markup("<p>{}</p>").format(said)
