"""What `/speed` says of an engine's counts: the Rosetta stone, a box of numbers, sentences. What was pasted is escaped."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from specdec_core import Counters, Estimate, Quantity, Tuning, best_gamma, speedup

from .pieces import numbers, plural, probability

_JOIN = Markup("\n").join
_LENGTHS = ("acceptance length", "tokens per call")  # counted in words; all others are shares
_BETWEEN = "\N{EN DASH}"


def interval(estimate: Estimate, digits: int = 2) -> str:
    """Its two ends, or that there are none."""
    return "no interval" if estimate.low is None else f"{estimate.low:.{digits}f}{_BETWEEN}{estimate.high:.{digits}f}"


def intro(level: int) -> Markup:
    """The heading and what to do here."""
    return Markup("""<h{level}>Your engine’s numbers</h{level}>
<p>Paste what your engine prints: vLLM’s metrics or log, SGLang’s answers or log, llama.cpp’s timings or log, TensorRT-LLM’s report,
or a table with the columns position, accepted, drafted. You get what follows from it, what does not, and how sure that is.</p>
<p>What you paste is read on this page’s server for this visit only. A link to this page carries the sample, the costs and γ as
you set them, and never what you pasted.</p>""").format(level=level)


def box(tuning: Tuning) -> Markup:
    """The three numbers that were asked for."""
    spread = tuning.best_gamma_range
    between = ("no interval" if spread is None else f"{spread[0]}{_BETWEEN}{spread[1]}")
    even = tuning.break_even
    return numbers(("best γ", between, str(tuning.best_gamma)),
                   ("speed-up at it", interval(tuning.best), f"{tuning.best.value:.2f}×"),
                   ("break-even c", interval(even), f"{even.value:.2f}"))


def counted(name: str, counters: Counters) -> Markup:
    """What was read, in a sentence."""
    c = counters
    counts = ((c.drafts, "call", ""), (c.calls, "call", " with a draft or without"), (c.drafted, "drafted word", ""),
              (c.accepted, "accepted word", ""))
    parts = [plural(n, noun) + more for n, noun, more in counts if n is not None]
    if not parts:
        parts = [f"{c.printed_tokens:.2f} tokens per call as printed"]
    note = f" ({c.note})" if c.note else ""
    return Markup("<p><strong>{}</strong>: {}{}.</p>").format(name, ", ".join(parts), note)


def verdict(tuning: Tuning, cost: float, judged: NDArray[np.float64], judging: str) -> Markup:
    """Which γ pays, in sentences: by how much, on what it rests, and where one α would mislead.

    `judged` is v at each γ that was tried, and `judging` says so in words.
    """
    now, best = tuning.now, tuning.best
    said = (f"With c = {cost:.3g}, where {judging}, the γ = {tuning.depth} in use is {now.value:.2f} times as fast as "
            f"plain decoding ({interval(now)}). ")
    if tuning.best_gamma == 0:
        said += "No γ gains: plain decoding is fastest."
    elif tuning.best_gamma == tuning.depth:
        said += "No other γ that is known is faster."
    else:
        said += f"γ = {tuning.best_gamma} is fastest, {best.value:.2f} times ({interval(best)})."
    if tuning.best_gamma == len(judged) - 1:
        said += f" No γ above {tuning.best_gamma} was tried."
    wrong = ""
    if tuning.empirical and tuning.alpha is not None:
        promised = int(best_gamma(tuning.alpha, cost, len(judged) - 1, judged))
        wrong = (f"The i.i.d. formula is wrong for this engine: one α = {probability(tuning.alpha)} would promise "
                 f"{speedup(tuning.alpha, promised, cost, judged[promised]):.2f} times at γ = {promised}.")
    return Markup("<p>{}</p><p>{} {}</p>").format(said, tuning.note, wrong)


def stone(name: str, quantities: tuple[Quantity, ...]) -> Markup:
    """The Rosetta stone: each quantity, its definition, the engines' names, its value or why there is none."""
    cells = (("Quantity", _quantity), ("Value, with a 95 % interval", _value), ("What engines and papers call it", _called))
    head = Markup("").join(Markup('<th role="columnheader" scope="col">{}</th>').format(title) for title, _ in cells)
    rows = _JOIN(Markup('<tr role="row"><th role="rowheader" scope="row">{}</th>{}</tr>').format(_quantity(q), Markup("").join(
        Markup('<td role="cell" data-head="{}">{}</td>').format(title, cell(q)) for title, cell in cells[1:])) for q in quantities)
    return Markup('<table class="stone" role="table"><caption>The Rosetta stone: one set of counts under every name. Of {}. An '
                  "interval takes each call as one draw: the delta method, then Wilson’s.</caption>\n"
                  '<thead role="rowgroup"><tr role="row">{}</tr></thead>\n'
                  '<tbody role="rowgroup">{}</tbody></table>').format(name, head, rows)


def _quantity(q: Quantity) -> Markup:
    return Markup("{} <span>{}</span>").format(q.name, q.definition)


def _called(q: Quantity) -> Markup:
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(name) for name in q.called))


def _value(q: Quantity) -> Markup:
    if q.value is None:
        return Markup("<b>Cannot be derived</b> <span>{}</span>").format(q.reason)
    printed = (lambda x: f"{x:.2f}") if q.name in _LENGTHS else probability
    several = isinstance(q.value, tuple)
    values, lows, highs = ((x if several else (x,)) for x in (q.value, q.low, q.high))
    shown = []
    for i, (value, low, high) in enumerate(zip(values, lows, highs), 1):
        ends = "" if low is None else f"{printed(low)}{_BETWEEN}{printed(high)}"
        counted = value == value  # NaN: no call came so far
        shown.append(Markup("{}<b>{}</b> {}").format(
            f"{i}: " if several else "", printed(value) if counted else "no call came so far", ends if counted else ""))
    return Markup("{} <span>{}</span>").format(Markup("<br>").join(shown), q.reason)
