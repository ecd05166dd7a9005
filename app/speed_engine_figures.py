"""The two plots of an engine's counts: survival by position, and a map of the speed-up by γ and draft cost."""

from __future__ import annotations

import numpy as np
from bokeh.models import FixedTicker, NumeralTickFormatter
from markupsafe import Markup
from numpy.typing import NDArray

from specdec_core import Quantity, Tuning

from .cells import Cells
from .figures import KEPT, PALETTE, figure, put, text
from .pieces import details, probability, table

_ROWS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40)  # the γ that the map has, and what else matters
_SLOWER = 1 - 1e-12  # rounding may leave that of 1


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
        plot.xaxis.ticker, plot.yaxis.formatter = FixedTicker(), NumeralTickFormatter(format="0 %")

    def show(self, survival: Quantity, tuning: Tuning) -> Markup:
        """Draw, and return the caption with the numbers."""
        depth = tuning.depth
        positions = list(range(1, depth + 1))
        seen = survival.value is not None
        columns = (survival.value, survival.low, survival.high) if seen else ((), (), ())
        put(self._counted, i=positions[:len(columns[0])], **dict(zip(("value", "low", "high"), map(list, columns))))
        one = [] if tuning.alpha is None else np.diff(tuning.formula[:depth + 1]).tolist()  # the i-th word's part of the tokens
        put(self._one, i=positions[:len(one)], value=one)
        self.plot.x_range.update(start=.4, end=depth + .6)
        self.plot.xaxis[0].ticker.ticks = positions[::1 + depth // 15]
        said = ("Bars: the share of calls that accepted positions 1 to i, with 95 % intervals." if seen else
                "This format does not count by position, so there is nothing to hold against one α.")
        if one:
            said += f" Diamonds: what independent acceptances with α = {probability(tuning.alpha)} would give."
        rows = [(str(i + 1), *((probability(column[i]) for column in columns) if seen else ["–"] * 3),
                 probability(one[i]) if one else "–") for i in range(depth)]
        return Markup("<p>{}</p>{}").format(said, details("These numbers as a table", table(
            "Survival by position", ("position", "counted", "from", "to", "by one α"), rows)))


class SpeedupMap:
    """The speed-up at each γ, for the draft cost and its neighbours: what becomes of it if c is not quite what was entered."""

    def __init__(self):
        self._cells = Cells("Speed-up by γ and draft cost, around your engine", "cost of a draft step, c",
                            "words drafted per call, γ")
        self.plot = self._cells.plot
        self._best = self.plot.rect("x", "y", .94, .9, fill_color=None, line_color=PALETTE["ink"], line_width=2,
                                    source={"x": [], "y": []}).data_source
        self._unknown = self.plot.text("x", "y", "text", source={"x": [], "y": [], "text": []}, text_align="center",
                                       text_baseline="middle", **text("soft")).data_source

    def show(self, tuning: Tuning, cost: float, costs: NDArray[np.float64], judged: NDArray[np.float64]) -> None:
        """Draw. `costs` are the columns, `cost` among them; `judged` is v at each γ."""
        speeds, best = tuning.at(costs, judged)
        known = len(speeds[0]) - int(np.isnan(speeds[0]).sum())
        deepest = min(known - 1, max(tuning.depth, *best) + 2)
        gammas = sorted({g for g in (*_ROWS, tuning.depth, *best.tolist()) if g <= deepest})
        cells = speeds.T[gammas]
        names = [f"{c:.3g}".removeprefix("0") if c else "0" for c in costs]
        labels = [[f"{speed:.2f}" for speed in row] for row in cells]
        beyond = tuning.empirical and known < len(judged)
        self._cells.show(names, [*map(str, gammas), *["?"] * beyond], np.maximum(np.log(cells), 0), labels, hatched=cells < _SLOWER)
        mine = costs.tolist().index(cost)
        self._cells.stand(mine, gammas.index(tuning.depth))
        put(self._best, x=list(range(len(costs))), y=[gammas.index(g) for g in best])
        put(self._unknown, x=[(len(costs) - 1) / 2] * beyond, y=[len(gammas)] * beyond,
            text=[f"γ above {known - 1}: not observed"] * beyond)
        self._shown = gammas, names, labels, best.tolist(), known - 1 if tuning.empirical else None

    @property
    def caption(self) -> Markup:
        """What was drawn last, in words and as a table."""
        gammas, names, labels, best, deepest = self._shown
        said = ("A cell holds the speed-up for its γ and c. The ring is where your engine stands, a frame is the best γ of its "
                "column, and hatched cells are slower than plain decoding, which is γ = 0.")
        if deepest is not None:
            said += f" The map ends at γ = {deepest}, the deepest that was observed."
        rows = [*((str(g), *row) for g, row in zip(gammas, labels)), ("best γ", *map(str, best))]
        return Markup("<p>{}</p>{}").format(said, details("These numbers as a table", table(
            "Speed-up by γ and draft cost", ("γ", *(f"c {name}" for name in names)), rows)))
