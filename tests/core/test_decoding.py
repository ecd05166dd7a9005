"""Speculative decoding of a text: its law by enumeration and by χ², greedy text, look-up, replay; and a broken rule that must fail.

The laws here depend on the context. The enumeration runs the real `step` once for every outcome it can have: which words are
drafted, which are kept, which word is last. Uniforms from the middle of each outcome's interval bring it about, and the product of
the intervals' lengths, worked out here, is its probability.
"""

import itertools
import math

import numpy as np
import pytest
from oracles import pick, uniforms_of_calls

from specdec_core import (RULES, DistributionError, PromptLookup, Sampling, chi_square, continuations, decode, likeliest, sampled,
                          simulate_calls, timeline)
from specdec_core.decoding import step

REDRAW = RULES["redraw"].recovery


def language(seed, size, order=2, concentration=.7, zeros=True):
    """A random law for every context, by its last `order` words; where `zeros`, some words have none."""
    known = {}

    def law(context):
        key = tuple(context)[-order:]
        if key not in known:
            random = np.random.default_rng([seed, *(word + 1 for word in key)])
            weights = random.dirichlet(np.full(size, concentration))
            if zeros and size > 2:
                weights[random.integers(size)] *= random.integers(2)
            known[key] = weights / weights.sum()
        return known[key]

    return law


def nothing(context):
    return None


def chain(law, prompt, length, size):
    """The law of whole continuations by the chain rule."""
    return {words: math.prod(law((*prompt, *words[:i]))[word] for i, word in enumerate(words))
            for words in itertools.product(range(size), repeat=length)}


def middle(law, word):
    """A uniform by which `pick` finds the word."""
    before = sum(law[:word])
    return before + law[word] / 2


def outcomes(target, draft, context, gamma, recover):
    """(probability, words) of every outcome of one call, each brought about by the real `step`."""
    def drafts(drafted, chance):
        law = draft((*context, *drafted)) if len(drafted) < gamma else None
        if law is None:
            yield drafted, chance
            return
        for word in np.flatnonzero(law):
            yield from drafts((*drafted, int(word)), chance * law[word])

    for drafted, chance in drafts((), 1.0):
        p = [target((*context, *drafted[:i])) for i in range(len(drafted) + 1)]
        q = [draft((*context, *drafted[:i])) for i in range(len(drafted))]
        keeps = [min(1.0, p[i][word] / q[i][word]) for i, word in enumerate(drafted)]
        for accepted in range(len(drafted) + 1):
            weight = chance * math.prod(keeps[:accepted]) * (1 - keeps[accepted] if accepted < len(drafted) else 1)
            if weight <= 0:
                continue
            if accepted == len(drafted):
                last_law = p[accepted]
            elif recover is None:
                excess = np.maximum(p[accepted] - q[accepted], 0)
                last_law = excess / excess.sum()
            else:
                last_law = p[accepted]
            for last in np.flatnonzero(last_law):
                uniforms = np.full(21, .999)
                for i, word in enumerate(drafted):
                    uniforms[i] = middle(q[i], word)
                    uniforms[10 + i] = keeps[i] / 2 if i < accepted else (1 + keeps[i]) / 2 if i == accepted else .5
                uniforms[20] = middle(last_law, last)
                it = step(target, draft, context, gamma, uniforms, *([] if recover is None else [recover]))
                assert it.call.words == (*drafted[:accepted], last) and it.draws == tuple(uniforms[:len(drafted)])
                yield weight * last_law[last], it.call.words


def enumerated(target, draft, prompt, gamma, length, recover=None):
    """The law of the first `length` words of speculative decoding, by all outcomes of all its calls."""
    law = {}

    def go(words, chance):
        if len(words) >= length:
            law[words[:length]] = law.get(words[:length], 0) + chance
            return
        for weight, out in calls(words):
            go((*words, *out), chance * weight)

    known = {}

    def calls(words):
        if words not in known:
            merged = {}
            for weight, out in outcomes(target, draft, (*prompt, *words), gamma, recover):
                merged[out] = merged.get(out, 0) + weight
            known[words] = [(weight, out) for out, weight in merged.items()]
        return known[words]

    go((), 1.0)
    return law


def gap(law, other):
    return max(abs(law.get(words, 0) - other.get(words, 0)) for words in {*law, *other})


