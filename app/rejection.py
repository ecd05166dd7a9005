"""The section on rejection sampling: points in a circle, an envelope, and three ways to say no to a proposal."""

from __future__ import annotations

from markupsafe import Markup

from .controls import Range, Seed
from .page import Part
from .rejection_circle import circle
from .rejection_envelope import envelope
from .rejection_ways import ways
from .state import BOUNDS, State
from .try_it import TryIt

TITLE = "Every no has a price"
"""The section's heading."""

_INTRO = Markup("""<h{level}>{title}</h{level}>
<p>To sample from one law with another is old: propose, look, and keep or reject, so that what is kept follows the law you want.
A draft model proposes in just this way. What sets the ways apart is how often they say no, and what they do then.</p>""")


def rejection(state: State, heading: int = 2, follow: TryIt | None = None) -> list[Part]:
    """The section's parts, under a heading of this level. With a Try-it widget to `follow` the two share closeness and seed."""
    least, most = BOUNDS["closeness"]
    closeness = Range(label="Closeness of the draft", value=state.closeness, start=least, end=most,
                      ends=["a stranger", "a twin"], address="closeness")
    seeds = [Seed(value=state.seed, address="seed") for _ in range(2)]
    seeds[0].link(seeds[1], value="value", bidirectional=True)
    if follow is not None:
        follow.link(closeness, closeness="value", bidirectional=True)
        follow.link(seeds[0], seed="value", bidirectional=True)
    return [_INTRO.format(level=heading, title=TITLE), *circle(seeds[0], heading + 1), *envelope(seeds[1], heading + 1),
            *ways(closeness, heading + 1)]
