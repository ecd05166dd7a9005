"""From an engine's counts and the draft's cost: which γ pays, how much, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .metrics import Counters, Flatness, MetricsError, flatness, histogram, share_interval
from .rosetta import rosetta
from .throughput import call_cost, expected_tokens, fastest, survival_tokens

_DRAWS = 1000  # of the bootstrap


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with a 95 % interval; `low` and `high` are `None` where the counts give none."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """What to draft. Arrays run over γ = 0 … `max_gamma`, NaN where nothing is known."""

    empirical: bool
    """Whether the counted survival curve is used, since the i.i.d. formula is not this engine's."""
    flat: Flatness | None
    """The test of that; `None` where positions were not counted."""
    alpha: float | None
    depth: int
    """The deepest γ that was observed."""
    counted: NDArray[np.float64]
    """Tokens per call by the survival curve; NaN beyond `depth`, all NaN if positions were not counted."""
    formula: NDArray[np.float64]
    """Tokens per call by α alone; all NaN without α."""
    speedups: NDArray[np.float64]
    """By the one of the two that is used."""
    now: Estimate
    """The speed-up at the γ in use (`depth`)."""
    best_gamma: int
    best_gamma_range: tuple[int, int] | None
    """Between which the best γ lies in 95 % of bootstrap draws."""
    best: Estimate
    """The speed-up at `best_gamma`."""
    break_even: Estimate
    """The draft cost above which no γ gains."""
    note: str
    """What it rests on, in a sentence or two."""

    @property
    def tokens(self) -> NDArray[np.float64]:
        """Tokens per call by the one of the two that is used."""
        return self.counted if self.empirical else self.formula

    def at(self, costs: ArrayLike, verification: ArrayLike = 1.0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """With other draft costs, `costs` (C,): the speed-ups (C, `max_gamma` + 1), and the best γ of each cost (C,).

        `verification` as in `tune`. Raises `ValueError` for a cost out of range.
        """
        gammas, costs = np.arange(len(self.tokens)), np.asarray(costs, dtype=np.float64)[:, None]
        speeds = self.tokens / call_cost(gammas, costs, verification)
        return speeds, fastest(speeds)


def tune(counters: Counters, cost: float, max_gamma: int = 20, verification: ArrayLike = 1.0, gamma: int | None = None,
         seed: int = 1) -> Tuning:
    """The best γ in 0 … `max_gamma` for a draft cost c, from what was counted.

    `verification` is v, a number or one for each γ (max_gamma + 1,); `gamma` says γ where the counts do not tell it. If the
    conditional rates are flat (`flatness`), α and the formula are used, at any γ; else the survival curve, up to the depth that was
    observed. Intervals: `share_interval` of the tokens at each γ (delta method); of the best γ, a bootstrap of calls under `seed`.
    Raises `MetricsError` if neither α nor a survival curve follows from the counts, `ValueError` for a cost out of range.
    """
    if max_gamma < 1:
        raise ValueError("max_gamma must be at least 1")
    gammas = np.arange(max_gamma + 1)
    spent = call_cost(gammas, cost, verification)
    calls, basis = histogram(counters, gamma)
    alpha = rosetta(counters, gamma)[0]
    test = flatness(counters)
    by_position = counters.per_position is not None and calls is not None
    empirical = by_position and (test is None or not test.flat)
    if alpha.value is None and not by_position:
        raise MetricsError(f"neither α nor survival by position follows from these counts: {alpha.reason}")
    depth = len(calls) - 1 if calls is not None else counters.gamma or gamma
    counted = _counted(calls[None], max_gamma)[0] if by_position else np.full(max_gamma + 1, np.nan)
    formula = np.full(max_gamma + 1, np.nan) if alpha.value is None else expected_tokens(alpha.value, gammas)
    tokens = counted if empirical else formula
    speedups = tokens / spent
    best = int(fastest(speedups))

    def estimate(at: int) -> tuple[float, float | None, float | None]:
        """Tokens at γ, with the interval."""
        if calls is None:
            return float(tokens[at]), None, None
        if not empirical:
            return tuple(float(expected_tokens(a, at)) for a in (alpha.value, alpha.low, alpha.high))
        k = np.arange(len(calls))
        return tuple(1 + at * x for x in share_interval(calls, np.minimum(k, at), at)) if at else (1.0, 1.0, 1.0)

    def speed(at: int) -> Estimate:
        return Estimate(*(None if x is None else float(x / spent[at]) for x in estimate(at)))

    judged = np.broadcast_to(np.asarray(verification, dtype=np.float64), gammas.shape)
    at = 1 + int(np.nanargmax((tokens[1:] - judged[1:]) / gammas[1:]))
    even = Estimate(*(None if x is None else float((x - judged[at]) / at) for x in estimate(at)))
    spread = None if calls is None else _best_range(calls, spent, empirical, max_gamma, seed)
    if depth > max_gamma:
        raise ValueError(f"max_gamma must be at least {depth}, the depth that was observed")
    return Tuning(empirical, test, alpha.value, depth, counted, formula, speedups, speed(depth), best, spread, speed(best), even,
                  _note(test, empirical, basis, best, depth))


def _counted(calls: NDArray, max_gamma: int) -> NDArray[np.float64]:
    """Tokens per call (B, max_gamma + 1) by the survival curves of histograms (B, D + 1), NaN beyond D."""
    reached = np.cumsum(calls[:, ::-1], axis=1)[:, ::-1]
    tokens = np.full((len(calls), max_gamma + 1), np.nan)
    known = survival_tokens(reached[:, 1:] / reached[:, :1])
    width = min(known.shape[1], max_gamma + 1)
    tokens[:, :width] = known[:, :width]
    return tokens


def _best_range(calls: NDArray, spent: NDArray, empirical: bool, max_gamma: int, seed: int) -> tuple[int, int]:
    best = np.sort(fastest(_drawn(tuple(calls.tolist()), empirical, max_gamma, seed) / spent))
    return int(best[int(.025 * _DRAWS)]), int(best[int(.975 * _DRAWS)])


@lru_cache(maxsize=4)  # of the counts alone, so that another cost draws nothing
def _drawn(calls: tuple[float, ...], empirical: bool, max_gamma: int, seed: int) -> NDArray[np.float64]:
    """Tokens per call (`_DRAWS`, max_gamma + 1) in the bootstrap's draws of calls."""
    calls = np.array(calls)
    draws = np.random.RandomState(seed).multinomial(int(round(calls.sum())), calls / calls.sum(), _DRAWS).astype(np.float64)
    if empirical:
        return _counted(draws, max_gamma)
    k = np.arange(len(calls))
    return expected_tokens((draws @ k / (draws @ np.minimum(k + 1, len(calls) - 1)))[:, None], np.arange(max_gamma + 1))


def _note(test: Flatness | None, empirical: bool, basis: str, best: int, depth: int) -> str:
    if not empirical:
        said = f"The conditional rates are flat (χ² {test.statistic:.1f}, {test.degrees} degrees of freedom)" if test else basis
        return f"{said[0].upper()}{said[1:]}: one α tells every γ." if test else f"{said[0].upper()}{said[1:]}."
    why = (f"The conditional rates differ by position (χ² {test.statistic:.1f}, {test.degrees} degrees of freedom), so one α is "
           "wrong for this engine" if test else "Calls drafted different numbers of words, so there is no one α")
    end = " The best γ is the deepest that was observed: nothing is known of deeper ones." if best == depth else ""
    return f"{why}: the counted survival curve is used, up to γ = {depth}.{end}"
