"""The books that come with the app: clean, all their own, and trained once."""

import threading

import pytest

from app import books
from specdec_core.words import normalise, tokenise


@pytest.mark.parametrize(("name", "begins", "ends"), [
    ("pride-and-prejudice", "It is a truth universally acknowledged,", "the means of uniting them."),
    ("emma", "Emma Woodhouse, handsome, clever, and rich,", "the perfect happiness of the union."),
    ("alice", "Alice was beginning to get very tired", "and the happy summer days."),
])
def test_a_book_begins_and_ends_with_its_own_words(name, begins, ends):
    text = books.read(name)
    assert text.startswith(begins) and text.endswith(f"{ends}\n") and normalise(text) == text.strip()
    assert not any(word in text.lower() for word in ("gutenberg", "millennium", "chapter x", "http", "_", '"'))


def test_all_books_are_named_with_their_words():
    sources = (books.ASSETS / "corpus/SOURCES.md").read_text("utf-8")
    for name in (*books.NOVELS, books.OTHER_BOOK):
        row = next(line for line in sources.splitlines() if f"`{name}.txt.xz`" in line)
        assert f"{len(books.read(name).split()):,}" in row


def test_models_are_trained_once_whoever_asks():
    found = []
    askers = [threading.Thread(target=lambda: found.append(books.shipped().order(2))) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(found) == 4 and len(set(map(id, found))) == 1
    assert books.shipped().order(5).size == found[0].size == len(books.shipped().vocabulary)


def test_all_models_of_the_shipped_books_take_less_than_50_megabytes():
    models = books.shipped()
    assert sum(model.nbytes for model in (models.stranger, *map(models.order, (1, 2, 3, 5)))) <= 50e6


def test_the_stranger_speaks_of_other_things_in_the_same_vocabulary():
    models = books.shipped()
    alice, was = models.vocabulary.ids(tokenise("Rabbit was"))  # a word that the novels do not have
    assert alice == len(models.vocabulary)
    at_home, abroad = (model.law(models.vocabulary.ids(["said", "the"])) for model in (models.order(2), models.stranger))
    king = models.vocabulary.ids(["King"])[0]
    assert abroad.shape == at_home.shape and abroad[king] > 100 * at_home[king] > 0


def test_the_beginnings_of_paragraphs():
    text = "One two three four five six seven eight.\nShort.\nA b c d e f g h i.\n\nNot a paragraph’s end."
    models = books.Models(tokenise(text.replace("\n\n", "\n")))
    assert models.beginnings(9, 4) == ["One two three four", "A b c d", "Not a paragraph’s end"]
    assert models.beginnings(2, 4) == ["One two three four", "Not a paragraph’s end"]
    assert models.beginnings(1, 4) == ["One two three four"]
    assert models.beginnings(3, 10) == ["One two three four five six seven eight.\n"]  # no paragraph has more than ten words
    assert books.Models(tokenise("no end at all")).beginnings(3, 2) == ["no end"]
    assert books.shipped().beginnings(6)[0] == "It is a truth universally acknowledged,"
