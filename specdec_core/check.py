"""Is what came out what should come out? Tallies of a run, sampling bands, the distance to the target, χ², and what a run can see.

For an exact rule the words of a run are independent draws from p, although which call they fall into depends on them; so n words
may be treated as n draws. For a broken rule that is an approximation, and a good one: see the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, lgamma, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chisquare import chi_square_tail, critical_value, noncentral_tail
from .divergence import total_variation
from .rule import Rule
from .speculative import Calls, checked_run, judged_blocks

CONFIDENCE = 0.99
"""How often all the words of an exact run lie inside their bands at once."""

INTERVAL = 0.95
"""How often the interval for words per call holds their mean."""

LEVEL = 1e-4
"""How often the verdict wrongs an exact rule: a class of thirty that runs it ten times each is wronged three times in a hundred."""

MIN_EXPECTED = 5.0
"""χ² cells that expect fewer words than this are merged."""

SAME_LAW = 1e-12
"""Laws that lie closer together than this are one law: no run would tell them apart."""

_log_gamma = np.frompyfunc(lgamma, 1, 1)


def share_band(p: ArrayLike, n_words: float) -> NDArray[np.float64]:
    """Half-widths (V,) around p (V,) that hold every word's observed share at once in 99 % of exact runs.

    `n_words` is how many words came out; for none the bands are infinite. The normal approximation to the binomial,
    z·√(p(1 − p)/n), with `CONFIDENCE` shared equally among the V words (Bonferroni), so that the largest gap of many words is not
    mistaken for a fault.
    """
    p = np.asarray(p, dtype=np.float64)
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * p.shape[-1]))
    return z * np.sqrt(p * (1 - p) / n_words) if n_words else np.full_like(p, inf)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What came out of a run so far."""

    calls: int
    """How many calls were judged."""
    words: NDArray[np.int64]
    """(V,): how often each word came out."""
    accepted: NDArray[np.int64]
    """(γ + 1,): how many calls accepted 0 … γ of their drafted words, and so gave one word more."""

    @property
    def n_words(self) -> int:
        """How many words came out."""
        return int(self.words.sum())

    @property
    def shares(self) -> NDArray[np.float64] | None:
        """(V,): the share of each word in all that came out; `None` before the first call."""
        return self.words / self.n_words if self.calls else None

    @property
    def tokens_shares(self) -> NDArray[np.float64] | None:
        """(γ + 1,): the share of calls that gave 1 … γ + 1 words; `None` before the first call."""
        return self.accepted / self.calls if self.calls else None

    @property
    def tokens_per_call(self) -> float | None:
        """Words that came out per call; `None` before the first call."""
        return self.n_words / self.calls if self.calls else None

    @property
    def tokens_interval(self) -> tuple[float, float]:
        """An interval that holds the mean words per call in 95 % of runs (`INTERVAL`); all of 1 … γ + 1 before the first call.

        The normal approximation, with the spread of the calls seen and of one more, shared out evenly among all outcomes: a few
        equal calls are no certainty.
        """
        tokens, top = np.arange(1, len(self.accepted) + 1), len(self.accepted)
        if not self.calls:
            return 1.0, float(top)
        mean = self.n_words / self.calls
        weight = (self.accepted + 1 / top) / (self.calls + 1)
        half = NormalDist().inv_cdf((1 + INTERVAL) / 2) * sqrt(weight @ (tokens - mean) ** 2 / self.calls)
        return max(1.0, mean - half), min(float(top), mean + half)


def tallies(rule: Rule, p: ArrayLike, q: ArrayLike, gamma: int, n_calls: int, seed: int) -> Iterator[Tally]:
    """A run that can be watched and stopped: the tally of the first calls, then of more and more, up to `n_calls`.

    The first tally is empty; then they come after 1, 2, … 8, 10, 12, 15, … calls, closely enough for a logarithmic axis, and
    from about 65,000 on every 16,384 calls. The calls are those of `simulate_rule`; none is kept, so memory is flat. Raises as
    `simulate_calls` does, at once.
    """
    p, q, gamma, n_calls, seed = checked_run(p, q, gamma, n_calls, seed)
    return _tallies(judged_blocks(rule.judge(p, q, gamma), n_calls, seed, first=1), len(p), gamma)


def _tallies(blocks: Iterator[tuple[NDArray, NDArray, NDArray]], vocabulary: int, gamma: int) -> Iterator[Tally]:
    tally = Tally(0, np.zeros(vocabulary, dtype=np.int64), np.zeros(gamma + 1, dtype=np.int64))
    yield tally
    for drafted, accepted, last in blocks:
        tally = Tally(tally.calls + len(last), tally.words + Calls(drafted, accepted, last, vocabulary).tally,
                      tally.accepted + np.bincount(accepted, minlength=gamma + 1))
        yield tally


def observed_distance(counts: ArrayLike, p: ArrayLike) -> float | None:
    """TV between the shares in `counts` (V,) and p (V,); `None` if nothing was counted."""
    counts = np.asarray(counts)
    n = counts.sum()
    return float(total_variation(counts / n, p)) if n else None


