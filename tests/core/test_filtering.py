"""Filters for training data against every batch there can be; samplers against the laws, with controls that fail."""

from collections import Counter
from itertools import product
from math import exp, inf, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import laws

from specdec_core import (BestOf, Capped, Checker, Distinct, DistributionError, KeepPassed, best_of_n, best_of_n_kl_bound,
                          chi_square, conditional, draw_batches, filtered, kl_divergence, pooled_questions)
from specdec_core.divergence import entropy
from specdec_core.examples import EASY_AND_HARD, EGGS

P, PASSING, REWARDS = (.4, .3, .2, .1), (1., .9, .25, 0.), (.5, .1, .5, .9)
ALARM = 1e-6  # how often a right sampler fails one of these tests; the seeds are fixed, so it does so always or never


def plain(rule, batch):
    """The places kept in a batch of (answer, passed), in the words of the rule."""
    match rule:
        case KeepPassed():
            return [i for i, (_, passed) in enumerate(batch) if passed]
        case Capped(cap=cap):
            return [i for i, (_, passed) in enumerate(batch) if passed][:cap]
        case Distinct():
            first = {}
            for i, (answer, passed) in enumerate(batch):
                if passed:
                    first.setdefault(answer, i)
            return sorted(first.values())
        case BestOf(rewards=rewards):
            return [max(range(len(batch)), key=lambda i: (rewards[batch[i][0]], -i))]


def by_every_batch(rule, p, passing, n):
    """The mean number kept of each answer, over all batches, each with its chance."""
    expected = [0.0] * len(p)
    for batch in product([(y, passed) for y in range(len(p)) for passed in (True, False)], repeat=n):
        chance = prod(p[y] * (passing[y] if passed else 1 - passing[y]) for y, passed in batch)
        for i in plain(rule, batch):
            expected[batch[i][0]] += chance
    return expected


RULES = [KeepPassed(), Capped(1), Capped(2), Capped(9), Distinct(), BestOf(REWARDS)]


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_number_kept_of_each_answer(rule, n):
    np.testing.assert_allclose(rule.expected(P, PASSING, n), by_every_batch(rule, P, PASSING, n), atol=1e-12)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_which_draws_are_kept(rule):
    draws = draw_batches(P, PASSING, rule, 5, 300, 3)
    for answers, passed, kept in zip(draws.answers, draws.passed, draws.kept):
        assert np.flatnonzero(kept).tolist() == plain(rule, list(zip(answers.tolist(), passed.tolist())))
    assert sorted([*draws.accepted, *draws.rejected]) == sorted(draws.answers.ravel()) and len(draws.accepted) == draws.kept.sum()


@given(laws(5), st.lists(st.booleans(), min_size=5, max_size=5))
def test_a_checker_without_mistakes_gives_p_of_right(p, right):
    """p(y | right), by definition: P(y and right)/P(right), summed here in another order."""
    wanted, mass = conditional(p, right), sum(x for x, good in zip(p, right) if good)
    kept = KeepPassed().expected(p, Checker().passing(right), 1)
    if not mass > 0:
        assert wanted is None and not kept.any()
        return
    np.testing.assert_allclose(kept / kept.sum(), wanted, atol=1e-12)
    np.testing.assert_allclose(wanted, [x / mass if good else 0 for x, good in zip(p, right)], rtol=1e-12)


def test_a_checkers_mistakes():
    checker = Checker(1, .1)
    assert checker.precision(.2) == pytest.approx(.2 / .28) == pytest.approx(.7142857142857143)
    assert 1 / checker.keep_rate(.2) == pytest.approx(3.5714285714)
    assert Checker().precision(.2) == 1 and Checker(0, 0).precision(.2) is None and Checker(.5, 0).precision(.3) == 1
    kept = KeepPassed().expected(EGGS.law, checker.passing(EGGS.right), 1)
    assert kept[:3].sum() / kept.sum() == pytest.approx(checker.precision(.2))
    assert kept.sum() == pytest.approx(checker.keep_rate(.2))
    for rates in (-.1, 0), (0, 1.1), (float("nan"), 0):
        with pytest.raises(ValueError, match="between 0 and 1"):
            Checker(*rates)


