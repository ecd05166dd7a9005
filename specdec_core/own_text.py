"""A text that somebody brings for the models to learn from: what makes it unfit, in one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_BYTES = 2_000_000
"""The longest text, in UTF-8."""
FEWEST_WORDS = 1_000
"""The shortest text, in words and marks: less teaches next to nothing."""
FEWEST_DIFFERENT, MOST_DIFFERENT = 100, 50_000
"""The smallest and the largest vocabulary."""

_NEVER = re.compile(r"[\x00-\x06\x0e-\x1a\x7f]")  # control characters that stand in files of text for nothing
_TOLERATED = 1 / 1000  # of all characters, as a file of text may have one at its end, or a few left over


class TextError(ValueError):
    """A text that cannot be learned from; the message says why, in one sentence without its full stop."""


def check_text(text: str) -> None:
    """Raise `TextError` if `text` is longer than `MOST_BYTES`, or no text at all but bytes that happen to be UTF-8."""
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MOST_BYTES:
        raise TextError(f"it has {size:,} bytes, and {MOST_BYTES:,} are the most")
    odd = _NEVER.findall(text)
    if "\0" in odd or len(odd) > _TOLERATED * len(text):
        place = _NEVER.search(text).start()
        what = f"character {place + 1:,} is the control character U+{ord(text[place]):04X}"
        raise TextError(f"this is not a text but binary data: {what}")


def check_words(words: Sequence[str], different: int) -> None:
    """Raise `TextError` if a text of these `words`, so many of them `different`, is too short, too uniform or too varied."""
    if len(words) < FEWEST_WORDS:
        raise TextError(f"it has {_plural(len(words), 'word')}, and {FEWEST_WORDS:,} are the fewest that teach anything")
    if different < FEWEST_DIFFERENT:
        raise TextError(f"it has only {_plural(different, 'different word')}, and {FEWEST_DIFFERENT} are the fewest")
    if different > MOST_DIFFERENT:
        raise TextError(f"it has {different:,} different words, and {MOST_DIFFERENT:,} are the most: a shorter text will do")


def _plural(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' * (n != 1)}"
