"""The controls of `/text`, and the settings they stand at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from specdec_core import Sampling

from .controls import Choice, Range, Seed
from .pasting import Field, Fields, Menu, Paste
from .state import BOUNDS, MAX_PROMPT, State
from .text_drafts import DRAFTS, PROMPTS, Settings
from .try_it import TryIt

_WORDS = (20, 40, 80)
_OWN = "your own: "
_SHORT = 60  # characters of a beginning in the list
_KEYS = list(DRAFTS)
_DEFAULTS = State()


class Controls:
    """Prompt, draft, γ, c, seed, length and how both models are drawn from, in the state of the address.

    `changed()` is called after every change. A Try-it widget to `follow` shares γ and the seed.
    """

    def __init__(self, state: State, changed: Callable[[], None], follow: TryIt | None = None):
        self._own = None if state.prompt is None or state.prompt in PROMPTS else state.prompt
        self._changed, self._offered = changed, PROMPTS
        self.prompt = Menu(label="The text begins with", options=self._prompts())
        self.prompt.value = PROMPTS.index(state.prompt) if state.prompt in PROMPTS else len(PROMPTS) if self._own else 0
        self.own = Paste(self._use, label="Your own beginning", opens="A beginning of your own", text=self._own or "", rows=3,
                         button="Use it")
        self.draft = Menu(label="The draft", options=[draft.name for draft in DRAFTS.values()], value=_KEYS.index(state.draft),
                          address="draft", keys=_KEYS)
        self.gamma = Range(label="Words drafted per call, γ", value=state.gamma, start=BOUNDS["gamma"][0], end=BOUNDS["gamma"][1],
                           step=1, digits=0, ends=[str(bound) for bound in BOUNDS["gamma"]], address="gamma")
        self.cost = Range(label="Cost of a draft step, c", value=state.cost, ends=["free", "a target step"], address="cost")
        self.seed = Seed(value=state.seed, address="seed")
        self.words = Choice("Words to write", [str(n) for n in sorted({*_WORDS, state.words})], str(state.words))
        self.target_sampling = _sampling("The target", state.temperature, state.top_k, state.top_p)
        self.draft_sampling = _sampling("The draft", state.draft_temperature, state.draft_top_k, state.draft_top_p)
        if follow is not None:
            follow.param.watch(lambda event: self.gamma.param.update(value=event.new), "gamma")
            self.gamma.param.watch(lambda event: follow.param.update(gamma=round(event.new)), "value")
            follow.link(self.seed, seed="value", bidirectional=True)
        for control in self.prompt, self.draft, self.gamma, self.cost, self.seed, self.words:
            control.param.watch(lambda _: changed(), "value")
        for fields in self.target_sampling, self.draft_sampling:
            fields.param.watch(lambda _: changed(), "values")

    @property
    def settings(self) -> Settings:
        """Where they stand."""
        own = self.prompt.value == len(self._offered)
        return Settings(self._own if own else self._offered[self.prompt.value], _KEYS[self.draft.value], round(self.gamma.value),
                        int(self.words.value), self.seed.value, self.cost.value, _read(self.target_sampling),
                        _read(self.draft_sampling))

    def offer(self, prompts: Sequence[str]) -> None:
        """Let the list have other beginnings, and choose the first; the reader's own stays in it."""
        self._offered = tuple(prompts)
        self.prompt.param.update(options=self._prompts(), value=0)

    def _prompts(self) -> list[str]:
        if self._own is None:
            return [_short(prompt) for prompt in self._offered]
        return [*map(_short, self._offered), _OWN + _short(self._own)]

    def _use(self, text: str) -> None:
        """Take a beginning of the reader's; the last one stays if there is none."""
        if not text.strip():
            self.own.fault = "Not used: there is no word in it."
            return
        self._own = text
        self.prompt.options = self._prompts()
        if self.prompt.value == len(self._offered):
            self._changed()
        else:
            self.prompt.value = len(self._offered)


def _short(prompt: str) -> str:
    """As much of a beginning as the list has room for."""
    prompt = " ".join(prompt.split())
    return prompt if len(prompt) <= _SHORT else f"{prompt[:_SHORT - 1]}…"


def address(settings: Settings) -> dict[str, str | int | None]:
    """What a page's address says of the settings that no control writes there itself; `None` for what is as it would be without.

    A beginning that is too long for an address is not in it.
    """
    target, draft, prompt = settings.target_sampling, settings.draft_sampling, settings.prompt
    values = {"prompt": None if prompt == PROMPTS[0] or len(prompt) > MAX_PROMPT else prompt, "words": settings.words,
              "temperature": target.temperature, "top_k": target.k, "top_p": target.mass,
              "draft_temperature": draft.temperature, "draft_top_k": draft.k, "draft_top_p": draft.mass}
    return {name: None if value == getattr(_DEFAULTS, name) else _plain(value) for name, value in values.items()}


def _plain(value):
    """A number as an address has it, without an exponent."""
    return np.format_float_positional(value, trim="-") if isinstance(value, float) else value


def _sampling(whose: str, temperature: float, k: int | None, mass: float) -> Fields:
    fields = [Field("temperature", "temperature", *BOUNDS["temperature"], needed=True),
              Field("k", "top-k", *BOUNDS["top_k"], whole=True), Field("mass", "top-p", *BOUNDS["top_p"])]
    return Fields(f"{whose} is drawn from", fields, opens=f"{whose}: temperature, top-k, top-p", temperature=temperature, k=k,
                  mass=None if mass == 1 else mass)


def _read(fields: Fields) -> Sampling:
    values = fields.values
    return Sampling(values["temperature"], values["k"], 1.0 if values["mass"] is None else values["mass"])
