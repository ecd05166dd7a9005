"""Words per call against γ: why more drafting stops paying."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from specdec_core import expected_tokens, tokens_ceiling, tokens_distribution

from . import speed_points
from .controls import Text
from .figures import PALETTE, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, percent, table
from .speed_dials import Dials

FAMILY = (.5, .7, .8, .9)
"""The α of the thin curves."""

GAMMAS = np.arange(26)
"""The γ that curves are drawn for."""

ROWS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25)
"""The γ that tables have."""

YOURS = {"marker": "circle", "size": 13, "fill_color": PALETTE["paper"], "line_color": PALETTE["ink"], "line_width": 3}
"""How the reader's own point is marked in every figure."""

_OTHERS = Markup("""<p>Squares: the first table of Leviathan et al., computed for drafts that cost nothing. So its speed-ups are
words per call, the word that every call adds included, and lie on the curve of their α.</p>{}""").format(
    speed_points.listed("Leviathan et al. 2023, table 1", speed_points.COMPUTED))


def curves(dials: Dials, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    plot = figure("Words per call against the number of words drafted", x_label="words drafted per call, γ",
                  y_label="words per call", x_range=(-.4, GAMMAS[-1] + 5.5), y_range=(0, 10.5))
    plot.multi_line([GAMMAS.tolist()] * len(FAMILY), [expected_tokens(alpha, GAMMAS).tolist() for alpha in FAMILY],
                    line_color=PALETTE["soft"], line_width=1.5)
    plot.text([GAMMAS[-1] + .4] * len(FAMILY), [float(expected_tokens(alpha, GAMMAS[-1])) for alpha in FAMILY],
              [percent(alpha) for alpha in FAMILY], text_baseline="middle", **text("soft"))
    ceiling = plot.line([], [], line_color=PALETTE["ink"], line_width=2, line_dash="dashed").data_source
    own = plot.line([], [], line_color=PALETTE["accent"], line_width=3.5).data_source
    point = plot.scatter([], [], **YOURS).data_source
    others, switch = speed_points.add(plot, {"square": speed_points.COMPUTED}), dials.published[0]
    plot.xaxis.ticker = [0, 5, 10, 15, 20, 25]
    box, says, notes = Text(), Text(role="status"), Text()

    def draw() -> None:
        alpha, gamma = dials.alpha.value, dials.drafted
        curve, tokens, top = expected_tokens(alpha, GAMMAS), expected_tokens(alpha, gamma), tokens_ceiling(alpha)
        own.data = {"x": GAMMAS.tolist(), "y": curve.tolist()}
        point.data = {"x": [gamma], "y": [float(tokens)]}
        for points in others:
            points.visible = switch.value
        seen = bool(top <= GAMMAS[-1] + 1)
        ceiling.data = {"x": [0, int(GAMMAS[-1])] * seen, "y": [float(top)] * 2 * seen}
        plot.y_range.end = 1.05 * float(max(10, top if seen else curve[-1]))
        box.html = numbers(("words per ", "call", f"{tokens:.2f}"), ("ceiling ", "1/(1 − α)", _limit(alpha)),
                           ("all drafted ", "words kept", percent(tokens_distribution(alpha, gamma)[-1])))

    def tell() -> None:
        alpha, top = dials.alpha.value, tokens_ceiling(dials.alpha.value)
        says.html = _sentence(alpha, dials.drafted)
        where = ("The dashes are the ceiling, 1/(1 − α)." if top <= GAMMAS[-1] + 1 else
                 "The ceiling, 1/(1 − α), is above the picture." if top < np.inf else
                 "There is no ceiling: nothing is ever rejected.")
        alphas = (alpha, *FAMILY)
        tokens = expected_tokens(alphas, np.array(ROWS)[:, None])
        rows = [(str(g), *(f"{each:.2f}" for each in row)) for g, row in zip(ROWS, tokens)]
        notes.html = Markup("<p>Thick: your α. Thin: α of {}. The ring is where you stand. {}</p>{}{}").format(
            ", ".join(percent(a) for a in FAMILY), where, _OTHERS if switch.value else "",
            details("These numbers as a table", table(
                "Words per call", ("γ", f"α {percent(alpha, 1)}", *(percent(a) for a in FAMILY)), rows)))

    dials.draw(draw, dials.alpha, dials.gamma, switch)
    dials.draw(tell, dials.alpha, dials.gamma, switch, later=True)
    return [Split([Markup("""<h{level}>Each word more adds less</h{level}>
<p>A drafted word counts only if all words before it were kept. If each is kept with chance α, the second counts with chance
α², the third with α³: every word more that is drafted adds less than the one before. And each call adds one word of the
target’s own, whatever happens.</p>
<p>So the words per call are 1 + α + α² + … + α<sup>γ</sup>, and however much is drafted, they stay below
1/(1 − α).</p>""").format(level=level),
                   dials.alpha, dials.gamma, box, says], [pane(plot), switch, notes])]


def _limit(alpha: float) -> str:
    top = tokens_ceiling(alpha)
    return f"{top:.2f}" if top < np.inf else "none"


def _sentence(alpha: float, gamma: int) -> Markup:
    tokens, more = expected_tokens(alpha, [gamma, gamma + 1])
    ceiling = f"The ceiling is {_limit(alpha)}." if alpha < 1 else "There is no ceiling."
    return Markup("<p>At α = {} and γ = {} a call gives <strong>{}</strong> words on average. One more drafted word would add "
                  "{}. {}</p>").format(
        percent(alpha, 1), gamma, f"{tokens:.2f}", f"{more - tokens:.2f}", ceiling)
