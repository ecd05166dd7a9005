"""Pasted numbers in every shape, cut as an engine cuts them, and what follows from two laws: against sums over words by hand."""

import json
import math

import numpy as np
import pytest

from specdec_core import (MAX_ENTRIES, DistributionError, Sampling, acceptance_rate, as_pmf, largest_words, own_laws, read_entries,
                          softmax, sweep)

P = dict(the=.5, a=.3, my=.2)
Q = dict(the=.2, a=.3, my=.5)


def pasted(law, kind="probabilities"):
    values = {"probabilities": list(law.values()), "log-probabilities": [math.log(x) for x in law.values()],
              "logits": [math.log(x) + 7 for x in law.values()]}[kind]
    return read_entries(json.dumps(dict(zip(law, values))))


@pytest.mark.parametrize("text, words, values", [
    (".5\n.3\n.2", None, [.5, .3, .2]), ("p\n.5\n.3\n.2\n\n", None, [.5, .3, .2]),
    ("the,.5\r\na,.3\r\nmy,.2\r\n", ("the", "a", "my"), [.5, .3, .2]),
    ("token\tlogit\n the\t5\n,\t-inf", (" the", ","), [5, -math.inf]),
    ('word,prob\n",",.5\n"a ""b""",.25\n"two\nlines",.25', (",", 'a "b"', "two\nlines"), [.5, .25, .25]),
    ("a,b,.5\nc,.5", ("a,b", "c"), [.5, .5]), ("the;.5\na;.5", ("the", "a"), [.5, .5]),
    ("[.5, 0.25, 0.25]".replace("[.", "[0."), None, [.5, .25, .25]), ('{"the": 0.5, "a": 0.5}', ("the", "a"), [.5, .5]),
    ('[["the", 0.5], ["a", 0.5]]', ("the", "a"), [.5, .5]),
    ('[{"token": "the", "logprob": -1}, {"token": "a", "logprob": -2}]', ("the", "a"), [-1, -2]),
    ('{"tokens": ["the", "a"], "logits": [3, 4]}', ("the", "a"), [3, 4]),
])
def test_shapes_that_are_read(text, words, values):
    entries = read_entries(text)
    assert entries.words == words and entries.values.tolist() == values


@pytest.mark.parametrize("text, kind", [
    (".5\n.5", "probabilities"), ("-0.6931472\n-0.6931472", "log-probabilities"), ("1\n2", "logits"), ("-1\n-2", "logits"),
    ("logit\n.5\n.5", "logits"), ('[{"logprob": -1}, {"logprob": -2}]', "log-probabilities"), ('{"logits": [0.5, 0.5]}', "logits"),
])
def test_the_kind_is_told_by_the_heading_or_by_the_numbers(text, kind):
    assert read_entries(text).kind == kind


@pytest.mark.parametrize("text, why", [
    ("", "nothing was pasted"), ("the,.5\na,many", "line 2: 'many' is not a number"), ("p\n.5\nx\n", "line 3: 'x' is not a number"),
    ("1\n\n2", "line 2: '' is not a number"), ("1\nnan", "entry 1 .* is not a number"), ("[1, NaN]", "entry 1 .* is not a number"),
    ('"a",1\n"b",x', "line 2: 'x'"), ("[1,\n oops]", "line 2: this is not JSON"), ("[" * 100_000, "nested|not JSON"),
    ("[]", "empty"), ("{}", "empty"), ("[1, true]", "entry 1 .*not a number"), ('["1"]', "entry 0 .*not a number"),
    ('[["a", 1], ["b"]]', "do not all have"), ('[{"a": 1}]', "hold a, and none of prob"), ('{"tokens": ["a"], "logits": [1, 2]}', "as many"),
    ("1\n" * (MAX_ENTRIES + 1), "more than 200000"), ("\n" * 500_000 + "1", "lines are more than"), (f"[{10**400}]", "too large"),
])
def test_what_cannot_be_read_is_told_by_line_or_entry(text, why):
    with pytest.raises(DistributionError, match=why):
        read_entries(text)


@pytest.mark.parametrize("kind", ["probabilities", "log-probabilities", "logits"])
@pytest.mark.parametrize("temperature", [0, .5, 1, 2])
def test_every_kind_gives_the_same_law(kind, temperature):
    wanted = softmax(np.log(list(P.values())), temperature)
    assert Sampling(temperature).law(pasted(P, kind)) == pytest.approx(wanted, abs=1e-15)


def test_temperature_comes_before_the_cuts():
    """At temperature 1/2 the law is .25, .09, .04 over .38: the first word holds 65.8 %, and top-p .65 keeps it alone."""
    assert Sampling(.5, None, .65).law(pasted(P)).tolist() == [1, 0, 0]
    assert Sampling(1, None, .65).law(pasted(P)) == pytest.approx([.625, .375, 0])
    assert Sampling(1, 2, .6).law(pasted(P)).tolist() == [1, 0, 0]  # of the two kept, the first holds 62.5 %
    assert Sampling(1, None, .6).law(pasted(P)) == pytest.approx([.625, .375, 0])


def test_probabilities_that_are_none_are_refused_and_not_repaired():
    entries = read_entries("prob\n.5\n.6")
    with pytest.raises(DistributionError, match="draft: the probabilities sum to 1.1, not to 1"):
        own_laws(pasted(P), entries)
    with pytest.raises(DistributionError, match="target: entry 1"):
        own_laws(read_entries("prob\n1.5\n-.5"), entries)
    with pytest.raises(DistributionError, match="the target has 3 entries and the draft 2"):
        own_laws(pasted(P), read_entries("prob\n.5\n.5"))


