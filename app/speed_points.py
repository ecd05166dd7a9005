"""Published points, as they stand beside a reader's curves and in a picture of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bokeh.models import GlyphRenderer
from bokeh.plotting import figure as Figure
from markupsafe import Markup

from specdec_core import PUBLISHED, Published

from .figures import PALETTE
from .pieces import details, probability, table, times

COMPUTED = tuple(row for row in PUBLISHED if row.operations is not None)
"""Those of a formula."""

MEASURED = tuple(row for row in PUBLISHED if row.predicted is not None)
"""Those with an α, a γ and a c, and a speed-up by the clock."""

TIMED = tuple(row for row in PUBLISHED if row.times is not None)
"""Those with a γ, a c and a time a word."""

COUNTED = tuple(row for row in PUBLISHED if row.tokens is not None)
"""Those with words per call."""

MARK = {"size": 11, "fill_color": PALETTE["line"], "line_color": PALETTE["paper"], "line_width": 1.5}
"""How a published point looks, whatever its shape."""


def add(plot: Figure, groups: Mapping[str, Sequence[Published]]) -> list[GlyphRenderer]:
    """Points at (γ, speed-up), of a shape a group; not to be seen until they are made visible."""
    return [plot.scatter([row.gamma for row in rows], [row.speedup for row in rows], marker=marker, visible=False, **MARK)
            for marker, rows in groups.items()]


def listed(caption: str, rows: Sequence[Published]) -> Markup:
    """The same points as a table that may be opened."""
    def known(value: float | None) -> str:
        return "not given" if value is None else probability(value, 2)

    return details("Published points as a table", table(caption, ("what", "γ", "α", "c", "times as fast"), [
        (f"{row.method}, {row.task}", str(row.gamma), known(row.alpha), known(row.cost), times(row.speedup)) for row in rows],
        prose=True))
