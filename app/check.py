"""The section `/check`: choose a rule, let it run in the background, and see whether a test can tell it from the target."""

from __future__ import annotations

import asyncio
import urllib.parse

import numpy as np
import panel as pn
from markupsafe import Markup

from specdec_core import RULES, DistributionError, gathered
from specdec_core.examples import Laws

from . import check_text as say
from .check_controls import Downloads
from .check_figures import Distance, TokensPerCall
from .check_run import Run
from .controls import Buttons, Choice, Range, Seed, Text
from .experiment import Experiment, Forecast
from .figures import pane
from .laws_file import COLUMNS, parse_laws
from .page import Part, Split
from .pasting import Menu, Paste
from .shares import REST, Shares
from .state import BOUNDS, State
from .try_it import TryIt
from .watching import Watcher

_CALLS = (1_000, 10_000, 100_000, 1_000_000)
_START_CALLS = 10_000
_LONGEST = 4_000_000  # characters of pasted text: 50,000 words need a half of that
_KEYS = list(RULES)
_EXAMPLE = f"{','.join(COLUMNS)}\nyes,0.7,0.5\nno,0.2,0.4\nmaybe,0.1,0.1\n"


class Check(Watcher):
    """The section's controls and plots in one session, in the state that the address asks for; `parts` are its pieces of a page.

    A run keeps the settings it began with; a second run ends the first. A state with `run` runs as soon as the page is there.
    With a Try-it widget to `follow` the two share closeness, γ and seed.
    """

    def __init__(self, state: State, heading: int = 2, follow: TryIt | None = None):
        super().__init__()
        self._state, self._own_laws = state, None
        self._guess: str | None = None  # what the reader had said when the run began
        self._asks = "predict" not in state.hide
        calls = sorted({*_CALLS, state.run or _START_CALLS})
        self._rule = Menu(label="Rule", options=[rule.name for rule in RULES.values()], value=_KEYS.index(state.rule),
                          address="rule", keys=_KEYS)
        self._calls = Choice("Calls", [f"{n:,}" for n in calls], f"{state.run or _START_CALLS:,}")
        self._closeness = Range(label="Closeness of the draft", value=state.closeness, ends=["a stranger", "a twin"],
                                address="closeness")
        self._gamma = Range(label="Words drafted per call, γ", value=state.gamma, start=BOUNDS["gamma"][0], end=BOUNDS["gamma"][1],
                             step=1, digits=0, ends=[str(bound) for bound in BOUNDS["gamma"]], address="gamma")
        self._seed = Seed(value=state.seed, address="seed")
        self._paste = Paste(self._use, label=f"CSV with the first line {','.join(COLUMNS)}, or JSON with the lists words, "
                                             "target, draft",
                            text=_EXAMPLE, opens="Your own words and laws", button="Use these")
        self._back = Buttons(["Back to the page’s words"], lambda _: self._use(None), visible=False)
        self._predict = Choice("What will come out?", list(say.GUESSES.values()))
        buttons = Buttons(["Run", "Stop"], lambda which: self.stop() if which else self.start())
        self._about, self._plan, self._bar, self._result = (Text() for _ in range(4))
        self._status = Text(role="status")
        self._captions, self._table, self._link = [Text() for _ in range(3)], Text(), Text()
        self._shares, self._distance, self._tokens = Shares("check-shares"), Distance(), TokensPerCall()
        plots = self._shares.plot, self._distance.plot, self._tokens.plot
        self._downloads = Downloads(self._csv, file="specdec-check", figures=[plot.name for plot in plots], visible=False)
        guess = [self._predict] if self._asks else []
        self.parts: list[Part] = [
            say.intro(heading),
            Split([self._rule, self._about, *guess, self._calls, self._plan, buttons, self._bar, self._status,
                   self._closeness, self._gamma, self._seed, self._paste, self._back],
                  [self._result, pane(plots[0]), self._captions[0], pane(plots[1]), self._captions[1], pane(plots[2]),
                   self._captions[2], self._table, self._downloads, self._link])]
        if follow is not None:
            follow.link(self._closeness, closeness="value", bidirectional=True)
            follow.link(self._gamma, gamma="value", bidirectional=True)
            follow.link(self._seed, seed="value", bidirectional=True)
        for control in (self._rule, self._calls, self._closeness, self._gamma, self._seed):
            control.param.watch(self._changed, "value")
        self._rule.param.watch(lambda _: setattr(self._predict, "value", self._predict.options[0]), "value")
        self._predict.param.watch(lambda _: self._draw_plan(), "value")
        self._changed()
        if state.run:
            pn.state.onload(self.start)

    @property
    def _key(self) -> str:
        return _KEYS[self._rule.value]

    def start(self) -> None:
        """Begin a run with the settings as they are; one that is going ends, and what it had is gone."""
        self._guess = self._said()
        self._status.html = Markup("Running {}.").format(say.settings(self.experiment))
        self._begin(Run(self.experiment))
        self._draw_plan()

    def stop(self) -> None:
        """End the run that is going; what has come out stays."""
        if self._run and self._run.running:
            self._end()
        else:
            self._status.html = Markup("Nothing is running.")

    def _look(self) -> None:
        """See how far the run has come, and show it."""
        if self._run.progress is None:
            return
        ended = not self._run.running
        self._draw_run()
        if ended:
            self._rest()
            progress = self._run.progress
            if verdict := say.judged(self._run.experiment, progress):
                self._status.html = Markup("{} after {:,} calls. {}").format(
                    progress.state.capitalize(), progress.tally.calls, verdict.sentence(self._run.experiment.laws.words))

    def _use(self, text: str | None) -> None:
        """Take pasted laws, or the page's own; what is wrong with them is said, and the last good ones stay."""
        before, self._paste.fault = self._own_laws, ""
        try:
            self._own_laws = None if text is None else _pasted(text)
            self._settings()
        except DistributionError as error:
            self._own_laws, self._paste.fault = before, f"Not used: {error}."
            return
        self._back.visible = self._own_laws is not None
        if text is not None and self._closeness.value:
            self._closeness.value = 0  # the draft as it was pasted; this redraws
        else:
            self._changed()

    def _settings(self) -> Experiment:
        laws: Laws = self._own_laws or RULES[self._key].laws
        return Experiment(self._key, laws, self._closeness.value, int(self._gamma.value), self._seed.value,
                          int(self._calls.value.replace(",", "")))

    def _changed(self, *_) -> None:
        """The controls moved: show the plan, and the run that there is as what it was."""
        self.experiment, self._forecast = self._settings(), None
        if self.experiment.quick:
            self._forecast = self.experiment.forecast
        else:
            pn.state.execute(self._work_out)
        self._about.html = say.about(self.experiment, self._own_laws is not None)
        self._draw_plan()
        if self._run is None:
            self._draw_figures(self.experiment, None, self._forecast)
        elif self._run.progress:
            self._draw_run()

    async def _work_out(self) -> None:
        experiment = self.experiment
        forecast = await asyncio.to_thread(lambda: experiment.forecast)
        if experiment is self.experiment:
            self._forecast = forecast
            self._draw_plan()
            if self._run is None:
                self._draw_figures(experiment, None, forecast)
            elif self._run.progress:
                self._draw_run()

    def _said(self) -> str | None:
        return next(key for key, text in say.GUESSES.items() if text == self._predict.value)

    def _draw_plan(self) -> None:
        told = not self._asks or self._said() is not None or bool(self._run and self._run.experiment.rule_name == self._key)
        self._plan.html = say.plan(self.experiment, self._forecast, told)

    def _draw_run(self) -> None:
        progress, experiment = self._run.progress, self._run.experiment
        forecast = vars(experiment).get("forecast")
        verdict = say.judged(experiment, progress)
        with pn.io.hold():
            self._bar.html = say.progress_bar(experiment, progress)
            self._result.html = (say.result(experiment, progress, verdict, forecast, moved=experiment != self.experiment)
                                 + (say.answer(experiment, self._guess) if self._asks else ""))
            self._draw_figures(experiment, progress, forecast)
            self._downloads.visible = progress.tally.calls > 0
            self._downloads.title = say.settings(experiment)
            self._link.html = self._replay(experiment)

    def _draw_figures(self, experiment: Experiment, progress, forecast: Forecast | None) -> None:
        tally, shown = progress and progress.tally, experiment.shown
        n_words, shares = experiment.calls * experiment.tokens, None
        if tally and tally.calls:
            n_words, shares = tally.n_words, gathered(tally.shares, shown)
        with pn.io.hold():
            self._shares.show([*(experiment.laws.words[i] for i in shown), REST], gathered(experiment.p, shown), n_words, shares)
            self._distance.show(experiment, forecast, progress)
            self._tokens.show(experiment, tally)
            self._table.html = say.table(experiment, tally)
            for text, caption in zip(self._captions, (say.shares_caption(experiment, tally),
                                                      say.distance_caption(experiment, progress, forecast),
                                                      say.tokens_caption(experiment, tally))):
                text.html = caption

    def _csv(self) -> str:
        run = self._run
        return say.as_csv(run.experiment, run.progress, vars(run.experiment).get("forecast")) if run and run.progress else ""

    def _replay(self, experiment: Experiment) -> Markup:
        if experiment.laws != experiment.rule.laws:
            return Markup("<p>No link replays this run, since your words are not in a link; the CSV file holds them.</p>")
        query = {"rule": experiment.rule_name, "closeness": np.format_float_positional(experiment.closeness, trim="-"),
                 "gamma": experiment.gamma, "seed": experiment.seed, "run": experiment.calls}
        query |= {"theme": self._state.theme} if self._state.theme != "auto" else {}
        query |= {"hide": ",".join(self._state.hide)} if self._state.hide else {}
        return Markup('<p><a href="?{}">A link that replays this run</a></p>').format(urllib.parse.urlencode(query))


def _pasted(text: str) -> Laws:
    if len(text) > _LONGEST:
        raise DistributionError(f"there are more than {_LONGEST:,} characters")
    return parse_laws(text)
