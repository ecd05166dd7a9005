"""Speed-up against γ: when drafting pays, which γ is best, and where it is slower than none; and what it costs in arithmetic."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from specdec_core import break_even_cost, expected_tokens, guaranteed_gain, operations_factor, speedup

from . import speed_points
from .controls import Text
from .figures import PALETTE, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, percent, probability, table, times
from .speed_curves import GAMMAS, ROWS, YOURS
from .speed_dials import Dials

_BEST = {"marker": "diamond", "size": 18, "fill_color": PALETTE["accent"], "line_color": PALETTE["ink"], "line_width": 1.5}


_FIRST = speed_points.MEASURED[0]
_OTHERS = Markup("""<p>Squares: T5-XXL with three drafts. Triangles: Chinchilla 70B. Both by the clock, each with an α and a c
of its own, so none need lie on your curve. Turn α to {} and c to {}: the curve then says {} for γ = {}, and {} was
measured.</p>{}""").format(
    percent(_FIRST.alpha), f"{_FIRST.cost:.2f}", times(_FIRST.formula), _FIRST.gamma, f"{_FIRST.speedup:.1f}×",
    speed_points.listed("Leviathan et al. 2023, table 4, and Chen et al. 2023, table 1",
                        speed_points.MEASURED + speed_points.TIMED))


def gain(dials: Dials, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    return [*_speed(dials, level), *_arithmetic(dials, level)]


def _speed(dials: Dials, level: int) -> list[Part]:
    plot = figure("Speed-up against the number of words drafted", x_label="words drafted per call, γ", y_label="times as fast",
                  x_range=(-.4, GAMMAS[-1] + .6), y_range=(0, 3))
    plot.quad(left=-.4, right=GAMMAS[-1] + .6, bottom=0, top=1, fill_color=PALETTE["rule"], hatch_pattern="/",
              hatch_color=PALETTE["paper"], hatch_weight=2, hatch_scale=14, line_color=None)
    plot.line([-.4, GAMMAS[-1] + .6], [1, 1], line_color=PALETTE["ink"], line_width=2)
    zone = plot.text("x", "y", "text", source={"x": [], "y": [], "text": [], "align": []}, text_align="align",
                     text_baseline="bottom", **text())
    zone.glyph.update(background_fill_color=PALETTE["paper"], padding=3)  # below the curve, which it so never hides
    curve = plot.line([], [], line_color=PALETTE["accent"], line_width=3.5).data_source
    others, switch = speed_points.add(plot, {"square": speed_points.MEASURED, "triangle": speed_points.TIMED}), dials.published[1]
    best_point = plot.scatter([], [], **_BEST).data_source
    point = plot.scatter([], [], **YOURS).data_source
    plot.xaxis.ticker = [0, 5, 10, 15, 20, 25]
    box, says, notes = Text(), Text(role="status"), Text()

    def draw() -> None:
        alpha, gamma, cost, verification, best = dials.alpha.value, dials.known, dials.cost.value, dials.verification, dials.best
        speeds = speedup(alpha, np.arange(len(verification)), cost, verification)
        shown = speeds[:len(GAMMAS)]
        curve.data = {"x": GAMMAS[:len(shown)].tolist(), "y": shown.tolist()}
        point.data = {"x": [gamma], "y": [float(speeds[gamma])]}
        marked = [best] if best is not None and best in GAMMAS else []
        best_point.data = {"x": marked, "y": [float(speeds[g]) for g in marked]}
        for points in others:
            points.visible = switch.value
        top = max([shown.max(), *(row.speedup for row in speed_points.MEASURED if switch.value)])
        plot.y_range.end = max(1.5, float(np.ceil(2.2 * top) / 2))  # in halves, so that the axis rests while the curve moves
        label = _label(shown, plot.y_range.end)
        if label != dict(zone.data_source.data):
            zone.data_source.data = label
        even = float(break_even_cost(alpha, gamma, verification[gamma]))
        box.html = numbers(("speed-up ", f"at γ = {gamma}", times(speeds[gamma])),
                           ("best γ ", "for this α and c", "none" if best is None else str(best)),
                           ("break-even c ", f"at γ = {gamma}", probability(even, 2) if even > 0 else "none"))

    def tell() -> None:
        alpha, cost, verification, best = dials.alpha.value, dials.cost.value, dials.verification, dials.best
        rows = np.array([g for g in ROWS if g <= dials.most])
        columns = expected_tokens(alpha, rows), rows * cost + verification[rows], speedup(alpha, rows, cost, verification[rows])
        says.html = _sentence(dials, best)
        rows = [(str(g), f"{tokens:.4f}", f"{spent:.2f}", times(speed)) for g, tokens, spent, speed in zip(rows, *columns)]
        diamond = ("The diamond is the best γ." if best is not None and best in GAMMAS else
                   f"The best γ, {best}, is beyond the picture." if best is not None else
                   "No γ is best: the curve never turns down.")
        end = f" The curve ends at γ = {dials.most}, as your table does." if dials.most < GAMMAS[-1] else ""
        notes.html = Markup("<p>The ring is your γ. {} Hatched: slower than no speculation.{}</p>{}{}").format(
            diamond, end, _OTHERS if switch.value else "", details(
            "These numbers as a table", table(f"α {percent(alpha, 1)}, c {cost:.2f}: words per call over what a call costs",
                                              ("γ", "words per call", "cost, target steps", "speed-up"), rows)))

    dials.draw(draw, dials.cost, dials.judging, switch)
    dials.draw(draw, dials.alpha, dials.gamma, later=True)  # theirs is the picture further up
    dials.draw(tell, dials.alpha, dials.gamma, dials.cost, dials.judging, switch, later=True)
    return [Split([Markup("""<h{level}>When it pays</h{level}>
