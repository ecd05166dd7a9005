"""Learning from an own text: it gives what training at once gives, an unfit text gets its sentence, and it can be stopped."""

import re
import time

import numpy as np
import pytest

from app import books
from app.learning import Learning, learn
from specdec_core.ngram import train
from specdec_core.own_text import FEWEST_WORDS, MOST_BYTES, MOST_DIFFERENT, TextError
from specdec_core.words import Vocabulary, tokenise

CHAPTER = books.read("alice")[:20_000]


def test_the_models_are_those_of_the_whole_text():
    text = books.read("alice")
    *steps, last = learn(text)
    words = tokenise(text)
    vocabulary = Vocabulary.of(words)
    assert last.models.vocabulary == vocabulary and len(steps) > 6
    for order in 1, 2, 3, 5:
        context = vocabulary.ids(tokenise("said the King to the"))
        assert (last.models.order(order).law(context) == train(vocabulary.ids(words), order, len(vocabulary)).law(context)).all()
    assert last.models.stranger.size == len(vocabulary)


def test_the_bar_only_grows_and_ends_full():
    shares = [progress.share for progress in learn(books.read("emma"))]
    assert shares == sorted(shares) and shares[0] < .1 and shares[-1] == 1 and max(np.diff(shares)) < .25


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "it has 0 words, and 1,000 are the fewest that teach anything"),
    ("word", "it has 1 word, and 1,000 are"),
    ("word " * (FEWEST_WORDS - 1), "it has 999 words, and"),
    ("word " * FEWEST_WORDS, "it has only 1 different word, and 100 are the fewest"),
    (" ".join(map(str, range(MOST_DIFFERENT + 1))), "it has 50,001 different words, and 50,000 are the most: a shorter"),
    ("é" * (MOST_BYTES // 2) + "!", "it has 2,000,001 bytes, and 2,000,000 are the most"),
    (CHAPTER + "\0", "this is not a text but binary data: character 20,001 is the control character U+0000"),
    ("PK\x03\x04" + CHAPTER[:1_000], "character 3 is the control character U+0003"),
    ("\ud800" * 2_000, "it has 0 words"),
])
def test_an_unfit_text_gets_its_sentence(text, sentence):
    with pytest.raises(TextError, match=re.escape(sentence)):
        list(learn(text))
    learning = Learning(text)
    assert learning.wait(20) and learning.progress.state == "refused" and sentence in learning.progress.doing


@pytest.mark.parametrize("text", [
    CHAPTER + "\x1a", "\ufeff" + CHAPTER, CHAPTER.replace("\n", "\r\n"), CHAPTER + "<img src=x onerror=alert(1)>",
    " ".join(f"word{i % 150}" for i in range(1_000)), "日本 語 " * 500 + " ".join(map(chr, range(0x4e00, 0x4e80)))])
def test_an_odd_text_is_taken(text):
    assert list(learn(text))[-1].state == "done"


def test_learning_in_the_background():
    learning = Learning(CHAPTER)
    assert learning.wait(20) and learning.progress.state == "done" and not learning.running
    assert learning.progress.models.order(5).law([]).sum() == pytest.approx(1)


def test_what_is_stopped_ends_at_once_and_teaches_nothing():
    learning = Learning(books.read("emma"))
    learning.stop()
    begun = time.monotonic()
    assert learning.wait(20) and time.monotonic() - begun < 5
    assert learning.progress.state == "stopped" and learning.progress.models is None


def test_a_failure_ends_the_learning_and_is_written_down(monkeypatch, caplog):
    monkeypatch.setattr("app.learning.Models", None)
    learning = Learning(CHAPTER)
    assert learning.wait(20) and learning.progress.state == "failed" and "a run failed" in caplog.text
