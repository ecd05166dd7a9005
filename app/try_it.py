"""The Try-it widget as a Panel component: the module that the one-file export carries too, its state kept in step with Python."""

from __future__ import annotations

import panel as pn
import param
from markupsafe import Markup

import specdec_core
from specdec_core.examples import TRY_IT, Laws

from .assets import module, style
from .intro import intro
from .state import BOUNDS, State

_START = State()


class TryIt(pn.custom.JSComponent):
    """See a bad draft cost speed and not truth: two sliders, six words, the calls of a big model.

    `closeness`, `gamma`, `seed` and `calls` can be read, watched and set from Python, and move with the reader's hand. What is out
    of bounds raises `ValueError`, wherever it comes from. In Jupyter, `TryIt()` shows the widget after
    `pn.extension(inline=True)`; without `inline`, Panel would fetch its scripts from another host.
    """

    closeness = param.Number(_START.closeness, bounds=BOUNDS["closeness"], doc="How closely the draft matches the target.")
    gamma = param.Integer(_START.gamma, bounds=BOUNDS["gamma"], doc="Draft tokens per check.")
    seed = param.Integer(_START.seed, bounds=BOUNDS["seed"], doc="Seed of the calls' uniforms.")
    calls = param.Integer(_START.calls, bounds=BOUNDS["calls"], doc="Calls played so far.")
    sweep = param.String(doc="Every number the widget shows, as JSON: a `specdec_core.Sweep`, set by `show`.")
    heading = param.Integer(2, bounds=(1, 5), doc="Level of the widget's heading in the page around it.")
    intro = param.String(doc="The heading and the legend's sentences as HTML; made from `heading`.")
    address = param.Boolean(False, doc="Whether the page's address follows the state; inside a frame it never does.")

    _esm = module("try_it.js")
    _stylesheets = [style("tokens.css", "controls.css", "reading.css", "bars.css", "try_it.css", "host.css")]

    def __init__(self, laws: Laws = TRY_IT, **params):
        """The widget for a target and a far draft. Raises `DistributionError` if these are no laws, `ValueError` out of bounds."""
        words = intro(heading=params.get("heading", self.param.heading.default))
        super().__init__(**{"sweep": _numbers(laws), "intro": str(words), "sizing_mode": "stretch_width"} | params)

    @property
    def waiting(self) -> Markup:
        """The intro, for a page to show until the browser has loaded what draws the rest."""
        return Markup(self.intro)

    def show(self, laws: Laws) -> None:
        """Show another target and far draft; the controls stay. Raises `DistributionError`, and then nothing has changed."""
        self.sweep = _numbers(laws)


def _numbers(laws: Laws) -> str:
    return specdec_core.sweep(laws.target, laws.draft, laws.words).to_json()
