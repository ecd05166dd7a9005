"""Laws of n-gram models: whole, the formula's by another route, and better the longer the n-grams."""

import lzma
from collections import Counter

import numpy as np
import pytest
from local import ROOT

from specdec_core.ngram import perplexity, train
from specdec_core.words import Vocabulary, tokenise

HELD_OUT = 5_000  # words at the end of the corpus


@pytest.fixture(scope="module")
def novels():
    """The vocabulary of the shipped novels, and their words as numbers."""
    books = [lzma.decompress((ROOT / f"assets/corpus/{name}.txt.xz").read_bytes()) for name in ("pride-and-prejudice", "emma")]
    words = tokenise(b"\n".join(books).decode())
    vocabulary = Vocabulary.of(words)
    return len(vocabulary), np.array(vocabulary.ids(words))


@pytest.fixture(scope="module")
def models(novels):
    """One of each order, trained on all but the end of the novels."""
    size, ids = novels
    return {order: train(ids[:-HELD_OUT], order, size) for order in (1, 2, 3, 5)}


def test_the_corpus_is_as_long_as_promised(novels):
    size, ids = novels
    assert len(ids) >= 150_000 and 5_000 < size < 12_000


def test_10_000_laws_sum_to_one(novels, models):
    size, ids = novels
    rng = np.random.default_rng(7)
    for i in range(5_000):
        place, length = rng.integers(6, len(ids)), rng.integers(0, 7)
        seen, random = ids[place - length:place].tolist(), rng.integers(-1, size + 2, length).tolist()
        for context in seen, random:
            law = models[(1, 2, 3, 5)[i % 4]].law(context)
            assert abs(law.sum() - 1) <= 1e-12 and law.min() > 0 and law.dtype == float and law.shape == (size,)


def test_perplexity_falls_with_the_order(novels, models):
    """The words at the end are those of the vocabulary, some of them unseen in what was learned."""
    found = {order: perplexity(model, novels[1][-HELD_OUT:]) for order, model in models.items()}
    print("perplexity:", {order: round(value, 1) for order, value in found.items()})
    assert found[5] <= found[3] <= found[2] < found[1] / 2


def dictionary_law(text, order, size, context):
    """The same written again, in dictionaries and from the longest context down: no table, no sorting, no shared line."""
    padded = [None] * (order - 1) + [word if 0 <= word < size else None for word in text]
    counts = {order: Counter(g for g in (tuple(padded[i:i + order]) for i in range(len(text))) if g[-1] is not None)}
    for n in range(order - 1, 0, -1):
        counts[n] = Counter(gram[1:] for gram in counts[n + 1])

    def discount(n, count):
        have = Counter(counts[n].values())
        if count == 0 or have[1] == 0 or have[2] == 0:
            return .5 * (count > 0)
        first = have[1] / (have[1] + 2 * have[2])
        three = [k - (k + 1) * first * have[k + 1] / have[k] if have[k] else 0 for k in (1, 2, 3)]
        return three[min(count, 3) - 1] if min(three) > 0 else first

    def probability(word, h):
        if len(h) >= order:
            return probability(word, h[1:])
        shorter = 1 / size if h == () else probability(word, h[1:])
        followers = {gram[-1]: count for gram, count in counts[len(h) + 1].items() if gram[:-1] == h}
        if None in h or not followers:
            return shorter
        own = followers.get(word, 0)
        given_up = sum(discount(len(h) + 1, count) for count in followers.values())
        return (own - discount(len(h) + 1, own) + given_up * shorter) / sum(followers.values())

    return [probability(word, tuple(w if 0 <= w < size else None for w in context)) for word in range(size)]


@pytest.mark.parametrize("length", [6, 40, 400])  # from too few n-grams for three discounts to plenty
@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_laws_are_those_of_the_formula_written_another_way(order, length):
    size = 20
    text = (np.random.default_rng(3).random(length)**3 * 22).astype(int)  # 20 and 21 are words it does not know
    text[length // 2:length // 2 + length // 6] = text[:length // 6]  # so that long n-grams come twice
    model = train(text, order, size)
    seen = [text[i:i + 5].tolist() for i in range(0, length, 60)]
    for context in [], [0], [19], [0, 0], [21], [0, 21, 0], [0, 0, 21], [5] * 5, *seen:
        assert model.law(context) == pytest.approx(dictionary_law(text.tolist(), order, size, context), abs=1e-14)


def test_the_three_discounts_are_used(novels):
    """On a corpus of this size they differ, and none is as large as what it is taken from."""
    size, ids = novels
    for level in train(ids, 5, size).levels:
        assert 0 < level.discounts[0] < 1 < level.discounts[1] < level.discounts[2] < 2


def test_by_hand():
    """a b a b a c, with ␂ before it: ␂a and ac come once, ab and ba twice."""
    model = train([0, 1, 0, 1, 0, 2], 2, 3)
    base = (np.array([2, 1, 1]) - 1 / 2) / 4 + 3 / 8 / 3  # a follows ␂ and b; b and c follow a: n1 = 2, n2 = 1, D = 1/2
    after_a = (np.array([0, 2 - 1 / 3, 1 - 1 / 3]) + 2 / 3 * base) / 3  # n1 = n2 = 2, D = 1/3
    assert model.law([0]) == pytest.approx(after_a, abs=1e-15) and model.law([]) == pytest.approx(base, abs=1e-15)


@pytest.mark.parametrize("tokens", [[], [0], [1, 0], [9, 9], np.array([2, 1], dtype=np.uint8), [0] * 50])
@pytest.mark.parametrize("order", [1, 2, 5])
def test_texts_that_teach_little(tokens, order):
    model = train(tokens, order, 3)
    for context in [], [0], [1, 0], [0] * 9, [7, 7], np.array([0, 0], dtype=np.int16):
        law = model.law(context)
        assert law.sum() == pytest.approx(1, abs=1e-12) and law.min() > 0
    if not set(tokens) & {0, 1, 2}:
        assert list(model.law([0])) == [1 / 3] * 3 and perplexity(model, [0, 1]) == pytest.approx(3)


def test_the_order_counts_and_nothing_before_it(models, novels):
    context = novels[1][100:110].tolist()
    for order, model in models.items():
        assert (model.law(context) == model.law(context[len(context) - order + 1:])).all()
        assert (model.law(context) == model.law([7, *context])).all()


def test_an_unknown_word_hides_what_stands_before_it(models):
    model = models[5]
    for unknown in -1, model.size, 10**9:
        assert (model.law([3, unknown, 4]) == model.law([4])).all() and (model.law([3, unknown]) == model.law([])).all()


def test_perplexity_is_the_inverse_geometric_mean():
    model = train([0, 1, 0, 2, 0, 1], 2, 3)
    chances = [model.law([])[0], model.law([0])[1], model.law([9])[0]]
    assert perplexity(model, [0, 1, 9, 0]) == pytest.approx(np.prod(chances)**(-1 / 3))
    with pytest.raises(ValueError, match="no word"):
        perplexity(model, [9])


@pytest.mark.parametrize(("arguments", "fault"), [
    (([0], 0, 1), "the order must be 1 to 5, not 0"),
    (([0], 6, 1), "the order must be 1 to 5, not 6"),
    (([], 1, 0), "at least one word"),
    (([.5], 1, 1), "whole numbers"),
    (([[0]], 1, 1), "a list"),
])
def test_what_cannot_be_trained(arguments, fault):
    with pytest.raises(ValueError, match=fault):
        train(*arguments)
