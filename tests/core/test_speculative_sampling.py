"""What comes out has the target's law: χ², and three rules that look right and must fail the same test.

N = 20,000 words over six words: 5 degrees of freedom, where an exact run exceeds the critical value 35.89 once in a million. Source of the
non-centralities: N·Σ(law − p)²/p, design.md §5.
"""

import math

import numpy as np
import pytest
from oracles import pick, uniforms

from specdec_core import blend, residual, simulate_calls
from specdec_core.examples import TRY_IT

N = 20_000
CRITICAL = 35.89
P, Q = np.array(TRY_IT.target), blend(TRY_IT.target, TRY_IT.draft, .5)
SEEDS = (0, 7, 2024, 2**32 - 1)


def chi_square(words):
    assert len(words) == N
    return sum((words.count(x) - N * share) ** 2 / (N * share) for x, share in enumerate(P))


def drafts(seed):
    """(drafted word, kept or not, one more uniform) again and again, three uniforms each."""
    us = iter(uniforms(seed, 6 * N))
    for draw, accept, last in zip(us, us, us):
        word = pick(Q, draw)
        yield word, accept * Q[word] < P[word], last


def recovered(seed):
    law = residual(P, Q)
    return [word if kept else pick(law, u) for word, kept, u in drafts(seed)]


def redrawn_from_p(seed):
    return [word if kept else pick(P, u) for word, kept, u in drafts(seed)]


def retried(seed):
    return [word for word, kept, _ in drafts(seed) if kept]


def always_accepted(seed):
    return [word for word, _, _ in drafts(seed)]


def test_the_critical_value_is_exceeded_once_in_a_million():
    """The survival function of χ² with 5 degrees of freedom, in closed form."""
    x = CRITICAL
    tail = math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)
    assert tail == pytest.approx(1e-6, rel=.01)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gamma", [1, 4, 10])
def test_the_words_of_simulated_calls_follow_the_target(gamma, seed):
    words = simulate_calls(P, Q, gamma, N, seed).words[:N].tolist()
    assert chi_square(words) < CRITICAL


def test_the_rule_itself_passes_where_the_broken_ones_are_tried():
    assert chi_square(recovered(7)[:N]) < CRITICAL


@pytest.mark.parametrize("rule, non_centrality", [(redrawn_from_p, 303), (retried, 462), (always_accepted, 4618)])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_broken_rule_is_found_out_and_by_as_much_as_predicted(rule, non_centrality, seed):
    """A χ² of 5 degrees of freedom and non-centrality λ has mean 5 + λ and variance 2(5 + 2λ); five standard deviations are allowed."""
    statistic = chi_square(rule(seed)[:N])
    assert statistic > CRITICAL
    assert statistic == pytest.approx(5 + non_centrality, abs=5 * math.sqrt(2 * (5 + 2 * non_centrality)))
