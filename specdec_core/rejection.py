"""Classic rejection sampling: propose from one law, keep what falls under another, start again otherwise; and what each no costs.

With an *envelope constant* M, a proposal x from q is kept iff u·M·q(x) < p(x): a dart thrown under the envelope M·q, kept where it
is under p as well. Where M is too small, p > M·q, the dart cannot reach p's top, and what is kept has law min(p, M·q) over its sum.
Source: von Neumann 1951, 'Various techniques used in connection with random digits'; Devroye 1986, section II.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .distributions import DistributionError, as_pmf, choose, cumulative
from .divergence import acceptance_rate
from .rules import RULES
from .speculative import whole

MAX_TRIES = 100_000
"""So many rejections in a row end `rejection_sample` with an error."""

_ROUNDING = 1e-12  # p may exceed M·q by this share where M is max p/q itself
_BLOCK = 1 << 16  # the most proposals judged at once

Density = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Proposal(Protocol):
    """A law on the line that can be drawn from: one uniform to a draw, so that proposal k is the same whatever M is."""

    def density(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The density at x (n,)."""

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """The draw that each uniform u (n,) in [0, 1) makes, by inverse transform."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """The uniform proposal between `low` and `high`."""

    low: float
    high: float

    def density(self, x: ArrayLike) -> NDArray[np.float64]:
        x = np.asarray(x)
        return np.where((self.low <= x) & (x <= self.high), 1 / (self.high - self.low), 0.0)

    def quantile(self, u: ArrayLike) -> NDArray[np.float64]:
        return self.low + (self.high - self.low) * np.asarray(u)


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal proposal with this mean and standard deviation."""

    mean: float
    deviation: float

    def density(self, x: ArrayLike) -> NDArray[np.float64]:
        z = (np.asarray(x) - self.mean) / self.deviation
        return np.exp(-z * z / 2) / (self.deviation * sqrt(2 * pi))

    def quantile(self, u: ArrayLike) -> NDArray[np.float64]:
        inverse = np.frompyfunc(NormalDist(self.mean, self.deviation).inv_cdf, 1, 1)
        return inverse(np.maximum(u, 2.0**-54)).astype(np.float64)  # the normal law has no smallest value for u = 0


@dataclass(frozen=True, slots=True)
class _Words:
    """A pmf as a proposal: its 'line' is the indices of its words."""

    pmf: NDArray[np.float64]

    def density(self, x: NDArray) -> NDArray[np.float64]:
        return self.pmf[x]

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.intp]:
        return choose(cumulative(self.pmf), u)


def two_bumps(x: ArrayLike) -> NDArray[np.float64]:
    """A density of two bumps on (−2.5, 2.5): 60 % of a raised cosine about −1.1 and 40 % of a narrower one about 1.2."""
    x = np.asarray(x, dtype=np.float64)
    parts = ((weight * (1 + np.cos(pi * (x - centre) / width)) / (2 * width), abs(x - centre) < width)
             for weight, centre, width in ((.6, -1.1, 1.4), (.4, 1.2, 1.3)))
    return sum(np.where(inside, height, 0.0) for height, inside in parts)


FLAT_PROPOSAL = Uniform(-3.0, 3.0)
"""For `two_bumps`: M = .6/1.4 · 6 = 18/7 = 2.571, at the higher bump; 38.9 % are kept."""

BELL_PROPOSAL = Normal(0.0, 1.4)
"""For `two_bumps`: M = 2.212, found numerically, at x = −1.37; 45.2 % are kept."""


