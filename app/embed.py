"""The Try-it widget as one HTML file, for a course page or a memory stick: all is in it, and nothing is asked of any network."""

from __future__ import annotations

import argparse
import json
import re
import sys
from html import escape
from pathlib import Path

from specdec_core import DistributionError, Sweep, sweep
from specdec_core.examples import TRY_IT, Laws

from .assets import ASSETS, module, style
from .intro import TITLE, intro
from .laws_file import COLUMNS, read_laws
from .state import BOUNDS, THEMES, State

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""The strictest policy that a page with everything in it can run under; the file carries it, so that it cannot make a request."""

_CONTROLS = ("closeness", "gamma", "seed", "calls")  # of the widget

_PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
<main id="try-it">
<section class="try-it"><div class="layout">{intro}</div></section>
<noscript>
{table}
</noscript>
</main>
<!-- Holds mersenne-twister:
{licence}-->
<script type="module">
{module}
// The words are on the screen first; all the rest takes the next frame.
requestAnimationFrame(() => setTimeout(() => mount(document.getElementById("try-it"), {options})));
</script>
</html>
"""


def embed(laws: Laws = TRY_IT, state: State = State(), title: str = TITLE) -> str:
    """The file's text, starting at `state`. Raises `DistributionError` if the laws are none or do not fit the widget."""
    numbers = sweep(laws.target, laws.draft, laws.words)
    controls = {name: getattr(state, name) for name in _CONTROLS}
    options = f'{{"heading":1,"state":{json.dumps(controls)},"sweep":{numbers.to_json()}}}'
    return _PAGE.format(
        theme=state.theme, policy=POLICY, title=escape(title), intro=intro(title, heading=1), table=_table(numbers, state),
        style=_compact(style("tokens.css", "page.css", "controls.css", "reading.css", "bars.css", "try_it.css")),
        module=_compact(module("try_it.js", exports=False)),
        licence=(ASSETS / "vendor/mersenne-twister/LICENSE").read_text("utf-8"),
        options=options.replace("<", "\\u003c"))  # inside a script element only "<" could end it


def _compact(source: str) -> str:
    """The source without comments that begin a line, and without indentation: a third of the bytes."""
    return re.sub(r"^[ \t]+", "", re.sub(r"^[ \t]*/\*.*?\*/[ \t]*\n", "", source, flags=re.MULTILINE | re.DOTALL),
                  flags=re.MULTILINE)


def _table(numbers: Sweep, state: State) -> str:
    """What readers without scripts get: the first state."""
    at = numbers.at(state.closeness)
    heads = ("word", "target p", "draft q", "kept", "rejected", "refill", "share kept")
    columns = (numbers.target, numbers.draft[at], numbers.kept[at], numbers.rejected[at], numbers.refill[at], numbers.keep[at])
    rows = "\n".join(f'<tr><th scope="row">{escape(word)}</th>' + "".join(
        f"<td>{column[i]:.4f}</td>" for column in columns) + "</tr>"
                     for i, word in enumerate(numbers.words))
    return ("<p>This page draws with a script, which is switched off here. Its first state, as "
            f"numbers:</p>\n<table>\n<caption>Closeness {state.closeness:.2f}, γ {state.gamma}: acceptance rate α "
            f"{100 * numbers.alpha[at]:.1f} %, total variation {numbers.tv[at]:.3f}, {numbers.tokens[at, state.gamma - 1]:.2f} "
            "tokens per target "
            f"call.</caption>\n<tr>{''.join(f'<th scope=col>{head}</th>' for head in heads)}</tr>\n{rows}\n</table>")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `specdec export`."""
    parser.add_argument("section", choices=["try-it"], help="what to export")
    parser.add_argument("-o", "--output", default="try-it.html", metavar="FILE",
                        help="where to write (default: %(default)s; - for standard output)")
    parser.add_argument("--laws", type=Path, metavar="FILE", help="words and laws: a CSV file with the columns "
                                                                  f"{','.join(COLUMNS)}, or a JSON file with the lists words, "
                                                                  "target, draft")
    for name, kind in ("closeness", float), ("gamma", int), ("seed", int), ("calls", int):
        parser.add_argument(f"--{name}", type=_within(kind, *BOUNDS[name]), default=getattr(State(), name), metavar="N",
                            help=f"where to start, {BOUNDS[name][0]} to {BOUNDS[name][1]} (default: %(default)s)")
    parser.add_argument("--theme", choices=THEMES, default="auto", help="colours (default: the reader's system's)")
    parser.add_argument("--title", default=TITLE, help="the heading")


def _within(kind: type, least: float, most: float):
    """A converter for argparse, whose name its messages use."""
    def number(text: str):
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
        return value
    number.__name__ = "whole number" if kind is int else "number"
    return number


def run(args: argparse.Namespace) -> int:
    """Carry out `specdec export`; an input that cannot be used is one sentence on standard error and a 2."""
    state = State(**{name: getattr(args, name) for name in (*_CONTROLS, "theme")})
    try:
        page = embed(read_laws(args.laws) if args.laws else TRY_IT, state, args.title)
        if args.output == "-":
            sys.stdout.write(page)
        else:
            Path(args.output).write_text(page, encoding="utf-8")
    except (DistributionError, OSError) as error:
        print(f"specdec export: {error}", file=sys.stderr)
        return 2
    return 0
