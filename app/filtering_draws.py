"""The main figure of `/filtering` with its controls: which filter, its numbers, and a run of draws to play."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray

from . import filtering_text as say
from .assets import module, style
from .controls import Choice, Range, Seed, Text
from .filtering_study import FATES, KEPT, Study
from .page import Part, Split
from .state import BOUNDS, FILTERS, State

_TURNED = {"errs": ("tpr", "fpr"), "capped": ("n", "cap"), "distinct": ("n",), "best": ("n",)}  # by the hand, for each filter


class DrawsView(pn.custom.JSComponent):
    """The bars and the draws: played, paused, stepped and scrubbed in the browser. Nothing moves unless somebody plays."""

    scene = param.String(doc="All that is drawn and said, as JSON: what `scene` made.")
    draws = param.Integer(0, bounds=BOUNDS["draws"], doc="How many draws have been played.")
    address = param.String("draws", constant=True, doc="The URL's parameter that follows.")

    _esm = module("draws.js")
    _stylesheets = [style("tokens.css", "controls.css", "reading.css", "bars.css", "host.css", "component.css", "draws.css")]


class Filter:
    """The controls and the figure in one session; `parts` are its pieces of a page."""

    def __init__(self, state: State, level: int, seed: Seed):
        def dial(name: str, label: str, ends: list[str], **options) -> Range:
            low, high = BOUNDS[name]
            return Range(label=label, value=getattr(state, name), start=low, end=high, ends=ends, address=name, **options)

        whole = {"step": 1, "digits": 0}
        self._which = Choice("What is kept", list(say.NAMES.values()), say.NAMES[state.filter], address="filter",
                             keys=list(FILTERS))
        self._dials = {"tpr": dial("tpr", "Right answers that pass, in %", ["none", "all"], scale=100, digits=0),
                       "fpr": dial("fpr", "Wrong answers that pass, in %", ["none", "all"], scale=100, digits=0),
                       "n": dial("n", "Draws in a batch, n", ["1", "32"], **whole),
                       "cap": dial("cap", "Kept of a batch at most", ["1", "8"], **whole)}
        self._seed = seed
        self._about, self._box, self._says, self._notes = Text(), Text(), Text(role="status"), Text()
        self._view = DrawsView(sizing_mode="stretch_width", draws=state.draws)
        self.parts: list[Part] = [
            say.intro(level),
            Split([say.question(), self._which, self._about, *self._dials.values(), self._box, self._says, self._seed],
                  [self._view, self._notes])]
        for control in (self._which, *self._dials.values(), self._seed):
            control.param.watch(self._draw, "value")
        self._draw()

    @property
    def _study(self) -> Study:
        which = next(key for key, name in say.NAMES.items() if name == self._which.value)
        dials = self._dials
        return Study(which, dials["tpr"].value, dials["fpr"].value, round(dials["n"].value), round(dials["cap"].value),
                     self._seed.value)

    @pn.io.hold()  # one message for all that changes
    def _draw(self, *_) -> None:
        study = self._study
        for name, dial in self._dials.items():
            dial.visible = name in _TURNED.get(study.filter, ())
        self._about.html, self._box.html, self._says.html, self._notes.html = (
            part(study) for part in (say.about, say.box, say.says, say.notes))
        self._view.scene = json.dumps(scene(study))


def scene(study: Study) -> dict[str, Any]:
    """What the view draws and says. Of the run's draws each has a digit: its pair of bars, whether it is right, and its fate."""
    made, law = study.made, study.made.law
    zeros = [0.0] * len(study.names)
    return {
        "names": study.names, "explain": say.explain(study), "unit": "Question" if study.pooled else "Solution",
        "kept": made.kept.tolist(), "rejected": made.thrown.tolist(), "refill": zeros, "keep": made.keep.tolist(),
        "target": made.target.tolist(), "out": zeros if law is None else law.tolist(), "band": study.band.tolist(),
        "marked": study.pooled, "key": say.key(study), "batch": study.n, "atEnd": study.filter == "best",
        "entries": _digits(study.entries), "right": _digits(study.right), "fates": _digits(study.fates),
        "spelt": [[fate, i in KEPT] for i, fate in enumerate(FATES)]}


def _digits(values: NDArray) -> str:
    return (values.ravel().astype(np.uint8) + ord("0")).tobytes().decode()
