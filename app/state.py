"""What a reader can set, as one typed record, and how it is read from a URL that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from specdec_core import RULES
from specdec_core.speculative import MAX_GAMMA

from .text_drafts import DRAFTS

MAX_CALLS = 10_000
"""The most calls that the widget plays."""

BOUNDS = {"closeness": (0, 1), "gamma": (1, MAX_GAMMA), "seed": (0, 2**32 - 1), "calls": (0, MAX_CALLS), "run": (1_000, 1_000_000),
          "alpha": (0, 1), "cost": (0, 1), "slope": (0, .5), "operations": (0, 1),
          "words": (10, 80), "temperature": (0, 5), "top_k": (1, 200_000), "top_p": (.01, 1),
          "draft_temperature": (0, 5), "draft_top_k": (1, 200_000), "draft_top_p": (.01, 1)}
"""The least and the most of every number in a `State`, ends included."""

THEMES = ("auto", "light", "dark")
"""Colour schemes; `auto` follows the reader's system."""

HIDEABLE = ("predict",)
"""What a teacher can switch off: `predict` is the question before a run of `/check`."""

MAX_PROMPT = 200
"""Characters of a prompt that an address holds."""

_LONGEST = 32  # characters: nothing that is meant needs more, and int() of a megabyte would take its time
_NUMBER = {int: re.compile("[0-9]+"), float: re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")}


@dataclass(frozen=True)
class State:
    """Where the controls stand. The defaults are what the page opens with."""

    closeness: float = 0.5
    """How closely the draft matches the target, 0 to 1."""
    gamma: int = 4
    """Draft tokens per check, 1 to 10."""
    seed: int = 7
    """Seed of the calls' uniforms, 0 to 2³² − 1."""
    calls: int = 1
    """Calls that the Try-it widget has played so far, 0 to `MAX_CALLS`. The check's calls are `run`."""
    theme: str = "auto"
    """One of `THEMES`."""
    rule: str = "speculative"
    """The rule that `/check` runs, a key of `RULES`."""
    run: int | None = None
    """Calls that `/check` runs as soon as the page is there, 1,000 to 1,000,000; `None` waits."""
    hide: tuple[str, ...] = ()
    """What is switched off, some of `HIDEABLE`; in a URL their names with commas between."""
    alpha: float | None = None
    """An acceptance rate of the reader's own, 0 to 1; `None` for that of the draft at this closeness."""
    cost: float = 0.1
    """c, a draft step over a target step, 0 to 1."""
    slope: float = 0.0
    """What judging one more word adds to a target call, in target steps, 0 to 0.5."""
    operations: float = 0.1
    """ĉ, the arithmetic of a draft step over that of a target step, 0 to 1."""

    prompt: str | None = None
    """What the text of `/text` begins with, up to `MAX_PROMPT` characters; `None` for the first of the page's own."""
    draft: str = "2-gram"
    """Who drafts it, one of `DRAFTS`."""
    words: int = 40
    """Whole calls write it until there are so many words, 10 to 80."""
    temperature: float = .8
    """What the target is drawn from: temperature, 0 to 5, …"""
    top_k: int | None = None
    """… the likeliest words, `None` for all, …"""
    top_p: float = 1.0
    """… and the likeliest words' mass."""
    draft_temperature: float = .8
    """The same of the draft."""
    draft_top_k: int | None = None
    draft_top_p: float = 1.0


def read(query: Mapping[str, Sequence[bytes]]) -> tuple[State, tuple[str, ...]]:
    """The state that a URL's query arguments ask for, and a sentence for each argument that was not understood.

    Each argument is read by itself: one that is nonsense or out of range keeps its default, and the sentence gives its name, what
    it said (shortened; plain text, so escape it like any text) and that default. Of a repeated argument the last one counts.
    Arguments that are no field of `State` belong to somebody else and are passed over. Never raises.
    """
    values, notices = {}, []
    for name, default in ((field.name, field.default) for field in fields(State)):
        if not query.get(name):
            continue
        text = query[name][-1][: 4 * (MAX_PROMPT + 1) if name == "prompt" else 8 * _LONGEST].decode("utf-8", "replace")
        value = _NAMES[name](text) if name in _NAMES else _number(text, int if name in _WHOLE else float, *BOUNDS[name])
        if value is None:
            instead = _INSTEAD.get(name, f"This page uses {default} instead.")
            notices.append(f"{name} must be {_wanted(name)}, not “{_shown(text)}”. {instead}")
        else:
            values[name] = value
    return State(**values), tuple(notices)


def _hidden(text: str) -> tuple[str, ...] | None:
    names = tuple(dict.fromkeys(filter(None, text.split(","))))
    return names if len(text) <= _LONGEST and all(name in HIDEABLE for name in names) else None


def _prompt(text: str) -> str | None:
    return text if len(text) <= MAX_PROMPT and text.strip() else None


_WHOLE = {"gamma", "seed", "calls", "run", "words", "top_k", "draft_top_k"}
_NAMES = {"theme": lambda text: text if text in THEMES else None, "rule": lambda text: text if text in RULES else None,
          "hide": _hidden, "prompt": _prompt, "draft": lambda text: text if text in DRAFTS else None}
_INSTEAD = {"run": "This page waits until you press Run.", "hide": "This page hides nothing.",
            "alpha": "This page uses that of the draft at its closeness instead.", "prompt": "This page uses one of its own instead.",
            "top_k": "This page cuts no word.", "draft_top_k": "This page cuts no word."}


def _number(text: str, kind: type, least: int, most: int) -> float | int | None:
    if len(text) > _LONGEST or not _NUMBER[kind].fullmatch(text):
        return None
    value = kind(text)
    return value if least <= value <= most else None


def _wanted(name: str) -> str:
    if name in BOUNDS:
        least, most = BOUNDS[name]
        return f"a {'whole ' if name in _WHOLE else ''}number from {least:,} to {most:,}"
    if name == "prompt":
        return f"a text of 1 to {MAX_PROMPT} characters"
    *most, last = {"draft": tuple(DRAFTS), "theme": THEMES, "rule": tuple(RULES), "hide": HIDEABLE}[name]
    return f"{', '.join(most)} or {last}" if most else last


def _shown(text: str) -> str:
    """At most `_LONGEST` characters, none of which breaks the line or turns it around."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:_LONGEST])
    return plain + "…" * (len(text) > _LONGEST)
