"""p/q three ways in one picture: a chance to be kept, a weight, and a step that is clipped."""

from __future__ import annotations

from math import pi

import panel as pn
from markupsafe import Markup

from specdec_core import DAPO_CLIP, PPO_CLIP, Clip, ThreeUses, acceptance_rate, blend, three_uses
from specdec_core.examples import TRY_IT

from .controls import Choice, Range, Text
from .figures import KEPT, PALETTE, REJECTED, figure, pane
from .page import Part, Split
from .pieces import details, numbers, percent, probability, table
from .state import CLIPS, State
from .try_it import TryIt

_DRAWS = 1_000  # draws that the sentence counts
_CLIPS = {"ppo": (PPO_CLIP, "PPO: ± .2"), "dapo": (DAPO_CLIP, "DAPO: − .2, + .28")}

_INTRO = Markup("""<h{level}>One ratio, three uses</h{level}>
<p>Drawn from q, wanted from p: all that is needed is p/q. <strong>Rejection</strong> keeps a draw with a chance in proportion to
it, and throws the rest away. <strong>Importance sampling</strong> keeps all and weighs each by it. A <strong>policy
gradient</strong>, whose q is the policy that drew the answers and whose p is the policy as it has become, weighs by it too, but
only within a clip: a word that did well is pushed no further once its p/q is above, one that did badly no further once it is
below.</p>
<p>PPO clips alike on both sides; DAPO leaves more room above, so that unlikely words can still gain. Sources: Schulman et al. 2017,
<a href="https://arxiv.org/abs/1707.06347">arXiv:1707.06347</a>; 
<a href="https://arxiv.org/abs/2503.14476">arXiv:2503.14476</a>.</p>""")


def three_ways(state: State, level: int, follow: TryIt | None = None) -> list[Part]:
    """The parts, with headings of this level, at the state's closeness or that of the Try-it widget to `follow`."""
    closeness = Range(label="Closeness of q to p", value=state.closeness, ends=["a stranger", "a twin"], address="closeness")
    if follow is not None:
        follow.link(closeness, closeness="value", bidirectional=True)
    which = Choice("Clip", [name for _, name in _CLIPS.values()], _CLIPS[state.clip][1], address="clip", keys=list(CLIPS))
    words = list(TRY_IT.words)
    plot = figure("The ratio p/q of six words: kept, weighted, clipped", x_label="p/q", height=360, y_range=words[::-1],
                  x_range=(0, 2.6))
    zone = plot.quad(left=[0], right=[0], bottom=0, top=len(words), fill_color=PALETTE["rule"], fill_alpha=.6, line_color=None)
    empty = {"word": [], "kept": [], "envelope": [], "ratio": [], "clipped": []}
    marks = plot.hbar("word", left=0, right="kept", height=.4, source=empty, **KEPT).data_source
    plot.hbar("word", left="kept", right=1, height=.4, source=marks, **REJECTED)
    plot.scatter("envelope", "word", source=marks, marker="dash", angle=pi / 2, size=24, line_color=PALETTE["ink"], line_width=3)
    plot.scatter("clipped", "word", source=marks, marker="square", size=15, fill_color=None, line_color=PALETTE["accent"],
                 line_width=3)
    plot.scatter("ratio", "word", source=marks, marker="diamond", size=15, fill_color=PALETTE["ink"], line_color=PALETTE["paper"])
    plot.xgrid.grid_line_color, plot.ygrid.grid_line_color = PALETTE["rule"], None
    plot.xaxis.ticker = [0, .5, 1, 1.5, 2, 2.5]
    box, says, notes = Text(), Text(role="status"), Text()

    @pn.io.hold()
    def draw(*_) -> None:
        p, q = TRY_IT.target, blend(TRY_IT.target, TRY_IT.draft, closeness.value)
        clip = next(clip for clip, name in _CLIPS.values() if name == which.value)
        uses = three_uses(p, q, clip)
        marks.data = {"word": words, "kept": uses.speculative.tolist(), "envelope": uses.envelope.tolist(),
                      "ratio": uses.ratio.tolist(), "clipped": uses.clipped.tolist()}
        zone.data_source.data = {"left": [1 - clip.low], "right": [1 + clip.high]}
        kept, moved = acceptance_rate(p, q), int((uses.clipped != uses.ratio).sum())
        box.html = numbers(("kept: ", "Σ min(p, q)", percent(kept, 1)),
                           ("one weighted ", "draw is worth", probability(uses.effective_share)),
                           ("words beyond ", "the clip", f"{moved} of {len(words)}"))
        says.html = Markup("<p>Of {draws:,} draws from q the speculative rule keeps {kept:.0f}; classic rejection, at p/(M·q) "
                           "with M = {M:.3f}, keeps {classic:.0f}. Weighted by p/q all are kept, and are worth "
                           "<strong>{ess:.0f}</strong> draws from p: the effective sample size.</p>").format(
            draws=_DRAWS, kept=_DRAWS * kept, M=uses.envelope_constant, classic=_DRAWS / uses.envelope_constant,
            ess=_DRAWS * uses.effective_share)
        caption = f"Closeness {closeness.value:.2f}, clip {which.value}; if a word did well, or badly: has it a gradient?"
        notes.html = _KEY.format(probability(1 - clip.low, 2), probability(1 + clip.high, 2)) + details(
            "These numbers as a table", table(caption, _HEADS, _rows(p, q, uses, clip)))

    for control in (closeness, which):
        control.param.watch(draw, "value")
    draw()
    return [Split([_INTRO.format(level=level), closeness, which, box, says], [pane(plot), notes])]


_KEY = Markup('<p>Bar: the chance min(1, p/q) to be <b class="kept">kept</b>, and to be <b class="rejected">rejected</b>. '
              "Upright stroke: that chance in classic rejection, p/(M·q). Diamond: the weight p/q. Square: p/q clipped to the grey "
              "zone, {} to {}.</p>")

_HEADS = ("word", "p", "q", "p/q", "min(1, p/q)", "p/(M·q)", "clipped", "gradient if good", "if bad")


def _rows(p, q, uses: ThreeUses, clip: Clip) -> list[tuple[str, ...]]:
    columns = p, q, uses.ratio, uses.speculative, uses.envelope, uses.clipped
    return [(word, *(f"{column[i]:.4f}" for column in columns),
             *("yes" if clip.learns(uses.ratio[i], advantage) else "no" for advantage in (1, -1)))
            for i, word in enumerate(TRY_IT.words)]
