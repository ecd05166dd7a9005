"""What an engine counted, and every rate that follows from it, each under one definition and under each engine's own name for it.

A *call* is one target call that judged drafted words. Words: a drafted word is *tested* unless one before it was rejected, so that
tested = accepted + rejections; *survival* S_i is the share of calls that accepted words 1 … i; the *conditional* rate at i is
S_i / S_(i−1). Source: Leviathan et al. 2023, arXiv:2211.17192, section 3; the engines' names from their sources (`engine_logs`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import gt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chisquare import chi_square_tail
from .throughput import expected_tokens, tokens_distribution

Z = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""


class MetricsError(ValueError):
    """What was pasted cannot be read or cannot be true; the message says why, and on which line, in one sentence."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Counts of one engine and model over one span of time; what the format does not tell is `None`."""

    source: str
    """The format they were read from."""
    labels: tuple[tuple[str, str], ...] = ()
    """Names and values that tell series apart, as ("model_name", …)."""
    drafts: int | None = None
    """Target calls that judged at least one drafted word."""
    drafted: int | None = None
    accepted: int | None = None
    per_position: tuple[int, ...] | None = None
    """Calls that accepted words 1 … i, for each i."""
    drafted_per_position: tuple[int, ...] | None = None
    """Calls that drafted a word at position i, where the format tells."""
    calls: int | None = None
    """All target calls, those without a draft among them, where only these can be counted."""
    printed_tokens: float | None = None
    """A mean of printed tokens per call, where the format has no counts."""
    note: str = ""
    """What was rebuilt from rounded figures or left out."""

    @property
    def model(self) -> str:
        """The label that names the model, or ''."""
        return dict(self.labels).get("model_name", "")

    @property
    def gamma(self) -> int | None:
        """γ, if every call drafted as many words; else `None`."""
        if not self.drafts or not self.drafted or self.drafted % self.drafts or len(set(self.drafted_per_position or [0])) > 1:
            return None
        gamma = self.drafted // self.drafts  # a mean that happens to be whole, if there are more positions than that
        return gamma if self.per_position is None or len(self.per_position) == gamma else None

    def since(self, before: Counters) -> Counters:
        """The counts between an earlier snapshot of the same series and this one.

        Raises `MetricsError` if the labels or formats differ or a count went backwards (the engine was restarted).
        """
        if (self.source, self.labels) != (before.source, before.labels):
            raise MetricsError(f"the two snapshots are of different series: {describe(before)} and {describe(self)}")
        fields = {name: _difference(name, getattr(before, name), getattr(self, name)) for name in _SUMMED}
        return check(replace(self, **fields))

    def plus(self, other: Counters) -> Counters:
        """Two spans or two engines together; what either does not tell is `None`."""
        fields = {name: _sum(getattr(self, name), getattr(other, name)) for name in _SUMMED}
        shared = tuple(pair for pair in self.labels if pair in other.labels)
        return replace(self, **fields, labels=shared, printed_tokens=None, note=self.note or other.note)


_SUMMED = ("drafts", "drafted", "accepted", "per_position", "drafted_per_position", "calls")


def _sum(a, b):
    if a is None or b is None:
        return None
    if isinstance(a, tuple):
        return tuple(x + y for x, y in zip(a, b)) if len(a) == len(b) else None
    return a + b


def _difference(name: str, before, after):
    if before is None or after is None or isinstance(after, tuple) and len(before) != len(after):
        return None
    if isinstance(after, tuple):
        return tuple(_difference(f"{name} at position {i}", b, a) for i, (b, a) in enumerate(zip(before, after), 1))
    if after < before:
        raise MetricsError(f"{name.replace('_', ' ')} went backwards, from {before} to {after}: was the engine restarted?")
    return after - before


def describe(counters: Counters) -> str:
    """The format and the labels in a few words."""
    return counters.source + "".join(f", {name}={value}" for name, value in counters.labels)


def pooled(groups: tuple[Counters, ...]) -> Counters:
    """Several engines of one model as one. Raises `MetricsError` for none, or for two models mixed."""
    if not groups:
        raise MetricsError("there are no counts to pool")
    models = sorted({group.model for group in groups})
    if len(models) > 1:
        raise MetricsError(f"two models are mixed, {models[0]!r} and {models[1]!r}: choose one, since their rates do not add up")
    total = groups[0]
    for group in groups[1:]:
        total = total.plus(group)
    return check(total)


def check(counters: Counters, where: str = "") -> Counters:
    """The counters themselves, if they can be true. Raises `MetricsError`, its sentence beginning with `where`, if not."""
    drafts, drafted, accepted, kept = counters.drafts, counters.drafted, counters.accepted, counters.per_position
    if accepted is not None and drafted is not None and accepted > drafted:
        raise MetricsError(f"{where}{accepted} words accepted of {drafted} drafted: more cannot be accepted than was drafted")
    if drafts is not None and drafted is not None and drafted < drafts:
        raise MetricsError(f"{where}{drafts} drafts hold only {drafted} drafted words: every draft has at least one")
    if kept:
        reached = (kept[0] if drafts is None else drafts, *kept)
        if any(map(gt, kept, reached)):
            i = next(i for i, n in enumerate(kept) if n > reached[i])
            raise MetricsError(f"{where}{kept[i]} calls accepted position {i + 1} but only {reached[i]} came that far")
        if accepted is not None and not counters.note and abs(sum(kept) - accepted) > 0.01 * accepted:
            raise MetricsError(f"{where}the positions add up to {sum(kept)} accepted words, not to {accepted}")
    return counters


