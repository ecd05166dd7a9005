"""A model that teaches itself: accuracy and entropy by round, on average and in one run; and what a hint adds."""

from __future__ import annotations

import numpy as np
import panel as pn
from markupsafe import Markup

from specdec_core import Loop
from specdec_core.examples import FOUR_QUESTIONS as FOUR

from .controls import Choice, Player, Seed, Text
from .figures import PALETTE, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, percent, plural, probability, table
from .state import HINTS, MAX_ROUND, State

TRIES = 4
"""Draws for each question in a round."""

_DASHES = ([], [6], [2, 4, 6, 4], [2, 4])  # of the four questions' lines
_MARKS = ("circle", "square", "triangle", "diamond")  # of their dots
_HINTS = ("No hint", "A hint where no try was right")

_INTRO = Markup("""<h{level}>A model that teaches itself</h{level}>
<p>Now do it again and again. Each round, every one of four questions is tried {tries} times; right solutions are kept; and the
model is trained on them, from the base model each time. The base counts as much as {strength:g} kept solutions. A question that is
never solved then never adds anything. A hint changes that: where no try was right, the model sees the result and tries once more,
and what comes, if it is right, is kept as if there had been no hint.</p>
<p>This is STaR, the self-taught reasoner; the hint is its rationalisation. Source:
<a href="https://arxiv.org/abs/2203.14465">Zelikman et al. 2022, arXiv:2203.14465</a>.</p>""")