@pytest.mark.parametrize("size, gamma, length, seed", [(3, 1, 3, 1), (3, 2, 3, 2), (3, 3, 4, 3), (4, 2, 3, 4), (4, 3, 3, 5), (2, 4, 4, 6)])
def test_whole_continuations_have_the_targets_law_by_enumeration(size, gamma, length, seed):
    target, draft, prompt = language(seed, size), language(seed + 100, size), (0, 1)
    law = enumerated(target, draft, prompt, gamma, length)
    assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)
    assert gap(law, chain(target, prompt, length, size)) < 1e-12


@pytest.mark.parametrize("size, gamma, length, seed", [(3, 2, 3, 2), (4, 3, 3, 5)])
def test_the_redraw_rule_has_another_law(size, gamma, length, seed):
    target, draft, prompt = language(seed, size), language(seed + 100, size), (0, 1)
    law = enumerated(target, draft, prompt, gamma, length, REDRAW)
    assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)
    assert gap(law, chain(target, prompt, length, size)) > .01


def test_a_draft_of_another_kind_changes_no_continuations_law():
    """Look-up drafts one word, several or none, with all mass on each; cut laws have zeros; the target itself never errs."""
    target, prompt, lookup = language(1, 3), (0, 1, 2, 0, 1), PromptLookup(3, 2)
    wanted = chain(target, prompt, 3, 3)
    for draft in lookup, nothing, target, sampled(language(8, 3), Sampling(.5, 2)):
        assert gap(enumerated(target, draft, prompt, 2, 3), wanted) < 1e-12
    cut = sampled(target, Sampling(1.5, 2, .9))
    assert gap(enumerated(cut, language(8, 3), prompt, 2, 3), chain(cut, prompt, 3, 3)) < 1e-12


SIZE, LENGTH, N, PROMPT = 4, 3, 6_000, (0, 1)
FALSE_ALARM = 1e-6


def verdict(seed, gamma, *recover):
    target, draft = language(21, SIZE, zeros=False), language(22, SIZE, zeros=False)
    law = chain(target, PROMPT, LENGTH, SIZE)
    cell = {words: i for i, words in enumerate(law)}
    runs = continuations(target, draft, PROMPT, gamma, LENGTH, seed, *recover)
    counts = np.bincount([cell[words] for words in itertools.islice(runs, N)], minlength=len(law))
    return chi_square(counts, list(law.values()), FALSE_ALARM)


@pytest.mark.parametrize("seed, gamma", [(7, 1), (7, 4), (2024, 2)])
def test_the_samplers_continuations_pass_chi_square(seed, gamma):
    result = verdict(seed, gamma)
    assert result.degrees > 30 and result.passed


def test_those_of_the_redraw_rule_do_not():
    assert not verdict(7, 2, REDRAW).passed


@pytest.mark.parametrize("gamma", [0, 1, 4, 10])
@pytest.mark.parametrize("seed", [0, 7])
def test_at_temperature_0_every_draft_gives_the_same_text(gamma, seed):
    greedy = sampled(language(5, 6), Sampling(0))
    text = [0, 1]
    for _ in range(40):
        law = language(5, 6)(text)
        text.append(min(word for word in range(6) if law[word] == max(law)))  # of equals the first
    for draft in language(6, 6), sampled(language(6, 6), Sampling(0)), language(5, 6), PromptLookup(6), nothing:
        decoded = decode(greedy, draft, (0, 1), gamma, 40, seed)
        assert [0, 1, *decoded.words[:40]] == text


def test_of_equal_words_the_first_is_the_greedy_one():
    tied = sampled(lambda context: np.array([.1, .3, .3, .3]), Sampling(0))
    assert decode(tied, lambda context: np.array([0, 0, .5, .5]), (), 3, 12, 1).words[:12] == (1,) * 12


@pytest.mark.parametrize("draft", [language(6, 5), nothing])
def test_without_drafted_words_it_is_plain_decoding(draft):
    target, words = language(5, 5), []
    for us in uniforms_of_calls(11, 30):
        words.append(pick(target(words), us[20]))
    plain = decode(target, draft, (), 0 if draft is not nothing else 4, 30, 11)
    assert list(plain.words) == words and plain.tokens_per_call == 1 and math.isnan(plain.alpha)
    assert plain.speedup(.3) == 1 and all(call.positions[0].alpha is None for call in plain.calls)


