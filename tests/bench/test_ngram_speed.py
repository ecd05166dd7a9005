"""What the models may cost: a law as a ratio to one sum over the vocabulary, training as one to reading the books."""

import numpy as np
import pytest
from timing import times_slower

from app import books
from app.learning import learn
from specdec_core.ngram import train
from specdec_core.words import Vocabulary, tokenise

LONG = 200_000  # characters: what is quadratic shows


def test_a_law_takes_at_most_10_sums_over_the_vocabulary():
    models = books.shipped()
    places = np.random.default_rng(7).integers(5, len(models.ids), 500)
    contexts = [models.ids[place - 4:place].tolist() for place in places]
    law = models.order(5).law([])
    for order in 5, 2:
        model = models.order(order)
        ratio = times_slower(lambda: [model.law(context) for context in contexts],
                             lambda: [np.cumsum(law) for _ in contexts], rounds=10)
        print(f"law of the {order}-gram model / cumsum: {ratio:.2f}")
        assert ratio <= 10


def test_training_both_models_takes_at_most_10_times_reading_the_books():
    def read():
        words = tokenise("\n".join(map(books.read, books.NOVELS)))
        vocabulary = Vocabulary.of(words)
        return np.array(vocabulary.ids(words)), len(vocabulary)

    ids, size = read()
    ratio = times_slower(lambda: [train(ids, order, size) for order in (2, 5)], read, rounds=3)
    print(f"training / reading: {ratio:.2f}")
    assert ratio <= 10


def test_learning_step_by_step_takes_at_most_one_and_a_half_times_learning_at_once():
    def at_once():
        models = books.Models(tokenise(emma))
        return [models.order(order) for order in (1, 2, 3, 5)], models.stranger

    emma = books.read("emma")
    ratio = times_slower(lambda: list(learn(emma)), at_once, rounds=4)
    print(f"learning step by step / at once: {ratio:.2f}")
    assert ratio <= 1.5


@pytest.mark.parametrize("part", [
    "x", "x ", "'", '"', "-", " -", "\n", "a\n\n", "\x00", "’", "a’", "a\u0301\u0323", "日", "\ud800", "(“"])
def test_no_text_takes_much_longer_than_prose(part):
    """One thing over and over, against as much of the novels: read, numbered and trained."""
    def learn(text):
        words = tokenise(text)
        vocabulary = Vocabulary.of(words)
        return train(vocabulary.ids(words), 5, max(1, len(vocabulary)))

    prose = books.read("emma")[:LONG]
    odd = part * (LONG // len(part))
    ratio = times_slower(lambda: learn(odd), lambda: learn(prose), rounds=1)
    print(f"{part!r} over and over / prose: {ratio:.2f}")
    assert ratio <= 6
