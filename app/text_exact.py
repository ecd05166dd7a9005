"""*Exactly the target's text*: many continuations against their exact law, and a rule that must fail."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
from markupsafe import Markup

from specdec_core import Verdict, chi_square, expected_distance, gathered, observed_distance, share_band, shown_words

from .books import Models
from .controls import Buttons, Choice, Text
from .figures import pane
from .page import Part, Split
from .pieces import details, numbers, probability, table
from .shares import Shares
from .text_drafts import Settings
from .text_exact_run import CELLS, LENGTH, WAYS, Counted, ExactRun, Trial
from .watching import Watcher

_SIZES = ("500", "2,000", "8,000")
_SHOWN = 8  # continuations in a plot
_NAMES = ("plain decoding", "speculative decoding", "redraw from p")


class Exact(Watcher):
    """The subsection in one session; `settings()` and `models()` are asked for when a reader presses Run."""

    def __init__(self, settings: Callable[[], Settings], models: Callable[[], Models], level: int):
        super().__init__()
        self._settings, self._models = settings, models
        self._size = Choice("Continuations each way", list(_SIZES), _SIZES[1])
        self._bar, self._says, self._table = Text(), Text(role="status"), Text()
        self._box = Text(html=Markup("<p class=caption>No run yet. It takes some seconds.</p>"))
        buttons = Buttons(["Run", "Stop"], lambda which: self.stop() if which else self.start())
        self._plots = [Shares(f"text-{way}", f"Share of each continuation by {name}, minus the target", longest=16)
                       for way, name in zip(WAYS[1:], _NAMES[1:])]
        self._figures = [pane(plot.plot) for plot in self._plots]
        self._captions = [Text() for _ in self._plots]
        for shown in (*self._figures, *self._captions):
            shown.visible = False
        drawn = [part for pair in zip(self._captions, self._figures) for part in pair]
        self.parts: list[Part] = [_intro(level), Split([self._size, buttons, self._bar, self._says],
                                                       [self._box, *drawn, self._table])]

    def start(self) -> None:
        """Write the continuations, as the controls stand; a run that is going ends."""
        self._says.html = Markup("<p>Running.</p>")
        self._begin(ExactRun(Trial(self._settings(), self._models(), int(self._size.value.replace(",", "")))))

    def stop(self) -> None:
        """End the run that is going; what has come out is judged."""
        if self._run and self._run.running:
            self._end()
        else:
            self._says.html = Markup("<p>Nothing is running.</p>")

    @pn.io.hold()
    def _look(self) -> None:
        progress, trial = self._run.progress, self._run.trial
        if progress is None:
            return
        self._bar.html = _bar(trial, progress)
        if progress.state == "failed":
            self._says.html = Markup("<p>This run broke off, and the server has written down why.</p>")
        else:
            self._show(trial, progress)
        if progress.state != "running":
            self._rest()

    def _show(self, trial: Trial, progress: Counted) -> None:
        verdicts = [chi_square(counts, trial.law) for counts in progress.counts] if progress.state != "running" else None
        chance = probability(float(expected_distance(trial.law, progress.n)))
        self._box.html = numbers(*((name, f"TV, by chance {chance}", probability(observed_distance(counts, trial.law)))
                                   for name, counts in zip(_NAMES, progress.counts)))
        shown = shown_words(trial.law[:-1], _SHOWN)
        names = [*(trial.names[i] for i in shown), trial.names[-1]]
        for plot, caption, name, counts in zip(self._plots, self._captions, _NAMES[1:], progress.counts[1:]):
            plot.show(names, gathered(trial.law, shown), progress.n, gathered(counts, shown) / progress.n)
            caption.html = Markup("<p class=caption><b>{}</b>: each dot is a continuation’s share minus its exact probability. The "
                                  "boxes hold all dots in 99 exact runs of 100.</p>").format(name.capitalize())
            caption.visible = True
        for figure in self._figures:
            figure.visible = True
        self._table.html = _table(trial, progress)
        if verdicts:
            self._says.html = _says(trial, progress, verdicts)


def _intro(level: int) -> Markup:
    return Markup("""<h{level}>Exactly the target’s text</h{level}>
<p>The law of the next {length} words can be worked out: the {cells} likeliest continuations of the beginning above have exact
probabilities, and all the rest are counted as one. Three ways write many of them: the target alone; speculative decoding with the
draft above; and a rule that looks right and is wrong, which replaces a rejected word by a fresh draw from p instead of the
residual.</p>""").format(level=level, length=LENGTH, cells=CELLS)


def _bar(trial: Trial, progress: Counted) -> Markup:
    return Markup('<progress aria-label="Continuations written" max="{}" value="{}"></progress>'
                  "<p>{:,} of {:,} continuations each way.</p>").format(trial.n, progress.n, progress.n, trial.n)


def _says(trial: Trial, progress: Counted, verdicts: list[Verdict]) -> Markup:
    it = trial.settings
    heads = Markup("<p>After “{}”, γ = {}, seed {}, {:,} continuations each way.</p>").format(_short(it.prompt), it.gamma, it.seed,
                                                                                            progress.n)
    lines = [Markup("<p><b>{}.</b> {}</p>").format(name.capitalize(), verdict.sentence(trial.names))
             for name, verdict in zip(_NAMES, verdicts)]
    return heads + Markup("").join(lines) + Markup("<p>{}</p>").format(_conclusion(trial, *verdicts))


def _conclusion(trial: Trial, plain: Verdict, speculative: Verdict, redraw: Verdict) -> str:
    """What to make of the three verdicts, knowing the laws."""
    far = trial.first_word_distance
    if far < 5e-4:
        control = ("Here the draft is rejected too seldom for the wrong rule to show: its first word has the target’s law to three "
                   "digits. Try another draft.")
    elif redraw.passed:
        control = ("The wrong rule gets away with it in so short a run, although the law of its first word alone lies "
                   f"{probability(far)} from the target’s: take more continuations.")
    else:
        control = ("The wrong rule is caught, and rightly: the law of its first word alone lies "
                   f"{probability(far)} from the target’s.")
    if plain.passed and speculative.passed:
        return f"With a draft or without, it is the target’s text. {control}"
    return f"A false alarm for an exact way, as one run in {1 / plain.level:,.0f} gives. {control}"


def _table(trial: Trial, progress: Counted) -> Markup:
    band = share_band(trial.law, progress.n)
    rows = [(name, f"{exact:.4f}", *(f"{share:.4f}" for share in shares), f"{half:.4f}") for name, exact, shares, half in zip(
        trial.names, trial.law, (progress.counts / progress.n).T, band)]
    return details("All continuations as a table", table(f"{progress.n:,} continuations each way",
                                                         ("continuation", "exact", *_NAMES, "band ±"), rows))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"…{text[-59:]}"