def test_with_laws_that_never_change_it_is_simulate_calls():
    p, q = [.5, .3, .2], [.2, .3, .5]
    decoded = decode(lambda context: np.array(p), lambda context: np.array(q), (), 4, 200, 7)
    calls = simulate_calls(p, q, 4, len(decoded.calls), 7)
    assert list(decoded.words) == calls.words.tolist() and decoded.tokens_per_call == pytest.approx(calls.tokens_per_call)
    assert decoded.standard_error == pytest.approx(calls.standard_error)
    assert decoded.alpha == pytest.approx(.7) and decoded.constant_alpha_tokens == pytest.approx((1 - .7**5) / .3)
    assert decoded.speedup(.1) == pytest.approx(timeline(p, q, 4, len(decoded.calls), 7, .1).speedup)


def test_a_seed_replays_a_text_and_another_gives_another():
    def words(seed, n):
        return decode(language(5, 9), language(6, 9), (3,), 4, n, seed).words

    assert words(7, 60)[:30] == words(7, 30)[:30] and words(7, 60) != words(8, 60)


def test_the_record_is_what_happened():
    target, draft, prompt = language(5, 12), language(6, 12), (3, 1)
    decoded = decode(target, draft, prompt, 4, 50, 7)
    text, judged = list(prompt), [[] for _ in range(4)]
    for us, it in zip(uniforms_of_calls(7, len(decoded.calls)), decoded.calls):
        assert it.start == len(text) - len(prompt) and it.draws == tuple(us[:4]) and it.call.uniforms == (*us[10:14], us[20])
        context = list(text)
        for i, place in enumerate(it.positions):
            p, q = target(context), draft(context) if i < 4 else np.zeros(12)
            shown = list(place.words)
            rest = [word for word in range(12) if word not in shown]
            for law, values in (p, place.p), (q, place.q), (np.minimum(p, q), place.kept), (np.maximum(q - p, 0), place.rejected), (
                    np.maximum(p - q, 0), place.refill):
                assert values == pytest.approx([*law[shown], sum(law[rest])], abs=1e-15)
            assert set(np.argsort(-np.maximum(p, q))[:4]) <= set(shown) and len(shown) <= 6
            if i < 4:
                word = it.call.drafted[i]
                assert word == pick(q, us[i]) and word in shown and place.alpha == pytest.approx(1 - sum(np.maximum(q - p, 0)))
                kept = us[10 + i] * q[word] < p[word]
                if i < it.tested:
                    judged[i].append((place.alpha, kept))
                    assert kept == (i < it.call.accepted)
                assert place.keep[shown.index(word)] == pytest.approx(min(1, p[word] / q[word]))
                context.append(word)
            else:
                assert place.alpha is None
        assert it.call.last in it.positions[it.call.accepted].words
        text += it.words
    assert tuple(text[2:]) == decoded.words
    assert decoded.tested.tolist() == [len(pairs) for pairs in judged]
    assert decoded.kept.tolist() == [sum(kept for _, kept in pairs) for pairs in judged]
    n = len(decoded.calls)
    assert decoded.survival == pytest.approx([sum(kept for _, kept in pairs) / n for pairs in judged])
    everything = [alpha for pairs in judged for alpha, _ in pairs]
    assert decoded.alpha == pytest.approx(np.mean(everything))
    assert [alphas.tolist() for alphas in decoded.alphas] == [[alpha for alpha, _ in pairs] for pairs in judged]
    assert decoded.tokens_per_call == len(decoded.words) / n == pytest.approx(1 + decoded.survival.sum())
    a = decoded.alpha
    assert decoded.constant_alpha_tokens == pytest.approx(1 + a + a**2 + a**3 + a**4)
    assert decoded.speedup(.2) == pytest.approx(len(decoded.words) / (n * 1.8))


def test_after_some_calls_it_is_what_it_was_then():
    decoded = decode(language(5, 9), language(6, 9), (3,), 4, 60, 7)
    some = decoded.after(5)
    assert some.words == decode(language(5, 9), language(6, 9), (3,), 4, len(some.words), 7).words
    none = decoded.after(0)
    assert none.words == () and math.isnan(none.tokens_per_call) and math.isnan(none.speedup(.1)) and math.isnan(none.alpha)


