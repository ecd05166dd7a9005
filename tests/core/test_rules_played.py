"""The rules against a second implementation: one call at a time, from uniforms or with real loops; the same luck everywhere."""

from math import floor

import numpy as np
import pytest
from word_laws import HALF, P, every_rule

from specdec_core import RULES, simulate_calls, simulate_rule


def find(law, u):
    """The first word with u below the running total; the last with mass if rounding leaves none."""
    total = 0.0
    for word, mass in enumerate(law):
        total += mass
        if u < total:
            return word
    return max(word for word, mass in enumerate(law) if mass)


def drawn_from(name, q):
    if name == "greedy":
        return [float(i == max(range(len(q)), key=lambda j: (q[j], -j))) for i in range(len(q))]
    if name == "temperature":
        return [x**2 / sum(y**2 for y in q) for x in q]
    return list(q)


def keeps(name, x, u, p, q):
    match name:
        case "match":
            return find(p, u) == x
        case "always":
            return True
        case "inclusive":
            return floor(u * 2**11) / 2**11 * q[x] <= p[x]
        case "lenience":
            return u * (q[x] / 2) < p[x]
    return u * q[x] < p[x]


def replaced_from(name, p, q):
    """The law of the word that replaces a rejected one, for rules where it depends on nothing else."""
    if name == "redraw":
        return list(p)
    if name == "misaligned":
        mine, theirs = [i for i, x in enumerate(p) if x], [q[i] for i in range(len(q)) if q[i]]
        left = [0.0] * len(p)
        for position, word in enumerate(mine):
            left[word] = max(0.0, p[word] - (theirs[position] if position < len(theirs) else 0.0))
    else:
        left = [max(0.0, a - b) for a, b in zip(p, q)]
    return [x / sum(left) for x in left] if sum(left) else list(p)


def play(name, p, q, gamma, uniforms):
    """One call, judged word by word from its 21 uniforms."""
    drafted = [find(drawn_from(name, q), u) for u in uniforms[:gamma]]
    for i, x in enumerate(drafted):
        u = uniforms[10 if name == "shared" else 10 + i]
        if not keeps(name, x, u, p, q):
            return drafted, i, find(p, u) if name == "match" else find(replaced_from(name, p, q), uniforms[20])
    return drafted, gamma, find(p, uniforms[20])


@pytest.mark.parametrize("name", [name for name in RULES if name != "retry"])
@pytest.mark.parametrize("gamma", (0, 1, 4, 10))
def test_every_call_is_what_a_plain_loop_makes_of_its_uniforms(name, gamma):
    rule = RULES[name]
    for p, q in (rule.laws.target, rule.laws.draft), (P, HALF):
        calls = simulate_rule(rule, p, q, gamma, 300, 11)
        stream = np.random.RandomState(11).random_sample((300, 21))
        for k, uniforms in enumerate(stream):
            assert (calls.drafted[k].tolist(), calls.accepted[k], calls.last[k]) == play(name, p, q, gamma, uniforms.tolist())


def test_the_retry_loop_settles_on_the_law_that_the_rule_draws_from():
    rng, p, q = np.random.default_rng(5), np.array(P), np.array(HALF)
    out = []
    for _ in range(6000):
        x = rng.choice(6, p=q)
        while rng.random() * q[x] >= p[x]:
            x = rng.choice(6, p=q)
        out.append(x)
    shares, law = np.bincount(out, minlength=6) / 6000, RULES["retry"].recovery(p, q)
    assert law == pytest.approx(np.minimum(p, q) / np.minimum(p, q).sum())
    assert (np.abs(shares - law) < 4 * np.sqrt(law / 6000)).all()


def test_the_exact_rule_is_simulate_calls():
    for gamma in (0, 1, 4, 10):
        one, other = simulate_rule(RULES["speculative"], P, HALF, gamma, 5000, 8), simulate_calls(P, HALF, gamma, 5000, 8)
        assert all((getattr(one, name) == getattr(other, name)).all() for name in ("drafted", "accepted", "last"))


@every_rule
def test_call_k_is_the_same_call_however_many_are_run(name):
    rule = RULES[name]
    few, many = (simulate_rule(rule, P, HALF, 4, n, 2**32 - 1) for n in (777, 40_000))
    assert all((getattr(few, field) == getattr(many, field)[:777]).all() for field in ("drafted", "accepted", "last"))
    wide = simulate_rule(rule, P, HALF, 10, 777, 2**32 - 1)
    assert (wide.drafted[:, :4] == few.drafted).all() and (np.minimum(wide.accepted, 4) == few.accepted).all()
