"""Words: a text cut into words and marks, and put together again with the same spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

_BEFORE = frozenset(",.;:!?%)]}”’»…—–-/\n")  # no space is expected before these
_AFTER = frozenset("([{“‘«—–-/\n")  # nor after these
_OTHER = "\x1f"  # on a word whose space is not as expected; `normalise` leaves no such character in a text
_MARKS = r"\s!-/:-@\[-`{-~¡-¿‐-⁞、-〟"
_PIECES = re.compile(rf" ?(?:[^{_MARKS}]+(?:’[^{_MARKS}]+)*|[^ ])")

_UNSEEN = re.compile(r"[^\S\n ]|[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
_OPENING = re.compile(r"[\"'](?<![^\s(\[{“‘—–-].)(?=\S)")


def normalise(text: str) -> str:
    """`text` as a printer sets it: one space between words, one line a paragraph, curly quotation marks and real dashes.

    Blank lines part paragraphs; where there are none, every line is one. What nobody can see (control characters, halves of
    surrogate pairs) becomes a space. Applied to its own result it changes nothing.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(" {2,}", " ", _UNSEEN.sub(" ", text)).strip()
    text = text.replace(" \n", "\n").replace("\n ", "\n")
    if "\n\n" in text:
        text = re.sub("\n{2,}", _OTHER, text).replace("\n", " ").replace(_OTHER, "\n")
    text = re.sub("-{2,}", "—", text)
    return _OPENING.sub(lambda mark: "“" if mark[0] == '"' else "‘", text).replace('"', "”").replace("'", "’")


def tokenise(text: str) -> list[str]:
    """The words and marks of `normalise(text)`, in order; a paragraph's end is the word `"\\n"`.

    A word carries no space. One is expected before it unless either neighbour is a mark that clings; where the text has it
    otherwise, the word carries a sign that says so. So the vocabulary stays small, and `detokenise` gives the very text back.
    """
    return list(chain.from_iterable(stretches(text)))


def stretches(text: str, at_once: int = 50_000) -> Iterator[list[str]]:
    """The words of `tokenise(text)`, some `at_once` characters at a time, for whoever reads a long text in the background."""
    text = normalise(text)
    read, clings, begin = cache(_read), True, 0  # a text has few different pieces
    while begin < len(text):
        end = text.find(" ", begin + at_once)  # a space always begins a piece
        end = len(text) if end == -1 else end
        words = []
        for piece in _PIECES.findall(text, begin, end):
            word, clings = read(piece, clings)
            words.append(word)
        yield words
        begin = end


def pieces(words: Iterable[str], *, after: str | None = None) -> list[str]:
    """Each word as it stands in the text, with the space before it if it has one; joined, they are the text.

    `after` is the word before the first one; without it the first one begins the text.
    """
    shown, clings = [], after is None or _clings(after.lstrip(_OTHER), after[0] == _OTHER)
    for word in words:
        odd = word[0] == _OTHER
        bare = word[odd:]
        shown.append(" " + bare if _spaced(bare, clings) != odd else bare)
        clings = _clings(bare, odd)
    return shown


def detokenise(words: Iterable[str]) -> str:
    """The text whose words these are: `detokenise(tokenise(text)) == normalise(text)` for every text."""
    return "".join(pieces(words))


def _read(piece: str, clings: bool) -> tuple[str, bool]:
    """The word that `piece` of a text is, and whether it clings to what follows; `clings` is whether the one before it does."""
    spaced = piece[0] == " "
    word = piece[spaced:]
    odd = spaced != _spaced(word, clings)
    return _OTHER * odd + word, _clings(word, odd)


def _spaced(word: str, clings: bool) -> bool:
    """Whether a space is expected before `word`."""
    return not clings and word not in _BEFORE


def _clings(word: str, odd: bool) -> bool:
    """Whether no space is expected after `word`. A dash that has a space before it, as few do, has one after it too."""
    return word in _AFTER and not (odd and word in _BEFORE)


@dataclass(frozen=True)
class Vocabulary:
    """The words that models know, in the order of their numbers 0 … V − 1; every other word has the number V."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, tokens: Iterable[str]) -> Vocabulary:
        """Every word of `tokens` once, in the order they first come."""
        return cls(tuple(dict.fromkeys(tokens)))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The number of each word; V for one that is not here."""
        numbers, unknown = self._numbers, len(self.words)
        return [numbers.get(token, unknown) for token in tokens]

    def tokens(self, ids: Sequence[int]) -> list[str]:
        """The words with these numbers. Raises `IndexError` for a number that is no word's."""
        return [self.words[number] for number in ids]
