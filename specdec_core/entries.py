"""A vocabulary's numbers as a person pastes them, CSV or JSON, with or without words."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .distributions import DistributionError

MAX_ENTRIES = 200_000
"""The most entries that a paste may have: every vocabulary in use is smaller."""

KINDS = ("probabilities", "log-probabilities", "logits")
_ROUGHLY = 1e-3  # how far probabilities may miss 1 and still be taken for probabilities
_NAMES = {"prob": 0, "probability": 0, "probabilities": 0, "p": 0, "q": 0, "logprob": 1, "logprobs": 1, "log_prob": 1,
          "log_probs": 1, "log-probability": 1, "log-probabilities": 1, "logit": 2, "logits": 2}
_WORDS = ("word", "token", "words", "tokens")


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """One model's numbers at one position."""

    words: tuple[str, ...] | None
    """(V,), or `None` if only numbers were given."""
    values: NDArray[np.float64]
    """(V,)."""
    kind: str
    """One of `KINDS`: by the heading if it says, else by what the numbers look like (`looks_like`)."""


def looks_like(values: NDArray[np.float64]) -> str:
    """Probabilities if they sum to 1 to three decimals, log-probabilities if their exponentials do, else logits."""
    if (values >= 0).all() and abs(values.sum() - 1) <= _ROUGHLY:
        return KINDS[0]
    if (values <= 0).all() and abs(np.exp(values).sum() - 1) <= _ROUGHLY:
        return KINDS[1]
    return KINDS[2]


def read_entries(text: str) -> Entries:
    """Numbers out of a paste of up to `MAX_ENTRIES`.

    CSV: one number a line, or a word, a comma (or tab, or semicolon) and a number, with or without a heading; words that hold the
    comma or a quote in quotes. JSON: a list of numbers, an object of words, a list of [word, number] or of objects like
    {"token": …, "logprob": …}, or an object of two lists. Raises `DistributionError`, naming the line or the entry.
    """
    if not text.strip():
        raise DistributionError("nothing was pasted")
    words, values, name = _json(text) if text.lstrip()[0] in "[{" else _csv(text)
    if len(values) > MAX_ENTRIES:
        raise DistributionError(f"{len(values)} entries are more than {MAX_ENTRIES}")
    if np.isnan(values).any():
        raise DistributionError(f"entry {int(np.isnan(values).argmax())} (counting from 0) is not a number")
    known = _NAMES.get(name.strip().lower()) if name else None
    return Entries(words, values, looks_like(values) if known is None else KINDS[known])


def _csv(text: str) -> tuple[tuple[str, ...] | None, NDArray[np.float64], str]:
    text = text.replace("\r\n", "\n").rstrip("\n")
    if text.count("\n") > 2 * MAX_ENTRIES:
        raise DistributionError(f"{text.count(chr(10)) + 1} lines are more than {MAX_ENTRIES} entries")
    first = text.partition("\n")[0]
    mark = next((mark for mark in "\t,;" if mark in first), None)
    if mark is None:
        lines = text.split("\n")
        heading = "" if _is_number(lines[0]) else lines.pop(0)
        return None, _floats(lines, lambda i: i + (2 if heading else 1)), heading
    at: Sequence[int] = range(1, text.count("\n") + 2)
    if '"' in text:
        words, numbers, at = _quoted(text, mark)
    elif _one_a_line(text, mark):  # in bulk, at half the time
        cells = text.replace("\n", mark).split(mark)
        words, numbers = cells[::2], cells[1::2]
    else:
        words, _, numbers = map(list, zip(*(line.rpartition(mark) for line in text.split("\n"))))
    heading = "" if _is_number(numbers[0]) else numbers[0]
    skip = 1 if heading else 0
    values = _floats(numbers[skip:], lambda i: at[i + skip])
    return tuple(words[skip:]), values, heading


def _one_a_line(text: str, mark: str) -> bool:
    """Whether every line holds the mark exactly once."""
    code = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    marks, ends = np.flatnonzero(code == ord(mark)), np.flatnonzero(code == ord("\n"))
    return len(marks) == len(ends) + 1 and bool((marks[:-1] < ends).all() and (ends < marks[1:]).all())


def _quoted(text: str, mark: str) -> tuple[list[str], list[str], list[int]]:
    reader = csv.reader(io.StringIO(text), delimiter=mark)
    words, numbers, at = [], [], []
    try:
        for row in reader:
            words.append(mark.join(row[:-1]))
            numbers.append(row[-1] if row else "")
            at.append(reader.line_num)
    except csv.Error as error:
        raise DistributionError(f"line {reader.line_num}: {error}") from None
    return words, numbers, at


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _floats(cells: list[str], line: Callable[[int], int]) -> NDArray[np.float64]:
    """The cells as numbers; `line` tells the line of cell i, for the error."""
    try:
        return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        i = next(i for i, cell in enumerate(cells) if not _is_number(cell))
        raise DistributionError(f"line {line(i)}: {cells[i].strip()[:40]!r} is not a number") from None


def _json(text: str) -> tuple[tuple[str, ...] | None, NDArray[np.float64], str]:
    try:
        value = json.loads(text)
    except RecursionError:
        raise DistributionError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise DistributionError(f"line {getattr(error, 'lineno', 1)}: this is not JSON ({getattr(error, 'msg', error)})") from None
    if not value:
        raise DistributionError("the JSON is empty")
    name, words = "", None
    if isinstance(value, dict) and any(isinstance(part, list) for part in value.values()):
        name = next((key for key, part in value.items() if isinstance(part, list) and key not in _WORDS), "")
        words, value = next((value[key] for key in _WORDS if key in value), None), value.get(name)
    elif isinstance(value, dict):
        words, value = list(value), list(value.values())
    elif isinstance(value[0], dict):
        keys = list(value[0])
        label = next((key for key in keys if key in _WORDS), None)
        name = next((key for key in keys if key.lower() in _NAMES), "")
        if not name:
            raise DistributionError(f"the JSON objects hold {', '.join(keys)[:60]}, and none of prob, logprob or logit")
        words, value = _column(value, label) if label else None, _column(value, name)
    elif isinstance(value[0], list):
        words, value = _column(value, 0), _column(value, 1)
    if not isinstance(value, list) or words is not None and (not isinstance(words, list) or len(words) != len(value)):
        raise DistributionError("the JSON needs as many numbers as words")
    wrong = next((i for i, x in enumerate(value) if type(x) not in (float, int)), None)
    if wrong is not None:
        raise DistributionError(f"entry {wrong} (counting from 0) of the JSON is not a number")
    try:
        return None if words is None else tuple(map(str, words)), np.array(value, dtype=np.float64), name
    except OverflowError:
        raise DistributionError("the JSON holds a number that is too large") from None


def _column(rows: list, key: str | int) -> list:
    try:
        return [row[key] for row in rows]
    except (KeyError, IndexError, TypeError):
        raise DistributionError(f"the entries of the JSON do not all have {key!r}") from None
