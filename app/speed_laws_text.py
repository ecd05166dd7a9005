"""What `/speed` says of two distributions of the reader's. All that was pasted is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from specdec_core import REST, OwnLaws, acceptance_probability, best_gamma, expected_tokens, residual, speedup
from specdec_core.examples import Laws

from .pieces import numbers, percent, plural, probability, table

_TRIED = 40  # the largest γ that is tried
_LONGEST = 40  # characters of a word


def intro(level: int) -> Markup:
    """The heading and what to do here."""
    return Markup("""<h{level}>Your own distributions</h{level}>
<p>Paste a target’s and a draft’s numbers at one position: probabilities, log-probabilities or logits of up to 200,000 words,
one a line, with or without the words, or as JSON. Set what your engine does to them before it draws. What counts is the law that a
word is <em>really</em> drawn from.</p>
<p>What you paste is read on this page’s server for this visit only. A link to this page carries the settings, and never what
you pasted.</p>""").format(level=level)


def word(text: str) -> str:
    """A word as a list prints it: in escapes where it could not be seen, cut where it is long."""
    text = text if text.isprintable() and text.strip() == text and text else repr(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 1]}…"


def box(laws: OwnLaws, gamma: int, cost: float) -> Markup:
    """The three numbers that were asked for."""
    return numbers(("acceptance α", "Σ min(p, q)", percent(laws.alpha, 1)), ("distance TV", "1 − α", probability(laws.tv)),
                   ("speed-up", f"γ {gamma}, c {cost:.3g}", f"{speedup(laws.alpha, gamma, cost):.2f}×"))


def verdict(laws: OwnLaws, kinds: tuple[str, str], gamma: int, cost: float) -> Markup:
    """What follows, in sentences: tokens, the best γ, supports that differ, and the mistake beside the honest α."""
    best = int(best_gamma(laws.alpha, cost, _TRIED))
    advice = (f"The best γ is {best}, {speedup(laws.alpha, best, cost):.2f} times plain decoding." if best else
              "No γ gains: plain decoding is fastest.")
    parts = [Markup("<p>{}, the target’s read as {}, the draft’s as {}. If every position were like this one, a call would "
                    "give {} words at γ = {}. {}</p>").format(
        plural(len(laws.words), "word"), *kinds, f"{expected_tokens(laws.alpha, gamma):.2f}", gamma, advice)]
    if laws.warning:
        parts.append(Markup("<p><b class=\"rejected\">Different supports.</b> {}</p>").format(laws.warning))
    if laws.mistake:
        m = laws.mistake
        out = (f"the words that come out are {probability(m.output_distance)} in TV away from the target: no longer exact"
               if m.output_distance > 5e-4 else "what comes out hardly moves here")
        parts.append(Markup(
            "<p><b class=\"rejected\">The two temperatures differ.</b> The honest α is <strong>{}</strong>: q as it is drawn from. "
            "Scored at the target’s temperature instead, a common mistake, α would be reported as {}, {} of the drafted words "
            "would really be kept, and {}.</p>"
        ).format(percent(laws.alpha, 1), percent(m.alpha, 1), percent(m.kept, 1), out))
    return Markup("").join(parts)


def lists(laws: OwnLaws) -> Markup:
    """The words that lose most, and those that a rejection brings."""
    p, q = laws.target, laws.draft
    chance = acceptance_probability(p, q)
    lost, back = residual(q, p), laws.residual  # each weight over the distance TV
    losing = _list(laws, "The words that lose most: the draft says them too often",
                   ("word", "target p", "draft q", "kept", "rejected"), laws.losing,
                   lambda i: (percent(chance[i], 1), _share(laws.tv * lost[i])))
    refill = _list(laws, "The head of the residual: what a rejection brings", ("word", "target p", "draft q", "residual"),
                   laws.refilled, lambda i: (_share(back[i]),))
    legend = Markup("<p>Bars: what is <b class=\"kept\">kept</b>, what the draft says too often and is "
                    "<b class=\"rejected\">rejected</b>, and what is <b class=\"refill\">refilled</b>; the line is the target.</p>")
    return (legend if laws.losing else Markup()) + losing + refill


def _list(laws: OwnLaws, caption: str, heads: tuple[str, ...], places: Iterable[int], more) -> Markup:
    rows = [(word(laws.words[i]), _share(laws.target[i]), _share(laws.draft[i]), *more(i)) for i in places]
    return table(caption, heads, rows) if rows else Markup("<p>{}: none, the two laws are the same.</p>").format(caption)


def _share(share: float) -> str:
    """A probability as a table prints it, a small one with its power of ten."""
    return f"{share:.4f}" if share >= 1e-3 or share == 0 else f"{share:.1e}"


def shown(few: Laws, of: int) -> Markup:
    """That the widget has them now."""
    cut = f"the {len(few.words) - 1} likeliest of {of:,} words, and “{REST}”" if REST in few.words else f"all {of} words"
    return Markup("<p>The Try-it widget now shows {}.</p>").format(cut)
