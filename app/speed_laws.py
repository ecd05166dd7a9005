"""Your own two distributions: paste them, cut them as your engine does, and see what is kept, lost and refilled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import panel as pn
from markupsafe import Markup

from specdec_core import KINDS, DistributionError, Entries, OwnLaws, Sampling, largest_words, own_laws, read_entries
from specdec_core.examples import TRY_IT, Laws

from . import speed_laws_text as say
from .controls import Buttons, Text
from .page import Part, Split
from .pasting import Field, Fields, Menu, Paste
from .speed_laws_figure import Words
from .state import BOUNDS, LAW_KINDS, State

_AS_THEY_LOOK = "as they look"


def laws(state: State, level: int, show: Callable[[Laws], None] | None = None) -> list[Part]:
    """The parts, with headings of this level, as the state has them.

    `show` is given the largest words when a reader wants them in the Try-it widget.
    """
    return _OwnLaws(state, show).parts(level)


class _Side:
    """One model: its box, what its numbers are, and what its engine does to them."""

    def __init__(self, name: str, law: tuple[float, ...], state: State, changed: Callable[[], None],
                 read: Callable[[_Side, str], None]):
        def field(key: str, label: str, **options) -> Field:
            return Field(key, label, *BOUNDS[f"laws_{name}_{key}"], address=f"laws_{name}_{key}", **options)

        text = "word,probability\n" + "".join(f"{word},{share}\n" for word, share in zip(TRY_IT.words, law))
        self.paste = Paste(lambda text: read(self, text), label=f"The {name}’s numbers, CSV or JSON", text=text, rows=5)
        self.kind = Menu(label=f"The {name}’s numbers are", options=[_AS_THEY_LOOK, *KINDS], keys=list(LAW_KINDS),
                         value=LAW_KINDS.index(getattr(state, f"laws_{name}_kind")), address=f"laws_{name}_kind")
        asked = {key: getattr(state, f"laws_{name}_{key}") for key in ("temperature", "top_k", "top_p")}
        self.fields = Fields(f"How the {name} is drawn from, in this order", [
            field("temperature", "temperature", needed=True), field("top_k", "top-k", whole=True),
            field("top_p", "top-p")], **asked)
        self.entries = read_entries(text)
        self.turn = 0  # of the reading that was asked for last
        self.kind.param.watch(lambda _: changed(), "value")
        self.fields.param.watch(lambda _: changed(), "values")

    @property
    def shown(self) -> Entries:
        """The entries, of the kind that the reader says."""
        kind = self.kind.options[self.kind.value]
        return self.entries if kind == _AS_THEY_LOOK else replace(self.entries, kind=kind)

    @property
    def sampling(self) -> Sampling:
        """As it was entered."""
        values = self.fields.values
        return Sampling(values["temperature"], values["top_k"], 1.0 if values["top_p"] is None else values["top_p"])


class _OwnLaws:
    """The subsection in one session; the last laws that could be compared stay."""

    def __init__(self, state: State, show: Callable[[Laws], None] | None):
        self._turn = 0  # of the comparison that was asked for last
        self._target = _Side("target", TRY_IT.target, state, self._changed, self._read)
        self._draft = _Side("draft", TRY_IT.draft, state, self._changed, self._read)
        self._speed = Fields("For the speed-up", [
            Field("gamma", "γ, words drafted", *BOUNDS["laws_gamma"], whole=True, needed=True, address="laws_gamma"),
            Field("cost", "c, cost of a draft step", *BOUNDS["laws_cost"], needed=True, address="laws_cost")],
            gamma=state.laws_gamma, cost=state.laws_cost)
        self._speed.param.watch(lambda _: self._draw(), "values")
        self._show = show
        self._widget = Buttons(["Show these in the Try-it widget"], lambda _: self._to_widget(), visible=show is not None)
        self._box, self._says, self._fault, self._shown = Text(), Text(role="status"), Text(role="alert"), Text(role="status")
        self._lists, self._words = Text(), Words()
        first = self._compare()
        if isinstance(first, str):  # an address may ask for what cannot be
            self._take((own_laws(self._target.entries, self._draft.entries), (self._target.entries.kind, self._draft.entries.kind)))
        self._take(first)

    def parts(self, level: int) -> list[Part]:
        """Boxes and fields beside what follows from them."""
        boxes = [part for side in (self._target, self._draft) for part in (side.paste, side.kind, side.fields)]
        return [Split([say.intro(level), *boxes, self._speed],
                      [self._box, self._fault, self._says, self._widget, self._shown, self._words.pane, self._lists])]

    def _read(self, side: _Side, text: str) -> None:
        side.turn += 1
        turn = side.turn

        async def work() -> None:
            try:
                entries = await asyncio.to_thread(read_entries, text)
            except DistributionError as error:
                if turn == side.turn:
                    side.paste.fault = f"Not used: {error}."
                return
            if turn == side.turn:
                side.entries, side.paste.fault = entries, ""
                await self._compared()

        pn.state.execute(work)

    def _compare(self) -> tuple[OwnLaws, tuple[str, str]] | str:
        """The laws as they are set, the mistake of scoring q at another temperature with them, and the kinds; or what is wrong."""
        p, q = self._target.sampling, self._draft.sampling
        scored = replace(q, temperature=p.temperature) if q.temperature != p.temperature else None
        target, draft = self._target.shown, self._draft.shown
        try:
            return own_laws(target, draft, p, q, scored), (target.kind, draft.kind)
        except ValueError as error:
            return str(error)

    def _changed(self) -> None:
        pn.state.execute(self._compared)

    async def _compared(self) -> None:
        """Compare in a thread, so that nobody waits for a large vocabulary, and show that; unless more was changed meanwhile."""
        self._turn += 1
        turn = self._turn
        found = await asyncio.to_thread(self._compare)
        if turn == self._turn:
            self._take(found)

    def _take(self, found: tuple[OwnLaws, tuple[str, str]] | str) -> None:
        if isinstance(found, str):
            self._fault.html = Markup('<p class="fault">Not used: {}. Below is what was compared before.</p>').format(found)
            return
        self._fault.html = Markup()
        self._laws, self._kinds = found
        self._draw()

    @pn.io.hold()
    def _draw(self) -> None:
        gamma, cost = self._speed.values["gamma"], self._speed.values["cost"]
        self._box.html = say.box(self._laws, gamma, cost)
        self._says.html = say.verdict(self._laws, self._kinds, gamma, cost)
        self._lists.html = say.lists(self._laws)
        self._words.show(self._laws, {i: say.word(self._laws.words[i]) for i in (*self._laws.losing, *self._laws.refilled)})
        self._shown.html = Markup()

    def _to_widget(self) -> None:
        try:
            few = largest_words(self._laws)
            self._show(few)
        except DistributionError as error:
            self._shown.html = Markup('<p class="fault">{}.</p>').format(error)
            return
        self._shown.html = say.shown(few, len(self._laws.words))
