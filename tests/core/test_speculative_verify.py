"""`verify`: one target call, against the rule written out by hand."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import laws, pick

from specdec_core import DistributionError, verify

BELOW_ONE = math.nextafter(1.0, 0.0)
P = [[.6, .3, .1], [.2, .3, .5], [.1, .2, .7]]
Q = [[.2, .3, .5], [.5, .3, .2]]


def by_hand(drafted, p, q, us):
    """(words, accepted, last) of a call, in plain Python."""
    words = []
    for i, x in enumerate(drafted):
        if not us[i] * q[i][x] < p[i][x]:
            excess = [max(0.0, a - b) for a, b in zip(p[i], q[i])]
            return words + [pick([e / sum(excess) for e in excess], us[-1])], i
        words.append(x)
    return words + [pick(p[-1], us[-1])], len(drafted)


@st.composite
def calls(draw):
    size, gamma = draw(st.integers(2, 5)), draw(st.integers(0, 4))
    p, q = [draw(laws(size)) for _ in range(gamma + 1)], [draw(laws(size)) for _ in range(gamma)]
    drafted = [draw(st.sampled_from(np.flatnonzero(law).tolist())) for law in q]
    unit = st.one_of(st.just(0.0), st.just(BELOW_ONE), st.floats(0, 1, exclude_max=True))
    return drafted, p, q, draw(st.lists(unit, min_size=gamma + 1, max_size=gamma + 1))


@given(calls())
def test_a_call_is_what_the_rule_by_hand_says(call):
    drafted, p, q, us = call
    words, accepted = by_hand(drafted, p, q, us)
    judged = verify(drafted, p, q or np.empty((0, len(p[0]))), us)
    assert (judged.words, judged.accepted) == (tuple(words), accepted)
    assert (judged.drafted, judged.uniforms, judged.last) == (tuple(drafted), tuple(us), words[-1])
    assert judged.discarded == tuple(drafted[accepted + 1:])
    assert judged.recovered == (words[-1] if accepted < len(drafted) else None)
    assert judged.bonus == (words[-1] if accepted == len(drafted) else None)


def test_the_three_endings_by_hand():
    kept, fixed, dropped = (verify([2, 0], P, Q, us) for us in ([.19, .39, .75], [.19, .41, .75], [.2, 0, .99]))
    assert (kept.words, kept.bonus, kept.recovered, kept.discarded) == ((2, 0, 2), 2, None, ())
    assert (fixed.words, fixed.bonus, fixed.recovered, fixed.discarded) == ((2, 2), None, 2, ())
    assert (dropped.words, dropped.bonus, dropped.recovered, dropped.discarded) == ((0,), None, 0, (0,))


def test_the_bonus_is_drawn_from_the_target_at_the_last_position():
    """Each of the three words comes out for the share of uniforms that p[γ] gives it, and no other law of the call fits."""
    bonuses = [verify([0, 2], P, Q, [0, 0, (i + .5) / 100]).bonus for i in range(100)]
    assert [bonuses.count(x) for x in range(3)] == [10, 20, 70]


def test_the_recovered_word_is_drawn_from_the_residual_of_its_own_position():
    recovered = [verify([0, 0], P, Q, [0, .5, (i + .5) / 100]).recovered for i in range(100)]
    assert set(recovered) == {2}
    recovered = [verify([0], [[.1, .6, .3], P[0]], [[.7, .2, .1]], [.5, (i + .5) / 60]).recovered for i in range(60)]
    assert [recovered.count(x) for x in range(3)] == [0, 40, 20]


def test_without_drafted_words_there_is_a_bonus_alone():
    assert verify([], [P[0]], [], [.65]).words == (1,)


def test_a_word_that_the_target_never_says_is_never_kept():
    assert verify([0], [[0, 1], [1, 0]], [[.5, .5]], [0, .5]).words == (1,)


def test_where_the_laws_agree_every_word_is_kept():
    for x, u in [(0, 0.0), (1, BELOW_ONE), (2, .5)]:
        assert verify([x], [P[0], P[1]], [P[0]], [u, .1]).accepted == 1


def test_a_rejection_by_rounding_alone_draws_from_the_target():
    """u·5e-324 rounds up to 5e-324: the one rejection there can be where p = q, and so without a residual."""
    law = [1.0, 5e-324]
    call = verify([1], [law, law], [law], [.9, .3])
    assert (call.accepted, call.recovered) == (0, 0)


@pytest.mark.parametrize("drafted, p, q, us, message", [
    ([0], P, Q, [.1, .1], "shape"),
    ([0, 0], P[:2], Q, [.1, .1, .1], "shape"),
    ([0, 0], P, Q[:1], [.1, .1, .1], "shape"),
    ([0, 0], P, Q, [.1, .1], "shape"),
    ([0, 0], P, [[.5, .5], [.5, .5]], [.1, .1, .1], "shape"),
    ([0], P[0], Q[0], [.1, .1], "shape"),
    ([0, 0], P, Q, [.1, 1.0, .1], "uniform"),
    ([0, 0], P, Q, [-1e-9, 0, .1], "uniform"),
    ([0, 0], P, Q, [.1, .1, math.nan], "uniform"),
    ([0, 3], P, Q, [.1, .1, .1], "word 3 at position 1 is not in the vocabulary of 3"),
    ([-1, 0], P, Q, [.1, .1, .1], "word -1 at position 0 is not in the vocabulary of 3"),
    ([0, 1.7], P, Q, [.1, .1, .1], "word 1.7 at position 1 is not in the vocabulary of 3"),
    ([0, "1"], P, Q, [.1, .1, .1], "word 1 at position 1 is not in the vocabulary of 3"),
    ([0, None], P, Q, [.1, .1, .1], "word None at position 1 is not in the vocabulary of 3"),
    ([[0, 1]], P[1:], Q[1:], [.1, .1], "not in the vocabulary of 3"),
    ([0, 1], P, [[1, 0, 0], [1, 0, 0]], [.1, .1, .1], "word 1 at position 1 cannot have been drafted"),
])
def test_a_call_that_cannot_have_been_is_refused(drafted, p, q, us, message):
    with pytest.raises(ValueError, match=message):
        verify(drafted, p, q, us)


def test_a_law_that_is_none_is_refused():
    for p, q in ([P[0], [.2, .3, .6]], [Q[0]]), (P[:2], [[.5, .6, -.1]]):
        with pytest.raises(DistributionError):
            verify([0], p, q, [.1, .1])


def test_a_call_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        verify([], [P[0]], [], [.1]).last = 2
