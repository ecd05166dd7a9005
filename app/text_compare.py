"""The drafts beside each other on one beginning: what each keeps and gains; and that none of them changes what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import panel as pn
from markupsafe import Markup

from specdec_core import Decoding, Sampling, decode
from specdec_core.words import pieces

from .background import Background, State, in_turn
from .books import Models
from .controls import Buttons, Text
from .page import Part
from .pieces import percent, plural, table, times
from .text_drafts import DRAFTS, Settings
from .watching import Watcher

_WORDS = 200
_BEGINNING = 12  # words of each text that are shown
_PLAIN = "no draft"


@dataclass(frozen=True, eq=False)
class Compared:
    """The texts that have been written so far, by draft; the first one without any."""

    state: State
    texts: tuple[tuple[str, Decoding], ...]


class Comparison(Background):
    """One text of every draft, after the same beginning and under the same seed."""

    progress: Compared | None = None

    def __init__(self, settings: Settings, models: Models):
        self.settings, self.models = settings, models
        super().__init__("drafts compared")

    def _moments(self) -> Iterator[Compared]:
        texts: list[tuple[str, Decoding]] = []
        for text in in_turn(self._written()):
            texts.append(text)
            yield Compared(self._state(len(texts) == 1 + len(DRAFTS)), tuple(texts))

    def _written(self) -> Iterator[tuple[str, Decoding]]:
        it, models = self.settings, self.models
        target, context = it.target_law(models), it.context(models)
        yield "", decode(target, lambda context: None, context, it.gamma, _WORDS, it.seed)
        for key in DRAFTS:
            yield key, decode(target, replace(it, draft=key).draft_law(models), context, it.gamma, _WORDS, it.seed)

    def _failed(self) -> Compared:
        return Compared("failed", self.progress.texts if self.progress else ())


class Compare(Watcher):
    """The subsection in one session; `settings()` and `models()` are asked for when a reader presses a button."""

    def __init__(self, settings: Callable[[], Settings], models: Callable[[], Models], level: int):
        super().__init__()
        self._settings, self._models = settings, models
        self._table, self._says = Text(), Text(role="status")
        buttons = Buttons(["Compare the drafts", "Compare at temperature 0"], lambda which: self.start(greedy=which == 1))
        self.parts: list[Part] = [_intro(level), buttons, self._says, self._table]

    def start(self, greedy: bool = False) -> None:
        """Write all texts, as the controls stand, or with a target that always says its likeliest word."""
        settings = self._settings()
        self._begin(Comparison(replace(settings, target_sampling=Sampling(0)) if greedy else settings, self._models()))

    @pn.io.hold()
    def _look(self) -> None:
        run, progress = self._run, self._run.progress
        if progress is None:
            self._says.html = Markup("<p>Writing …</p>")
            return
        self._table.html = _table(run.settings, run.models, progress)
        self._says.html = _verdict(run.settings, progress)
        if progress.state != "running":
            self._rest()


def _intro(level: int) -> Markup:
    return Markup("""<h{level}>Which draft?</h{level}>
<p>Every draft writes {words} words after the same beginning, with the settings above. A better draft is kept more often. It need not be
faster: what it costs counts as well. What is written has the target’s law whoever drafts.</p>""").format(level=level, words=_WORDS)


def _table(settings: Settings, models: Models, progress: Compared) -> Markup:
    rows = []
    for key, decoding in progress.texts:
        cost = DRAFTS[key].cost(settings.cost) if key else None
        last = (settings.tokens or [None])[-1]
        text = "".join(pieces(models.vocabulary.tokens(decoding.words[:_BEGINNING]), after=last)).strip().replace("\n", " ¶ ")
        rows.append((DRAFTS[key].short if key else _PLAIN, percent(decoding.alpha, 1) if decoding.tested.any() else "–",
                     f"{decoding.tokens_per_call:.2f}", "–" if cost is None else f"{cost:.2f}",
                     times(decoding.speedup(cost or 0)), f"{text} …"))
    caption = f"γ {settings.gamma}, seed {settings.seed}, the target at temperature {settings.target_sampling.temperature:g}"
    return table(caption, ("draft", "mean α", "words per call", "c", "speed-up", "how the text goes on"), rows, prose=True)


def _verdict(settings: Settings, progress: Compared) -> Markup:
    if progress.state == "failed":
        return Markup("<p>This comparison broke off, and the server has written down why.</p>")
    if progress.state == "running":
        return Markup("<p>{} of {} texts are written.</p>").format(len(progress.texts), 1 + len(DRAFTS))
    if progress.state == "stopped":
        return Markup("<p>Stopped.</p>")
    gains = {key: text.speedup(DRAFTS[key].cost(settings.cost)) for key, text in progress.texts if key}
    fastest = max(gains, key=gains.get)
    gain = (f"Fastest here: {DRAFTS[fastest].short}, {times(gains[fastest])} plain decoding." if gains[fastest] > 1 else
            "No draft is faster than plain decoding here.")
    return Markup("<p>{} {}</p>").format(gain, _texts(settings, progress))


def _texts(settings: Settings, progress: Compared) -> str:
    """What the texts have in common."""
    n, texts = len(progress.texts), [text.words[:_WORDS] for _, text in progress.texts]
    if settings.target_sampling.temperature:
        return (f"{n} texts, all different, since each draft uses the seed’s numbers in its own way; their law is one, the "
                "target’s."
                if len(set(texts)) == n else "Where two texts differ, it is luck: their law is one, the target’s.")
    if len(set(texts)) == 1:
        return (f"At temperature 0 the target leaves nothing to luck: all {n} texts are the same, word for word, for "
                f"{plural(_WORDS, 'word')}.")
    return "At temperature 0 all texts should be the same, and they are not: this is a fault of ours."
