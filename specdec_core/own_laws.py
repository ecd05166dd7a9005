"""Your own two distributions: what acceptance they give, which words lose, and what a wrong score for the draft would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .distributions import DistributionError, largest
from .divergence import acceptance_rate, total_variation
from .entries import Entries
from .examples import Laws
from .sampling import Sampling
from .speculative import acceptance_probability, recovery, residual
from .sweep import MAX_WORDS

REST = "the rest"
_LISTED = 10  # words in each list


@dataclass(frozen=True, slots=True)
class Mistake:
    """Words drawn from one law and judged as if from another: the ratio rule with the wrong q."""

    alpha: float
    """The α that would be computed, Σ min(p, q as scored)."""
    kept: float
    """The share that is really kept, Σ q·min(1, p / q as scored)."""
    output_distance: float
    """TV between what comes out and the target: above 0, the words are no longer the target's."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnLaws:
    """Two laws over V words and what follows from them."""

    words: Sequence[str]
    """(V,); '#0', '#1', … if none were given."""
    target: NDArray[np.float64]
    draft: NDArray[np.float64]
    alpha: float
    tv: float
    losing: tuple[int, ...]
    """The ten words that lose most, max(0, q − p), most first; fewer if fewer lose."""
    refilled: tuple[int, ...]
    """The head of the residual: the ten words that a rejection is likeliest to bring."""
    residual: NDArray[np.float64] | None
    never_drafted: float
    """What the target gives to words that the draft never says: only a rejection brings them."""
    never_kept: float
    """What the draft gives to words that the target never says: always rejected."""
    mistake: Mistake | None
    """What scoring q otherwise than it was drawn would do; `None` if that was not asked."""

    @property
    def warning(self) -> str:
        """A sentence where the two supports differ, else ''."""
        if not self.never_kept and not self.never_drafted:
            return ""
        return (f"The two models are cut to different words: {100 * self.never_kept:.2g} % of the drafted words can never be kept, "
                f"and {100 * self.never_drafted:.2g} % of the target's words are never drafted.")


def own_laws(target: Entries, draft: Entries, target_sampling: Sampling = Sampling(), draft_sampling: Sampling = Sampling(),
             scored: Sampling | None = None) -> OwnLaws:
    """Compare the laws really drawn from; `scored` is how the target's side scores q, if not as it was drawn.

    Entries with words are matched by word, and a word that one side lacks has probability 0 there; without words, by place. Raises
    `DistributionError` (saying which law) and `ValueError` as `Sampling.law` does, and for laws that cannot be matched.
    """
    laws = []
    sides = ("target", target, target_sampling), ("draft", draft, draft_sampling), ("draft, as scored", draft, scored)
    for name, entries, sampling in sides:
        try:
            laws.append(None if sampling is None else sampling.law(entries))
        except DistributionError as error:
            raise DistributionError(f"{name}: {error}") from None
    words, (p, q, wrong) = _matched(target.words, draft.words, laws)
    lost, refill = np.maximum(q - p, 0), residual(p, q)
    mistake = None
    if wrong is not None:
        keep = acceptance_probability(p, wrong)
        kept = q * keep
        out = kept + (1 - kept.sum()) * recovery(p, wrong)
        mistake = Mistake(float(acceptance_rate(p, wrong)), float(kept.sum()), float(total_variation(p, out)))
    return OwnLaws(words, p, q, float(acceptance_rate(p, q)), float(total_variation(p, q)), largest(lost, _LISTED),
                   () if refill is None else largest(refill, _LISTED), refill,
                   float(p[q == 0].sum()), float(q[p == 0].sum()), mistake)


def _matched(a: tuple[str, ...] | None, b: tuple[str, ...] | None, laws: list) -> tuple[Sequence[str], list]:
    """The words, and the laws over them."""
    if a is None or b is None or a == b:
        if len(laws[0]) != len(laws[1]):
            raise DistributionError(f"the target has {len(laws[0])} entries and the draft {len(laws[1])}: without words on both "
                                    "sides they cannot be matched")
        return a or b or _Numbered(len(laws[0])), laws
    for name, words in (("target", a), ("draft", b)):
        if len(set(words)) < len(words):
            twice = next(word for i, word in enumerate(words) if words.index(word) < i)
            raise DistributionError(f"{name}: the word {twice!r} is there twice, and the two lists are in different orders")
    place = {word: i for i, word in enumerate(a)}
    for word in b:
        place.setdefault(word, len(place))
    here = np.fromiter((place[word] for word in b), dtype=np.intp, count=len(b))

    def spread(law: NDArray | None, at: NDArray | slice) -> NDArray | None:
        if law is None:
            return None
        whole = np.zeros(len(place))
        whole[at] = law
        return whole

    return tuple(place), [spread(laws[0], slice(len(a))), spread(laws[1], here), spread(laws[2], here)]


class _Numbered(Sequence):
    """The words '#0', '#1', …, made when asked for."""

    def __init__(self, n: int):
        self._n = n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, i: int) -> str:
        return f"#{range(self._n)[i]}"


def largest_words(laws: OwnLaws, n_words: int = MAX_WORDS) -> Laws:
    """The laws on the n_words − 1 words that either model likes most, and `REST`: what the Try-it widget has room for.

    Words that look blank are written with their escapes. Merged words hide how the models differ among them, so that α of the
    result is at least that of the whole. Raises `DistributionError` for fewer than two words.
    """
    p, q = laws.target, laws.draft
    if len(p) < 2 or n_words < 2:
        raise DistributionError("the widget needs at least two words")
    cut = len(p) > n_words
    shown = list(largest(np.maximum(p, q), n_words - 1) if cut else range(len(p)))
    words: list[str] = []
    for i in shown:
        word = laws.words[i]
        word = word if word.strip() and word.isprintable() else repr(word)
        words.append(word if word not in (*words, REST) else f"{word} #{i}")
    if not cut:
        return Laws(tuple(words), tuple(p.tolist()), tuple(q.tolist()))
    return Laws((*words, REST), *((*law[shown].tolist(), max(0.0, 1 - float(law[shown].sum()))) for law in (p, q)))
