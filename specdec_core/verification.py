"""What judging costs: v(γ), a target call that judges γ + 1 words, in target steps. Flat, a line, or times of the reader's own."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .throughput import checked_gamma, positive

MOST_JUDGED = 201
"""The most words that one call judges in a table: 200 drafted ones and the one that every call adds."""

_DIGITS = 24  # characters of a number: nothing that is meant needs more
_BETWEEN = re.compile(r"[,;\s]+")


class CallTimesError(ValueError):
    """A table of times that cannot be used; the message is one sentence without its full stop, and names the line or the entry."""


@dataclass(frozen=True, slots=True)
class CallTimes:
    """How long target calls take that judge so many words, in any one unit; `str` is the shortest text that is read as the same."""

    words: tuple[int, ...]
    """How many words the calls judge, rising from 1: a plain step."""
    times: tuple[float, ...]
    """As many, each above 0."""

    @property
    def table(self) -> NDArray[np.float64]:
        """Times of calls that judge 1, 2, 3, … words (the last of `words`,): straight lines between the points, nothing beyond."""
        return np.interp(np.arange(1, self.words[-1] + 1), self.words, self.times)

    @property
    def complete(self) -> bool:
        """Whether every number of words was measured, and nothing is drawn between points."""
        return self.words[-1] == len(self.words)

    def __str__(self) -> str:
        times = [repr(time).removesuffix(".0") for time in self.times]
        return ",".join(times if self.complete else (f"{n}:{time}" for n, time in zip(self.words, times)))


def read_call_times(text: str) -> CallTimes:
    """Times out of a paste: one a line, or a number of words and its time a line (comma, semicolon, colon or space between).

    Either may have a heading, and all may stand on one line: `20,21,25`, or `1:20,4:23,8:30`. Times without words are those of
    calls that judge 1, 2, 3, … words. At least two are needed, the first of one word, a plain step. Raises `CallTimesError`.
    """
    rows = [(f"line {i}", line.replace(":", " ").strip()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(rows) == 1:
        rows = [(f"entry {i}", entry.replace(":", " ")) for i, entry in enumerate(_BETWEEN.split(text.strip(" \t\r\n,;")), 1)]
    elif rows and not re.match(r"[-+.\d]", rows[0][1]):
        del rows[0]  # a heading
    if not rows or not rows[0][1]:
        raise CallTimesError("there are no times in it")
    if len(rows) > MOST_JUDGED:
        raise CallTimesError(f"{len(rows):,} times are more than {MOST_JUDGED}")
    words, times = [], []
    width = len(_BETWEEN.split(rows[0][1]))
    for at, row in rows:
        cells = _BETWEEN.split(row)
        if len(cells) != width or width > 2:
            wanted = "one number, or two" if width > 2 else ("one number", "two numbers")[width - 1]
            raise CallTimesError(f"{at} must have {wanted}{'' if width > 2 else ', as the first has'}, not {len(cells)}")
        words.append(_words(at, cells[0], words) if width == 2 else len(words) + 1)
        times.append(_time(at, cells[-1]))
    if len(times) < 2:
        raise CallTimesError("there must be two times at least: of a plain step, and of a call that judges more words than one")
    return CallTimes(tuple(words), tuple(times))


def _words(at: str, cell: str, before: list[int]) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) < _DIGITS):
        raise CallTimesError(f"{at}: {cell[:_DIGITS]!r} is not a whole number of words")
    n = int(cell)
    if not before and n != 1:
        raise CallTimesError(f"{at} must be for 1 word, a plain step, which all times are held against, not for {cell}")
    if before and n <= before[-1]:
        raise CallTimesError(f"{at}: the numbers of words must rise, and {n} comes after {before[-1]}")
    if n > MOST_JUDGED:
        raise CallTimesError(f"{at}: {n:,} words are more than {MOST_JUDGED}")
    return n


def _time(at: str, cell: str) -> float:
    try:
        time = float(cell) if len(cell) <= _DIGITS else math.nan
    except ValueError:
        time = math.nan
    if not 0 < time < math.inf:
        raise CallTimesError(f"{at}: {cell[:_DIGITS]!r} is not a time above 0")
    return time


def verification_cost(gamma: ArrayLike, slope: float = 0.0,
                      table: Sequence[float] | None = None) -> NDArray[np.float64] | np.float64:
    """v(γ), the cost of judging γ + 1 words in one target call, in target steps: 1 + slope·γ, or a table of measured times.

    Flat (slope 0) while the target waits for its memory, growing once a busy server is bound by arithmetic. `table` holds the times
    of a call that judges 1, 2, 3, … words (`CallTimes.table`), in any one unit: all are divided by the first, the plain step.
    Raises `ValueError` for a γ beyond the table, a negative slope or a time that is not above 0.
    """
    gamma = checked_gamma(gamma)
    if table is None:
        if not 0 <= slope < math.inf:
            raise ValueError("slope must be finite and at least 0")
        return 1.0 + slope * gamma
    times = positive("every time in the table", table)
    if (gamma >= len(times)).any():
        raise ValueError(f"the table ends at gamma {len(times) - 1}; nothing is known beyond it")
    return (times / times[0])[gamma]
