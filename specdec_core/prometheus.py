"""vLLM's counters as Prometheus prints them: a page may have thousands of lines, so it is read in columns.

All lines together cost a few times what finding each by a regular expression does; none is looked at by itself unless it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import compress, repeat
from operator import contains

import numpy as np
from numpy.typing import NDArray

from .engine_answers import LIMIT, line_of, whole
from .metrics import Counters, MetricsError, check

_MARK = "vllm:spec_decode_num_"
_COUNTER = re.compile(_MARK + r"(?<!# (?:HELP|TYPE) vllm:spec_decode_num_)(accepted_tokens(?:_per_pos)?|drafts|draft_tokens)"
                      r"(?:_total)?((?:\{[^\n]*\})?)[ \t]+(\S+)")
_LABEL = re.compile(r'(\w+)="([^"\\]*(?:\\.[^"\\]*)*)"')
_IN_POSITION = ',position="'
_POSITION = re.compile(_IN_POSITION + r'([^"\n]*)"')
_LOOSE = re.compile(r',?[ \t]*\bposition="')
_PLACES = {"drafts": 0, "draft_tokens": 1, "accepted_tokens": 2, "accepted_tokens_per_pos": 3}
"""The place of each counter in its series; the positions follow from 3 on."""

_COUNTS = ("drafts", "drafted", "accepted")


def split_counters(text: str) -> list[str]:
    """What stands before the first counter, then for each its name, labels, count, and what stands behind it up to the next one."""
    return _COUNTER.split(text) if _MARK in text else [text]


def prometheus(text: str, parts: list[str]) -> tuple[Counters, ...]:
    """The counts of each series, in the order in which they begin, from the `split_counters` of a text.

    Raises `MetricsError`, naming the line.
    """
    def line(i: int) -> str:
        starts = [match.start() for match in _COUNTER.finditer(text)]
        return f"line {line_of(text, starts[i])}"

    names, labels, words = parts[1::4], parts[2::4], parts[3::4]
    counts, listed = _counts(words, line), "\n".join(labels)
    if '{position="' in listed or ' position="' in listed:  # it is mostly the last label, after a comma; let it always be so
        listed = _LOOSE.sub(_IN_POSITION, listed)
        labels = listed.split("\n")
    places = np.fromiter(map(_PLACES.__getitem__, names), np.int64, len(names))
    by_position = places == 3
    pieces = _POSITION.split(listed)
    told = map(contains, compress(labels, by_position.tolist()), repeat(_IN_POSITION))
    if len(pieces) // 2 != by_position.sum() or not all(told):
        i = next(i for i, label in enumerate(labels) if len(_POSITION.findall(label)) != by_position[i])
        raise MetricsError(f"{line(i)}: a counter by position needs a position, and no other has one")
    positioned = np.flatnonzero(by_position)
    places[positioned] += _counts(pieces[1::2], lambda i: f"{line(positioned[i])}: position")
    labels = "".join(pieces[::2]).split("\n")
    numbers: dict[str, int] = {}  # of the series, by their labels without braces and the comma after a first position
    found = {label: numbers.setdefault(label.strip("{,}"), len(numbers)) for label in dict.fromkeys(labels)}
    series = np.fromiter(map(found.__getitem__, labels), np.int64, len(labels))
    order = np.lexsort((places, series))
    series, places, counts = series[order], places[order], tuple(counts[order].tolist())
    again = (np.diff(series) == 0) & (np.diff(places) == 0)
    if again.any():
        i = int(order[1:][again].min())
        raise MetricsError(f"{line(i)} repeats a counter of {labels[i].strip('{,}') or 'its series'}: paste one snapshot at a time")
    bounds = np.searchsorted(series, np.arange(len(numbers) + 1))
    last = bounds[1:] - 1
    broken = (places[last] != last - bounds[:-1]) | (places[last] < 2)  # after a gap all places are beyond their order

    def counters(label: str, broken: bool, start: int, end: int) -> Counters:
        try:
            if broken:
                raise MetricsError(_missing(places[start:end], lambda i: line(order[start + i])))
            return check(Counters("vLLM counters", tuple(_LABEL.findall(label)), *counts[start:start + 3],
                                  counts[start + 3:end] or None))
        except MetricsError as error:
            raise MetricsError(f"{line(order[start:end].max())}: {error}") from None

    bounds = bounds.tolist()
    return tuple(map(counters, numbers, broken.tolist(), bounds, bounds[1:]))


def _missing(places: NDArray[np.int64], line: Callable[[int], str]) -> str:
    """What is not among the places of a series."""
    gap = next(i for i, place in enumerate([*places, -1]) if place != i)
    if gap < 3:
        return f"this series has no counter of {_COUNTS[gap]}; paste all of vllm:spec_decode_…"
    return f"position {gap - 3} is missing: {line(gap)} has position {places[gap] - 3}"


def _counts(words: Sequence[str], line: Callable[[int], str]) -> NDArray[np.int64]:
    """The words as counts; `line` is asked only for the first that is none."""
    try:
        values = np.fromiter(map(float, words), np.float64, len(words))
        if ((values >= 0) & (values < LIMIT) & (values == np.trunc(values))).all():
            return values.astype(np.int64)
    except ValueError:
        pass
    return np.array([whole(word, lambda i=i: line(i)) for i, word in enumerate(words)])