<p>Drafting is not free. A draft step costs c target steps, so a call costs γc for the drafts and v for the judging. The
speed-up is words per call over that. While the target waits for its memory, judging γ + 1 words takes as long as writing
one: v = 1. On a busy server, bound by arithmetic, every word more to judge costs something too: v = 1 + γ times that cost,
or what you measured.</p>""").format(level=level),
                   dials.cost, *dials.judging.parts, box, says], [pane(plot), switch, notes])]


def _label(speeds: np.ndarray, top: float) -> dict[str, list]:
    """The zone's name, on its floor or under its ceiling, wherever the curve is not; above it where it is too thin."""
    name, right = "slower than no speculation", int(GAMMAS[-1])
    if top > 6:
        return {"x": [right], "y": [1 + .03 * top], "text": [f"↓ {name}"], "align": ["right"]}
    if speeds[:18].min() > .16 * top:  # on a phone the name reaches from γ = 0 to 17
        return {"x": [0], "y": [.03 * top], "text": [name], "align": ["left"]}
    return {"x": [right], "y": [1 - .12 * top], "text": [name], "align": ["right"]}


def _sentence(dials: Dials, best: int | None) -> Markup:
    alpha, gamma, cost, judging, verification = dials.alpha.value, dials.known, dials.cost.value, dials.judging, dials.verification
    now = speedup(alpha, gamma, cost, verification[gamma])
    than = "slower than" if now < 1 else "as fast as" if now == 1 else "faster than"
    if best is None:
        which = "Every drafted word more helps, so there is no best γ."
    elif judging.tabled and best == dials.most:
        which = (f"The best γ in your table is its last, {best}, with {times(speedup(alpha, best, cost, verification[best]))}; "
                 "what is beyond is unknown.")
    elif best:
        which = f"The best γ is {best}, with {times(speedup(alpha, best, cost, verification[best]))}."
    else:
        which = "The best γ is 0: plain decoding is fastest."
    if judging.tabled or judging.slope.value:
        even = break_even_cost(alpha, np.arange(1, len(verification)), verification[1:]).max()
        judged = "With your table of judging" if judging.tabled else f"With judging at {judging.slope.value:.2f} a word"
        rule = (f"{judged}, some γ gains only while c is below {probability(float(even), 2)}." if even > 0 else
                f"{judged}, no γ gains, even if drafts are free.")
    elif alpha > cost:
        rule = ("Where judging is free, some γ gains if and only if α > c. So here, and the best γ gives at least what γ = 1 "
                f"gives: (1 + α)/(1 + c) = {times(guaranteed_gain(alpha, cost))}.")
    else:
        rule = "Where judging is free, some γ gains if and only if α > c. Not so here."
    return Markup("<p>At γ = {} it is <strong>{}</strong>, {} plain decoding.{} {}</p><p>{}</p>").format(
        gamma, times(now), than, dials.cut, which, rule)


def _arithmetic(dials: Dials, level: int) -> list[Part]:
    plot = figure("Arithmetic spent on each word, against the number of words drafted", x_label="words drafted per call, γ",
                  y_label="times the arithmetic", height=260, x_range=(-.4, GAMMAS[-1] + .6), y_range=(0, 3))
    plot.line([-.4, GAMMAS[-1] + .6], [1, 1], line_color=PALETTE["ink"], line_width=2, line_dash="dashed")
    curve = plot.line([], [], line_color=PALETTE["accent"], line_width=3.5).data_source
    point = plot.scatter([], [], **YOURS).data_source
    plot.xaxis.ticker = [0, 5, 10, 15, 20, 25]
    says, notes = Text(role="status"), Text()

    def draw() -> None:
        alpha, gamma, operations = dials.alpha.value, dials.drafted, dials.operations.value
        factors = operations_factor(alpha, GAMMAS, operations)
        curve.data = {"x": GAMMAS.tolist(), "y": factors.tolist()}
        point.data = {"x": [gamma], "y": [float(factors[gamma])]}
        plot.y_range.end = 1.1 * max(2., float(factors.max()))

    def tell() -> None:
        alpha, gamma, operations = dials.alpha.value, dials.drafted, dials.operations.value
        factors = operations_factor(alpha, GAMMAS, operations)
        says.html = Markup("<p>At α = {}, γ = {} and ĉ = {} each word takes <strong>{}</strong> the arithmetic of plain "
                           "decoding.</p>").format(
            percent(alpha, 1), gamma, f"{operations:.2f}", times(factors[gamma]))
        rows = [(str(g), times(factors[g])) for g in ROWS]
        notes.html = Markup("<p>The dashes are plain decoding, the ring is your γ.</p>{}").format(details(
            "These numbers as a table", table("Arithmetic spent on each word", ("γ", "times plain decoding"), rows)))

    dials.draw(draw, dials.operations)
    dials.draw(draw, dials.alpha, dials.gamma, later=True)  # theirs is the picture further up
    dials.draw(tell, dials.alpha, dials.gamma, dials.operations, later=True)
    return [Split([Markup("""<h{level}>Speed is bought with arithmetic</h{level}>
<p>The target judges words that are then thrown away, and the draft writes them. So speculative decoding is faster and yet
does more work: time is saved because idle units are put to use. ĉ is the arithmetic of a draft step over that of a target
step, often near the ratio of the two models’ sizes; it need not be c, which is about time.</p>""").format(level=level),
                   dials.operations, says], [pane(plot), notes])]
