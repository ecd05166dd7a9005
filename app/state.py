"""What a reader can set, as one typed record, and how it is read from a URL that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from specdec_core import KINDS, MAX_ENTRIES, RULES, CallTimes, CallTimesError, read_call_times
from specdec_core.speculative import MAX_GAMMA

from .engine_samples import SAMPLES
from .text_drafts import DRAFTS

MAX_CALLS = 10_000
"""The most calls that the widget plays."""

MAX_DRAWS = 600
"""The most draws that `/filtering` plays."""

MAX_ROUND = 10
"""The last round of its self-taught loop."""

BOUNDS = {"closeness": (0, 1), "gamma": (1, MAX_GAMMA), "seed": (0, 2**32 - 1), "calls": (0, MAX_CALLS), "run": (1_000, 1_000_000),
          "alpha": (0, 1), "cost": (0, 1), "slope": (0, .5), "operations": (0, 1),
          "engine_cost": (0, 100), "engine_gamma": (1, 100), "engine_slope": (0, .5),
          "laws_gamma": (1, MAX_GAMMA), "laws_cost": (0, 100),
          **{f"laws_{side}_{name}": ends for side in ("target", "draft")
             for name, ends in {"temperature": (0, 100), "top_k": (1, MAX_ENTRIES), "top_p": (.001, 1)}.items()},
          "words": (10, 80), **{f"{side}{name}": ends for side in ("", "draft_")
                                for name, ends in {"temperature": (0, 5), "top_k": (1, 200_000), "top_p": (.01, 1)}.items()},
          "tpr": (0, 1), "fpr": (0, 1), "n": (1, 32), "cap": (1, 8), "draws": (0, MAX_DRAWS), "round": (0, MAX_ROUND),
          "group": (2, 64), "rate": (0, 1), "skill": (0, 8)}
"""The least and the most of every number in a `State`, ends included."""

THEMES = ("auto", "light", "dark")
"""Colour schemes; `auto` follows the reader's system."""

HIDEABLE = ("predict",)
"""What a teacher can switch off: `predict` is the question before a run of `/check`."""

LAW_KINDS = ("auto", *KINDS)
"""What a law's numbers may be; `auto` is as they look."""

LONGEST_TIMES = 200
"""The most characters that `verification` may have in a URL."""

MAX_PROMPT = 200
"""Characters of a prompt that an address holds."""

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
    verification: CallTimes | None = None
    """Times of judging, which take the slope's place; in a URL as their `str`."""
    published: bool = False
    """Whether published points stand beside the curves of `/speed`; in a URL 1 or 0."""

    # An engine's numbers, on `/speed`. What was pasted is never in a URL.
    engine_sample: str = "vllm_metrics.txt"
    """What the box holds at first, a file of `SAMPLES`."""
    engine_cost: float = 0.1
    """c of the engine, 0 to 100."""
    engine_gamma: int | None = None
    """γ of the engine, 1 to 100, if it was entered."""
    engine_slope: float = 0.0
    """As `slope`, of the engine."""
    engine_verification: CallTimes | None = None
    """As `verification`, of the engine."""

    # The reader's own two laws, on `/speed`: what their numbers are, how each is drawn from, and for the speed-up.
    laws_target_kind: str = LAW_KINDS[0]
    """One of `LAW_KINDS`."""
    laws_target_temperature: float = 1.0
    """0 to 100."""
    laws_target_top_k: int | None = None
    """1 to `MAX_ENTRIES`; `None` cuts nothing."""
    laws_target_top_p: float | None = None
    """0.001 to 1; `None` cuts nothing."""
    laws_draft_kind: str = LAW_KINDS[0]
    laws_draft_temperature: float = 1.0
    laws_draft_top_k: int | None = None
    laws_draft_top_p: float | None = None
    laws_gamma: int = 4
    """γ for the two laws, 1 to 10."""
    laws_cost: float = 0.1
    """c for the two laws, 0 to 100."""

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
        text = query[name][-1][: 4 * (MAX_PROMPT + 1) if name == "prompt" else 8 * _LONGEST].decode("utf-8", "replace")
        value = _NAMES[name](text) if name in _NAMES else _number(text, int if name in _WHOLE else float, *BOUNDS[name])
        if value is None:
            instead = _INSTEAD.get(name, "This page leaves it empty." if default is None else f"This page uses {default} instead.")
            notices.append(f"{name} must be {_wanted(name)}, not “{_shown(text)}”. {instead}")
        else:
            values[name] = value
    return State(**values), tuple(notices)


def _hidden(text: str) -> tuple[str, ...] | None:
    names = tuple(dict.fromkeys(filter(None, text.split(","))))
    return names if len(text) <= _LONGEST and all(name in HIDEABLE for name in names) else None


def _call_times(text: str) -> CallTimes | None:
    try:
        return read_call_times(text) if len(text) <= LONGEST_TIMES else None
    except CallTimesError:
        return None


def _prompt(text: str) -> str | None:
    return text if len(text) <= MAX_PROMPT and text.strip() else None


_WHOLE = {field.name for field in fields(State) if field.type.startswith("int")}
_ONE_OF = {"theme": THEMES, "rule": tuple(RULES), "engine_sample": tuple(SAMPLES.values()), "laws_target_kind": LAW_KINDS,
           "laws_draft_kind": LAW_KINDS, "draft": tuple(DRAFTS), "filter": FILTERS, "hint": HINTS, "clip": CLIPS}
_NAMES = {"hide": _hidden, "verification": _call_times, "engine_verification": _call_times,
          "published": {"0": False, "1": True}.get, "prompt": _prompt,
          **{name: dict(zip(options, options)).get for name, options in _ONE_OF.items()}}
_INSTEAD = {"run": "This page waits until you press Run.", "hide": "This page hides nothing.",
            "alpha": "This page uses that of the draft at its closeness instead.",
            "verification": "This page uses no table instead.", "engine_verification": "This page uses no table instead.",
            "published": "This page shows none.", "prompt": "This page uses one of its own instead.",
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
    if name.endswith("verification"):
        return f"times of judging 1, 2, 3, … words, as 20,21,25, in at most {LONGEST_TIMES} characters"
    if name == "prompt":
        return f"a text of 1 to {MAX_PROMPT} characters"
    *most, last = {"hide": HIDEABLE, "published": ("0", "1"), **_ONE_OF}[name]
    return f"{', '.join(most)} or {last}" if most else last


def _shown(text: str) -> str:
    """At most `_LONGEST` characters, none of which breaks the line or turns it around."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:_LONGEST])
    return plain + "…" * (len(text) > _LONGEST)