def expected_distance(p: ArrayLike, n_words: ArrayLike) -> NDArray[np.float64] | np.float64:
    """What `observed_distance` is on average for `n_words` (...) draws from p (V,); returns (...). It falls like 1/√n, and never
    reaches 0.

    Exact: half the sum of the binomial mean deviations, m·C(n, m)·p^m·(1 − p)^(n − m + 1) each with m = ⌊np⌋ + 1. Raises
    `ValueError` for fewer than one word. Source: De Moivre 1730; Diaconis and Zabell 1991, Statistical Science 6(3), equation
    (1.1).
    """
    n = np.asarray(n_words, dtype=np.float64)[..., None]
    if not (n >= 1).all():
        raise ValueError("a distance needs at least one word")
    p = np.asarray(p, dtype=np.float64)
    p = p[(p > 0) & (p < 1)]
    m = np.floor(n * p) + 1
    choices = (_log_gamma(n + 1) - _log_gamma(m + 1) - _log_gamma(n - m + 1)).astype(np.float64)
    return (m / n * np.exp(choices + m * np.log(p) + (n - m + 1) * np.log1p(-p))).sum(axis=-1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a χ² test says about counts."""

    statistic: float
    """χ², infinite if an impossible word was counted."""
    degrees: int
    """Degrees of freedom: one less than the cells that were left after merging; at 0 nothing can be told."""
    p_value: float
    """How often chance alone shows a χ² as large as this."""
    level: float
    """The p-value below which the verdict is against the rule: the rate of false alarms."""
    impossible: tuple[int, ...]
    """Words that were counted although the law never says them."""

    @property
    def passed(self) -> bool:
        """Whether the counts may have come from the law."""
        return self.p_value >= self.level

    @property
    def chance(self) -> str:
        """The p-value as it is printed: `40 %`, or that it is below `level`."""
        return _percentage(self.p_value) if self.passed else f"< {100 * self.level:g} %"

    def sentence(self, words: Sequence[str]) -> str:
        """The verdict in a sentence, with the V words' names."""
        if self.impossible:
            named = ", ".join(f"‘{words[i]}’" for i in self.impossible[:3]) + (", …" if len(self.impossible) > 3 else "")
            return f"The target never says {named}, and yet it came out: no exact rule does that."
        if not self.degrees:
            return "Too few words came out, or too few kinds of word, to tell anything."
        if self.passed:
            return f"Chance alone gives a χ² this large in {self.chance} of runs: nothing speaks against this rule."
        return f"Chance alone gives a χ² this large in fewer than 1 of {1 / self.level:,.0f} runs: this is not the target's law."


def _percentage(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _cells(p: NDArray, n_words: float) -> NDArray[np.intp]:
    """The χ² cell (V,) of each word: those that expect too few share cell 0, with the next rarest until that expects enough."""
    order = np.argsort(p, kind="stable")
    expected = n_words * p[order]
    small = int(np.count_nonzero(expected < MIN_EXPECTED))
    pooled = min(max(small, int(np.searchsorted(np.cumsum(expected), MIN_EXPECTED)) + 1), len(p))
    cell = np.empty(len(p), dtype=np.intp)
    cell[order] = np.maximum(np.arange(len(p)) - pooled + 1, 0)
    return cell


def chi_square(counts: ArrayLike, p: ArrayLike, level: float = LEVEL) -> Verdict:
    """Pearson's χ² of `counts` (V,) against the law p (V,), with words that expect fewer than `MIN_EXPECTED` merged.

    Look at it once, at the end: a test that is read again and again during a run raises more false alarms than `level`.
    """
    counts, p = np.asarray(counts), np.asarray(p, dtype=np.float64)
    n = counts.sum()
    impossible = tuple(int(i) for i in np.flatnonzero((p == 0) & (counts > 0)))
    cell = _cells(p, n)
    degrees = int(cell.max())
    expected = n * np.bincount(cell, p)
    statistic = inf if impossible else float(((np.bincount(cell, counts) - expected) ** 2 / expected).sum()) if degrees else 0.0
    return Verdict(statistic, degrees, 0.0 if impossible else chi_square_tail(statistic, degrees), level, impossible)


def noncentrality(law: ArrayLike, p: ArrayLike) -> float:
    """Σ (law − p)²/p: the non-centrality that each word adds to χ² when words come from `law` (V,) instead of p (V,).

    Infinite if the law says a word that p never says.
    """
    law, p = np.asarray(law, dtype=np.float64), np.asarray(p, dtype=np.float64)
    if law[p == 0].any():
        return inf
    law, p = law[p > 0], p[p > 0]
    return float(((law - p) ** 2 / p).sum())


def power(law: ArrayLike, p: ArrayLike, n_words: float, level: float = LEVEL) -> float:
    """The chance that `chi_square` on `n_words` words from `law` (V,) speaks against p (V,)."""
    law, p = np.asarray(law, dtype=np.float64), np.asarray(p, dtype=np.float64)
    cell = _cells(p, n_words)
    degrees = int(cell.max())
    shift = n_words * noncentrality(np.bincount(cell, law), np.bincount(cell, p))
    large = noncentral_tail(critical_value(degrees, level), degrees, shift) if degrees else 0.0
    return 1 - (1 - min(1.0, float(law[p == 0].sum()))) ** n_words * (1 - large)


def calls_to_catch(rule: Rule, p: ArrayLike, q: ArrayLike, gamma: int, chance: float = 0.99, level: float = LEVEL) -> int | None:
    """How many calls a run needs for `chi_square` to catch the rule with probability `chance`; `None` if its words have law p.

    A difference in law of less than 1e-12 counts as none (`SAME_LAW`). Words are counted as independent draws, as in
    `power`; where a few dozen calls are enough, each with a random number of words that depend on each other, nine in ten such runs
    may be all it catches.
    """
    law, per_call = rule.words_distribution(p, q, gamma), rule.tokens_per_call(p, q, gamma)
    if total_variation(law, p) < SAME_LAW:
        return None
    low, high = 0, 1
    while power(law, p, high * per_call, level) < chance:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power(law, p, middle * per_call, level) < chance else (low, middle)
    return high
