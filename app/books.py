"""The books that come with the app, and the models that a text teaches: the books' once in a process, shared by all sessions."""

from __future__ import annotations

import lzma
import threading
from functools import cache

import numpy as np

from specdec_core.ngram import NGram, train
from specdec_core.words import Vocabulary, detokenise, tokenise

from .assets import ASSETS

NOVELS = ("pride-and-prejudice", "emma")
"""What the shipped models are trained on: two novels by Jane Austen."""

OTHER_BOOK = "alice"
"""What the stranger among the drafts is trained on: *Alice's Adventures in Wonderland*."""

_LOCK = threading.RLock()  # one training at a time, and no model twice


def read(name: str) -> str:
    """The text of a book in `assets/corpus/`."""
    return lzma.decompress((ASSETS / "corpus" / f"{name}.txt.xz").read_bytes()).decode("utf-8")


class Models:
    """The models over one text's vocabulary, each trained when it is first asked for. Any thread may ask."""

    def __init__(self, tokens: list[str]):
        """`tokens` are the text's words, as `tokenise` gives them."""
        self.vocabulary = Vocabulary.of(tokens)
        self.ids = np.array(self.vocabulary.ids(tokens), dtype=np.int32)
        self._trained: dict[int | str, NGram] = {}

    def beginnings(self, most: int, length: int = 7) -> list[str]:
        """The first words of up to `most` paragraphs that are longer, spread over the text; at least how the text begins."""
        ends = np.flatnonzero(self.ids == self.vocabulary.ids(["\n"])[0])
        starts, ends = np.append(0, ends + 1), np.append(ends, len(self.ids))
        longer = starts[ends - starts > length] if (ends - starts > length).any() else starts[:1]
        places = longer[np.linspace(0, len(longer) - 1, min(most, len(longer))).round().astype(int)]
        return [detokenise(self.vocabulary.tokens(self.ids[place:place + length])) for place in places]

    def order(self, order: int) -> NGram:
        """The n-gram model of this order, 1 … 5, trained on the text."""
        return self._once(order, lambda: train(self.ids, order, len(self.vocabulary)))

    @property
    def stranger(self) -> NGram:
        """A 2-gram model trained on another book, over this vocabulary."""
        return self._once("stranger", lambda: train(self.vocabulary.ids(_other_words()), 2, len(self.vocabulary)))

    def _once(self, key, make) -> NGram:
        with _LOCK:
            if key not in self._trained:
                self._trained[key] = make()
            return self._trained[key]


def shipped() -> Models:
    """The models of the two novels, the same for everybody; the first to ask waits while their words are read."""
    with _LOCK:
        return _shipped()


def warm() -> None:
    """Read the novels and train the two models that the page begins with, in the background."""
    threading.Thread(target=lambda: [shipped().order(order) for order in (2, 5)], name="books", daemon=True).start()


@cache
def _shipped() -> Models:
    return Models(tokenise("\n".join(map(read, NOVELS))))


@cache
def _other_words() -> list[str]:
    return tokenise(read(OTHER_BOOK))
