"""What papers printed, set beside the formulas: each number with what it means and where it stands."""

from __future__ import annotations

from collections.abc import Sequence

import panel as pn
from markupsafe import Markup

from specdec_core import Published, operations_factor

from .controls import Choice, Text
from .figures import pane
from .page import Part, Split
from .pieces import arxiv, details, plural, probability, table, times
from .speed_points import COMPUTED, COUNTED, MEASURED, TIMED
from .speed_published_figures import formula_figure, words_figure

_SOURCES = {"2211.17192": "Leviathan, Kalman, Matias 2023", "2302.01318": "Chen et al. 2023", "2401.10774": "Cai et al. 2024",
          "2503.01840": "Li et al. 2025"}
_FORMULA, _WORDS = "The formula", "Words per call"


def published(level: int) -> list[Part]:
    """The parts, with headings of this level."""
    which, says, notes = Choice("Speed-ups by the clock, against", [_FORMULA, _WORDS]), Text(role="status"), Text()
    pictures = {_FORMULA: pane(formula_figure()), _WORDS: pane(words_figure())}

    @pn.io.hold()
    def choose(*_) -> None:
        for name, picture in pictures.items():
            picture.visible = which.value == name
        says.html, notes.html = _SENTENCES[which.value]

    which.param.watch(choose, "value")
    choose()
    return [Split([Markup("""<h{level}>What others found</h{level}>
<p>Numbers from papers, each with what it means. A measured speed-up holds for its machine, models, task and batch, and for
no other.</p>
""").format(level=level), which, says], [*pictures.values(), notes]), _tables()]


def _formula_words() -> tuple[Markup, Markup]:
    sides = [row.beside for row in MEASURED]
    return (Markup("<p>Of {} measurements, <strong>{} are faster than the formula allows</strong>, {} slower and {} as it says, "
                   "within what rounding leaves open. The paper names two reasons: the two programs were not tuned alike, and the "
                   "formula takes every word to be as likely kept as the next.</p>").format(
                len(sides), *(sides.count(side) for side in ("above", "below", "within"))),
            Markup("<p>T5-XXL on two tasks, with T5-small (triangles), T5-base (squares) and T5-large (circles) to draft; "
                   "filled at temperature 0, empty at 1. A bar is what the formula may say, as α and c are printed with two "
                   "digits. On the dashes both agree.</p>"))


def _counted_words() -> tuple[Markup, Markup]:
    least, most = (pick(COUNTED, key=lambda row: row.implied_overhead) for pick in (min, max))
    return (Markup("<p>Words per call are not the speed-up: a call costs more than a plain step. The nearer to the upper line, "
                   "the cheaper. <strong>A call costs {} plain steps</strong> with {}, and {} with {}.</p>").format(
                f"{least.implied_overhead:.2f}", least.method, f"{most.implied_overhead:.2f}", most.method),
            Markup("<p>Medusa-2: four models on MT-Bench. All others: one paper, Vicuna 13B, temperature 0, the mean of five "
                   "data sets. Lines: a call that costs 1, 1.25 and 1.5 plain steps. An acceptance length without the added "
                   "word is one less.</p>"))


_SENTENCES = {_FORMULA: _formula_words(), _WORDS: _counted_words()}


_FREE = """Numbers of a formula, with drafts that are free (c = 0 and ĉ = 0), so that the speed-up is words per call, the added
one counted. Here they come out again."""

_ROUNDED = """Measured on one TPU-v4 at batch 1 against T5-XXL without a draft. Their α and c are rounded to two digits, so the
formula gives a range."""

_CLOCKED = """Measured on 16 TPU-v4 at batch 1: time a word against Chinchilla 70B without a draft, at γ = {gamma}; a draft step
took 1.8 ms and a target step 14.1, so c = {cost}. The paper gives no α. If a call cost nothing else, it gave so many words, the
added one counted. The speed-ups are the paper’s own; by its two times the first would be {first}."""

_BY_TREES = """Measured. Medusa and EAGLE draft a tree, not a row of words, so neither γ nor α describes them. Words per call count
the word that every call adds: an acceptance length without it is one less. Words per call over the speed-up is what a call cost,
in plain steps. Medusa-2 trains the target as well, and Medusa’s typical acceptance does not hold to the target’s law exactly;
EAGLE’s rule does."""


def _tables() -> Markup:
    without, with_draft = TIMED[0].times
    clocked = _CLOCKED.format(gamma=TIMED[0].gamma, cost=probability(TIMED[0].cost, 2), first=times(without / with_draft))
    blocks = Markup("\n").join([
        _block("Computed from the formulas", COMPUTED, _FREE, ("α, γ", "printed", "formula", "arithmetic printed", "formula"), [
            (_together(probability(row.alpha, 1), row.gamma), times(row.speedup), times(row.formula), times(row.operations),
             times(operations_factor(row.alpha, row.gamma, 0))) for row in COMPUTED]),
        _block("T5-XXL with three drafts", MEASURED, _ROUNDED, ("task, draft", "α, γ, c", "measured", "formula"), [
            (f"{row.task}, {row.method.removesuffix(' drafts')}",
             _together(probability(row.alpha, 2), row.gamma, probability(row.cost, 2)),
             f"{row.speedup:.1f}×", "{:.2f} to {:.2f}×".format(*row.formula_range)) for row in MEASURED]),
        _block("Chinchilla 70B", TIMED, clocked, ("task", "without", "with", "speed-up", "words per call"), [
            (row.task, f"{row.times[0]:g} ms", f"{row.times[1]:.2f} ms", times(row.speedup), f"{row.implied_tokens:.2f}")
            for row in TIMED]),
        _block("Medusa, EAGLE and others", COUNTED, _BY_TREES, ("method, model", "words per call", "speed-up", "cost of a call"), [
            (f"{row.method}, {row.task.split(',')[0]}", f"{row.tokens:.2f}", times(row.speedup), f"{row.implied_overhead:.2f}")
            for row in COUNTED])])
    sources = Markup("; ").join(Markup("{} ({})").format(name, arxiv(number)) for number, name in _SOURCES.items())
    return Markup("{}\n<p>Sources: {}.</p>").format(blocks, sources)


def _block(title: str, rows: Sequence[Published], meaning: str, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Markup:
    sources = "; ".join(dict.fromkeys(row.source for row in rows))
    fastest = f"{min(row.speedup for row in rows):g} to {max(row.speedup for row in rows):g} times"
    return details(f"{title}: {fastest}, {plural(len(rows), 'row')}",
                   Markup("<p>{}</p>{}").format(meaning, table(f"{title} ({sources})", heads, cells, prose=True)))


def _together(*values: object) -> str:
    """With commas, and never on two lines."""
    return ",\N{NO-BREAK SPACE}".join(map(str, values))