def star(state: State, seed: Seed, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    hint = Choice("Hints", _HINTS, _HINTS[HINTS.index(state.hint)], address="hint", keys=list(HINTS))
    rounds = Player(label="Round", value=state.round, end=MAX_ROUND, address="round")
    x = list(range(MAX_ROUND + 1))
    accuracy, entropy = (figure(f"{what} by round, for four questions and on average", x_label="round", y_label=unit, height=280,
                                x_range=(-2.9, MAX_ROUND + .4), y_range=(-.06, top))
                         for what, unit, top in (("Accuracy", "chance to be right", 1.06), ("Entropy", "entropy, nats", 1.45)))
    box, says, notes = Text(), Text(role="status"), Text()
    loops = {name: Loop(FOUR.base, FOUR.right, FOUR.hinted, TRIES, FOUR.strength, name == "on") for name in HINTS}
    course = {name: loop.expected(MAX_ROUND) for name, loop in loops.items()}

    drawn = {accuracy: _lines(accuracy, course["off"].accuracy[0]), entropy: _lines(entropy, course["off"].entropy[0])}

    def chosen() -> str:
        return HINTS[_HINTS.index(hint.value)]

    @pn.io.hold()
    def draw_lines(*_) -> None:
        means = course[chosen()]
        for plot, mean in (accuracy, means.accuracy), (entropy, means.entropy):
            lines, whole, *_rest = drawn[plot]
            lines.data = {"x": [x] * len(FOUR.names), "y": mean.T.tolist(), "dash": list(_DASHES)}
            whole.data = {"x": x, "y": mean.mean(axis=1).tolist()}
        draw()

    @pn.io.hold()
    def draw(*_) -> None:
        loop, means, at = loops[chosen()], course[chosen()], rounds.value
        run = loop.run(MAX_ROUND, seed.value)
        for plot, mean, now in ((accuracy, means.accuracy, [done.accuracy for done in run]),
                                (entropy, means.entropy, [done.entropy for done in run])):
            *_rest, dots, whole_dots = drawn[plot]
            seen = np.vstack([mean[:1], *now])[:at + 1]
            dots.data = {"x": np.repeat(x[:at + 1], len(FOUR.names)).tolist(), "y": seen.ravel().tolist(),
                         "mark": list(_MARKS) * (at + 1)}
            whole_dots.data = {"x": x[:at + 1], "y": seen.mean(axis=1).tolist()}
        now = run[at - 1].accuracy.mean() if at else means.accuracy[0].mean()
        box.html = numbers(("mean accuracy, ", "in this run", percent(now, 1)),
                           ("mean accuracy, ", "on average", percent(means.accuracy[at].mean(), 1)),
                           ("never solved, ", "on average", percent(means.accuracy[at][-1], 1)))
        says.html = _sentence(run, at, seed.value, loop.hint) + _gain(course, at)
        notes.html = _KEY + details("These numbers as a table", _table(means, run, seed.value))

    for control in (rounds, seed):
        control.param.watch(draw, "value")
    hint.param.watch(draw_lines, "value")
    draw_lines()
    return [Split([_INTRO.format(level=level, tries=TRIES, strength=FOUR.strength), hint, rounds, box, says, seed],
                  [pane(accuracy), pane(entropy), notes])]


_KEY = Markup("<p>Thin lines: each question, on average over all runs; thick: their mean. Marks: this run, up to the round shown; "
              "the large rings are its mean.</p>")


def _lines(plot, starts):
    """The sources of the figure's lines, their mean's, and both their dots; the questions' names stand where their lines start."""
    lines = plot.multi_line("x", "y", line_dash="dash", source={"x": [], "y": [], "dash": []}, line_color=PALETTE["soft"],
                            line_width=1.5).data_source
    whole = plot.line([], [], line_color=PALETTE["accent"], line_width=3.5).data_source
    dots = plot.scatter("x", "y", marker="mark", source={"x": [], "y": [], "mark": []}, size=8, fill_color=PALETTE["paper"],
                        line_color=PALETTE["soft"], line_width=1.5).data_source
    whole_dots = plot.scatter([], [], size=11, fill_color=PALETTE["paper"], line_color=PALETTE["ink"], line_width=2.5).data_source
    plot.text([-.25] * len(FOUR.names), starts.tolist(), list(FOUR.names), text_align="right", text_baseline="middle", x_offset=-4,
              **text("soft"))
    plot.xaxis.ticker = [0, 2, 4, 6, 8, 10]
    return lines, whole, dots, whole_dots


def _sentence(run, at: int, seed: int, hint: bool) -> Markup:
    if not at:
        return Markup("<p>Round 0 is the base model. Step, or play, to let it try.</p>")
    done = run[at - 1]
    kept, hinted, helped = int(done.kept.sum()), int((done.hinted >= 0).sum()), int(done.hint_kept.sum())
    hints = "" if not hint else f" {plural(hinted, 'question')} got a hint, and {helped} of these came out right." if hinted else (
        " Each question had a right try, so no hint was needed.")
    return Markup('<p>Round {}, seed {}: of {} tries <b class="kept">{} kept</b>, <b class="rejected">{} thrown away</b>.{}'
                  "</p>").format(at, seed, done.kept.size, kept, done.kept.size - kept, hints)


def _gain(course, at: int) -> Markup:
    without, hinted = (course[name].accuracy[at] for name in HINTS)
    if not at:
        return Markup()
    return Markup("<p>After {} the mean accuracy is {} without hints and <strong>{}</strong> with them, on average; of the "
                  "question that is never solved it is {} and {}.</p>").format(
        plural(at, "round"), percent(without.mean(), 1), percent(hinted.mean(), 1), percent(without[-1], 1), percent(hinted[-1], 1))


def _table(means, run, seed: int) -> Markup:
    rows = []
    for r in range(len(means.accuracy)):
        seen = run[r - 1].accuracy if r else means.accuracy[0]
        rows.append((str(r), *(probability(value) for value in means.accuracy[r]), f"{means.accuracy[r].mean():.4f}",
                     f"{means.entropy[r].mean():.4f}", f"{seen.mean():.4f}"))
    return table(f"Accuracy by question, and means, on average; the run has seed {seed}",
                 ("round", *FOUR.names, "mean accuracy", "mean entropy", "run: accuracy"), rows)
