"""The best γ, and what it gives, for every α and c."""

from __future__ import annotations

import numpy as np
import panel as pn
from markupsafe import Markup

from specdec_core import best_gamma, speedup

from .cells import Cells
from .controls import Choice, Text
from .figures import pane
from .page import Part, Split
from .pieces import details, percent, table, times
from .speed_dials import Dials

ALPHAS = np.arange(1, 10) / 10
"""The rows."""

COSTS = np.array([.01, .02, .05, .1, .2, .5])
"""The columns."""

_GAMMA, _SPEED = "Best γ", "Best speed-up"


def heat_map(dials: Dials, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    which = Choice("What the map shows", [_GAMMA, _SPEED])
    cells = Cells("The best number of words to draft, by acceptance rate and draft cost", "cost of a draft step, c",
                  "acceptance rate α")
    names = [f"{cost:g}".removeprefix("0") for cost in COSTS], [percent(alpha) for alpha in ALPHAS]
    says, notes = Text(role="status"), Text()

    def draw() -> None:
        verification = dials.verification
        best = best_gamma(ALPHAS[:, None], COSTS, dials.most, verification)
        speeds = speedup(ALPHAS[:, None], best, COSTS, verification[best])
        shown = best if which.value == _GAMMA else np.maximum(np.log(speeds), 0)  # rounding may leave 1 − 1e-16
        labels = [[str(g) if which.value == _GAMMA else f"{speed:.2f}" for g, speed in zip(*row)] for row in zip(best, speeds)]
        cells.show(*names, shown, labels)
        cells.plot.html_attributes = {"role": "group", "aria-label": f"{which.value} by acceptance rate and draft cost"}
        judging = dials.judging.phrase + (f", up to γ = {dials.most}, where it ends" if dials.judging.tabled else "")
        plain = "0 is plain decoding" if which.value == _GAMMA else "1.00 is plain decoding"
        notes.html = Markup("<p>A cell holds the {} for its α and c where {}; {}. The ring is where you stand{}.</p>{}").format(
            which.value[0].lower() + which.value[1:], judging, plain, _beyond(dials), details("These numbers as a table", table(
                f"{which.value}; {judging}", ("α", *(f"c {cost:g}" for cost in COSTS)),
                [(percent(alpha), *row) for alpha, row in zip(ALPHAS, labels)])))

    def stand() -> None:
        alpha, cost, best = dials.alpha.value, dials.cost.value, dials.best
        cells.stand(float(np.interp(np.log(max(cost, 1e-3)), np.log(COSTS), range(len(COSTS)))),
                    float(np.interp(alpha, ALPHAS, range(len(ALPHAS)))))
        gives = ("a drafted word more always helps, so no γ is best" if best is None else
                 "plain decoding is fastest" if not best else
                 f"the best γ is {best}, with {times(speedup(alpha, best, cost, dials.verification[best]))}")
        says.html = Markup("<p>Where you stand, at α = {} and c = {}, <strong>{}</strong>.</p>").format(
            percent(alpha, 1), f"{cost:.2f}", gives)

    which.param.watch(pn.io.hold()(lambda _: draw()), "value")
    dials.draw(stand, dials.alpha, dials.cost, dials.judging, later=True)
    dials.draw(draw, dials.alpha, dials.cost, dials.judging, later=True)
    return [Split([Markup("""<h{level}>Which γ, for which draft</h{level}>
<p>A good draft that is cheap should draft far ahead; a poor or a dear one should draft little, or nothing at all. Read off
your row and column.</p>
""").format(level=level), which, says], [pane(cells.plot), notes])]


def _beyond(dials: Dials) -> str:
    inside = ALPHAS[0] <= dials.alpha.value <= ALPHAS[-1] and COSTS[0] <= dials.cost.value <= COSTS[-1]
    return "" if inside else ", moved to the nearest edge, since your α or c is beyond the map"
