"""N-gram models of words: interpolated modified Kneser–Ney, trained by sorting, one whole next-word law for each context.

With c(h, w) how often w follows the context h of n − 1 words, c(h) their sum over w, and h' = h without its oldest word,

    p(w | h) = (c(h, w) − D(c(h, w))) / c(h)  +  Σ_v D(c(h, v)) / c(h) · p(w | h')

where c for every shorter context counts the different words *before* (h, w) instead of its occurrences, and below the
shortest context stands the uniform law. D(0) = 0; D(1), D(2) and D(3 or more) are 1 − 2Y n2/n1, 2 − 3Y n3/n2 and
3 − 4Y n4/n3 with Y = n1 / (n1 + 2 n2) and n1 … n4 the number of n-grams of that length that are counted once … four times.
Sources: Kneser & Ney 1995, "Improved backing-off for m-gram language modeling" (the counts); Chen & Goodman 1999, "An empirical
study of smoothing techniques for language modeling" (interpolation, and the three discounts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_ORDER = 5
"""The longest n-gram: a word and four before it."""


@dataclass(frozen=True, eq=False)
class Level:
    """The n-grams of one length: which words follow which contexts, and how often."""

    keys: NDArray[np.int64]
    """(C,), ascending: a context as (place of the context without its oldest word) · (V + 1) + its oldest word."""
    starts: NDArray[np.int32]
    """(C + 1,): the words that follow context i stand at starts[i] … starts[i + 1] − 1."""
    words: NDArray[np.int32]
    """The words, ascending within a context."""
    counts: NDArray[np.int32]
    """c(h, w) for each, at least 1."""
    discounts: NDArray[np.float64]
    """(3,): D(1), D(2) and D(3 or more), all above 0."""

    def follow(self, context: int) -> tuple[NDArray[np.int32], NDArray[np.float64], float]:
        """The words that follow, their discounted shares, and the mass left to the shorter context."""
        here = slice(self.starts[context], self.starts[context + 1])
        counts = self.counts[here]
        return self.words[here], *_discounted(counts, self.discounts)


@dataclass(frozen=True, eq=False)
class NGram:
    """A trained model of `order` 1 … 5 over a vocabulary of `size` words. Made by `train`."""

    order: int
    size: int
    levels: tuple[Level, ...]
    """Contexts of one word first, of order − 1 words last."""
    base: NDArray[np.float64]
    """(V,): the law after no context, or an unknown one; every word has a share."""

    def law(self, context: Sequence[int]) -> NDArray[np.float64]:
        """The pmf (V,) of the next word, float64, every entry above 0; a new array.

        Only the last order − 1 numbers of `context` count, and of these only those after the last word that is unknown (any number
        outside 0 … V − 1). A context that the corpus never had says what its longest known end says.
        """
        found, place = [], 0
        for level, word in zip(self.levels, reversed(context)):
            if not 0 <= word < self.size:
                break
            key = place * (self.size + 1) + int(word)
            place = int(np.searchsorted(level.keys, key))
            if place == len(level.keys) or level.keys[place] != key:
                break
            found.append(level.follow(place))
        scale = 1.0
        for i, (words, shares, left) in reversed(list(enumerate(found))):
            found[i] = words, shares * scale
            scale *= left
        law = self.base * scale
        for words, shares in found:
            law[words] += shares
        return law

    @property
    def nbytes(self) -> int:
        """How much memory the tables take, in bytes."""
        tables = [array for level in self.levels for array in (level.keys, level.starts, level.words, level.counts)]
        return self.base.nbytes + sum(table.nbytes for table in tables)


def train(tokens: ArrayLike, order: int, size: int) -> NGram:
    """The model of `order` (1 … 5) over `size` words that the numbers `tokens` (N,) of a text's words teach.

    A number outside 0 … size − 1 is a word that the model does not know: it is never predicted. Before the text stand
    order − 1 such words. From no text comes the uniform law. Raises `ValueError` for another order, no vocabulary, or tokens
    that are no list of whole numbers.
    """
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(f"the order must be 1 to {MAX_ORDER}, not {order}")
    if size < 1:
        raise ValueError("a vocabulary needs at least one word")
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or len(tokens) and tokens.dtype.kind not in "iu":
        raise ValueError("tokens must be a list of whole numbers")
    radix = size + 1
    text = np.concatenate([np.full(order - 1, size), np.where((tokens >= 0) & (tokens < size), tokens, size)]).astype(np.int64)
    known = np.flatnonzero(text[order - 1:] < size)  # where a word stands that may be predicted
    keys, contexts = [], np.zeros(len(known), dtype=np.int64)
    for back in range(1, order):
        level, contexts = np.unique(contexts * radix + text[known + (order - 1 - back)], return_inverse=True)
        keys.append(level)
    grams, counts = np.unique(contexts * radix + text[known + (order - 1)], return_counts=True)
    levels = []
    for level in reversed(keys):
        contexts, words = np.divmod(grams, radix)
        starts = np.searchsorted(contexts, np.arange(len(level) + 1))
        levels.insert(0, Level(level, starts.astype(np.int32), words.astype(np.int32), counts.astype(np.int32), _discounts(counts)))
        grams, counts = np.unique(level[contexts] // radix * radix + words, return_counts=True)
    return NGram(order, size, tuple(levels), _base(grams, counts, size))


def perplexity(model: NGram, tokens: ArrayLike) -> float:
    """exp of the mean −log p of each of the `tokens` (N,) after those before it: as if so many words were equally likely.

    A word that the model does not know is not asked for, but stands in contexts. Raises `ValueError` if there is none it knows.
    """
    tokens = np.asarray(tokens).tolist()
    chances = [model.law(tokens[max(0, i - model.order + 1):i])[word] for i, word in enumerate(tokens) if 0 <= word < model.size]
    if not chances:
        raise ValueError("there is no word here that the model knows")
    return float(np.exp(-np.log(chances).mean()))


def _discounts(counts: NDArray[np.intp]) -> NDArray[np.float64]:
    """(3,): D(1), D(2), D(3 or more) of n-grams counted so often; where too few are for that, Y for all, or a half."""
    n1, n2, n3, n4 = (np.count_nonzero(counts == times) for times in (1, 2, 3, 4))
    if not n1 * n2:
        return np.full(3, .5)
    Y = n1 / (n1 + 2 * n2)
    if n3 and (discounts := np.array([1 - 2 * Y * n2 / n1, 2 - 3 * Y * n3 / n2, 3 - 4 * Y * n4 / n3])).min() > 0:
        return discounts
    return np.full(3, Y)


def _discounted(counts: NDArray[np.intp], discounts: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The share that each of the words so often counted keeps, and the mass that they give up."""
    taken, total = discounts[np.minimum(counts, 3) - 1], counts.sum()
    return (counts - taken) / total, taken.sum() / total


def _base(words: NDArray[np.int64], counts: NDArray[np.intp], size: int) -> NDArray[np.float64]:
    """(V,): the law of single words with these counts, on the uniform law."""
    if not len(words):
        return np.full(size, 1 / size)
    shares, left = _discounted(counts, _discounts(counts))
    law = np.full(size, left / size)
    law[words] += shares
    return law