def _laws(target: ArrayLike, proposal: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two pmfs over the same words; a proposal without mass where the target has some is refused."""
    p, q = as_pmf(target), as_pmf(proposal)
    if p.ndim != 1 or p.shape != q.shape:
        raise DistributionError(f"target and proposal must be two laws over the same words, not of shapes {p.shape} and {q.shape}")
    _refuse_gap(p, q, np.arange(len(p)), "word {} (counting from 0)")
    return p, q


def _refuse_gap(p: NDArray, q: NDArray, places: NDArray, named: str) -> None:
    for i in np.flatnonzero((p > 0) & (q == 0))[:1]:
        raise DistributionError(f"the proposal never gives {named.format(places[i])}, where the target has {p[i]:.6g}")


def envelope_constant(target: ArrayLike | Density, proposal: ArrayLike | Proposal,
                      between: tuple[float, float] | None = None) -> float:
    """M = max p/q, the smallest with p ≤ M·q everywhere; one proposal in M is kept.

    Two pmfs (V,); or a density and a proposal, whose ratio is searched `between` two points: on 2,001 points, then four times more
    closely about the highest, for ratios smooth enough that the grid sees every bump. Raises `DistributionError` for a law that is
    none or a proposal with no mass where the target has some; the message names the place.
    """
    if not callable(target):
        p, q = _laws(target, proposal)
        with np.errstate(over="ignore"):  # an infinite M is true enough for a mass near the smallest float
            return float(np.divide(p, q, out=np.zeros_like(p), where=p > 0).max())
    (low, high), best = between, 0.0
    for _ in range(5):
        x = np.linspace(low, high, 2001)
        p, q = target(x), proposal.density(x)
        _refuse_gap(p, q, x, "x = {:.6g}")
        ratio = np.divide(p, q, out=np.zeros_like(p), where=p > 0)
        top = int(ratio.argmax())
        best, low, high = max(best, float(ratio[top])), x[max(top - 1, 0)], x[min(top + 1, 2000)]
    return best


def kept_share(target: ArrayLike | Density, proposal: ArrayLike | Proposal, M: float,
               between: tuple[float, float] | None = None) -> float:
    """Σ min(p/M, q), or the integral `between` two points: the share of proposals that is kept; 1/M if M is large enough.

    Two pmfs (V,), or a density and a `Proposal`. Raises as `rejection_sample`.
    """
    if callable(target):
        return float(_masses(target, proposal, M, np.linspace(*between, 101)).sum())
    return float(kept_parts(target, proposal, M).sum())


def kept_parts(target: ArrayLike, proposal: ArrayLike, M: float) -> NDArray[np.float64]:
    """min(p/M, q) (V,): the share of proposals that are this word and are kept. For pmfs; raises as `rejection_sample`."""
    return _kept(*_laws(target, proposal), M)


def kept_distribution(target: ArrayLike | Density, proposal: ArrayLike | Proposal, M: float,
                      edges: ArrayLike | None = None) -> NDArray[np.float64]:
    """The law (V,) of what is kept: p if M is large enough, else min(p, M·q) over its sum; by enumeration.

    For a density and a `Proposal`, the shares (B,) between one of the `edges` (B + 1,) and the next, by the midpoint rule.
    """
    kept = _masses(target, proposal, M, np.asarray(edges)) if callable(target) else kept_parts(target, proposal, M)
    return kept / kept.sum()


def _masses(target: Density, proposal: Proposal, M: float, edges: NDArray) -> NDArray[np.float64]:
    """The integrals (B,) of min(p/M, q) from edge to edge."""
    middles = (np.arange(400) + .5) / 400
    x = edges[:-1, None] + np.diff(edges)[:, None] * middles
    return _kept(target(x), proposal.density(x), M).mean(axis=1) * np.diff(edges)


def _kept(p: NDArray, q: NDArray, M: float) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):  # p/M beyond the largest float is more than q
        return np.minimum(p / _checked(M), q)


def _checked(M: float) -> float:
    if not 0 < M < inf:
        raise ValueError(f"the envelope constant must be finite and above 0, not {M}")
    return M


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """N proposals in order, kept and rejected ones, each with the dart that decided about it."""

    x: NDArray
    """(N,): what was proposed: numbers, or for pmfs word indices."""
    height: NDArray[np.float64]
    """(N,): u·M·q(x), how high the dart landed under the envelope."""
    target: NDArray[np.float64]
    """(N,): p(x)."""
    envelope: NDArray[np.float64]
    """(N,): M·q(x)."""
    M: float
    """The envelope constant used."""
    short: NDArray
    """Where p > M·q, so that what is kept does *not* have law p: for pmfs all such words, for densities such proposals."""

    @property
    def kept(self) -> NDArray[np.bool_]:
        """(N,): whether the dart landed under the target."""
        return self.height < self.target

    @property
    def sample(self) -> NDArray:
        """The proposals that were kept, in order."""
        return self.x[self.kept]

    @property
    def wasted(self) -> int:
        """How many proposals were rejected."""
        return int(np.count_nonzero(~self.kept))


def propose(target: ArrayLike | Density, proposal: ArrayLike | Proposal, M: float, uniforms: ArrayLike) -> Proposals:
    """Judge as many proposals as there are rows in `uniforms` (N, 2), in [0, 1): one to propose, one for the height of the dart.

    Two pmfs (V,), or a density and a `Proposal`. The same uniforms under another M are the same luck judged again. Raises as
    `rejection_sample`.
    """
    uniforms, words = np.asarray(uniforms, dtype=np.float64), not callable(target)
    if words:
        p, q = _laws(target, proposal)
        target, proposal = _Words(p).density, _Words(q)
    x = proposal.quantile(uniforms[:, 0])
    heights, envelope = target(x), _checked(M) * proposal.density(x)
    short = np.flatnonzero(p > M * q * (1 + _ROUNDING)) if words else np.unique(x[heights > envelope * (1 + _ROUNDING)])
    return Proposals(x, uniforms[:, 1] * envelope, heights, envelope, float(M), short)


def rejection_sample(target: ArrayLike | Density, proposal: ArrayLike | Proposal, M: float, n: int,
                     rng: np.random.RandomState | np.random.Generator) -> Proposals:
    """Propose until `n` are kept; returns every proposal up to the n-th that is.

    Two pmfs (V,), or a density and a `Proposal`. An M that is too small is not hidden: `short` says where. Two uniforms of `rng` to
    a proposal, so that under one seed proposal k is the same for every M and n. Memory grows like n·M. Raises `DistributionError`
    for a law that is none or a proposal that never gives a word of the target's (named), `ValueError` for an M that is not finite
    and above 0, and `RuntimeError` after `MAX_TRIES` rejections in a row.
    """
    n = whole("n", n, 0, inf)
    uniforms, kept, dry = [np.empty((0, 2))], 0, 0
    while kept < n:
        block = rng.random((int(min(max(1.0, M) * (n - kept) + 64, _BLOCK)), 2))
        hits = np.flatnonzero(propose(target, proposal, M, block).kept)[:n - kept]
        dry = len(block) - 1 - int(hits[-1]) if hits.size else dry + len(block)
        if dry >= MAX_TRIES:
            raise RuntimeError(f"{dry:,} proposals in a row were rejected: with M = {M:.6g} hardly any is ever kept")
        kept += hits.size
        uniforms.append(block if kept < n else block[:hits[-1] + 1])
    return propose(target, proposal, M, np.concatenate(uniforms))


class Way(NamedTuple):
    """One way to say no to a proposal."""

    name: str
    kept: float
    """The chance that one proposal is kept."""
    law: NDArray[np.float64] | None
    """(V,): the law of what comes out in the end, by enumeration; `None` if nothing need ever come out."""
    rejected: str
    """What becomes of a rejected proposal."""


def three_ways(p: ArrayLike, q: ArrayLike) -> tuple[Way, Way, Way]:
    """Classic rejection, comparing two draws, and the speculative rule on one target p (V,) and one proposal q (V,).

    Each gives p; they keep 1/M, Σ p·q and Σ min(p, q), and no way of saying no keeps more than the last, since p and q have no more
    in common. Where q never gives a word of p's, classic rejection has no M and keeps nothing. Source for the bound: Lindvall 1992,
    'Lectures on the coupling method', section I.5.
    """
    p, q = as_pmf(p), as_pmf(q)
    fits = not ((p > 0) & (q == 0)).any()
    M = envelope_constant(p, q) if fits else inf
    return (Way("Classic rejection", 1 / M, kept_distribution(p, q, M) if M < inf else None, "start again"),
            Way("Compare two draws", RULES["match"].acceptance_rate(p, q), RULES["match"].output_distribution(p, q),
                "take the target's draw"),
            Way("Speculative rule", float(acceptance_rate(p, q)), RULES["speculative"].output_distribution(p, q),
                "draw from the residual"))


def effective_share(p: ArrayLike, q: ArrayLike) -> float:
    """1 / Σ p²/q: how many draws of p each proposal of q is worth if all are kept and weighted by p/q (importance sampling).

    For pmfs (V,); 0 if q never gives a word of p's. Source: Kong 1992, 'A note on importance sampling using standardized weights'.
    """
    p, q = as_pmf(p), as_pmf(q)
    with np.errstate(divide="ignore"):
        return float(1 / np.divide(p * p, q, out=np.zeros_like(p), where=p > 0).sum())
