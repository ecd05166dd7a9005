"""Points in a circle: rejection sampling to look at, and what it costs in many dimensions."""

from __future__ import annotations

import numpy as np
import panel as pn
from bokeh.models import NumeralTickFormatter
from markupsafe import Markup

from specdec_core import ball_darts, ball_share, share_band

from .controls import Buttons, Choice, Seed, Text
from .figures import KEPT, KEPT_MARK, PALETTE, REJECTED, REJECTED_MARK, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, percent, plural, table

MOST = 100_000
"""The most points that are thrown."""

DIMENSIONS = tuple(range(2, 11))
"""The dimensions of the second tab."""

_ADD = (1, 100, 10_000)
_OPENING = 100  # points there at first
_DRAWN = 2_000  # the latest points, so that a phone keeps up
_PER_DIMENSION = 10_000
_FLAT, _MANY = "In a square", "In 2 to 10 dimensions"
_ENOUGH = 30  # points: before, the normal approximation behind the bands is poor
_TRACE = np.unique(np.geomspace(1, MOST, 240).astype(int))  # where the running share is drawn

_INTRO = Markup("""<h{level}>Points in a circle</h{level}>
<p>You want points spread evenly over a circle, and you can only make them for a square. So throw them at the square. What falls
inside the circle is <b class="kept">kept</b> (a disc); what falls outside is <b class="rejected">rejected</b> (a cross), and
you throw again.</p>
<p>No formula for the circle was needed, only a way to tell inside from outside. The price is the share thrown away.</p>""")

_CAPTION = Markup("""<p>The line is the share kept so far, the dashes are π/4 = {}, and the grey band holds the share after so
many points in 99 runs of 100.{}</p>""")

_MANY_SAYS = Markup("""<p>A ball in a cube, in more and more dimensions: the corners multiply, and the ball keeps
<strong>{}</strong> in 2 dimensions, {} in 5, and <strong>{}</strong> in 10. Of {} points in 10 dimensions this run kept {}.</p>
<p>So throwing blindly does not scale. A proposal must be close to what you want, and the two parts below are about how
close.</p>""")

_MANY_CAPTION = Markup("<p>Bar and number: the ball’s true share. Diamond: the share kept of {} points, seed {}.</p>")


def circle(seed: Seed, level: int) -> list[Part]:
    """The parts, with headings of this level; everything is drawn under `seed`."""
    which = Choice("Where the points fall", [_FLAT, _MANY])
    flat, many = _Flat(seed), _Many(seed)

    def show(*_):
        for tab, name in (flat, _FLAT), (many, _MANY):
            for part in tab.parts:
                part.visible = which.value == name

    which.param.watch(show, "value")
    show()
    return [Split([_INTRO.format(level=level), which, *flat.words, *many.words], [*flat.figures, *many.figures])]


class _Flat:
    """The first tab: points in a square, as many as a reader asks for."""

    def __init__(self, seed: Seed):
        self._seed, self._n = seed, _OPENING
        self._field = figure("Points in a square with a circle in it", aspect_ratio=1, max_width=440, sizing_mode="scale_width",
                             x_range=(-1.01, 1.01), y_range=(-1.01, 1.01))
        self._field.axis.visible, self._field.grid.visible = False, False
        self._field.min_border = self._field.min_border_right = 1
        self._field.rect(0, 0, 2, 2, fill_color=None, line_color=PALETTE["line"])
        self._field.circle(0, 0, radius=1, fill_color=None, line_color=PALETTE["line"], line_width=2)
        self._out = self._field.scatter([], [], size=6, **REJECTED_MARK).data_source
        self._in = self._field.scatter([], [], size=6, **KEPT_MARK).data_source
        self._trail = figure("The share kept as the points add up", x_label="points thrown", y_label="share kept", height=260,
                             x_axis_type="log", x_range=(1, MOST), y_range=(.4, 1))
        expected = ball_share(2)
        counts = _TRACE[_TRACE >= _ENOUGH]
        self._trail.varea(counts, *zip(*(_band(expected, n) for n in counts)), fill_color=PALETTE["rule"])
        self._trail.line([1, MOST], expected, line_color=PALETTE["ink"], line_width=2, line_dash="dashed")
        self._seen = self._trail.line([], [], line_color=PALETTE["accent"], line_width=2.5).data_source
        self._trail.xaxis.ticker = [1, 100, 10_000]
        self._trail.xaxis.major_label_overrides = {n: f"{n:,}" for n in self._trail.xaxis.ticker.ticks}
        self._trail.yaxis.formatter = NumeralTickFormatter(format="0 %")
        self._box, self._says, self._all = Text(), Text(role="status"), Text()
        self.words = [Buttons([*(f"Add {n:,}" for n in _ADD), "Reset"], self._press), seed, self._box, self._says]
        self.figures = [pane(self._field), pane(self._trail), self._all]
        self.parts = [self.words[0], self._box, self._says, *self.figures]
        seed.param.watch(lambda _: self._draw(), "value")
        self._draw()

    def _press(self, button: int) -> None:
        self._n = min(self._n + _ADD[button], MOST) if button < len(_ADD) else 0
        self._draw()

    @pn.io.hold()
    def _draw(self) -> None:
        n, expected = self._n, ball_share(2)
        darts, drawn = ball_darts(2, n, self._seed.value), max(0, n - _DRAWN)
        points, inside = darts.points[drawn:], darts.inside[drawn:]
        for source, those in (self._in, inside), (self._out, ~inside):
            source.data = {"x": points[those, 0].tolist(), "y": points[those, 1].tolist()}
        counts = np.append(_TRACE[_TRACE < n], n) if n else _TRACE[:0]
        shares = darts.shares(counts)
        self._seen.data = {"x": counts.tolist(), "y": shares.tolist()}
        share = percent(darts.kept / n, 2) if n else "none yet"
        self._box.html = numbers(("points", "thrown", f"{n:,}"), ("points", "kept", f"{darts.kept:,}"), ("share", "kept", share))
        self._says.html = self._sentence(darts.kept, n)
        rows = [(f"{m:,}", percent(seen, 2), _printed(expected, m) if m >= _ENOUGH else "too few points")
                for m, seen in zip(counts, shares) if m in (1, 10, 100, 1_000, 10_000, MOST, n)]
        latest = f" The picture shows the last {_DRAWN:,} points." * (n > _DRAWN)
        self._all.html = _CAPTION.format(percent(expected, 2), latest) + details("These numbers as a table", table(
            f"Seed {self._seed.value}: share kept, and where it ends in 99 runs of 100", ("points", "share kept", "99 runs of 100"),
            rows))

    def _sentence(self, kept: int, n: int) -> Markup:
        expected = ball_share(2)
        if not n:
            return Markup("<p>No points yet. Of many, π/4 = {} will be kept.</p>").format(percent(expected, 2))
        low, high = _band(expected, n)
        compared = ("With so few points any share may come." if n < _ENOUGH else
                    f"In 99 runs of 100 this share lies in {_printed(expected, n)}; here it lies "
                    f"{'inside' if low <= kept / n <= high else 'outside'}.")
        return Markup("<p>{} of {} kept: {}. The circle is π/4 = <strong>{}</strong> of the square. {}{}</p>").format(
            f"{kept:,}", plural(n, "point"), percent(kept / n, 2), percent(expected, 2), compared,
            f" {MOST:,} points are the most that are thrown here." * (n == MOST))


