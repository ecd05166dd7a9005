"""Speculative sampling: draft γ words, keep what the target agrees with, recover or add one word.

A drafted word x is *accepted* iff u·q(x) < p(x), u uniform on [0, 1). The first rejection is replaced by a word *recovered* from
the *residual*, ∝ max(0, p − q), and what was drafted after it is *discarded*; if nothing is rejected, a *bonus* word is drawn from
p. What comes out has law p whatever q is. Source: Leviathan et al. 2023, arXiv:2211.17192, algorithm 1 and appendix A.1; Chen et
al. 2023, arXiv:2302.01318, algorithm 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .distributions import as_pmf, choose, cumulative

MAX_GAMMA = 10
"""The most words that `simulate_calls` drafts per call."""

UNIFORMS_PER_CALL = 2 * MAX_GAMMA + 1
"""Call k owns uniforms 21k … 21k + 20 whatever γ is: 10 choose the drafted words, 10 accept, one recovers or adds the bonus."""

MAX_SEED = 2**32 - 1
"""Seeds are the whole numbers from 0 to this."""

Judge = Callable[[NDArray[np.float64]], tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]
"""Turns uniforms (n, 21) into n calls: the drafted words (n, γ), how many were accepted (n,), and the last word (n,)."""

_BLOCK = 1 << 14  # calls judged at once: their uniforms (2.8 MB) still fit a processor's cache


def acceptance_probability(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """The chance min(1, p/q) that each word, once drafted, is kept; 1 where q is 0, since it is never drafted.

    `p` (target) and `q` (draft) broadcast on (..., V), the shape of the result.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.divide(p, q)
    return np.fmin(ratio, 1.0, out=ratio)  # fmin turns 0/0 into 1 as well


def residual(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64] | None:
    """The law of the recovered word, max(0, p − q) over its sum; `None` when p = q, where nothing is ever rejected.

    `p` and `q` broadcast on (..., V), the shape of the result. Among stacked laws, a row with p = q is all zeros.
    """
    excess = np.subtract(p, q, dtype=np.float64)
    np.maximum(excess, 0.0, out=excess)
    mass = excess.sum(axis=-1, keepdims=True)
    if not mass.any():
        return None
    excess /= np.where(mass > 0, mass, 1.0)
    return excess


