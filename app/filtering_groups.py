"""Dynamic sampling: groups whose answers all got one reward teach nothing; how many are left, also as a policy improves."""

from __future__ import annotations

import numpy as np
import panel as pn
from markupsafe import Markup

from specdec_core import all_right, all_wrong, fill_batch, pass_rates, prompts_per_group, useful_share
from specdec_core.examples import DIFFICULTIES

from .controls import Range, Seed, Text
from .figures import KEPT, PALETTE, REJECTED, figure, pane, text
from .page import Part, Split
from .pieces import details, numbers, percent, plural, probability, table
from .speed_curves import YOURS
from .state import BOUNDS, State

WANTED = 64
"""Useful groups that a batch needs."""

_MOST = 2_000  # groups drawn for a batch, at most
_GROUPS = (2, 4, 8)
_PLACES = (.5, .5, .8)  # pass rates at which their names stand, below the curves
_RATES = np.linspace(0, 1, 201)
_SKILLS = np.linspace(*BOUNDS["skill"], 81)
_ROWS = (.01, .05, .1, .2, .5, .8, .9, .95, .99)

_INTRO = Markup("""<h{level}>Groups that teach nothing</h{level}>
<p>Policy gradients such as GRPO draw a group of G answers to a prompt and compare them with each other. If all are right, or all
wrong, there is nothing to compare: the group has no gradient. DAPO throws such groups away and draws further prompts until the
batch is full. A prompt that is solved with chance s gives a useful group with chance 1 − s<sup>G</sup> − (1 − s)<sup>G</sup>.
Source: <a href="https://arxiv.org/abs/2503.14476">Yu et al. 2025, arXiv:2503.14476</a>.</p>""")

_IMPROVING = Markup("""<h{level}>As the policy improves</h{level}>
<p>Seven prompts, from easy to hard. At first most groups are all wrong. As the policy improves they become useful, one prompt after
another; then they are all right, and again there is nothing to learn from them. To fill a batch takes more and more prompts, though
the model is better than ever.</p>""")


def groups(state: State, seed: Seed, level: int) -> list[Part]:
    """The parts, with headings of this level."""
    low, high = BOUNDS["group"]
    group = Range(label="Answers in a group, G", value=state.group, start=low, end=high, step=1, digits=0,
                  ends=[str(low), str(high)],
                  address="group")
    return [*_one_prompt(state, group, seed, level), *_many_prompts(state, group, level)]


def _one_prompt(state: State, group: Range, seed: Seed, level: int) -> list[Part]:
    rate = Range(label="Pass rate of the prompt s, in %", value=state.rate, ends=["never solved", "always"], scale=100, digits=0,
                 address="rate")
    plot = figure("Share of groups that are kept, against the pass rate", x_label="pass rate s", y_label="share of groups kept",
                  x_range=(-.01, 1.01), y_range=(0, 1.05))
    plot.multi_line([_RATES.tolist()] * len(_GROUPS), [useful_share(_RATES, g).tolist() for g in _GROUPS],
                    line_color=PALETTE["soft"], line_width=1.5)
    plot.text(_PLACES, [float(useful_share(s, g)) for s, g in zip(_PLACES, _GROUPS)], [f"G {g}" for g in _GROUPS],
              text_align="center", text_baseline="top", y_offset=3, **text("soft"))
    own = plot.line([], [], line_color=PALETTE["accent"], line_width=3.5).data_source
    point = plot.scatter([], [], **YOURS).data_source
    box, says, notes = Text(), Text(role="status"), Text()

    @pn.io.hold()
    def draw(*_) -> None:
        s, size = rate.value, round(group.value)
        share = float(useful_share(s, size))
        own.data = {"x": _RATES.tolist(), "y": useful_share(_RATES, size).tolist()}
        point.data = {"x": [s], "y": [share]}
        box.html = numbers(("share of ", "groups kept", probability(share, 4)), ("prompts per ", "kept group", _prompts(share)),
                           ("all wrong ", "or all right", probability(all_wrong(s, size) + all_right(s, size), 4)))
        says.html = _filled(s, size, share, seed.value)
        rows = [(percent(r), *(probability(useful_share(r, g), 4) for g in (size, *_GROUPS)), _prompts(useful_share(r, size)))
                for r in _ROWS]
        heads = ("pass rate", *(f"G {g}" for g in (size, *_GROUPS)), f"prompts per group, G {size}")
        notes.html = Markup("<p>Thick: your G. Thin: G of {}. The ring is where you stand.</p>{}").format(
            ", ".join(map(str, _GROUPS)), details("These numbers as a table", table("Share of groups kept", heads, rows)))

    for control in (rate, group, seed):
        control.param.watch(draw, "value")
    draw()
    return [Split([_INTRO.format(level=level), rate, group, box, says, seed], [pane(plot), notes])]


