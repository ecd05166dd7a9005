"""Two lanes on one clock: plain decoding beside speculative decoding, for the same words."""

from __future__ import annotations

import numpy as np
import panel as pn
import param
from markupsafe import Markup

from specdec_core import Lane, acceptance_rate, blend, closeness_at, simulate_calls, speedup, timeline
from specdec_core.examples import TRY_IT

from .assets import module, style
from .controls import Seed, Text
from .page import Part, Split
from .pieces import details, percent, plural, table, times
from .speed_dials import Dials
from .state import State
from .try_it import TryIt

_WORDS = 12
"""Whole calls are shown until there are so many words."""


class Lanes(pn.custom.JSComponent):
    """The lanes, drawn to scale; played, paused, stepped and scrubbed in the browser. Nothing moves unless somebody plays."""

    lanes = param.Dict(doc="The words, each with its `kind`; and the steps of both lanes, times in target steps.")

    _esm = module("lanes.js")
    _stylesheets = [style("tokens.css", "controls.css", "reading.css", "host.css", "component.css", "lanes.css")]


def two_lanes(dials: Dials, state: State, level: int, follow: TryIt | None = None) -> list[Part]:
    """The parts, with headings of this level, under the state's seed or that of the Try-it widget to `follow`."""
    seed = Seed(value=state.seed, address="seed")
    if follow is not None:
        follow.link(seed, seed="value", bidirectional=True)
    view, says, notes = Lanes(sizing_mode="stretch_width"), Text(role="status"), Text()

    def draw() -> None:
        p, gamma, cost = TRY_IT.target, dials.known, dials.cost.value
        q = blend(p, TRY_IT.draft, closeness_at(dials.alpha.value, p, TRY_IT.draft))
        judging = float(dials.verification[gamma])
        n = 1 + int(np.searchsorted(np.cumsum(simulate_calls(p, q, gamma, _WORDS, seed.value).accepted + 1), _WORDS))
        both = timeline(p, q, gamma, n, seed.value, cost, judging)
        view.lanes = {"words": _words(both.calls, gamma), "plain": steps(both.plain), "speculative": steps(both.speculative)}
        alpha = float(acceptance_rate(p, q))
        says.html = _sentence(both, n, dials, alpha)
        ends = [(f"call {call + 1}", f"{kept} of {gamma}", f"{end:.2f}", str(out)) for call, (kept, end, out) in enumerate(zip(
            both.calls.accepted, both.speculative.end[gamma::gamma + 1], both.speculative.words_out[gamma::gamma + 1]))]
        notes.html = details("These numbers as a table", table(
            f"Speculative decoding, seed {seed.value}; times in target steps", ("call", "kept", "ends at", "words so far"), ends))

    held = pn.io.hold()(lambda _: draw())
    seed.param.watch(held, "value")
    dials.draw(draw, dials.alpha, dials.gamma, dials.cost, dials.judging, later=True)
    return [Split([Markup("""<h{level}>Two lanes, one clock</h{level}>
<p>The same words, written both ways. Above, the target alone: a step a word. Below, the low striped steps are the draft’s
and the tall plain ones are the target’s calls, each of which hands out all words that stand at once: the
<b class="kept">kept</b> ones, then one that is <b class="refill">fixed</b>, or a bonus where all were kept.</p>
""").format(level=level), seed, says], [view, notes])]


def steps(lane: Lane) -> list[dict]:
    """A lane's steps as the browser takes them: when each begins and ends, whether it drafts, how many words are out at its end."""
    return [{"start": start, "end": end, "draft": draft, "out": out} for start, end, draft, out in zip(
        lane.start.tolist(), lane.end.tolist(), lane.is_draft.tolist(), lane.words_out.tolist())]


def _words(calls, gamma: int) -> list[dict]:
    kinds = [kind for accepted in calls.accepted for kind in ["kept"] * accepted + ["refill" if accepted < gamma else ""]]
    return [{"word": TRY_IT.words[word], "kind": kind} for word, kind in zip(calls.words, kinds)]


def _sentence(both, calls: int, dials: Dials, alpha: float) -> Markup:
    words, gamma = len(both.calls.words), dials.known
    mean = times(speedup(alpha, gamma, dials.cost.value, dials.verification[gamma]))
    far = ("" if alpha <= dials.alpha.value + 1e-9 else
           f" The widget’s farthest draft has α = {percent(alpha, 1)}, so this is what is played here, not your "
           f"{percent(dials.alpha.value, 1)}.")
    return Markup("<p>{} words take {} target steps without a draft. With one they take {}, as long as {} target steps: in this "
                  "run <strong>{}</strong>, and on average {}.{}{}</p>").format(
        words, f"{both.plain.length:g}", plural(calls, "call"), f"{both.speculative.length:.2f}", times(both.speedup), mean,
        dials.cut, far)
