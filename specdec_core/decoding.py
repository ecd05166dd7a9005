"""Speculative decoding of a text, where the laws change from word to word.

Source: Leviathan et al. 2023, arXiv:2211.17192, algorithm 1; Chen et al. 2023, arXiv:2302.01318, algorithm 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .decoded import DecodedCall, Decoding, Position, position
from .distributions import choose, cumulative, largest
from .sampling import Sampling
from .speculative import MAX_GAMMA, MAX_SEED, UNIFORMS_PER_CALL, Call, recovery, verify, whole

LanguageLaw = Callable[[Sequence[int]], NDArray[np.float64] | None]
"""The law (V,) of the next word after a context of word numbers; `None` where a draft has nothing to propose."""

Recover = Callable[[NDArray, NDArray], NDArray]
"""The law of the word that replaces a rejected one, out of p and q (V,) there."""


def sampled(law: LanguageLaw, sampling: Sampling) -> LanguageLaw:
    """The language law that is really drawn from: `law` after temperature, top-k and top-p."""
    def drawn(context: Sequence[int]) -> NDArray[np.float64] | None:
        pmf = law(context)
        return None if pmf is None else sampling.of(pmf)

    return drawn


@dataclass(frozen=True, slots=True)
class PromptLookup:
    """A draft without a model: the word that followed when the latest words were last there, with all its mass.

    It looks for the latest `longest` words earlier in the context, then for fewer, down to one; where not even the last word was
    there before, it proposes nothing. A number outside 0 … V − 1, an unknown word, is never proposed. Source: Saxena 2023,
    github.com/apoorvumang/prompt-lookup-decoding.
    """

    vocabulary: int
    longest: int = 3

    def __call__(self, context: Sequence[int]) -> NDArray[np.float64] | None:
        context = tuple(context)
        for n in range(min(self.longest, len(context) - 1), 0, -1):
            for start in range(len(context) - n - 1, -1, -1):
                word = context[start + n]
                if context[start:start + n] == context[-n:] and 0 <= word < self.vocabulary:
                    return (np.arange(self.vocabulary) == word).astype(np.float64)
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One target call that drafted m words, with the laws it was judged by."""

    call: Call
    draws: tuple[float, ...]
    """The m uniforms that chose the drafted words."""
    p: NDArray[np.float64]
    """(m + 1, V): the target's laws after 0 … m drafted words."""
    q: NDArray[np.float64]
    """(m, V): the laws that the words were drawn from."""


def step(target: LanguageLaw, draft: LanguageLaw, context: Sequence[int], gamma: int, uniforms: ArrayLike,
         recover: Recover = recovery) -> Step:
    """One target call after `context`: draft up to γ words one after another, judge them all, recover one word or add one.

    `uniforms` (21,) are laid out as in `simulate_calls`: 10 choose the drafted words, 10 accept, one recovers or adds the bonus. A
    draft that has nothing more to propose ends its turn early; a call without a drafted word is a step of plain decoding.
    Raises `ValueError` for a γ above `MAX_GAMMA`, and as `verify` does for laws that are none.
    """
    gamma, uniforms = whole("gamma", gamma, 0, MAX_GAMMA), np.asarray(uniforms, dtype=np.float64)
    text, drafted, q = list(context), [], []
    p = [target(text)]
    while len(drafted) < gamma and (law := draft(text)) is not None:
        q.append(law)
        drafted.append(int(choose(cumulative(law), uniforms[len(drafted)])))
        text.append(drafted[-1])
        p.append(target(text))
    m = len(drafted)
    call = verify(drafted, p, q, [*uniforms[MAX_GAMMA:MAX_GAMMA + m], uniforms[-1]], recover)
    return Step(call, tuple(uniforms[:m].tolist()), np.asarray(p), np.reshape(q, (m, len(p[0]))))


def decode(target: LanguageLaw, draft: LanguageLaw, prompt: Sequence[int], gamma: int, n_words: int, seed: int,
           end: int | None = None) -> Decoding:
    """Whole target calls after `prompt`, until there are at least `n_words` words or the word `end` has come out.

    Call k owns uniforms 21k … 21k + 20 of the seed's stream (`RandomState(seed).random_sample`), so that a seed replays the text.
    At γ = 0 it is plain decoding. Raises as `step` does, and `ValueError` for a number of words or a seed that is none.
    """
    gamma, n_words = whole("gamma", gamma, 0, MAX_GAMMA), whole("n_words", n_words, 0, np.inf)
    stream = np.random.RandomState(whole("seed", seed, 0, MAX_SEED))
    calls, words = [], []
    while len(words) < n_words and not (words and words[-1] == end):
        it = step(target, draft, (*prompt, *words), gamma, stream.random_sample(UNIFORMS_PER_CALL))
        out = it.call.words
        out = out[:out.index(end) + 1] if end in out else out
        calls.append(DecodedCall(len(words), it.call, it.draws, out, tuple(_positions(it))))
        words += out
    return Decoding(tuple(prompt), gamma, tuple(calls))


def _positions(it: Step) -> Iterator[Position]:
    call = it.call
    for i, p in enumerate(it.p):
        took_part = [*call.drafted[i:i + 1], *([call.last] if i == call.accepted else [])]
        yield position(p, it.q[i] if i < len(it.q) else None, *took_part)


def continuations(target: LanguageLaw, draft: LanguageLaw, prompt: Sequence[int], gamma: int, length: int, seed: int,
                  recover: Recover = recovery) -> Iterator[tuple[int, ...]]:
    """The first `length` words after `prompt`, again and again without end, each time by fresh calls of one stream of uniforms.

    With another `recover` than the exact one, a broken rule writes them. Raises as `step` does.
    """
    stream = np.random.RandomState(whole("seed", seed, 0, MAX_SEED))
    while True:
        words: tuple[int, ...] = ()
        while len(words) < length:
            words += step(target, draft, (*prompt, *words), gamma, stream.random_sample(UNIFORMS_PER_CALL), recover).call.words
        yield words[:length]


def likeliest(target: LanguageLaw, prompt: Sequence[int], length: int, most: int) -> dict[tuple[int, ...], float]:
    """The `most` likeliest continuations of `length` words and their probabilities, likeliest first; fewer if fewer are possible.

    Best first: a beginning is extended only while it is likelier than what is still to be found, since no end can be likelier than
    its beginning. Of equals, the one with the smaller word numbers comes first.
    """
    found: dict[tuple[int, ...], float] = {}
    open_ends = [(-1.0, ())]
    while open_ends and len(found) < most:
        chance, words = heappop(open_ends)
        if len(words) == length:
            found[words] = -chance
            continue
        law = target((*prompt, *words))
        of_last = most if len(words) == length - 1 else len(law)  # of one beginning no more than `most` are wanted
        for word in largest(law, of_last):
            heappush(open_ends, (float(chance * law[word]), (*words, word)))
    return found