def _many_prompts(state: State, group: Range, level: int) -> list[Part]:
    low, high = BOUNDS["skill"]
    skill = Range(label="Skill of the policy", value=state.skill, start=low, end=high, step=.1, digits=1,
                  ends=["beginner", "expert"],
                  address="skill")
    plot = figure("All wrong, useful and all right groups, against the policy’s skill", x_label="skill of the policy",
                  y_label="share of groups", x_range=BOUNDS["skill"], y_range=(0, 1))
    areas = plot.varea("x", 0, "wrong", source={"x": [], "wrong": [], "kept": []}, **_area(REJECTED)).data_source
    plot.varea("x", "wrong", "kept", source=areas, **_area(KEPT))
    plot.varea("x", "kept", 1, source=areas, **_area(REJECTED))
    for edge in "wrong", "kept":
        plot.line("x", edge, source=areas, line_color=PALETTE["line"], line_width=1.5)
    here = plot.line([], [], line_color=PALETTE["ink"], line_width=3).data_source
    box, says, notes = Text(), Text(role="status"), Text()

    def shares(skills, size: int):
        rates = pass_rates(skills, DIFFICULTIES)
        return [part(rates, size).mean(axis=-1) for part in (all_wrong, useful_share, all_right)]

    @pn.io.hold()
    def draw_areas(*_) -> None:
        size = round(group.value)
        below, useful, _above = shares(_SKILLS, size)
        areas.data = {"x": _SKILLS.tolist(), "wrong": below.tolist(), "kept": (below + useful).tolist()}
        rows = [(f"{where}", *(percent(part, 1) for part in parts), _prompts(parts[1]))
                for where in range(low, high + 1) for parts in [shares(where, size)]]
        heads = ("skill", "all wrong", "useful", "all right", "prompts per kept group")
        notes.html = Markup('<p>From below: <b class="rejected">all wrong</b>, <b class="kept">useful</b>, <b class="rejected">all '
                            "right</b>. The line is your policy.</p>{}").format(
            details("These numbers as a table", table(f"Shares of groups, G {size}", heads, rows)))
        draw()

    @pn.io.hold()
    def draw(*_) -> None:
        size, at = round(group.value), skill.value
        here.data = {"x": [at, at], "y": [0, 1]}
        bad, good, done = shares(at, size)
        box.html = numbers(("all wrong, ", "thrown away", percent(bad, 1)), ("useful, ", "kept", percent(good, 1)),
                           ("all right, ", "thrown away", percent(done, 1)))
        says.html = Markup("<p>At skill {at} a kept group takes <strong>{now}</strong> prompts on average ({first} at skill {low}, "
                           "{last} at skill {high}).</p>").format(
            at=f"{at:.1f}", now=_prompts(good), low=low, first=_prompts(shares(low, size)[1]), high=high,
            last=_prompts(shares(high, size)[1]))

    skill.param.watch(draw, "value")
    group.param.watch(draw_areas, "value")
    draw_areas()
    return [Split([_IMPROVING.format(level=level), skill, box, says], [pane(plot), notes])]


def _area(look) -> dict:
    return {name: value for name, value in look.items() if not name.startswith("line_")}


def _prompts(share: float) -> str:
    per = float(prompts_per_group(share))
    return "none" if share <= 0 else f"{per:.2f}" if per < 1000 else f"{per:,.0f}"


def _filled(s: float, size: int, share: float, seed: int) -> Markup:
    if share <= 0:
        return Markup("<p>At a pass rate of {} no group is ever useful, and no batch is ever full.</p>").format(percent(s))
    drawn = fill_batch(s, size, WANTED, _MOST, seed)
    got = len(drawn.accepted)
    return Markup("<p>Of {wanted} groups drawn, <strong>{kept:.1f}</strong> are useful on average. To have {wanted} useful ones "
                  "takes {mean} prompts on average; under seed {seed} {run}.</p>").format(
        wanted=WANTED, kept=WANTED * share, mean=f"{WANTED * float(prompts_per_group(share)):,.1f}", seed=seed,
        run=f"it took {len(drawn.prompt):,}" if got == WANTED else f"{plural(_MOST, 'prompt')} gave {got}")
