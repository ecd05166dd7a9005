"""The player of `/text`: all that a text's calls decided, worked out once; the browser steps through it without asking again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import panel as pn
import param
from markupsafe import Markup

from specdec_core import REST, DecodedCall, Decoding
from specdec_core.words import Vocabulary, detokenise, pieces

from .assets import module, style
from .pieces import percent, times
from .speed_lanes import steps

_AFTER = 5  # words of a context that stand over its bars
_PROMPT = 60  # words of a prompt that are shown
_SHOWN_DECIMALS = 6


class Player(pn.custom.JSComponent):
    """The text as it is written, its words' laws, two lanes on one clock, and what it cost: played and stepped in the browser."""

    record = param.String(doc="All it shows, as JSON: `written`.")
    text = param.String(doc="The beginning and what was written, as plain text.")
    heading = param.Integer(3, doc="Level of its headings.")
    address = param.Dict({}, doc="What the page's address says besides its controls, when it changes; `None` takes out.")

    _esm = module("text.js")
    _stylesheets = [style("tokens.css", "controls.css", "reading.css", "bars.css", "lanes.css", "host.css", "component.css",
                          "text.css")]

    @property
    def waiting(self) -> Markup:
        """The text, for a page to show until the browser has loaded what plays it."""
        return Markup("<p>{}</p>").format(self.text)


def shown(word: str) -> str:
    """A word of a vocabulary as it is printed alone."""
    return word.lstrip("\x1f").replace("\n", "¶")


def written(decoding: Decoding, vocabulary: Vocabulary, prompt: Sequence[str], cost: float) -> str:
    """The record as JSON: the prompt (its words), every call, what it had cost after each, both lanes; a draft step at `cost`."""
    text = [*prompt[-_PROMPT:]]
    calls = []
    for it in decoding.calls:
        calls.append(_call(it, vocabulary, text))
        text += vocabulary.tokens(it.words)
    plain, speculative = decoding.lanes(cost)
    record = {"prompt": "… " * (len(prompt) > _PROMPT) + detokenise(prompt[-_PROMPT:]), "rest": REST, "calls": calls,
              "counters": [_counters(decoding.after(k), cost) for k in range(len(calls) + 1)],
              "plain": steps(plain), "speculative": steps(speculative)}
    return json.dumps(record, separators=(",", ":"), allow_nan=False)


def _call(it: DecodedCall, vocabulary: Vocabulary, text: Sequence[str]) -> dict[str, Any]:
    """One call after `text`."""
    call = it.call
    drafted = vocabulary.tokens(call.drafted)
    last = vocabulary.tokens([call.last])
    places = [_place(it, i, vocabulary, [*text, *drafted[:i]]) for i in range(len(it.positions))]
    of_drafted = [(float(place.p[i]), float(place.q[i])) for place, i in zip(it.positions, (place["drafted"] for place in places))
                  if place.alpha is not None]
    m = len(drafted)  # the browser's words have numbers of their own, 0 … m − 1 for the drafted ones and m for the last
    return {"drafted": list(range(m)), "accepted": call.accepted, "last": m, "names": [*map(shown, drafted), shown(last[0])],
            "pieces": [*_pieces(drafted, text), *_pieces(last, [*text, *drafted[:call.accepted]])], "uniforms": call.uniforms,
            "p": [p for p, _ in of_drafted], "q": [q for _, q in of_drafted], "places": places}


def _place(it: DecodedCall, i: int, vocabulary: Vocabulary, context: Sequence[str]) -> dict[str, Any]:
    place, call = it.positions[i], it.call
    values = {name: getattr(place, name).round(_SHOWN_DECIMALS).tolist() for name in ("p", "q", "kept", "rejected", "refill")}
    return {"words": [shown(word) for word in vocabulary.tokens(place.words)], **values,
            "keep": None if place.alpha is None else place.keep.round(_SHOWN_DECIMALS).tolist(),
            "alpha": None if place.alpha is None else percent(place.alpha, 1),
            "drafted": place.words.index(call.drafted[i]) if i < len(call.drafted) else None,
            "out": place.words.index(call.last) if i == call.accepted else None,
            "after": detokenise(context[-_AFTER:]).replace("\n", "¶")}


def _pieces(words: Sequence[str], text: Sequence[str]) -> list[tuple[str, bool]]:
    """Each word as it stands after `text`, and whether a space goes before it; a paragraph's end is a sign that can be seen."""
    shown_after = pieces(words, after=text[-1] if text else None)
    return [(piece.removeprefix(" ").replace("\n", "¶\n"), piece[0] == " ") for piece in shown_after]


def _counters(so_far: Decoding, cost: float) -> dict[str, Any]:
    """What had come out after some calls, as it is printed."""
    begun = bool(so_far.calls)
    return {"calls": len(so_far.calls), "words": len(so_far.words), "perCall": f"{so_far.tokens_per_call:.2f}" if begun else "–",
            "speedup": times(so_far.speedup(cost)) if begun else "–", "places": list(_by_place(so_far))}


def _by_place(so_far: Decoding) -> Iterator[tuple[str, str, str, str]]:
    """A row for each place in a draft: how many were tested there, kept, and the mean α of their contexts."""
    for i, (tested, kept, alphas) in enumerate(zip(so_far.tested.tolist(), so_far.kept.tolist(), so_far.alphas)):
        yield (str(i + 1), str(tested), f"{kept} ({percent(kept / tested)})" if tested else "–",
               percent(float(np.mean(alphas)), 1) if tested else "–")
