"""`simulate_calls`: the same calls as `verify` judges, on a stream of uniforms that every host draws alike."""

import math

import numpy as np
import pytest
from oracles import UNIFORMS_PER_CALL, pick, uniforms, uniforms_of_calls

from specdec_core import DistributionError, blend, simulate_calls, verify
from specdec_core.examples import TRY_IT

P, HALF_WAY = TRY_IT.target, tuple(blend(TRY_IT.target, TRY_IT.draft, .5))
PAIRS = {
    "try-it": (P, HALF_WAY),
    "far": (P, TRY_IT.draft),
    "equal": (P, P),
    "disjoint": ([0, .6, .4, 0], [.5, 0, 0, .5]),
    "zeros": ([0, .3, 0, .7, 0], [.2, 0, .3, .5, 0]),
    "one word": ([0, 1, 0], [.3, .3, .4]),
    "tenths": ([.1] * 10 + [0], [0] + [.1] * 10),
}
BLOCK = 16384
SEEDS = (0, 7, 2**32 - 1)
NOT_WHOLE = (2.5, 2.0, math.nan, math.inf, None, "2", [2])


def rows(calls):
    return list(zip(calls.drafted.tolist(), calls.accepted.tolist(), calls.last.tolist()))


def judged(p, q, gamma, us):
    """Calls as `verify` judges them, the drafted words picked by a plain loop; `us` are the 21 uniforms of each call."""
    drafted = [[pick(q, u) for u in call[:gamma]] for call in us]
    calls = [verify(words, [p] * (gamma + 1), [q] * gamma, [*call[10:10 + gamma], call[20]]) for words, call in zip(drafted, us)]
    return [(list(call.drafted), call.accepted, call.last) for call in calls]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pair", PAIRS)
def test_calls_are_what_verify_judges_one_by_one(pair, seed):
    us = uniforms_of_calls(seed, 150)
    for gamma in (0, 1, 4, 10):
        assert rows(simulate_calls(*PAIRS[pair], gamma, 150, seed)) == judged(*PAIRS[pair], gamma, us)


def test_the_first_call_at_seed_7_reads_the_kept_my_fixed_to_the():
    drafted, accepted, last = rows(simulate_calls(P, HALF_WAY, 4, 1, 7))[0]
    assert [TRY_IT.words[x] for x in drafted] == ["the", "my", "a", "her"]
    assert (accepted, TRY_IT.words[last]) == (1, "the")
    assert simulate_calls(P, HALF_WAY, 4, 1, 7).tokens_per_call == 2


@pytest.mark.parametrize("n_calls", [0, 1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 1])
def test_call_k_is_the_same_call_however_many_are_run(n_calls):
    assert rows(simulate_calls(P, HALF_WAY, 4, n_calls, 7)) == rows(simulate_calls(P, HALF_WAY, 4, 2 * BLOCK + 5, 7))[:n_calls]


def test_the_stream_runs_on_across_blocks():
    """Calls on both sides of the first boundary, from a stream that was never cut."""
    us = np.reshape(uniforms(7, (BLOCK + 20) * UNIFORMS_PER_CALL)[(BLOCK - 20) * UNIFORMS_PER_CALL:], (40, UNIFORMS_PER_CALL))
    assert rows(simulate_calls(P, HALF_WAY, 4, BLOCK + 20, 7))[-40:] == judged(P, HALF_WAY, 4, us)


@pytest.mark.parametrize("gamma", range(10))
def test_gamma_changes_neither_the_drafted_words_nor_their_fate(gamma):
    long, short = simulate_calls(P, HALF_WAY, 10, 500, 3), simulate_calls(P, HALF_WAY, gamma, 500, 3)
    assert short.drafted.tolist() == long.drafted[:, :gamma].tolist()
    assert short.accepted.tolist() == np.minimum(long.accepted, gamma).tolist()


@pytest.mark.parametrize("gamma", [0, 1, 4, 10])
@pytest.mark.parametrize("pair", PAIRS)
def test_words_tally_and_means_are_those_of_a_plain_loop(pair, gamma):
    p, q = PAIRS[pair]
    calls = simulate_calls(p, q, gamma, 200, 11)
    words, lengths = [], []
    for drafted, accepted, last in rows(calls):
        words += [*drafted[:accepted], last]
        lengths.append(accepted + 1)
    mean = sum(lengths) / 200
    assert calls.words.tolist() == words
    assert calls.tally.tolist() == [words.count(x) for x in range(len(p))]
    assert calls.tokens_per_call == pytest.approx(mean, rel=1e-14)
    assert calls.standard_error == pytest.approx(math.sqrt(sum((n - mean) ** 2 for n in lengths) / 199 / 200), rel=1e-12)


def test_no_calls_and_one_call_have_no_spread():
    none, one = simulate_calls(P, HALF_WAY, 4, 0, 7), simulate_calls(P, HALF_WAY, 4, 1, 7)
    assert (none.drafted.shape, none.accepted.shape, none.last.shape) == ((0, 4), (0,), (0,))
    assert none.words.tolist() == [] and none.tally.tolist() == [0] * 6
    assert math.isnan(none.tokens_per_call) and math.isnan(none.standard_error) and math.isnan(one.standard_error)


def test_equal_laws_reject_nothing_and_disjoint_ones_everything():
    assert simulate_calls(P, P, 4, 5000, 1).tokens_per_call == 5
    assert simulate_calls(*PAIRS["disjoint"], 4, 5000, 1).tokens_per_call == 1


def test_the_mean_is_within_its_own_error_of_the_expectation():
    calls = simulate_calls(P, HALF_WAY, 4, 50_000, 7)
    assert abs(calls.tokens_per_call - 3.42800821) < 5 * calls.standard_error < .05


@pytest.mark.parametrize("gamma, n_calls, seed, message", [
    (-1, 5, 7, "gamma"), (11, 5, 7, "gamma"), (4, -1, 7, "n_calls"), (4, 5, -1, "seed"), (4, 5, 2**32, "seed"),
    *((value, 5, 7, "gamma") for value in NOT_WHOLE), *((4, value, 7, "n_calls") for value in NOT_WHOLE),
    *((4, 5, value, "seed") for value in NOT_WHOLE),
])
def test_a_number_out_of_range_or_not_whole_is_refused_by_its_name(gamma, n_calls, seed, message):
    with pytest.raises(ValueError, match=f"{message} must be a whole number"):
        simulate_calls(P, HALF_WAY, gamma, n_calls, seed)


def test_numpys_whole_numbers_will_do():
    assert rows(simulate_calls(P, HALF_WAY, np.int8(4), np.int64(9), np.uint32(7))) == rows(simulate_calls(P, HALF_WAY, 4, 9, 7))


@pytest.mark.parametrize("p, q", [(P, P[:5]), ([P, P], [P, P]), (P, [P])])
def test_laws_over_different_words_are_refused(p, q):
    with pytest.raises(ValueError):
        simulate_calls(p, q, 4, 5, 7)


@pytest.mark.parametrize("p, q", [(P, [.5, .5, 0, 0, 0, .1]), ([1.1, -.1, 0, 0, 0, 0], P)])
def test_a_law_that_is_none_is_refused(p, q):
    with pytest.raises(DistributionError):
        simulate_calls(p, q, 4, 5, 7)
