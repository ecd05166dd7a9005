"""An envelope: a target under M·q, what an M keeps, and what comes out where M is too small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
from bokeh.models import FixedTicker
from markupsafe import Markup

from specdec_core import (BELL_PROPOSAL, FLAT_PROPOSAL, envelope_constant, kept_distribution, kept_parts, kept_share, propose,
                          share_band, two_bumps)
from specdec_core.examples import TRY_IT, UNLIKE, Laws

from .controls import Buttons, Choice, Range, Seed, Text
from .figures import KEPT, KEPT_MARK, PALETTE, REJECTED, REJECTED_MARK, figure, pane
from .page import Part, Split
from .pieces import details, numbers, percent, probability, table

PROPOSALS = 1_000
"""How many proposals are judged."""

_BETWEEN = (-2.5, 2.5)  # where the two bumps are
_EDGES = np.linspace(*_BETWEEN, 11)
_CURVE = np.linspace(-3.5, 3.5, 281)


@dataclass(frozen=True)
class Case:
    """A target and a proposal to choose: two laws over words, or a density and a `Proposal`."""

    about: str
    """A sentence or two."""
    target: Any
    proposal: Any
    words: Sequence[str] = ()
    """None for a density."""

    @property
    def constant(self) -> float:
        """The smallest M that covers the target."""
        return envelope_constant(self.target, self.proposal, None if self.words else _BETWEEN)

    def law(self, M: float) -> np.ndarray:
        """The law of what is kept: a word's shares, or those of the bins between `_EDGES`."""
        return kept_distribution(self.target, self.proposal, M, None if self.words else _EDGES)

    def share(self, M: float) -> float:
        """The share of proposals that is kept."""
        return kept_share(self.target, self.proposal, M, None if self.words else _BETWEEN)

    def tally(self, sample: np.ndarray) -> np.ndarray:
        """How many of a sample are each word, or lie in each bin."""
        return np.bincount(sample, minlength=len(self.words)) if self.words else np.histogram(sample, _EDGES)[0]

    @property
    def names(self) -> list[str]:
        """Of the words or the bins."""
        return list(self.words) or [f"{a:.1f} to {b:.1f}".replace("-", "−") for a, b in zip(_EDGES, _EDGES[1:])]


def _unlike(laws: Laws) -> str:
    p, q, enough = laws.target, laws.draft, envelope_constant(laws.target, laws.draft)
    law = ", ".join(f"{9 * share:.0f}/9" for share in kept_distribution(p, q, 2))
    return (f"By hand: p = .5, .3, .2 and q = .2, .3, .5. M = 2 keeps {percent(kept_share(p, q, 2))}, but what is kept is {law}: "
            f"not p. M = {enough:g} keeps {percent(kept_share(p, q, enough))} and gives p.")


CASES = {
    "Six words": Case("The words of the widget, with its far draft to propose.", TRY_IT.target, TRY_IT.draft, TRY_IT.words),
    "Three words": Case(_unlike(UNLIKE), UNLIKE.target, UNLIKE.draft, UNLIKE.words),
    "Bumps under a bell": Case("A density of two bumps, proposed by a normal law. Each dart is a proposal.", two_bumps,
                               BELL_PROPOSAL),
    "Bumps under a box": Case("The same two bumps, proposed evenly between −3 and 3.", two_bumps, FLAT_PROPOSAL),
}
"""What can be chosen, by name."""

_INTRO = Markup("""<h{level}>Under an envelope</h{level}>
<p>Blow the proposal q up by a constant M until M·q covers the target p. Propose a word from q, and throw a dart at the height
of M·q above it. Under p the proposal is <b class="kept">kept</b>, over p it is <b class="rejected">rejected</b>. One in M is
kept, so the smallest M that covers p is best: the largest ratio p/q.</p>""")

_RIGHT = Markup("""<p>M = {M} covers p, which needs {needed}. Of many proposals 1/M = {share} are kept, and what is kept has the
law p: right.</p>""")

_WRONG = Markup("""<p><b class="rejected">Wrong.</b> M = {M} is below max p/q = {needed}, so p stands out over the
envelope{where}. More is kept ({share}), but what is kept has the law min(p, M·q) over its sum, and not p.{law}</p>""")