class _Many:
    """The second tab: the same in more dimensions, where almost nothing is kept."""

    def __init__(self, seed: Seed):
        self._seed = seed
        rows = [str(dimension) for dimension in DIMENSIONS]
        shares = [ball_share(dimension) for dimension in DIMENSIONS]
        self._bars = figure("The ball's share of the cube in 2 to 10 dimensions", x_label="share of the points",
                            y_label="dimensions", height=430, y_range=rows[::-1], x_range=(0, 1.36))
        self._bars.hbar(rows, left=0, right=shares, height=.7, **KEPT)
        self._bars.hbar(rows, left=shares, right=1, height=.7, **REJECTED)
        self._bars.text([1.03] * len(rows), rows, [percent(share, 2) for share in shares], text_baseline="middle", **text())
        self._dots = self._bars.scatter([], [], marker="diamond", size=11, fill_color=PALETTE["paper"], line_color=PALETTE["ink"],
                                        line_width=2).data_source
        self._bars.xaxis.ticker = [0, .25, .5, .75, 1]
        self._bars.xaxis.formatter = NumeralTickFormatter(format="0 %")
        self._bars.xgrid.grid_line_color, self._bars.ygrid.grid_line_color = PALETTE["rule"], None
        self._says, self._all = Text(role="status"), Text()
        self.words, self.figures = [self._says], [pane(self._bars), self._all]
        self.parts = [*self.words, *self.figures]
        seed.param.watch(lambda _: self._draw(), "value")
        self._draw()

    @pn.io.hold()
    def _draw(self) -> None:
        kept = [ball_darts(dimension, _PER_DIMENSION, self._seed.value).kept for dimension in DIMENSIONS]
        self._dots.data = {"x": [many / _PER_DIMENSION for many in kept], "y": [str(dimension) for dimension in DIMENSIONS]}
        shares = [ball_share(dimension) for dimension in DIMENSIONS]
        self._says.html = _MANY_SAYS.format(percent(shares[0], 2), percent(shares[3], 2), percent(shares[-1], 2),
                                            f"{_PER_DIMENSION:,}", f"{kept[-1]:,}")
        rows = [(str(dimension), percent(share, 2), percent(many / _PER_DIMENSION, 2), _printed(share, _PER_DIMENSION))
                for dimension, share, many in zip(DIMENSIONS, shares, kept)]
        self._all.html = _MANY_CAPTION.format(f"{_PER_DIMENSION:,}", self._seed.value) + details("These numbers as a table", table(
            "The ball’s share of the cube", ("dimensions", "true share", "share kept", "99 runs of 100"), rows))


def _band(share: float, n: int) -> tuple[float, float]:
    """From where to where the share kept of n points lies in 99 runs of 100."""
    half = share_band([share], n)[0]
    return max(share - half, 0), min(share + half, 1)


def _printed(share: float, n: int) -> str:
    low, high = _band(share, n)
    return f"{percent(low, 2)} to {percent(high, 2)}"
