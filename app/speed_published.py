"""What papers printed, set beside the formulas: each number with what it means and where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from specdec_core import PUBLISHED, Published, operations_factor, rounded_speedup, speedup

from .page import Part
from .pieces import details, plural, probability, table, times

_LINKS = {"arXiv:2211.17192": "Leviathan, Kalman, Matias 2023", "arXiv:2302.01318": "Chen et al. 2023", "arXiv:2401.10774": "Cai et al. 2024",
          "arXiv:2503.01840": "Li et al. 2025"}


def published(level: int) -> list[Part]:
    """The parts, with headings of this level."""
    computed = [row for row in PUBLISHED if row.alpha is not None and row.predicted is None]
    measured = [row for row in PUBLISHED if row.predicted is not None]
    timed = [row for row in PUBLISHED if row.times is not None]
    trees = [row for row in PUBLISHED if row.tokens is not None]
    blocks = Markup("\n").join([
        _block("Computed from the formulas", computed, "Numbers of a formula, with drafts that are free (c = 0 and ĉ = 0). Here they come out "
               "again.", ("α, γ", "printed", "formula", "arithmetic printed", "formula"), [
                   (f"{probability(row.alpha, 1)}, {row.gamma}", times(row.speedup), times(speedup(row.alpha, row.gamma, row.cost)),
                    times(row.operations), times(operations_factor(row.alpha, row.gamma, 0))) for row in computed]),
        _block("T5-XXL with three drafts", measured, "Measured on one TPU-v4 against T5-XXL without a draft. Their α and c are rounded to two "
               "digits, so the formula gives a range. What was measured lies off it on both sides: the formula knows of no overhead, and takes "
               "every word to be as likely kept as the next.", ("task, draft", "α, γ, c", "measured", "formula"), [
                   (f"{row.task}, {row.method.removesuffix(' drafts')}", f"{probability(row.alpha, 2)}, {row.gamma}, {probability(row.cost, 2)}",
                    f"{row.speedup:.1f}×", _range(row)) for row in measured]),
        _block("Chinchilla 70B", timed, "Measured: time a word against Chinchilla 70B without a draft. The paper gives no α and no c to go "
               "with it, so no formula stands beside it. The speed-ups are the paper’s own; by its two times the first would be "
               f"{times(timed[0].times[0] / timed[0].times[1])}.", ("task", "without", "with", "speed-up"), [
                   (row.task, f"{row.times[0]:g} ms", f"{row.times[1]:.2f} ms", times(row.speedup)) for row in timed]),
        _block("Medusa and EAGLE", trees, "Measured. They draft a tree, not a row of words, so neither γ nor α describes them. Words per call "
               "count the word that every call adds: an acceptance length without it is one less. Words per call over the speed-up is what a call "
               "cost, in plain steps.", ("method, model", "words per call", "speed-up", "cost of a call"), [
                   (f"{row.method}, {row.task.split(',')[0]}", f"{row.tokens:.2f}", times(row.speedup), f"{row.implied_overhead:.2f}") for row in trees])])
    return [Markup("""<h{level} class="part">What others found</h{level}>
<p>Numbers from papers, each with what it means. A measured speed-up holds for its machine, models, task and batch, and for no other.</p>
{blocks}
<p>Sources: {sources}.</p>""").format(level=level, blocks=blocks, sources=Markup("; ").join(
        Markup('{} (<a href="https://arxiv.org/abs/{}">{}</a>)').format(name, number.removeprefix("arXiv:"), number)
        for number, name in _LINKS.items()))]


def _block(title: str, rows: Sequence[Published], meaning: str, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Markup:
    sources = "; ".join(dict.fromkeys(row.source for row in rows))
    fastest = f"{min(row.speedup for row in rows):g} to {max(row.speedup for row in rows):g} times"
    return details(f"{title}: {fastest}, {plural(len(rows), 'row')}",
                   Markup("<p>{}</p>{}").format(meaning, table(f"{title} ({sources})", heads, cells, prose=True)))


def _range(row: Published) -> str:
    low, high = rounded_speedup(row.alpha, row.gamma, row.cost)
    return f"{low:.2f} to {high:.2f}×"
