"""Your own text: paste or drop one, and the models learn from it in the background."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
from markupsafe import Markup

from specdec_core.own_text import FEWEST_WORDS, MOST_BYTES

from . import books
from .books import Models
from .controls import Buttons, Text
from .learning import Learning, Progress
from .page import Part
from .pasting import Paste
from .pieces import percent, plural
from .watching import Watcher



class OwnText(Watcher):
    """The box, a bar and the way back, in one session; `parts` are its pieces of a page, under a heading.

    `on_ready(models)` is called with what an own text has taught, and with the shipped books' models when the reader goes back to
    them. A second text ends the learning of the first; what is wrong with a text is said, and the models in use stay.
    """

    def __init__(self, on_ready: Callable[[Models], None], heading: int = 3):
        super().__init__()
        self._on_ready = on_ready
        self._paste = Paste(self._read, label="A text to learn from", button="Learn from it", opens="Paste or drop a text",
                            prose=True, longest=MOST_BYTES)
        self._bar, self._status = Text(visible=False), Text(role="status")
        self._back = Buttons(["Back to the novels"], lambda _: self._return(), visible=False)
        self.parts: list[Part] = [_intro(heading), self._paste, self._bar, self._status, self._back]

    def _read(self, text: str) -> None:
        """Begin to learn from `text`; what is being learned ends."""
        self._status.html = Markup("Your text is being read, and the models trained on it.")
        self._begin(Learning(text))

    def _return(self) -> None:
        """Take the shipped books again; what is being learned ends."""
        self._end()
        self._run = None
        self._rest()
        self._bar.visible = False
        self._paste.fault, self._back.visible = "", False
        self._status.html = Markup("The novels’ models are back.")
        self._on_ready(books.shipped())

    def _look(self) -> None:
        """See how far it has come, and show it."""
        progress = self._run.progress
        self._bar.param.update(html=_bar(progress), visible=progress.state == "running")
        if progress.state != "running":
            self._rest()
            self._ended(progress)

    @pn.io.hold()
    def _ended(self, progress: Progress) -> None:
        models = progress.models
        if models is None:
            self._status.html = Markup()
            self._paste.fault = (f"Not used: {progress.doing}. The models stay as they were." if progress.state == "refused" else
                                 "Not used: the learning broke off, and the server has written down why.")
            return
        self._back.visible = True
        self._status.html = Markup("The models have learned your text: {}, {} of them different.").format(
            plural(len(models.ids), "word"), f"{len(models.vocabulary):,}")
        self._on_ready(models)


def _bar(progress: Progress) -> Markup:
    return Markup('<progress aria-label="Learning your text" max="1" value="{:.3f}"></progress><p>{}: {}.</p>').format(
        progress.share, percent(progress.share), progress.doing)


def _intro(heading: int) -> Markup:
    return Markup("""<h{0}>Your own text</h{0}>
<p>Both models can learn from a text of yours instead: {1:,} words to {2:g}\u00a0MB of UTF-8, a novel or two. It is read on this
page’s server, for this visit only, and it is never in the page’s address.</p>""").format(heading, FEWEST_WORDS, MOST_BYTES / 1e6)
