"""A target and a draft that a person wrote, as JSON or CSV: in a file, or pasted."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from specdec_core import DistributionError
from specdec_core.examples import Laws

COLUMNS = ("word", "target", "draft")
"""A CSV file's first line; a JSON file is an object of three lists: words, target, draft."""

_LARGEST = 100_000  # bytes: the widget has room for twelve words


def read_laws(path: Path) -> Laws:
    """The laws in a `.json` or `.csv` file. Raises `OSError`, and `DistributionError` with a sentence: what is wrong and where."""
    if path.stat().st_size > _LARGEST:
        raise DistributionError(f"{path.name} is larger than {_LARGEST:,} bytes; the widget shows a dozen words at most")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DistributionError(f"{path.name} is not UTF-8 text: byte {error.start} cannot be read") from None
    try:
        return _from_json(text) if path.suffix.lower() == ".json" else _from_csv(text)
    except DistributionError as error:
        raise DistributionError(f"{path.name}: {error}") from None


def parse_laws(text: str) -> Laws:
    """The laws in a text, JSON if it begins like that and else CSV. Raises `DistributionError` with one sentence.

    What is no list of numbers that sum to 1 is not found here, but where the laws are used.
    """
    return _from_json(text) if text.lstrip().startswith(("{", "[")) else _from_csv(text.strip())


def _from_json(text: str) -> Laws:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        raise DistributionError(f"this is not JSON: {error}") from None
    names = ("words", "target", "draft")
    if not isinstance(found, dict) or not all(isinstance(found.get(name), list) for name in names):
        raise DistributionError('a JSON file must hold {"words": […], "target": […], "draft": […]}')
    return Laws(*(tuple(found[name]) for name in names))


def _from_csv(text: str) -> Laws:
    first = text.partition("\n")[0]
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=next((mark for mark in ";\t" if mark in first), ",")))
    except csv.Error as error:
        raise DistributionError(f"this is not CSV: {error}") from None
    if not rows or tuple(cell.strip().lower() for cell in rows[0]) != COLUMNS:
        raise DistributionError(f"the first line of a CSV file must be {','.join(COLUMNS)}")
    words, target, draft = [], [], []
    for line, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(COLUMNS):
            raise DistributionError(f"line {line} has {len(row)} cells where {len(COLUMNS)} belong")
        words.append(row[0].strip())
        for name, law, cell in ("target", target, row[1]), ("draft", draft, row[2]):
            try:
                law.append(float(cell))
            except ValueError:
                raise DistributionError(f"line {line}: the {name} {cell.strip()[:40]!r} is not a number") from None
    return Laws(tuple(words), tuple(target), tuple(draft))