def test_pooled_questions():
    """What passes is 80 to 20; a cap evens that out, and a cap of 1 nearly does: 1 − .2^8 to 1 − .8^8."""
    def mass(rule, n):
        return pooled_questions(list(EASY_AND_HARD.values()), rule, n).law[0]
    assert mass(KeepPassed(), 8) == pytest.approx(.8)
    assert mass(Capped(1), 8) == pytest.approx((1 - .2**8) / (2 - .2**8 - .8**8))
    assert mass(Capped(8), 8) == pytest.approx(.8)
    shares = [mass(Capped(k), 8) for k in range(1, 9)]
    assert shares == sorted(shares) and mass(Capped(2), 500) == pytest.approx(.5)


def test_what_a_filter_makes_of_the_draws():
    """By hand: 4 of 10 draws are right, and the checker misses a half of those and passes 1 wrong one in 6."""
    made = filtered((.3, .1, .6), (1, 1, 0), KeepPassed(), 5, Checker(.5, 1 / 6))
    assert made.kept == pytest.approx([.15, .05, .1]) and made.thrown == pytest.approx([.15, .05, .5])
    assert made.keep == pytest.approx([.5, .5, 1 / 6])
    assert made.keep_rate == pytest.approx(.3) and made.law == pytest.approx([.5, 1 / 6, 1 / 3])
    assert made.target == pytest.approx([.75, .25, 0])
    assert made.precision == pytest.approx(2 / 3) and made.draws_per_kept == pytest.approx(10 / 3)
    nothing = filtered((.5, .5), (0, 0), KeepPassed(), 5)
    assert (nothing.law, nothing.target, nothing.precision, nothing.draws_per_kept) == (None, None, None, inf)
    best = filtered(P, (1, 1, 0, 0), BestOf(REWARDS), 4)
    assert best.keep_rate == pytest.approx(1 / 4) and best.law == pytest.approx(best_of_n(P, REWARDS, 4))
    two = pooled_questions((.8, .2), KeepPassed(), 5)
    assert two.drawn.tolist() == [.5, .5] and two.keep == pytest.approx([.8, .2]) and two.precision == 1
    assert two.thrown == pytest.approx([.1, .4])


def test_draws_that_never_pass():
    for rule in KeepPassed(), Capped(2), Distinct():
        assert not rule.expected(P, (0, 0, 0, 0), 4).any() and not draw_batches(P, (0, 0, 0, 0), rule, 4, 9, 0).kept.any()
    assert BestOf(REWARDS).expected(P, (0, 0, 0, 0), 4).sum() == pytest.approx(1)


@given(laws(5), st.lists(st.sampled_from([0, .5, 1]), min_size=5, max_size=5), st.integers(1, 4))
def test_best_of_n_with_ties(p, rewards, n):
    law = [0.0] * 5
    for batch in product(range(5), repeat=n):
        law[max(batch, key=lambda y: rewards[y])] += prod(p[y] for y in batch)
    np.testing.assert_allclose(best_of_n(p, rewards, n), law, atol=1e-12)


@given(laws(6), st.lists(st.floats(-1, 1), min_size=6, max_size=6), st.integers(1, 64))
def test_the_kl_of_best_of_n_is_no_more_than_the_bound(p, rewards, n):
    law = best_of_n(p, rewards, n)
    kl = sum(a * log(a / b) for a, b in zip(law.tolist(), p.tolist()) if a > 0)
    assert kl_divergence(law, p) == pytest.approx(max(kl, 0), abs=1e-12) and kl <= best_of_n_kl_bound(n) + 1e-9


def test_the_bound_is_not_the_kl():
    """Two equally likely answers: the KL stays below log 2 whatever n is; many of them come near the bound."""
    assert kl_divergence(best_of_n((.5, .5), (0, 1), 64), (.5, .5)) == pytest.approx(log(2)) and best_of_n_kl_bound(64) > 3
    p = np.full(4096, 1 / 4096)
    assert kl_divergence(best_of_n(p, np.arange(4096), 8), p) == pytest.approx(best_of_n_kl_bound(8), abs=.01)
    assert best_of_n_kl_bound(1) == 0 and best_of_n_kl_bound(4) == pytest.approx(.636294361119891)
    with pytest.raises(ValueError, match="n must be"):
        best_of_n_kl_bound(0)