_CAPTION = Markup("""<p>Above: {}. Below: bars are the law of what is kept, the line over each is the target p, the dot the
share in this run, in the band that holds all dots in 99 runs of 100.</p>""")


def envelope(seed: Seed, level: int) -> list[Part]:
    """The parts, with headings of this level; the proposals are drawn under `seed`."""
    return [_Envelope(seed).split(level)]


class _Envelope:
    def __init__(self, seed: Seed):
        self._seed = seed
        self._which = Choice("Target and proposal", list(CASES))
        # The slider goes in hundredths of the true constant, so that it can stand on it exactly.
        self._multiple = Range(label="Envelope constant M", value=1, start=.6, end=2, digits=3, ends=["too low", "twice"], mark=1,
                               mark_label="max p/q")
        self._exact = Buttons(["Set M to max p/q"], lambda _: self._multiple.param.update(value=1))
        self._about, self._box, self._says, self._all = Text(), Text(), Text(role="status"), Text()
        self._build_under()
        self._build_out()
        self._which.param.watch(lambda _: self._choose(), "value")
        self._multiple.param.watch(lambda _: self._draw(), "value")
        seed.param.watch(lambda _: self._throw(), "value")
        self._choose()

    def split(self, level: int) -> Split:
        """The two columns."""
        words = [self._which, self._about, self._multiple, self._exact, self._seed, self._box, self._says]
        return Split([_INTRO.format(level=level), *words], [pane(self._under), pane(self._out), self._all])

    def _build_under(self) -> None:
        self._under = plot = figure("The target under its envelope", y_label="M·q, and p in it", height=300, x_range=(0, 1),
                                    y_range=(0, 1))
        self._bars = plot.vbar("x", top="kept", bottom=0, width=.7, source={"x": []}, **KEPT).data_source
        plot.vbar("x", top="envelope", bottom="kept", width=.7, source=self._bars, **REJECTED)
        self._ticks = _ticks(plot)
        self._over = plot.scatter([], [], size=5, **REJECTED_MARK).data_source
        self._beneath = plot.scatter([], [], size=5, **KEPT_MARK).data_source
        self._envelope = plot.line([], [], line_color=PALETTE["accent"], line_width=3, line_dash="dashed").data_source
        self._target = plot.line([], [], line_color=PALETTE["ink"], line_width=3).data_source

    def _build_out(self) -> None:
        self._out = plot = figure("What comes out, beside the target", y_label="share of the kept", height=260, x_range=(0, 1),
                                  y_range=(0, 1))
        self._law = plot.vbar("x", top="law", width="width", source={"x": []}, **KEPT).data_source
        plot.segment("x", "low", "x", "high", source=self._law, line_color=PALETTE["ink"], line_width=1.5)
        plot.scatter("x", "seen", source=self._law, size=10, fill_color=PALETTE["paper"], line_color=PALETTE["ink"], line_width=2)
        self._aims = _ticks(plot)

    def _choose(self) -> None:
        """Another target and proposal: axes, constants, and the darts."""
        case = self._case = CASES[self._which.value]
        self._constant = case.constant
        self._aim = case.law(self._constant)
        self._about.html = Markup("<p>{}</p>").format(case.about)
        places = np.arange(len(case.words)) if case.words else (_EDGES[1:] + _EDGES[:-1]) / 2
        self._places, self._width = places.tolist(), .7 if case.words else .42
        for plot in self._under, self._out:
            if case.words:
                plot.x_range.update(start=-.6, end=len(places) - .4)
                plot.xaxis.ticker = FixedTicker(ticks=self._places)
                plot.xaxis.major_label_overrides = dict(enumerate(case.words))
            else:
                plot.x_range.update(start=-3.5, end=3.5)
                plot.xaxis.ticker = FixedTicker(ticks=list(range(-3, 4)))
                plot.xaxis.major_label_overrides = {x: f"{x}".replace("-", "−") for x in range(-3, 4)}  # {} would leave the words
        self._multiple.scale = self._constant
        self._throw()

    def _throw(self) -> None:
        """Other luck. Moving M judges the same luck again."""
        self._uniforms = np.random.RandomState(self._seed.value).random_sample((PROPOSALS, 2))
        self._draw()

    @pn.io.hold()  # one message for all that changes
    def _draw(self) -> None:
        case, M = self._case, self._multiple.value * self._constant
        run, law = propose(case.target, case.proposal, M, self._uniforms), case.law(M)
        kept = PROPOSALS - run.wasted
        counts = case.tally(run.sample)
        shares, bands = counts / max(kept, 1), share_band(law, kept)
        self._draw_under(M, run)
        x, half = self._places, self._width / 2
        self._law.data = {"x": x, "width": [self._width] * len(x), "law": law.tolist(), "seen": shares.tolist(),
                          "low": np.maximum(law - bands, 0).tolist(), "high": (law + bands).tolist()}
        self._aims.data = {"y": self._aim.tolist(), "x0": [at - half for at in x], "x1": [at + half for at in x]}
        self._out.y_range.end = 1.05 * float(max((law + bands).max(), self._aim.max(), shares.max()))
        self._box.html = numbers(("proposed", f"seed {self._seed.value}", f"{PROPOSALS:,}"), ("kept", "under p", f"{kept:,}"),
                                 ("wasted", "over p", f"{run.wasted:,}"))
        self._says.html = self._sentence(M, run, percent(case.share(M), 2))
        rows = [(name, *(f"{column[i]:.4f}" for column in (self._aim, law, shares, bands)), f"{counts[i]:,}")
                for i, name in enumerate(case.names)]
        heads = ("word" if case.words else "between", "target p", "law kept", "share kept", "band ±", "kept")
        above = ("bars as high as M·q, and the line over each is p" if case.words else
                 "the dashes are M·q, the line is p, each mark a proposal")
        self._all.html = _CAPTION.format(above) + details("These numbers as a table", table(
            f"M = {M:.3f}, seed {self._seed.value}: what is kept", heads, rows))

    def _draw_under(self, M: float, run: Any) -> None:
        case, x = self._case, self._places
        if case.words:
            kept, over = M * kept_parts(case.target, case.proposal, M), M * np.asarray(case.proposal)
            self._bars.data = {"x": x, "kept": kept.tolist(), "envelope": over.tolist()}
            self._ticks.data = {"y": list(case.target), "x0": [at - .35 for at in x], "x1": [at + .35 for at in x]}
            lines, darts, top = ([], [], []), run.x[:0], max(*over, *case.target)
        else:
            self._bars.data, self._ticks.data = {"x": [], "kept": [], "envelope": []}, {"y": [], "x0": [], "x1": []}
            p, over = case.target(_CURVE), M * case.proposal.density(_CURVE)
            lines, darts, top = (_CURVE.tolist(), p.tolist(), over.tolist()), run.x, max(*over, *p)
        self._target.data, self._envelope.data = {"x": lines[0], "y": lines[1]}, {"x": lines[0], "y": lines[2]}
        for source, those in (self._beneath, run.kept), (self._over, ~run.kept):
            shown = those[:len(darts)]
            source.data = {"x": darts[shown].tolist(), "y": run.height[:len(darts)][shown].tolist()}
        self._under.y_range.end = 1.06 * float(top)

    def _sentence(self, M: float, run: Any, share: str) -> Markup:
        words, printed = self._case.words, {"M": f"{M:.3f}", "needed": f"{self._constant:.3f}", "share": share}
        if self._multiple.value >= 1:
            return _RIGHT.format(**printed)
        where = f" at {' and '.join(f'“{words[i]}”' for i in run.short)}" if words else ""
        law = f" It is {', '.join(probability(mass) for mass in self._case.law(M))}." if words else ""
        return _WRONG.format(where=where, law=law, **printed)


def _ticks(plot: Any) -> Any:
    """A dark line over each bar, for the target; returns its source."""
    source = {"x0": [], "x1": [], "y": []}
    return plot.segment("x0", "y", "x1", "y", source=source, line_color=PALETTE["ink"], line_width=3).data_source
