"""An engine's own counts: paste them, see every rate under every name, and which γ pays."""

from __future__ import annotations

import asyncio

import numpy as np
import panel as pn
from markupsafe import Markup
from numpy.typing import NDArray

from specdec_core import Counters, MetricsError, describe, draft_cost, pooled, read_counters, rosetta, tune

from . import speed_engine_text as say
from .assets import ASSETS
from .controls import Text
from .engine_samples import SAMPLES
from .figures import pane
from .page import Part, Split
from .pasting import Field, Fields, Menu, Paste
from .redraw import Redraw
from .speed_engine_figures import SpeedupMap, Survival
from .speed_judging import Judging
from .state import BOUNDS, State

_DEEPEST = 100  # drafted words per call; no engine drafts nearly so many
_TRIED = 40  # the largest γ that is tried, if none so deep was observed
_SERIES = 200  # of a menu
_AROUND = np.array([.25, .5, .75, 1, 1.5, 2, 4])  # times c, for the map
_NEAR_0 = np.array([0, .01, .02, .05, .1, .2, .5])  # in its place where c is 0


def engine(state: State, level: int) -> list[Part]:
    """The parts, with headings of this level, as the state has them. What is pasted stays in the session."""
    return _Engine(state).parts(level)


class _Engine:
    """The subsection in one session: the last counts that could be read, and what they give at the cost entered."""

    def __init__(self, state: State):
        self._series: list[tuple[str, Counters]] = []
        self._texts = {"now": "", "before": ""}  # as they were last tried, good or not
        self._turn = 0  # of the reading that was asked for last
        files = list(SAMPLES.values())
        self._samples = Menu(label="A sample to try", options=list(SAMPLES), keys=files, value=files.index(state.engine_sample),
                             address="engine_sample")
        self._paste = Paste(lambda text: self._read("now", text), label="What your engine printed", rows=8)
        self._before = Paste(lambda text: self._read("before", text), rows=4, button="Count from here",
                             opens="Count only from an earlier snapshot",
                             label="An earlier snapshot of the same counters, or nothing")
        self._which = Menu(label="Which counts")
        self._costs = Fields("What a draft step costs", [
            Field("cost", "c, over a target step", *BOUNDS["engine_cost"], needed=True, address="engine_cost"),
            Field("draft", "or: a draft step, ms", 1e-6, 1e9), Field("target", "and a target step, ms", 1e-6, 1e9),
            Field("gamma", "γ in use, if not counted", *BOUNDS["engine_gamma"], whole=True, address="engine_gamma")],
            cost=state.engine_cost, gamma=state.engine_gamma)
        self._judging = Judging(state, "engine_", "Judging one word more")
        self._box, self._read_text, self._says = Text(), Text(), Text(role="status")
        self._beside, self._below = Text(), Text()  # places for the Rosetta stone: in the plots' stead, and below them
        self._captions = Text(), Text()
        self._map, self._survival = SpeedupMap(), Survival()
        self._plots = [pane(plot) for plot in (self._map.plot, self._survival.plot)]
        self._samples.param.watch(lambda _: self._sample(), "value")
        self._which.param.watch(lambda _: self._show(), "value")
        self._costs.param.watch(self._entered, "values")
        self._sample(now=True)
        redraw = Redraw()
        redraw.draw(self._draw, self._judging)
        redraw.draw(self._tell, self._judging, later=True)

    def parts(self, level: int) -> list[Part]:
        """Controls and answers beside the plots, the Rosetta stone below."""
        return [Split([say.intro(level), self._samples, self._paste, self._before, self._which, self._read_text, self._costs,
                       *self._judging.parts],
                      [self._box, self._says, self._beside, self._plots[0], self._captions[0], self._plots[1], self._captions[1]]),
                self._below]

    def _sample(self, now: bool = False) -> None:
        """Put a sample into the box, and read it."""
        name = SAMPLES[self._samples.options[self._samples.value]]
        self._paste.text = ""  # a box that was typed into takes the same sample again
        self._paste.text = (ASSETS / "samples" / name).read_text("utf-8")
        self._before.text, self._texts = "", {"now": self._paste.text, "before": ""}
        self._paste.fault = self._before.fault = ""
        if now:
            self._take(_attempt("now", **self._texts)[0])
        else:
            self._read("now", self._paste.text)

    def _read(self, which: str, text: str) -> None:
        """Try the two boxes with this text in one of them; what could be read before stays if they cannot."""
        self._turn += 1
        turn, self._texts = self._turn, self._texts | {which: text}

        async def work() -> None:
            series, faults = await asyncio.to_thread(_attempt, which, **self._texts)
            if turn == self._turn:  # nothing else was pasted meanwhile
                self._paste.fault, self._before.fault = faults["now"], faults["before"]
                if series:
                    self._take(series)

        pn.state.execute(work)

    def _take(self, series: list[tuple[str, Counters]]) -> None:
        self._series = series
        self._which.param.update(options=[name for name, _ in series], value=0)
        self._show()

    def _entered(self, event) -> None:
        """Where both times are there, c follows from them."""
        old, new = event.old, event.new
        times = new["draft"], new["target"]
        if None not in times and times != (old["draft"], old["target"]):
            self._costs.values = new | {"cost": float(f"{draft_cost(*times):.6g}")}
        elif new["cost"] != old["cost"] and None not in times and times == (old["draft"], old["target"]):
            self._costs.values = new | {"draft": None, "target": None}  # c was entered: the times are no longer its reason
        else:
            self._show()

    @pn.io.hold()
    def _show(self) -> None:
        self._draw()
        self._tell()

    def _draw(self) -> None:
        """What γ to draft, as the box and the map; or `_fault`, why that is not known."""
        _, counters = self._chosen
        cost, gamma = self._costs.values["cost"], self._costs.values["gamma"]
        self._fault = ""
        try:
            self._judged = self._known(max(len(counters.per_position or ()), counters.gamma or gamma or 0))
            self._tuning = tune(counters, cost, len(self._judged) - 1, self._judged, gamma)
        except MetricsError as error:
            self._fault = str(error)
        for part in (self._box, *self._plots, *self._captions):
            part.visible = not self._fault
        if not self._fault:
            self._box.html = say.box(self._tuning)
            self._map.show(self._tuning, cost, cost * _AROUND if cost else _NEAR_0, self._judged)

    def _tell(self) -> None:
        """The same in sentences and tables, and what does not hang on the costs."""
        name, counters = self._chosen
        self._read_text.html = say.counted(name, counters)
        quantities = rosetta(counters, None if self._fault else self._costs.values["gamma"])
        stone = say.stone(name, quantities)
        if self._fault:
            self._says.html = Markup("<p><b>No γ can be advised.</b> {}.</p>").format(_capital(self._fault))
            self._beside.html, self._below.html = stone, Markup()
            return
        self._says.html = say.verdict(self._tuning, self._costs.values["cost"], self._judged, self._judging.phrase)
        self._captions[0].html = self._map.caption
        self._captions[1].html = self._survival.show(quantities[2], self._tuning)
        self._beside.html, self._below.html = Markup(), stone

    @property
    def _chosen(self) -> tuple[str, Counters]:
        return self._series[min(self._which.value, len(self._series) - 1)]

    def _known(self, depth: int) -> NDArray[np.float64]:
        """v at each γ that is tried. Raises `MetricsError` if that is not known up to the depth that the engine drafts."""
        judged = self._judging.value[:max(_TRIED, depth) + 1]
        if depth >= len(judged):
            raise MetricsError(f"your table of judging ends at γ = {len(judged) - 1}, "
                               f"and this engine drafts {depth} words per call")
        return judged


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _attempt(which: str, now: str, before: str) -> tuple[list[tuple[str, Counters]] | None, dict[str, str]]:
    """The counts in the two boxes by name, or `None`; and what is wrong in each. If they do not match, `which` is blamed."""
    read, faults = {}, {"now": "", "before": ""}
    for side, text in ("now", now), ("before", before):
        try:
            read[side] = read_counters(text) if side == "now" or text.strip() else ()
        except MetricsError as error:
            faults[side] = f"Not used: {error}."
    if len(read) == 2:
        try:
            return _series(read["now"], read["before"]), faults
        except MetricsError as error:
            faults[which] = f"Not used: {error}."
    return None, faults


