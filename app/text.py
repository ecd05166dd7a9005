"""The section `/text`: speculative decoding on real sentences, by small models of two novels."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import panel as pn
from markupsafe import Markup

from specdec_core.words import detokenise

from . import books
from . import text_says as say
from .books import Models
from .controls import Text
from .page import Part, Split
from .state import State
from .text_compare import Compare
from .text_controls import Controls, address
from .text_drafts import PROMPTS
from .text_exact import Exact
from .text_own import OwnText
from .text_player import Player, written
from .try_it import TryIt


def text(state: State, heading: int = 2, follow: TryIt | None = None) -> list[Part]:
    """The section's parts, under a heading of this level. A Try-it widget to `follow` shares γ and the seed."""
    return Writing(state, heading, follow).parts


class Writing:
    """The section in one session. `models` write; `use` gives the word to others."""

    def __init__(self, state: State, heading: int = 2, follow: TryIt | None = None):
        self.models, self._turn, self._busy, self._theme = books.shipped(), 0, asyncio.Lock(), state.theme
        self.controls = it = Controls(state, self._changed, follow)
        self._says, self._notes, self._link = Text(role="status"), Text(role="status"), Text()
        found = self._write()
        self._say(found)
        self.player = Player(heading=heading + 1, sizing_mode="stretch_width", **found.player)
        self.parts: list[Part] = [
            say.intro(heading),
            Split([it.prompt, it.own, self._notes, it.draft, it.gamma, it.cost], [self.player],
                  [self._says, self._link, it.target_sampling, it.draft_sampling, it.words, it.seed]),
            *Exact(lambda: it.settings, lambda: self.models, heading + 1).parts,
            *Compare(lambda: it.settings, lambda: self.models, heading + 1).parts,
            *OwnText(self.use, heading + 1).parts]

    def use(self, models: Models) -> None:
        """Let these models write from now on, and offer beginnings that they know."""
        self.models = models
        self.controls.offer(PROMPTS if models is books.shipped() else models.beginnings(len(PROMPTS)))
        self._changed()

    def _changed(self) -> None:
        pn.state.execute(self._rewrite)

    async def _rewrite(self) -> None:
        """Write the text in a thread, so that nobody else waits for it, and show it; unless more was changed meanwhile."""
        self._turn += 1
        turn = self._turn
        async with self._busy:  # one at a time: what was meant while another was written is not begun
            found = await asyncio.to_thread(self._write) if turn == self._turn else None
        if turn == self._turn:
            with pn.io.hold():
                self.player.param.update(**found.player)
                self._say(found)

    def _write(self) -> _Written:
        """The text as the controls stand."""
        settings, models, shipped = self.controls.settings, self.models, self.models is books.shipped()
        decoding = settings.decoded(models)
        player = {"record": written(decoding, models.vocabulary, settings.tokens, settings.draft_cost),
                  "address": address(settings) | ({} if shipped else {"prompt": None}),
                  "text": detokenise([*settings.tokens, *models.vocabulary.tokens(decoding.words)])}
        return _Written(player, say.summary(settings, decoding), say.prompt_notes(settings, models.vocabulary),
                        say.replay(settings, self._theme) if shipped else say.NO_REPLAY)

    def _say(self, found: _Written) -> None:
        self._says.html, self._notes.html, self._link.html = found.summary, found.notes, found.link


@dataclass(frozen=True)
class _Written:
    """A text as the page shows it."""

    player: dict[str, Any]
    """The player's params."""
    summary: Markup
    notes: Markup
    link: Markup