def test_two_laws_by_hand():
    laws = own_laws(pasted(P), pasted(Q))
    assert laws.alpha == pytest.approx(.7) and laws.tv == pytest.approx(.3)
    assert laws.losing == (2,) and laws.refilled == (0,) and laws.residual == pytest.approx([1, 0, 0])
    assert laws.warning == "" and laws.mistake is None and laws.words == ("the", "a", "my")
    same = own_laws(pasted(P), pasted(P))
    assert same.residual is None and same.refilled == same.losing == () and same.alpha == pytest.approx(1)


def test_words_are_matched_by_word_whatever_their_order():
    shuffled = dict(reversed(Q.items()))
    laws = own_laws(pasted(P), pasted(shuffled), scored=Sampling(2))
    assert laws.words == ("the", "a", "my") and laws.draft == pytest.approx(list(Q.values()))
    laws = own_laws(pasted(P), pasted(dict(the=.6, your=.4)))
    assert laws.words == ("the", "a", "my", "your") and laws.target.tolist() == [.5, .3, .2, 0]
    assert laws.draft == pytest.approx([.6, 0, 0, .4]) and laws.never_kept == pytest.approx(.4) and laws.never_drafted == .5
    assert "40 % of the drafted words can never be kept" in laws.warning
    with pytest.raises(DistributionError, match="target: the word 'a' is there twice"):
        own_laws(read_entries("a,.5\na,.5"), read_entries("a,.5\nb,.5"))
    numbered = own_laws(read_entries(".5\n.5"), read_entries(".4\n.6"))
    assert list(numbered.words) == ["#0", "#1"]


def test_different_cuts_are_warned_of():
    laws = own_laws(pasted(P), pasted(Q), Sampling(k=2), Sampling(k=2))
    assert laws.target == pytest.approx([.625, .375, 0]) and laws.draft == pytest.approx([0, .375, .625])
    assert laws.never_kept == pytest.approx(.625) and laws.alpha == pytest.approx(.375) and "62 %" in laws.warning


def test_a_draft_scored_at_another_temperature_changes_what_comes_out():
    laws = own_laws(pasted(P), pasted(Q), draft_sampling=Sampling(.5), scored=Sampling(1))
    drawn, scored = np.array([.04, .09, .25]) / .38, np.array([.2, .3, .5])
    p = np.array([.5, .3, .2])
    assert laws.alpha == pytest.approx(np.minimum(p, drawn).sum())
    kept = sum(d * min(1, t / s) for d, t, s in zip(drawn, p, scored))
    assert laws.mistake.alpha == pytest.approx(.7) and laws.mistake.kept == pytest.approx(kept)
    out = [d * min(1, t / s) + (1 - kept) * (i == 0) for i, (d, t, s) in enumerate(zip(drawn, p, scored))]
    assert laws.mistake.output_distance == pytest.approx(sum(abs(o - t) for o, t in zip(out, p)) / 2)
    honest = own_laws(pasted(P), pasted(Q), draft_sampling=Sampling(.5), scored=Sampling(.5)).mistake
    assert honest.kept == pytest.approx(laws.alpha) and honest.output_distance == pytest.approx(0, abs=1e-15)


def test_lists_hold_ten_words_largest_first():
    rng = np.random.default_rng(5)
    p, q = (as_pmf(rng.exponential(size=50), normalise=True) for _ in range(2))
    laws = own_laws(*(read_entries("\n".join(map(repr, law.tolist()))) for law in (p, q)))
    assert list(laws.losing) == sorted(range(50), key=lambda i: min(0, p[i] - q[i]))[:10]
    assert list(laws.refilled) == sorted(range(50), key=lambda i: -max(0, p[i] - q[i]))[:10]


def test_the_widget_gets_the_largest_words_and_the_rest():
    rng = np.random.default_rng(6)
    p, q = (as_pmf(rng.exponential(size=40) ** 3, normalise=True) for _ in range(2))
    names = [f"w{i}" for i in range(38)] + ["  ", "the rest"]
    laws = own_laws(*(read_entries("\n".join(f"{word}\t{x!r}" for word, x in zip(names, law.tolist()))) for law in (p, q)))
    few = largest_words(laws)
    order = sorted(range(40), key=lambda i: -max(p[i], q[i]))[:11]
    assert len(few.words) == 12 and few.words[-1] == "the rest" and few.target[:11] == pytest.approx(p[order])
    assert sum(few.target) == pytest.approx(1) and sum(few.draft) == pytest.approx(1)
    assert acceptance_rate(few.target, few.draft) >= laws.alpha - 1e-15
    assert sweep(few.target, few.draft, few.words).alpha[0] == pytest.approx(acceptance_rate(few.target, few.draft))


def test_few_words_are_shown_as_they_are_and_odd_ones_can_be_read():
    few = largest_words(own_laws(read_entries("\t.5\n \t.25\nthe rest\t.25"), read_entries("\t.5\n \t.25\nthe rest\t.25")))
    assert few.words == ("''", "' '", "the rest #2") and few.target == few.draft == (.5, .25, .25)
    with pytest.raises(DistributionError, match="at least two words"):
        largest_words(own_laws(read_entries("1"), read_entries("1")))