def histogram(counters: Counters, gamma: int | None = None) -> tuple[NDArray[np.float64] | None, str]:
    """How many calls accepted k = 0 … D words (D + 1,), and in words what that rests on; or `None` and why not.

    Counted where the format tells positions. Else, where every call drafted γ words (`gamma`, if the counts do not tell it), what
    independent acceptances of the same mean would give.
    """
    c = counters
    if c.per_position is not None and c.drafts:
        return -np.diff([c.drafts, *c.per_position, 0]).astype(np.float64), "counted by position"
    if 0 in (c.drafts, c.drafted):
        return None, "no words were drafted in the span that was counted"
    gamma, drafts = c.gamma or gamma, c.drafts
    if not gamma:
        return None, "the number of words drafted per call is not known: say γ"
    if drafts is None and c.drafted is not None:
        drafts = c.drafted / gamma
    if not drafts or c.accepted is None:
        return None, "the counts of calls are not known"
    if c.accepted > gamma * drafts:
        raise MetricsError(f"{c.accepted} words accepted in {drafts:.0f} calls are more than {gamma} each: γ must be larger")
    alpha = alpha_from_tokens(1 + c.accepted / drafts, gamma)
    return tokens_distribution(alpha, gamma) * drafts, f"if acceptances are independent and every call drafted {gamma} words"


def alpha_from_tokens(tokens: float, gamma: int) -> float:
    """The α at which `expected_tokens` per call are `tokens`, by bisection. Raises `MetricsError` outside 1 … γ + 1."""
    if not 1 <= tokens <= gamma + 1:
        raise MetricsError(f"{tokens:.6g} tokens per call cannot come of {gamma} drafted words: they give 1 to {gamma + 1}")
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if expected_tokens(middle, gamma) < tokens else (low, middle)
    return high if expected_tokens(high, gamma) <= tokens else low


def share_interval(calls: ArrayLike, numerator: ArrayLike, denominator: ArrayLike) -> tuple[float, float, float]:
    """Σ numerator / Σ denominator over calls, with a 95 % interval; NaN if nothing is counted.

    `calls` (D + 1,) from `histogram`; the others (D + 1,) are what a call with k accepted words adds, 0 ≤ numerator ≤ denominator.
    A call is one draw, since its words depend on one another: the delta method for a ratio of means gives the variance, and
    Wilson's interval with the number of independent tests of that variance keeps the ends in [0, 1].
    """
    calls, n, d = (np.asarray(a, dtype=np.float64) for a in (calls, numerator, denominator))
    n, d = np.broadcast_to(n, calls.shape), np.broadcast_to(d, calls.shape)
    total = calls @ d
    if not total:
        return float("nan"), float("nan"), float("nan")
    share = float(calls @ n / total)
    variance = float(calls @ (n - share * d) ** 2) / total**2
    size = share * (1 - share) / variance if variance > 0 and 0 < share < 1 else float(total)
    middle, half = share + Z**2 / (2 * size), Z * np.sqrt(share * (1 - share) / size + Z**2 / (4 * size**2))
    low, high = float((middle - half) / (1 + Z**2 / size)), float((middle + half) / (1 + Z**2 / size))
    return share, min(max(low, 0.0), share), max(min(high, 1.0), share)


@dataclass(frozen=True, slots=True)
class Flatness:
    """Whether the conditional rates at all positions may be one α: Pearson's χ² on tests by position."""

    statistic: float
    degrees: int
    p_value: float

    @property
    def flat(self) -> bool:
        """Not contradicted at the 0.1 % level; by enough counts even a small slope is."""
        return self.p_value >= 1e-3


def flatness(counters: Counters) -> Flatness | None:
    """The test that the i.i.d. formula needs, or `None` where positions were not counted or calls drafted different numbers."""
    gamma = counters.gamma
    if counters.per_position is None or gamma is None:
        return None
    kept = np.array(counters.per_position[:gamma], dtype=np.float64)
    tested = np.array([counters.drafts, *counters.per_position[:gamma - 1]], dtype=np.float64)
    kept, tested = kept[tested > 0], tested[tested > 0]
    alpha = kept.sum() / tested.sum()
    spread = alpha * (1 - alpha)
    degrees = len(tested) - 1
    statistic = float((((kept - alpha * tested) ** 2) / (tested * spread)).sum()) if spread and degrees else 0.0
    return Flatness(statistic, degrees, chi_square_tail(statistic, degrees))
