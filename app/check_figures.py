"""The plots of `/check` beside that of the shares: the distance as it falls, words per call. Each shows a plan or a run."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, NumeralTickFormatter, Range1d

from specdec_core import Tally, share_band

from .check_run import Progress
from .experiment import Experiment, Forecast
from .figures import PALETTE, figure

_INK = {"line_color": PALETTE["ink"], "line_width": 1.5}
_DOT = {"size": 10, "line_color": PALETTE["ink"], "line_width": 2}


class Distance:
    """The distance to p over the words so far, both logarithmic; the line of chance; and where a broken rule stops falling."""

    def __init__(self) -> None:
        self.plot = figure("Distance to the target as words come out", x_label="words so far",
                           y_label="distance to the target (TV)",
                           x_axis_type="log", y_axis_type="log", x_range=Range1d(1, 10), y_range=Range1d(.001, 1.2),
                           name="check-distance")
        self._chance, self._seen, self._own = (ColumnDataSource({"x": [], "y": []}) for _ in range(3))
        self.plot.line("x", "y", source=self._chance, line_dash="dashed", line_color=PALETTE["soft"], line_width=2)
        self.plot.line("x", "y", source=self._own, line_dash="dotted", line_color=PALETTE["accent"], line_width=3)
        self.plot.line("x", "y", source=self._seen, **_INK | {"line_width": 2.5})

    def show(self, experiment: Experiment, forecast: Forecast | None, progress: Progress | None) -> None:
        """The run's distance beside the line of chance, or that line alone."""
        chance = list(zip(forecast.n_words.tolist(), forecast.distance.tolist())) if forecast else []
        seen = list(progress.trail) if progress else []
        right = max([10.0, *(x for x, _ in chance + seen)])
        wrong = progress and experiment.outcome != "exact"
        own = [(x, experiment.true_distance) for x in (1, right)] if wrong else []
        heights = [y for _, y in chance + seen + own if y > 0]  # a distance of 0 has no place on this axis
        self.plot.x_range.update(start=1, end=right)
        self.plot.y_range.update(start=min(heights, default=.001) / 1.5, end=1.2)
        for source, points in (self._chance, chance), (self._seen, seen), (self._own, own):
            drawn = [(x, y) for x, y in points if y > 0]
            source.data = {"x": [x for x, _ in drawn], "y": [y for _, y in drawn]}


class TokensPerCall:
    """How many calls gave 1 … γ + 1 words: the formula's bars, and the shares seen with their bands."""

    def __init__(self) -> None:
        self.plot = figure("Words per call: how often each number", x_label="words per call", y_label="share of calls",
                           x_range=Range1d(.4, 5.6), y_range=Range1d(0, 1), name="check-tokens")
        self._bars = ColumnDataSource({"tokens": [], "law": [], "low": [], "high": []})
        self._dots = ColumnDataSource({"tokens": [], "seen": []})
        self.plot.vbar("tokens", top="law", width=.7, source=self._bars, fill_color=PALETTE["panel"], line_color=PALETTE["line"])
        self.plot.segment("tokens", "low", "tokens", "high", source=self._bars, **_INK)
        for edge in "low", "high":
            self.plot.scatter("tokens", edge, marker="dash", size=12, source=self._bars, **_INK)
        self.plot.scatter("tokens", "seen", source=self._dots, fill_color=PALETTE["paper"], **_DOT)
        self.plot.yaxis.formatter = NumeralTickFormatter(format="0 %")

    def show(self, experiment: Experiment, tally: Tally | None) -> None:
        """The run's shares beside the formula's, or these alone."""
        law, begun = experiment.tokens_law, tally is not None and tally.calls > 0
        numbers = list(range(1, len(law) + 1))
        band = share_band(law, tally.calls if begun else experiment.calls)
        seen = tally.tokens_shares if begun else np.empty(0)
        self.plot.x_range.update(start=.4, end=len(law) + .6)
        self.plot.y_range.end = 1.1 * float(max(np.minimum(law + band, 1).max(), seen.max(initial=0)))
        self.plot.xaxis.ticker = FixedTicker(ticks=numbers)
        self._bars.data = {"tokens": numbers, "law": law.tolist(), "low": np.maximum(law - band, 0).tolist(),
                           "high": np.minimum(law + band, 1).tolist()}
        self._dots.data = {"tokens": numbers[:len(seen)], "seen": seen.tolist()}
