"""One target, one draft, three ways to say no: what each keeps, what comes out, and what becomes of a rejected proposal."""

from __future__ import annotations

import panel as pn
from markupsafe import Markup

from specdec_core import blend, effective_share, three_ways
from specdec_core.examples import TRY_IT

from .controls import Range, Text
from .figures import KEPT, PALETTE, REJECTED, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, probability, table

_INTRO = Markup("""<h{level}>One p, one q, three ways to say no</h{level}>
<p>Now the words of the widget: a target p, and a draft q to propose. Classic rejection throws a dart under the envelope M·q,
and after a no it starts again. Comparing two draws asks the target for a word as well: if the two are the same, the draft was
right; if not, the target’s word stands. The speculative rule keeps a word with chance min(1, p/q), and after a no draws from
the residual: what the target has left over where the draft says too little.</p>
<p>All three give p, exactly. They differ in how much of the draft they keep.</p>""")

_SAYS = Markup("""<p>At closeness {closeness} classic rejection keeps {classic} of the proposals, comparing two draws {match},
and the speculative rule <strong>{speculative}</strong>. No way to say no keeps more, for p and q have no more in common.</p>""")

_WEIGHTED = Markup("""<p>Importance sampling says no to nothing. It keeps every proposal with the weight p/q, so averages come
out right; but it hands on no words that you could print, and here a weighted proposal is worth {} of a draw from p.</p>""")


def ways(closeness: Range, level: int) -> list[Part]:
    """The parts, with headings of this level, for the Try-it words at the draft's `closeness`."""
    names = [way.name for way in three_ways(TRY_IT.target, TRY_IT.target)]
    bars = figure("How often each of the three ways keeps a proposal", x_label="share of the proposals", height=250,
                  y_range=names[::-1], x_range=(0, 1.4))
    kept = bars.hbar("name", left=0, right="kept", height=.6, source={"name": [], "kept": []}, **KEPT).data_source
    bars.hbar("name", left="kept", right=1, height=.6, source=kept, **REJECTED)
    bars.text(x=1.03, y="name", text="label", source=kept, text_baseline="middle", **text())
    bars.xaxis.ticker = [0, .5, 1]
    bars.xgrid.grid_line_color, bars.ygrid.grid_line_color = PALETTE["rule"], None
    box, says, after, laws = Text(), Text(role="status"), Text(), Text()

    @pn.io.hold()
    def draw(*_):
        p, q = TRY_IT.target, blend(TRY_IT.target, TRY_IT.draft, closeness.value)
        three = three_ways(p, q)
        classic, match, speculative = printed = [probability(way.kept) for way in three]
        kept.data = {"name": names, "kept": [way.kept for way in three], "label": printed}
        box.html = numbers(("classic keeps", "1/M", classic), ("two draws keep", "Σ p·q", match),
                           ("speculative", "Σ min(p, q)", speculative))
        says.html = _SAYS.format(closeness=f"{closeness.value:.2f}", classic=classic, match=match, speculative=speculative)
        after.html = table("What becomes of a proposal", ("way", "kept", "after a no"),
                           [(way.name, share, way.rejected) for way, share in zip(three, printed)], prose=True)
        rows = [(word, *(f"{law[i]:.4f}" for law in (p, q, *(way.law for way in three)))) for i, word in enumerate(TRY_IT.words)]
        laws.html = _WEIGHTED.format(probability(effective_share(p, q))) + details("The law of each way, word by word", table(
            "What comes out in the end: p, three times over",
            ("word", "target p", "draft q", "classic", "two draws", "speculative"), rows))

    closeness.param.watch(draw, "value")
    draw()
    return [Split([_INTRO.format(level=level), closeness, box, says], [pane(bars), after, laws])]