def _series(groups: tuple[Counters, ...], before: tuple[Counters, ...]) -> list[tuple[str, Counters]]:
    """Counts by name: each series, and each model's series together; less those of an earlier snapshot, if there is one.

    Raises `MetricsError`.
    """
    if before:
        earlier = {(group.source, group.labels): group for group in before}
        for group in groups:
            if (group.source, group.labels) not in earlier:
                raise MetricsError(f"the earlier snapshot has no series of {_short(describe(group))}")
        groups = tuple(group.since(earlier[group.source, group.labels]) for group in groups)
    if len(groups) > _SERIES:
        raise MetricsError(f"there are {len(groups)} series, more than {_SERIES}: paste fewer")
    for group in groups:
        if len(group.per_position or ()) > _DEEPEST:
            raise MetricsError(f"{len(group.per_position)} positions are more than {_DEEPEST}, which no engine drafts")
    models = dict.fromkeys(group.model for group in groups)
    together = [(model, [group for group in groups if group.model == model]) for model in models]
    return [*((f"{_short(model) or groups[0].source}, {len(those)} series together", pooled(tuple(those)))
              for model, those in together if len(those) > 1),
            *((_short(describe(group)), group) for group in groups)]


def _short(name: str) -> str:
    """A name that a list has room for."""
    return name if len(name) <= 90 else f"{name[:89]}…"
