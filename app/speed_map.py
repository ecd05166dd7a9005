"""The best γ, and what it gives, for every α and c."""

from __future__ import annotations

import numpy as np
import panel as pn
from markupsafe import Markup

from specdec_core import best_gamma, speedup

from .controls import Choice, Text
from .figures import PALETTE, figure, pane, text
from .page import Part, Split
from .pieces import details, percent, table, times
from .speed_curves import YOURS
from .speed_dials import Dials

ALPHAS = np.arange(1, 10) / 10
"""The rows."""

COSTS = np.array([.01, .02, .05, .1, .2, .5])
"""The columns."""

_GAMMA, _SPEED = "Best γ", "Best speed-up"
_STEP = np.log10(2)  # from column to column, nearly
_EDGES = np.concatenate([[np.log10(COSTS[0]) - _STEP / 2], np.log10(COSTS[1:] * COSTS[:-1]) / 2, [np.log10(COSTS[-1]) + _STEP / 2]])


def heat_map(dials: Dials, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    which = Choice("What the map shows", [_GAMMA, _SPEED])
    plot = figure("The best number of words to draft, by acceptance rate and draft cost", x_label="cost of a draft step, c",
                  y_label="acceptance rate α", height=400, x_range=(_EDGES[0], _EDGES[-1]), y_range=(.05, .95))
    rows, columns = np.indices((len(ALPHAS), len(COSTS))).reshape(2, -1)
    cells = plot.quad(left="left", right="right", bottom="bottom", top="top", fill_color=PALETTE["accent"], fill_alpha="strength",
                      line_color=PALETTE["paper"], line_width=2, source={
                          "left": _EDGES[columns].tolist(), "right": _EDGES[columns + 1].tolist(), "bottom": (ALPHAS[rows] - .05).tolist(),
                          "top": (ALPHAS[rows] + .05).tolist(), "x": ((_EDGES[columns] + _EDGES[columns + 1]) / 2).tolist(),
                          "y": ALPHAS[rows].tolist(), "strength": [0.] * len(rows), "label": [""] * len(rows)}).data_source
    plot.text("x", "y", "label", source=cells, text_align="center", text_baseline="middle", **text())
    point = plot.scatter([], [], **YOURS | {"fill_color": None, "size": 30}).data_source
    middles = ((_EDGES[1:] + _EDGES[:-1]) / 2).tolist()
    plot.xaxis.ticker, plot.yaxis.ticker = middles, ALPHAS.tolist()
    plot.xaxis.major_label_overrides = {x: f"{cost:g}".removeprefix("0") for x, cost in zip(middles, COSTS)}
    plot.yaxis.major_label_overrides = {float(alpha): percent(alpha) for alpha in ALPHAS}
    plot.grid.grid_line_color = None
    plot.min_border_right = 2
    says, notes = Text(role="status"), Text()

    def draw() -> None:
        verification = dials.verification
        best = best_gamma(ALPHAS[:, None], COSTS, dials.most, verification)
        speeds = speedup(ALPHAS[:, None], best, COSTS, verification[best])
        shown = best if which.value == _GAMMA else np.maximum(np.log(speeds), 0)  # rounding may leave 1 − 1e-16
        labels = [[str(g) if which.value == _GAMMA else f"{speed:.2f}" for g, speed in zip(*row)] for row in zip(best, speeds)]
        cells.patch({"strength": [(slice(None), (.5 * np.sqrt(shown / max(shown.max(), 1e-9))).ravel().tolist())],
                     "label": [(slice(None), sum(labels, []))]})
        plot.html_attributes = {"role": "group", "aria-label": f"{which.value} by acceptance rate and draft cost"}
        judging = dials.judging.phrase + (f", up to γ = {dials.most}, where it ends" if dials.judging.tabled else "")
        plain = "0 is plain decoding" if which.value == _GAMMA else "1.00 is plain decoding"
        notes.html = Markup("<p>A cell holds the {} for its α and c where {}; {}. The ring is where you stand{}.</p>{}").format(
            which.value[0].lower() + which.value[1:], judging, plain, _beyond(dials), details("These numbers as a table", table(
                f"{which.value}; {judging}", ("α", *(f"c {cost:g}" for cost in COSTS)),
                [(percent(alpha), *row) for alpha, row in zip(ALPHAS, labels)])))

    def stand() -> None:
        alpha, cost, best = dials.alpha.value, dials.cost.value, dials.best
        place = np.interp(np.log10(max(cost, 1e-3)), np.log10(COSTS), middles)
        point.data = {"x": [float(place)], "y": [float(np.clip(alpha, .1, .9))]}
        gives = ("a drafted word more always helps, so no γ is best" if best is None else "plain decoding is fastest" if not best else
                 f"the best γ is {best}, with {times(speedup(alpha, best, cost, dials.verification[best]))}")
        says.html = Markup("<p>Where you stand, at α = {} and c = {}, <strong>{}</strong>.</p>").format(percent(alpha, 1), f"{cost:.2f}", gives)

    which.param.watch(pn.io.hold()(lambda _: draw()), "value")
    dials.draw(stand, dials.alpha, dials.cost, dials.judging, later=True)
    dials.draw(draw, dials.alpha, dials.cost, dials.judging, later=True)
    return [Split([Markup("""<h{level}>Which γ, for which draft</h{level}>
<p>A good draft that is cheap should draft far ahead; a poor or a dear one should draft little, or nothing at all. Read off your row and column.</p>
""").format(level=level), which, says], [pane(plot), notes])]


def _beyond(dials: Dials) -> str:
    inside = ALPHAS[0] <= dials.alpha.value <= ALPHAS[-1] and COSTS[0] <= dials.cost.value <= COSTS[-1]
    return "" if inside else ", moved to the nearest edge, since your α or c is beyond the map"
