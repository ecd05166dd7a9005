"""The Rosetta stone: one set of counts under every name that engines and papers give it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .metrics import Counters, alpha_from_tokens, histogram, share_interval

Number = float | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One rate: its value with a 95 % interval, or `None` and why it cannot be had."""

    name: str
    definition: str
    called: tuple[str, ...]
    """What engines and papers call it."""
    value: Number | None = None
    low: Number | None = None
    high: Number | None = None
    reason: str = ""
    """What the value rests on, or why there is none."""


_ALPHA = ("alpha", "accepted / tested, where tested = accepted + rejections", ("α or acceptance rate in the papers",))
_RATE = ("accepted per drafted", "accepted / drafted", (
    "vLLM: Avg Draft acceptance rate",
    "SGLang: spec_accept_rate, and accept rate in its log since April 2026 (before, both counts had one more a call there)",
    "llama.cpp: draft acceptance rate, accept", "TensorRT-LLM: Draft Acceptance Rate (a mean over requests)"))
_SURVIVAL = ("survival", "calls that accepted positions 1 … i / calls", (
    "vLLM: Per-position acceptance rate", "llama.cpp: acceptance rate per position"))
_CONDITIONAL = ("conditional", "survival at i / survival at i − 1", ("n-α in the EAGLE papers, n counted from 0",))
_LENGTH = ("acceptance length", "accepted / calls", ("without the word that every call adds",))
_TOKENS = ("tokens per call", "accepted / calls + 1", (
    "vLLM: Mean acceptance length", "SGLang: accept len, spec_accept_length", "llama.cpp: mean acceptance length",
    "TensorRT-LLM: Acceptance Length (a mean over requests)", "EAGLE: τ, average acceptance length", "Medusa: acceleration rate"))
_EFFICIENCY = ("draft efficiency", "tokens per call / (γ + 1), the most a call can give", ("vLLM v0: System efficiency",))


def rosetta(counters: Counters, gamma: int | None = None) -> tuple[Quantity, ...]:
    """The seven rates in the order above. `gamma` says γ where the counts do not tell it.

    Intervals by `share_interval`: a call is one draw. Raises `MetricsError` where γ contradicts the counts.
    """
    c = counters
    calls, basis = histogram(c, gamma)
    gamma = c.gamma or gamma
    if calls is None:
        return _without_histogram(c, gamma, basis)
    depth, k = len(calls) - 1, np.arange(len(calls))
    rows = []
    mixed = c.gamma is None and c.per_position is not None
    if mixed:
        reason = "calls drafted different numbers of words, so it is not known which rejections were tests"
        rows += [Quantity(*_ALPHA, reason=reason)]
    else:
        rows += [Quantity(*_ALPHA, *share_interval(calls, k, np.minimum(k + 1, depth)), basis)]
    length = _scaled(share_interval(calls, k, depth), depth)
    n_calls = calls.sum()
    if c.drafted:
        rows += [Quantity(*_RATE, *_scaled(length, n_calls / c.drafted), basis)]
    else:
        rows += [Quantity(*_RATE, reason="drafted words were not counted")]
    if c.per_position is not None:
        rows += [_by_position(_SURVIVAL, calls, k, lambda i: np.ones(len(k)), basis),
                 Quantity(*_CONDITIONAL, reason=rows[0].reason) if mixed else
                 _by_position(_CONDITIONAL, calls, k, lambda i: k >= i - 1, basis)]
    else:
        rows += [Quantity(*names, reason="accepted words were not counted by position") for names in (_SURVIVAL, _CONDITIONAL)]
    tokens = tuple(1 + x for x in length)
    rows += [Quantity(*_LENGTH, *length, basis), Quantity(*_TOKENS, *tokens, basis)]
    if mixed:
        rows += [Quantity(*_EFFICIENCY, reason="calls drafted different numbers of words, so there is no one γ")]
    else:
        rows += [Quantity(*_EFFICIENCY, *_scaled(tokens, 1 / (depth + 1)), basis)]
    return tuple(rows)


def _scaled(values: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(float(x * factor) for x in values)


def _by_position(names: tuple, calls: NDArray, k: NDArray, denominator, basis: str) -> Quantity:
    triples = [share_interval(calls, k >= i, denominator(i)) for i in range(1, len(calls))]
    return Quantity(*names, *map(tuple, zip(*triples)), basis)


def _without_histogram(c: Counters, gamma: int | None, why: str) -> tuple[Quantity, ...]:
    """What is left without calls: ratios of totals, without an interval, since words of one call depend on one another."""
    rate = c.accepted / c.drafted if c.accepted is not None and c.drafted else None
    reason = "no interval: without the number of calls it is not known how many words depend on one another"
    n_calls = c.calls if c.calls else c.drafts
    if n_calls and c.accepted is not None:
        length, how = c.accepted / n_calls, "per target call of any kind, those without a draft among them" if c.calls else reason
    elif c.printed_tokens is not None:
        length, how = c.printed_tokens - 1, c.note
    else:
        length, how = None, why
    tokens = None if length is None else length + 1
    alpha = None if tokens is None or not gamma or c.calls else alpha_from_tokens(tokens, gamma)
    alpha_reason = f"if acceptances are independent and every call drafted {gamma} words" if alpha is not None else why
    position = "accepted words were not counted by position"
    return (Quantity(*_ALPHA, alpha, reason=alpha_reason),
            Quantity(*_RATE, rate, reason=reason if rate is not None else "drafted words were not counted"),
            Quantity(*_SURVIVAL, reason=position), Quantity(*_CONDITIONAL, reason=position),
            Quantity(*_LENGTH, length, reason=how), Quantity(*_TOKENS, tokens, reason=how),
            Quantity(*_EFFICIENCY, tokens / (gamma + 1) if tokens is not None and gamma else None, reason=how if gamma else why))
