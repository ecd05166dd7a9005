"""Words and marks: no text comes back changed, and the vocabulary stays what a reader would call words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_core.words import Vocabulary, detokenise, normalise, pieces, tokenise

_TYPED = st.text(st.sampled_from("ab’'\"“”‘()[]—–-,.;!? \n\t\r\x1f\ud800é日👍_1"), max_size=40)


@given(st.text() | _TYPED)
@example("“Oh!”—she said, ‘no’ – (it's 3.5% of $1,000) -- a/b; “yes”…")
@example("\x1f\x1f-\x1f \n \n \x1f")
def test_every_text_comes_back(text):
    words = tokenise(text)
    assert detokenise(words) == normalise(text) == normalise(normalise(text))
    assert all(word and " " not in word for word in words)


@given(st.text() | _TYPED, st.data())
def test_a_continuation_is_shown_as_in_the_whole_text(text, data):
    words = tokenise(text)
    cut = data.draw(st.integers(1, max(1, len(words))))
    assert pieces(words) == pieces(words[:cut]) + (pieces(words[cut:], after=words[cut - 1]) if words else [])


@pytest.mark.parametrize(("typed", "set_in_type"), [
    ('"Yes," said he--"if I must."', "“Yes,” said he—“if I must.”"),
    ("'Tis Jane's.  \t'Never'", "‘Tis Jane’s. ‘Never’"),
    ("one\r\ntwo\r\n\r\n\r\nthree", "one two\nthree"),
    ("one\ntwo", "one\ntwo"),
    ("\ufeff a\x00b\u00a0c \n", "a b c"),
    (" \n\n ", ""),
])
def test_a_text_as_a_printer_sets_it(typed, set_in_type):
    assert normalise(typed) == set_in_type


@pytest.mark.parametrize(("text", "words"), [
    ("“My dear Mr. Bennet,” said she; “no!”", "“ My dear Mr . Bennet , ” said she ; “ no ! ”"),
    ("it—the pianoforte (Jane’s)—was", "it — the pianoforte ( Jane’s ) — was"),
    ("a drawing-room", "a drawing - room"),
    ("now – or then", "now \x1f– or then"),
    ("at 3.5", "at 3 . \x1f5"),
])
def test_words_and_marks_stand_alone_whatever_their_spaces(text, words):
    assert tokenise(text) == words.split(" ")


def test_a_paragraph_ends_with_a_word_of_its_own():
    assert tokenise("He left.\n“Well!”") == ["He", "left", ".", "\n", "“", "Well", "!", "”"]


def test_a_vocabulary_numbers_words_as_they_come():
    vocabulary = Vocabulary.of(tokenise("to be, or not to be"))
    assert vocabulary.words == ("to", "be", ",", "or", "not") and len(vocabulary) == 5
    assert vocabulary.ids(["be", "that", "to"]) == [1, 5, 0]
    assert vocabulary.tokens([1, 0]) == ["be", "to"]
    assert Vocabulary.of([]).ids(["a"]) == [0]