def output_distribution(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """The law of a word that comes out, by enumeration: drafted and kept, or rejected and then recovered.

    `p` and `q` broadcast on (..., V), the shape of the result. It equals p: that is the theorem, and nothing here assumes it.
    """
    keep = acceptance_probability(p, q)
    rejected = (q * (1 - keep)).sum(axis=-1, keepdims=True)
    recovered = residual(p, q)
    return q * keep + (0.0 if recovered is None else rejected * recovered)


def recovery(p: NDArray, q: NDArray) -> NDArray[np.float64]:
    """The law that a rejection draws from: the residual, or p where the laws differ by rounding only and have none."""
    law = residual(p, q)
    return p if law is None else law


@dataclass(frozen=True, slots=True)
class Call:
    """One target call, as `verify` judged it. Words are indices into the vocabulary."""

    drafted: tuple[int, ...]
    """The γ drafted words in order."""
    accepted: int
    """How many of them were accepted, from the left."""
    last: int
    """The word after the accepted ones: recovered if anything was rejected, else the bonus."""
    uniforms: tuple[float, ...]
    """The γ + 1 uniforms given: one to accept each drafted word, one to choose the last."""

    @property
    def recovered(self) -> int | None:
        """The word drawn from the residual at the first rejection, or `None` if all were accepted."""
        return self.last if self.accepted < len(self.drafted) else None

    @property
    def bonus(self) -> int | None:
        """The extra word after γ acceptances, or `None` if one was rejected."""
        return self.last if self.accepted == len(self.drafted) else None

    @property
    def discarded(self) -> tuple[int, ...]:
        """What was drafted after the first rejection."""
        return self.drafted[self.accepted + 1:]

    @property
    def words(self) -> tuple[int, ...]:
        """The words that come out: the accepted ones and the last."""
        return self.drafted[:self.accepted] + (self.last,)


def verify(drafted: ArrayLike, p: ArrayLike, q: ArrayLike, uniforms: ArrayLike,
           recover: Callable[[NDArray, NDArray], NDArray] = recovery) -> Call:
    """Judge γ drafted words in one target call that has a law of its own at every position.

    `drafted` (γ,) are word indices; `p` (γ + 1, V) the target's laws and `q` (γ, V) the laws the words were really drawn from;
    `uniforms` (γ + 1,) in [0, 1). `recover` gives the law of the word that replaces a rejected one, out of p and q (V,) there: the
    residual's, unless a broken rule is to be shown at work. Raises `ValueError` for shapes that do not fit, a uniform outside
    [0, 1), a word outside the vocabulary, or a drafted word with q(x) = 0; `DistributionError` for a law that is none.
    """
    p, uniforms = as_pmf(p), np.asarray(uniforms, dtype=np.float64)
    drafted = tuple(drafted)
    gamma = len(drafted)
    q = as_pmf(q) if gamma else np.empty((0, p.shape[-1]))
    if p.ndim != 2 or q.shape != (gamma, p.shape[1]) or len(p) != gamma + 1 or uniforms.shape != (gamma + 1,):
        raise ValueError(f"{gamma} drafted words need p of shape ({gamma + 1}, V), q of ({gamma}, V) and {gamma + 1} uniforms; "
                         f"got {p.shape}, {q.shape} and {uniforms.shape}")
    if not ((uniforms >= 0) & (uniforms < 1)).all():
        raise ValueError("every uniform must lie in [0, 1)")
    for i, x in enumerate(drafted):
        if not isinstance(x, Integral) or not 0 <= x < p.shape[1]:
            raise ValueError(f"drafted word {x} at position {i} is not in the vocabulary of {p.shape[1]}")
        if q[i, x] == 0:
            raise ValueError(f"word {x} at position {i} cannot have been drafted: the draft gives it probability 0")
    accepted = 0
    while accepted < gamma and uniforms[accepted] * q[accepted, drafted[accepted]] < p[accepted, drafted[accepted]]:
        accepted += 1
    law = p[gamma] if accepted == gamma else recover(p[accepted], q[accepted])
    last = int(choose(cumulative(law), uniforms[gamma]))
    return Call(tuple(int(x) for x in drafted), accepted, last, tuple(uniforms.tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Many target calls under one pair of laws, as `simulate_calls` judged them."""

    drafted: NDArray[np.int32]
    """(n, γ): the drafted words of each call."""
    accepted: NDArray[np.int32]
    """(n,): how many of them were accepted."""
    last: NDArray[np.int32]
    """(n,): the recovered word, or the bonus where all were accepted."""
    vocabulary: int
    """V, the number of words."""

    @property
    def words(self) -> NDArray[np.int32]:
        """The words that came out, all calls in order, flat."""
        table = np.column_stack([self.drafted, self.last])
        positions = np.arange(table.shape[1])
        table[np.arange(len(table)), self.accepted] = self.last
        return table[positions <= self.accepted[:, None]]

    @property
    def tally(self) -> NDArray[np.intp]:
        """(V,): how often each word came out."""
        kept = np.arange(self.drafted.shape[1]) < self.accepted[:, None]
        return np.bincount(self.drafted[kept], minlength=self.vocabulary) + np.bincount(self.last, minlength=self.vocabulary)

    @property
    def tokens_per_call(self) -> float:
        """Words that came out per call; NaN for no calls."""
        return float(self.accepted.mean()) + 1 if len(self.accepted) else float("nan")

    @property
    def standard_error(self) -> float:
        """The standard error of `tokens_per_call`, from the spread seen; NaN for fewer than two calls."""
        n = len(self.accepted)
        return float(self.accepted.std(ddof=1)) / n**0.5 if n > 1 else float("nan")


def judge(drawn: NDArray, scale: NDArray, bound: NDArray, recovered: NDArray, bonus: NDArray, gamma: int) -> Judge:
    """The judge that accepts a word x, drafted from `drawn`, iff u·scale(x) < bound(x), and then draws the last word.

    All arguments but γ have shape (V,); `recovered` and `bonus` are laws. With drawn = scale = q, bound = bonus = p and the
    residual recovered it is the exact rule; `rules` has the others.
    """
    draft, recovery_totals, bonus_totals = cumulative(drawn), cumulative(recovered), cumulative(bonus)

    def judged(uniforms: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        drafted = choose(draft, uniforms[:, :gamma])
        accepted = accepted_prefix(uniforms[:, MAX_GAMMA:MAX_GAMMA + gamma] * scale[drafted] >= bound[drafted])
        u = uniforms[:, -1]
        return drafted, accepted, np.where(accepted == gamma, choose(bonus_totals, u), choose(recovery_totals, u))

    return judged


def accepted_prefix(rejected: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many words (n,) stand before the first rejection in each row of `rejected` (n, γ); γ where there is none."""
    gamma = rejected.shape[1]
    return np.where(rejected.any(axis=1), rejected.argmax(axis=1), gamma) if gamma else np.zeros(len(rejected), dtype=np.intp)


def judged_blocks(judged: Judge, n_calls: int, seed: int, first: int = _BLOCK) -> Iterator[tuple[NDArray, NDArray, NDArray]]:
    """`n_calls` calls in order, a block at a time: what `judged` makes of the stream of `seed`, 21 uniforms to a call.

    Blocks hold `first` calls, then a quarter of what has been judged, and never more than 16,384: memory stays flat, and whoever
    begins with 1 sees the start in detail. Call k is the same call whatever the blocks are.
    """
    stream = np.random.RandomState(seed)
    done = 0
    while done < n_calls:
        size = min(max(first, done // 4), _BLOCK, n_calls - done)
        done += size
        yield judged(stream.random_sample((size, UNIFORMS_PER_CALL)))


def whole(name: str, value: float, low: int, top: float) -> int:
    """`value` as an int; `ValueError`, with its name, unless it is a whole number from `low` to `top`."""
    if not isinstance(value, Integral) or not low <= value <= top:
        raise ValueError(f"{name} must be a whole number from {low} to {top}, not {value!r}")
    return int(value)


def checked_run(p: ArrayLike, q: ArrayLike, gamma: int, n_calls: int, seed: int) -> tuple[NDArray, NDArray, int, int, int]:
    """The arguments of a run, checked: two laws (V,), γ up to `MAX_GAMMA`, a number of calls, a seed up to `MAX_SEED`.

    Raises `DistributionError` for a law that is none and `ValueError` for laws of different lengths or a number out of range.
    """
    p, q = as_pmf(p), as_pmf(q)
    if p.ndim != 1 or p.shape != q.shape:
        raise ValueError(f"p and q must be two laws over the same words, not of shapes {p.shape} and {q.shape}")
    return p, q, whole("gamma", gamma, 0, MAX_GAMMA), whole("n_calls", n_calls, 0, np.inf), whole("seed", seed, 0, MAX_SEED)


def recorded(judged: Judge, gamma: int, vocabulary: int, n_calls: int, seed: int) -> Calls:
    """The record of `n_calls` calls under a judge, filled block by block."""
    calls = Calls(*(np.empty(shape, dtype=np.int32) for shape in ((n_calls, gamma), n_calls, n_calls)), vocabulary=vocabulary)
    done = 0
    for drafted, accepted, last in judged_blocks(judged, n_calls, seed):
        block = slice(done, done + len(last))
        calls.drafted[block], calls.accepted[block], calls.last[block] = drafted, accepted, last
        done = block.stop
    return calls


def simulate_calls(p: ArrayLike, q: ArrayLike, gamma: int, n_calls: int, seed: int) -> Calls:
    """`n_calls` target calls with the same laws at every position, on the stream of uniforms that the browser draws too.

    `p` (V,) is the target, `q` (V,) the draft, `gamma` at most `MAX_GAMMA`. The uniforms are MT19937's 53-bit doubles
    (`numpy.random.RandomState(seed).random_sample`), `UNIFORMS_PER_CALL` to a call, so that call k is the same call however many
    are run and whatever γ is. Works in blocks: beyond the record, memory does not grow with `n_calls`. Raises `DistributionError`
    for a law that is none and `ValueError` for a number out of range.
    """
    p, q, gamma, n_calls, seed = checked_run(p, q, gamma, n_calls, seed)
    return recorded(judge(q, q, p, recovery(p, q), p, gamma), gamma, len(p), n_calls, seed)
