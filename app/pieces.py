"""Pieces of HTML that sections share: how numbers are printed, numbers in a box, tables. All text in them is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

_JOIN = Markup("\n").join


def percent(share: float, digits: int = 0) -> str:
    """A share in percent, as a sentence has it: 71 %."""
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def probability(share: float, digits: int = 3) -> str:
    """A probability as the page prints it: .714, 1.000."""
    return f"{share:.{digits}f}".removeprefix("0") if share < 1 else f"{share:.{digits}f}"


def times(ratio: float) -> str:
    """How many times as fast, or as much: 2.45×."""
    return f"{ratio:.2f}×"


def plural(n: int, noun: str) -> str:
    """1 point, 1,000 points."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def numbers(*shown: tuple[str, str, str]) -> Markup:
    """Up to three numbers in a box: (name, the name's second line, number)."""
    return Markup('<dl class="numbers">{}</dl>').format(_JOIN(
        Markup("<div><dt>{} <span>{}</span></dt><dd>{}</dd></div>").format(*one) for one in shown))


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, prose: bool = False) -> Markup:
    """A table whose rows begin with their name. Where it is too wide it scrolls sideways, or breaks its lines as `prose`."""
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in heads)
    body = _JOIN(Markup('<tr><th scope="row">{}</th>{}</tr>').format(
        first, Markup("").join(Markup("<td>{}</td>").format(cell) for cell in cells)) for first, *cells in rows)
    return Markup('<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table{kind}>\n'
                  "<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody>\n</table></div>").format(
                      caption=caption, head=head, body=body, kind=Markup(' class="prose"') * prose)


def stone(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Markup | str]]) -> Markup:
    """A table of three columns of prose, on a phone one block a row; the rows begin with their name."""
    head = Markup("").join(Markup('<th role="columnheader" scope="col">{}</th>').format(name) for name in heads)
    body = _JOIN(Markup('<tr role="row"><th role="rowheader" scope="row">{}</th>{}</tr>').format(name, Markup("").join(
        Markup('<td role="cell" data-head="{}">{}</td>').format(title, cell) for title, cell in zip(heads[1:], cells)))
        for name, *cells in rows)
    return Markup('<table class="stone" role="table"><caption>{}</caption>\n<thead role="rowgroup"><tr role="row">{}</tr></thead>\n'
                  '<tbody role="rowgroup">{}</tbody></table>').format(caption, head, body)


def arxiv(number: str) -> Markup:
    """A link to a paper; nothing is asked of that host before somebody follows it, and then it is not told from where."""
    return Markup('<a href="https://arxiv.org/abs/{0}" rel="noreferrer">arXiv:{0}</a>').format(number)


def details(summary: str, content: Markup) -> Markup:
    """What a reader may open: a plot's numbers, mostly."""
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, content)