def test_an_end_word_ends_the_text():
    target = language(5, 4, zeros=False)
    decoded = decode(target, language(6, 4, zeros=False), (), 4, 500, 7, end=2)
    assert decoded.words.index(2) == len(decoded.words) - 1 and len(decoded.words) < 500
    assert decoded.words == decode(target, language(6, 4, zeros=False), (), 4, 500, 7).words[:len(decoded.words)]


def test_lookup_copies_what_followed_the_last_time():
    lookup = PromptLookup(9, 3)

    def word(*context):
        law = lookup(context)
        return None if law is None else (int(law.argmax()), law.sum(), np.count_nonzero(law))

    assert word(1, 2, 3, 4, 1, 2) == (3, 1, 1)
    assert word(1, 2, 3, 1, 2, 4, 1, 2) == (4, 1, 1), "the last time, not the first"
    assert word(1, 2, 3, 5, 2, 4, 1, 2) == (3, 1, 1), "two words that were there before one"
    assert word(1, 2, 3) is None and word() is None and word(1) is None
    assert word(1, 1) == (1, 1, 1)
    assert word(1, 9, 1) is None and word(1, 2, 1, 9, 1) == (2, 1, 1), "an unknown word cannot be drafted"
    copied = decode(lambda context: np.eye(9)[(context[-1] + 1) % 4], lookup, (0, 1, 2, 3, 0), 3, 8, 7)
    assert copied.words == (1, 2, 3, 0, 1, 2, 3, 0) and copied.tokens_per_call == 4 and copied.alpha == 1


def test_a_lookup_that_finds_nothing_drafts_nothing():
    decoded = decode(lambda context: np.eye(9)[len(context) % 9], PromptLookup(9), (), 3, 9, 7)
    assert decoded.drafted.tolist() == [0] * 9 and decoded.speedup(.5) == 1


def test_lanes_of_calls_that_draft_differently():
    decoded = decode(language(5, 4), PromptLookup(4, 2), (0, 1, 0), 3, 20, 7)
    assert len({*decoded.drafted.tolist()}) > 1
    plain, fast = decoded.lanes(.25)
    time = out = 0
    steps = iter(zip(fast.start, fast.end, fast.is_draft, fast.call, fast.words_out))
    for k, it in enumerate(decoded.calls):
        for _ in it.call.drafted:
            assert next(steps) == (pytest.approx(time), pytest.approx(time + .25), True, k, out)
            time += .25
        out += len(it.words)
        assert next(steps) == (pytest.approx(time), pytest.approx(time + 1), False, k, out)
        time += 1
    assert next(steps, None) is None and fast.length == pytest.approx(time) and plain.length == len(decoded.words) == out
    assert decoded.speedup(.25) == pytest.approx(out / time)


def test_of_many_unlikely_beginnings_one_may_end_well():
    """The likeliest pair begins with the rarest first word."""
    def law(context):
        return np.array([.3, .3, .3, .1]) if not context else np.array([0, 0, 0, 1.]) if context[-1] == 3 else np.full(4, .25)

    assert likeliest(law, (), 2, 1) == {(3, 3): .1}


@pytest.mark.parametrize("length, most", [(1, 3), (2, 5), (3, 10), (3, 64), (2, 100)])
def test_the_likeliest_continuations(length, most):
    law = chain(language(5, 4), (0, 1), length, 4)
    wanted = sorted((words for words in law if law[words] > 0), key=lambda words: -law[words])[:most]
    found = likeliest(language(5, 4), (0, 1), length, most)
    assert list(found) == wanted and list(found.values()) == pytest.approx([law[words] for words in wanted])


def test_what_cannot_be_done_is_refused():
    target = language(5, 4)
    for settings in dict(gamma=11), dict(gamma=-1), dict(n_words=-1), dict(seed=-1), dict(seed=2**32):
        with pytest.raises(ValueError, match=f"{next(iter(settings))} must be"):
            decode(target, target, (), **dict(gamma=2, n_words=5, seed=7) | settings)
    with pytest.raises(DistributionError):
        decode(lambda context: np.array([.5, .6]), nothing, (), 2, 5, 7)
