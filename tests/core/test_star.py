"""The self-taught loop against every course that it can take, and against many runs."""

from itertools import product
from math import log, prod

import numpy as np
import pytest

from specdec_core import DistributionError, Loop
from specdec_core.examples import FOUR_QUESTIONS as FOUR

BASE, RIGHT, HINTED = ((.3, .1, .6), (0., 0., 1.)), ((True, True, False),) * 2, ((.5, .2, .3),) * 2


def loop(**options):
    return Loop(BASE, RIGHT, HINTED, **{"tries": 2, "strength": 1.5, "hint": False} | options)


def walk(base, right, hinted, tries, strength, hint, rounds):
    """Mean accuracy and entropy of one question after each round, by every sequence of draws (and hints)."""
    level, means = {tuple(base): 1.0}, []
    for _ in range(rounds + 1):
        accuracy = sum(chance * sum(x for x, good in zip(model, right) if good) for model, chance in level.items())
        entropy = sum(chance * -sum(x * log(x) for x in model if x > 0) for model, chance in level.items())
        means.append((accuracy, entropy))
        after = {}
        for model, chance in level.items():
            for draws in product(range(len(base)), repeat=tries):
                here = chance * prod(model[y] for y in draws)
                kept = [y for y in draws if right[y]]
                again = [([y] if right[y] else [], hinted[y]) for y in range(len(base))] if hint and not kept else [(kept, 1.0)]
                for stays, share in again:
                    new = tuple((strength * b + stays.count(y)) / (strength + len(stays)) for y, b in enumerate(base))
                    after[new] = after.get(new, 0.0) + here * share
        level = after
    return means


@pytest.mark.parametrize("hint", [False, True])
@pytest.mark.parametrize("tries", [1, 2, 3])
def test_the_lines_are_the_mean_over_every_course(hint, tries):
    course = loop(tries=tries, hint=hint).expected(3)
    for i in range(2):
        means = np.array(walk(BASE[i], RIGHT[i], HINTED[i], tries, 1.5, hint, 3))
        np.testing.assert_allclose(course.accuracy[:, i], means[:, 0], atol=1e-12)
        np.testing.assert_allclose(course.entropy[:, i], means[:, 1], atol=1e-12)


def test_a_question_that_never_passes_needs_a_hint():
    without, hinted = (Loop(FOUR.base, FOUR.right, FOUR.hinted, 4, FOUR.strength, hint).expected(10) for hint in (False, True))
    assert not without.accuracy[:, 3].any() and without.entropy[:, 3] == pytest.approx(without.entropy[0, 3])
    assert hinted.accuracy[1, 3] == pytest.approx(.6 * 1 / 3)  # 6 hints in 10 help, and one kept answer then stands against 2
    assert hinted.accuracy[10].mean() > without.accuracy[10].mean() + .1
    assert np.all(np.diff(without.accuracy.mean(axis=1)) > 0)


def test_a_run_keeps_what_is_right_and_fits_again_from_the_base():
    model = np.array(FOUR.base)
    for done in Loop(FOUR.base, FOUR.right, FOUR.hinted, 4, 2.0, True).run(6, 3):
        for i in range(4):
            kept = [y for y in done.drawn[i].tolist() if FOUR.right[i][y]]
            assert done.kept[i].tolist() == [FOUR.right[i][y] for y in done.drawn[i]]
            assert all(model[i][y] > 0 for y in done.drawn[i])
            assert (done.hinted[i] == -1) == bool(kept)
            if not kept and FOUR.right[i][done.hinted[i]]:
                assert done.hint_kept[i]
                kept = [done.hinted[i]]
            fitted = [(2 * b + kept.count(y)) / (2 + len(kept)) for y, b in enumerate(FOUR.base[i])]
            assert done.model[i] == pytest.approx(fitted) and done.accuracy[i] == pytest.approx(sum(fitted[:2]))
        model = done.model


def runs(hint, n=3000):
    """Mean accuracy after three rounds of many runs, with its standard error, for each question."""
    seen = np.array([loop(hint=hint).run(3, seed)[-1].accuracy for seed in range(n)])
    return seen.mean(axis=0), seen.std(axis=0) / n**.5


@pytest.mark.parametrize("hint", [False, True])
def test_many_runs_have_the_lines_for_their_mean(hint):
    """|z| < 5.2, exceeded once in a million runs of this test for each question; the control has the other line."""
    mean, error = runs(hint)
    right, wrong = (loop(hint=which).expected(3).accuracy[3] for which in (hint, not hint))
    assert np.all(np.abs(mean - right) <= 5.2 * error + 1e-12)
    assert np.abs(mean - wrong)[1] > 5.2 * error[1] + 1e-3


def test_luck_is_the_same_with_and_without_hints():
    without, hinted = (Loop(FOUR.base, FOUR.right, FOUR.hinted, 4, 2.0, hint).run(1, 8)[0] for hint in (False, True))
    assert (without.drawn == hinted.drawn).all() and (without.hinted == -1).all()
    assert [len(loop().run(n, 1)) for n in (0, 4)] == [0, 4]


def test_what_is_no_loop():
    with pytest.raises(ValueError, match="one shape"):
        Loop(BASE, RIGHT[:1], HINTED, 2, 1)
    with pytest.raises(ValueError, match="tries"):
        loop(tries=0)
    with pytest.raises(ValueError, match="strength"):
        loop(strength=0)
    with pytest.raises(DistributionError, match="sum to"):
        Loop(((.5, .4, 0),) * 2, RIGHT, HINTED, 2, 1)
