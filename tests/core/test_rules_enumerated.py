"""The rules’ laws by enumeration in fractions, and what is simulated against what was enumerated."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from word_laws import BROKEN, HALF, P, every_rule, floats

from specdec_core import RULES, expected_tokens, simulate_rule, total_variation


def laws(draw):
    v = draw(st.integers(1, 6))
    weights = st.lists(st.integers(0, 9), min_size=v, max_size=v).filter(any)
    return tuple([Fraction(w, sum(law)) for w in law] for law in (draw(weights), draw(weights)))


pairs = st.composite(laws)()


@pytest.mark.parametrize("name", ("speculative", "match", "redraw", "retry", "always", "misaligned", "lenience"))
@settings(max_examples=60)
@given(pair=pairs)
def test_the_law_of_a_drafted_position_in_fractions(name, pair):
    """Sum over the drafted word, what is kept, and what replaces it; for the match test, over both draws."""
    p, q = pair
    out = [Fraction(0)] * len(p)
    if name == "match":
        for x, y in product(range(len(p)), repeat=2):
            out[y] += q[x] * p[y]
        alpha = sum(a * b for a, b in zip(p, q))
    else:
        scale = {"always": Fraction(0), "lenience": Fraction(1, 2)}.get(name, Fraction(1))
        kept = [b * (min(Fraction(1), a / (scale * b)) if scale and b else 1) for a, b in zip(p, q)]
        alpha = sum(kept)
        if name == "retry":
            replaced = [k / alpha for k in kept] if alpha else q
        elif name == "misaligned":
            mine, theirs = [i for i, a in enumerate(p) if a], [b for b in q if b]
            left = {i: max(Fraction(0), p[i] - b) for i, b in zip(mine, theirs + [Fraction(0)] * len(p))}
            replaced = [left.get(i, Fraction(0)) / sum(left.values()) for i in range(len(p))] if any(left.values()) else p
        else:
            left = [max(Fraction(0), a - b) for a, b in zip(p, q)]
            replaced = p if name == "redraw" or not any(left) else [x / sum(left) for x in left]
        out = [k + (1 - alpha) * r for k, r in zip(kept, replaced)]
    numbers, rule = floats(p, q), RULES[name]
    assert rule.output_distribution(*numbers) == pytest.approx([float(x) for x in out], abs=1e-12)
    assert rule.acceptance_rate(*numbers) == pytest.approx(float(alpha), abs=1e-12)


@every_rule
@given(pair=pairs, gamma=st.integers(0, 10))
@settings(max_examples=60)
def test_what_rules_promise_for_any_laws(name, pair, gamma):
    rule, (p, q) = RULES[name], floats(*pair)
    one, words = rule.output_distribution(p, q), rule.words_distribution(p, q, gamma)
    tokens, mean = rule.tokens_distribution(p, q, gamma), rule.tokens_per_call(p, q, gamma)
    for law in one, words, tokens:
        assert (law > -1e-12).all() and law.sum() == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(tokens @ np.arange(1, gamma + 2), abs=1e-9) and 1 <= mean <= gamma + 1 + 1e-12
    if rule.exact:
        assert one == pytest.approx(p, abs=1e-12) and words == pytest.approx(p, abs=1e-12)
    if name != "shared":
        assert mean == pytest.approx(expected_tokens(min(1.0, rule.acceptance_rate(p, q)), gamma), abs=1e-9)
    if gamma == 0:
        assert words == pytest.approx(p, abs=1e-12)
    calls = simulate_rule(rule, p, q, gamma, 20, 3)
    assert calls.tally.sum() == calls.accepted.sum() + 20
    assert not calls.tally[(words < 1e-12)].any()


@every_rule
@pytest.mark.parametrize("gamma", (1, 4, 10))
def test_what_is_simulated_has_the_law_that_was_enumerated(name, gamma):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    calls, law = simulate_rule(rule, p, q, gamma, 100_000, 2026), rule.words_distribution(p, q, gamma)
    n = calls.tally.sum()
    spread = np.sqrt(law * (1 - law) / n) * (2 if name == "shared" else 1.2)  # words of a call depend on each other
    assert (np.abs(calls.tally / n - law) <= 4.5 * spread).all()
    assert abs(calls.tokens_per_call - rule.tokens_per_call(p, q, gamma)) <= 4.5 * calls.standard_error
    tokens = rule.tokens_distribution(p, q, gamma)
    seen = np.bincount(calls.accepted, minlength=gamma + 1) / 100_000
    assert (np.abs(seen - tokens) <= 4.5 * np.sqrt(tokens * (1 - tokens) / 100_000) + 1e-12).all()


def test_the_design_documents_numbers():
    """Non-centrality in 20,000 words at closeness .5, and the law of the widget's pair."""
    p = np.array(P)
    for name, wanted in (("redraw", 303), ("retry", 462), ("always", 4618)):
        law = RULES[name].output_distribution(P, HALF)
        assert 20_000 * ((law - p) ** 2 / p).sum() == pytest.approx(wanted, abs=.6)
    assert RULES["match"].acceptance_rate(P, HALF) == pytest.approx(sum(a * b for a, b in zip(P, HALF)), abs=1e-15)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_wrong_on_its_own_laws(name):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    assert total_variation(rule.words_distribution(p, q, 4), p) > 1e-4


@every_rule
def test_every_rule_says_where_it_was_seen(name):
    rule = RULES[name]
    assert rule.seen.endswith(".") and rule.name and len(rule.laws.words) == len(rule.laws.target) == len(rule.laws.draft)
    assert name.isalpha() and name.islower()
    with pytest.raises(AttributeError):
        rule.bits = 3
