"""Who may draft a text, and what a text is written by: the settings of `/text`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from specdec_core import Decoding, PromptLookup, Sampling, decode, sampled
from specdec_core.decoding import LanguageLaw
from specdec_core.words import tokenise

from .books import Models

PROMPTS = ("It is a truth universally acknowledged, that", "She was", "“I do not know,” said Elizabeth, “",
           "My dear Mr. Knightley, you", "The house was small, and the garden was small, and the",
           "Alice was beginning to get very tired of")
"""What a text may begin with; a reader may bring another."""

LONGEST_PROMPT = 300
"""Words of a prompt that are used, the last ones."""


@dataclass(frozen=True)
class Draft:
    """Somebody who drafts."""

    name: str
    law: Callable[[Models], LanguageLaw]
    own_cost: float | None = None
    """c where it is not the reader's: a step of the target costs a step, looking up costs none worth counting."""

    @property
    def short(self) -> str:
        """The name without what it means."""
        return self.name.partition(":")[0]

    def cost(self, cost: float) -> float:
        """c for this draft, where `cost` is that of a small model."""
        return cost if self.own_cost is None else self.own_cost


DRAFTS: dict[str, Draft] = {
    "1-gram": Draft("1-gram: words by how common they are", lambda models: models.order(1).law),
    "2-gram": Draft("2-gram: sees one word back", lambda models: models.order(2).law),
    "3-gram": Draft("3-gram: sees two words back", lambda models: models.order(3).law),
    "target": Draft("the target itself", lambda models: models.order(5).law, 1.0),
    "look-up": Draft("look-up: copies what followed the last time", lambda models: PromptLookup(len(models.vocabulary)), 0.0),
    "stranger": Draft("2-gram of another book", lambda models: models.stranger.law),
}
"""By the name in the address."""


@dataclass(frozen=True)
class Settings:
    """What decides a text: with the models, all of it."""

    prompt: str
    draft: str
    gamma: int
    words: int
    seed: int
    cost: float
    target_sampling: Sampling
    draft_sampling: Sampling

    @property
    def tokens(self) -> list[str]:
        """The words of the prompt that are used."""
        return tokenise(self.prompt)[-LONGEST_PROMPT:]

    def context(self, models: Models) -> list[int]:
        """Their numbers; an unknown word has one that is no word's."""
        return models.vocabulary.ids(self.tokens)

    def target_law(self, models: Models) -> LanguageLaw:
        """What the target's words are drawn from."""
        return sampled(models.order(5).law, self.target_sampling)

    def draft_law(self, models: Models) -> LanguageLaw:
        """What the drafted words are drawn from."""
        return sampled(DRAFTS[self.draft].law(models), self.draft_sampling)

    @property
    def draft_cost(self) -> float:
        """c of this draft."""
        return DRAFTS[self.draft].cost(self.cost)

    def decoded(self, models: Models) -> Decoding:
        """The text, with every call on record."""
        return decode(self.target_law(models), self.draft_law(models), self.context(models), self.gamma, self.words, self.seed)
