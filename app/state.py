"""What a reader can set, as one typed record, and how it is read from a URL that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from specdec_core import RULES
from specdec_core.speculative import MAX_GAMMA

MAX_CALLS = 10_000
"""The most calls that the widget plays."""

MAX_DRAWS = 600
"""The most draws that `/filtering` plays."""

MAX_ROUND = 10
"""The last round of its self-taught loop."""

BOUNDS = {"closeness": (0, 1), "gamma": (1, MAX_GAMMA), "seed": (0, 2**32 - 1), "calls": (0, MAX_CALLS), "run": (1_000, 1_000_000),
          "alpha": (0, 1), "cost": (0, 1), "slope": (0, .5), "operations": (0, 1)}
BOUNDS |= {"tpr": (0, 1), "fpr": (0, 1), "n": (1, 32), "cap": (1, 8), "draws": (0, MAX_DRAWS), "round": (0, MAX_ROUND),
           "group": (2, 64), "rate": (0, 1), "skill": (0, 8)}
"""The least and the most of every number in a `State`, ends included."""

THEMES = ("auto", "light", "dark")
"""Colour schemes; `auto` follows the reader's system."""

HIDEABLE = ("predict",)
"""What a teacher can switch off: `predict` is the question before a run of `/check`."""

FILTERS = ("right", "errs", "pooled", "capped", "distinct", "best")
"""What `/filtering` keeps: what is right, what an erring checker passes, of two questions all or a few, none twice, the best."""

HINTS = ("off", "on")
"""Whether its loop has hints."""

CLIPS = ("ppo", "dapo")
"""The clips of a policy gradient."""

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
    filter: str = "right"
    """What `/filtering` keeps, one of `FILTERS`."""
    tpr: float = 1.0
    """The share of right answers that its checker passes, 0 to 1."""
    fpr: float = 0.1
    """The share of wrong answers that its checker passes, 0 to 1."""
    n: int = 8
    """Draws in a batch, 1 to 32."""
    cap: int = 2
    """The most that is kept of a batch, 1 to 8."""
    draws: int = 8
    """Draws played so far, 0 to `MAX_DRAWS`."""
    hint: str = "off"
    """Whether the self-taught loop has hints, one of `HINTS`."""
    round: int = 3
    """The round of that loop which is shown, 0 to `MAX_ROUND`."""
    group: int = 16
    """Answers in a group, 2 to 64."""
    rate: float = 0.05
    """The pass rate of a prompt, 0 to 1."""
    skill: float = 4.0
    """The skill of a policy, 0 to 8; at 4 it passes half of the middle prompt's answers."""
    clip: str = "dapo"
    """The clip of a policy gradient, one of `CLIPS`."""


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
        text = query[name][-1][: 8 * _LONGEST].decode("utf-8", "replace")
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


def _one_of(names: Sequence[str]) -> Callable[[str], str | None]:
    return lambda text: text if text in names else None


_WHOLE = {"gamma", "seed", "calls", "run"} | {"n", "cap", "draws", "round", "group"}
_CHOICES = {"theme": THEMES, "rule": tuple(RULES), "filter": FILTERS, "hint": HINTS, "clip": CLIPS}
_NAMES = {name: _one_of(choices) for name, choices in _CHOICES.items()} | {"hide": _hidden}
_INSTEAD = {"run": "This page waits until you press Run.", "hide": "This page hides nothing.",
            "alpha": "This page uses that of the draft at its closeness instead."}


def _number(text: str, kind: type, least: int, most: int) -> float | int | None:
    if len(text) > _LONGEST or not _NUMBER[kind].fullmatch(text):
        return None
    value = kind(text)
    return value if least <= value <= most else None


def _wanted(name: str) -> str:
    if name in BOUNDS:
        least, most = BOUNDS[name]
        return f"a {'whole ' if name in _WHOLE else ''}number from {least:,} to {most:,}"
    *most, last = (_CHOICES | {"hide": HIDEABLE})[name]
    return f"{', '.join(most)} or {last}" if most else last


def _shown(text: str) -> str:
    """At most `_LONGEST` characters, none of which breaks the line or turns it around."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:_LONGEST])
    return plain + "…" * (len(text) > _LONGEST)