def test_divergence_and_entropy():
    assert kl_divergence(P, P) == 0 and kl_divergence((.5, .5), (1, 0)) == inf
    assert kl_divergence((1, 0), (.5, .5)) == pytest.approx(log(2))
    assert entropy([[1, 0], [.5, .5]]) == pytest.approx([0, log(2)]) and exp(entropy(np.full(8, 1 / 8))) == pytest.approx(8)


def test_the_best_of_a_few_is_right_more_often_and_of_many_wrong():
    accuracy = {n: best_of_n(EGGS.law, EGGS.rewards, n)[:3].sum() for n in (1, 8, 64)}
    assert accuracy[1] == pytest.approx(.2) and accuracy[8] > .45 and accuracy[64] < .05


def counts(rule, n, batches, seed, p=P, passing=PASSING):
    return np.bincount(draw_batches(p, passing, rule, n, batches, seed).accepted, minlength=len(p))


@pytest.mark.parametrize("rule", [KeepPassed(), Capped(1), BestOf(REWARDS)], ids=repr)
def test_the_samplers_law(rule):
    """χ² of 20,000 batches, where kept draws of different batches are independent: false alarms once in a million."""
    law = rule.expected(P, PASSING, 4)
    assert chi_square(counts(rule, 4, 20_000, 11), law / law.sum(), ALARM).passed


@pytest.mark.parametrize("rule, wrong", [(KeepPassed(), BestOf(REWARDS)), (Capped(1), Distinct()), (BestOf(REWARDS), KeepPassed()),
                                         (Distinct(), KeepPassed())], ids=repr)
def test_another_rules_law_is_told_apart(rule, wrong):
    """The controls: batches of one rule fail the test of another's law."""
    law = wrong.expected(P, PASSING, 4)
    assert not chi_square(counts(rule, 4, 20_000, 11), law / law.sum(), ALARM).passed


@pytest.mark.parametrize("rule", [Capped(2), Distinct()], ids=repr)
def test_the_samplers_mean_numbers(rule):
    """Of each answer z = (mean − expected)/standard error over 20,000 batches; |z| > 5.2 once in a million for each of three."""
    draws = draw_batches(P, PASSING, rule, 4, 20_000, 12)
    for y, expected in enumerate(rule.expected(P, PASSING, 4)):
        each = ((draws.answers == y) & draws.kept).sum(axis=1)
        assert abs(each.mean() - expected) <= 5.2 * each.std() / 20_000**.5
    wrong = KeepPassed().expected(P, PASSING, 4)[0]  # the control: without a cap, and with doubles
    each = ((draws.answers == 0) & draws.kept).sum(axis=1)
    assert abs(each.mean() - wrong) > 5.2 * each.std() / 20_000**.5


def test_luck_is_the_same_under_every_rule_and_batch_size():
    few, many = (draw_batches(P, PASSING, KeepPassed(), n, 24 // n, 5) for n in (3, 8))
    assert few.answers.ravel().tolist() == many.answers.ravel().tolist()
    assert (draw_batches(P, PASSING, Distinct(), 8, 3, 5).answers == many.answers).all()
    assert (draw_batches(P, PASSING, Distinct(), 8, 3, 6).answers != many.answers).any()


def test_questions_take_turns():
    draws = draw_batches([(.8, .2), (0, 1)], [(1, 0), (1, 0)], KeepPassed(), 4, 5, 1)
    assert draws.question.tolist() == [0, 1, 0, 1, 0] and (draws.answers[1::2] == 1).all() and not draws.kept[1::2].any()
    assert Counter(draws.answers[::2].ravel().tolist())[0] == draws.kept.sum()


def test_what_is_no_number_of_draws_or_no_law():
    for wrong in ((P, PASSING, KeepPassed(), 0, 1, 0), (P, PASSING, KeepPassed(), 1, -1, 0), (P, PASSING, KeepPassed(), 1, 1, -1)):
        with pytest.raises(ValueError, match="whole number"):
            draw_batches(*wrong)
    with pytest.raises(DistributionError, match="sum to"):
        draw_batches((.5, .4), (1, 1), KeepPassed(), 1, 1, 0)
    with pytest.raises(DistributionError, match="sum to"):
        conditional((.5, .4), (1, 1))
