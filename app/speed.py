"""The section on speed: words per call, the speed-up, the best γ, two lanes on one clock, your numbers, and those of others."""

from __future__ import annotations

from markupsafe import Markup

from .page import Part
from .speed_curves import curves
from .speed_dials import Dials
from .speed_engine import engine
from .speed_gain import gain
from .speed_lanes import two_lanes
from .speed_laws import laws
from .speed_map import heat_map
from .speed_published import published
from .state import State
from .try_it import TryIt

TITLE = "How fast, and when it pays"
"""The section's heading."""


def speed(state: State, heading: int = 2, follow: TryIt | None = None) -> list[Part]:
    """The section's parts, under a heading of this level. A Try-it widget to `follow` gives α and γ whenever it moves."""
    dials = Dials(state, follow)
    return [Markup("""<h{level}>{title}</h{level}>
<p>A draft never changes what is written, only how long it takes. How long hangs on three numbers: α, the share of drafted
words that the target keeps; γ, how many are drafted per call; and c, the time of a draft step over that of a target
step.</p>""").format(level=heading, title=TITLE),
            *curves(dials, heading + 1), *gain(dials, heading + 1), *heat_map(dials, heading + 1),
            *two_lanes(dials, state, heading + 1, follow),
            *engine(state, heading + 1), *laws(state, heading + 1, follow and follow.show), *published(heading + 1)]
