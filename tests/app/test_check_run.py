"""The run behind /check: what it reports, how it stops, what it keeps; and experiments on odd laws."""

import threading
import time

import numpy as np
import pytest

from app.check_run import Run
from app.experiment import Experiment
from specdec_core import DistributionError, simulate_rule, total_variation
from specdec_core.examples import TRY_IT, Laws


def experiment(rule="speculative", laws=TRY_IT, closeness=.5, gamma=4, seed=7, calls=20_000):
    return Experiment(rule, laws, closeness, gamma, seed, calls)


def ended(run):
    assert run.wait(20) and not run.running
    return run.progress


def begun(run):
    deadline = time.monotonic() + 10
    while run.progress is None or not run.progress.tally.calls:
        assert time.monotonic() < deadline
        time.sleep(.001)


@pytest.mark.parametrize("rule", ["speculative", "redraw", "match"])
def test_a_run_is_the_calls_of_the_core(rule):
    it = experiment(rule, calls=5_000)
    progress = ended(Run(it))
    calls = simulate_rule(it.rule, it.p, it.q, 4, 5_000, 7)
    assert progress.state == "done" and progress.tally.calls == 5_000 and progress.rate > 0
    assert np.array_equal(progress.tally.words, calls.tally)
    assert np.array_equal(progress.tally.accepted, np.bincount(calls.accepted, minlength=5))
    words = np.bincount(calls.words, minlength=6)
    assert progress.trail[-1] == (words.sum(), pytest.approx(total_variation(words / words.sum(), it.p), abs=1e-15))


def test_the_trail_is_thin_and_goes_forward():
    trail = ended(Run(experiment(calls=300_000))).trail
    n_words = [n for n, _ in trail]
    assert 40 < len(trail) < 130 and n_words == sorted(set(n_words))
    assert all(np.isfinite(distance) and 0 <= distance <= 1 for _, distance in trail)


def test_a_run_reports_while_it_goes_and_stops_with_what_it_has():
    run = Run(experiment(calls=1_000_000))
    begun(run)
    run.stop()
    progress = ended(run)
    assert progress.state == "stopped" and 0 < progress.tally.calls < 1_000_000
    calls = simulate_rule(run.experiment.rule, run.experiment.p, run.experiment.q, 4, progress.tally.calls, 7)
    assert np.array_equal(progress.tally.words, calls.tally)
    run.stop()
    assert run.progress is progress


def test_stop_at_once():
    run = Run(experiment(calls=1_000_000))
    run.stop()
    assert ended(run).state == "stopped" and run.progress.tally.calls < 100_000


def test_runs_beside_each_other_all_get_on():
    runs = [Run(experiment(seed=seed, calls=100_000)) for seed in range(4)]
    assert [ended(run).tally.calls for run in runs] == [100_000] * 4
    assert len({run.progress.tally.n_words for run in runs}) == 4


def test_a_failure_ends_the_run_and_is_logged(monkeypatch, caplog):
    monkeypatch.setattr("app.check_run.observed_distance", lambda *_: 1 / 0)
    progress = ended(Run(experiment()))
    assert progress.state == "failed" and progress.tally.calls == 0 and "a run failed" in caplog.text


def test_a_run_leaves_no_thread():
    before = threading.active_count()
    ended(Run(experiment()))
    assert threading.active_count() == before


SAME = Laws(("a", "b"), (.25, .75), (.25, .75))
DISJOINT = Laws(("a", "b", "c", "d"), (.5, .5, 0., 0.), (0., 0., .5, .5))
ZEROS = Laws(("a", "b", "c"), (0., .5, .5), (.5, 0., .5))
CERTAIN = Laws(("a", "b"), (1., 0.), (0., 1.))


@pytest.mark.parametrize("rule", ["speculative", "match", "redraw", "retry", "always", "shared", "inclusive", "misaligned",
                                  "temperature", "greedy", "lenience"])
@pytest.mark.parametrize("laws", [SAME, DISJOINT, ZEROS, CERTAIN], ids=["same", "disjoint", "zeros", "certain"])
@pytest.mark.parametrize("closeness, gamma, seed", [(0., 1, 0), (1., 10, 2**32 - 1), (.5, 4, 7)])
def test_odd_laws_give_numbers(rule, laws, closeness, gamma, seed):
    it = experiment(rule, laws, closeness, gamma, seed, calls=1_000)
    progress = ended(Run(it))
    assert progress.state == "done" and progress.tally.calls == 1_000
    assert np.isfinite([it.true_distance, it.tokens, *it.law, *it.tokens_law, *it.forecast.distance]).all()
    assert it.forecast.catch is None or it.forecast.catch >= 1
    assert (it.forecast.catch is None) == (it.outcome == "exact") == (it.true_distance < 1e-12)


def test_fifty_thousand_words():
    weights = np.random.default_rng(7).exponential(size=(2, 50_000)) ** 3
    target, draft = (row / row.sum() for row in weights)
    it = experiment("redraw", Laws(tuple(f"w{i}" for i in range(50_000)), tuple(target), tuple(draft)), calls=2_000)
    assert not it.quick and len(it.shown) == 10
    assert ended(Run(it)).state == "done" and np.isfinite(it.forecast.distance).all()


@pytest.mark.parametrize("laws, why", [
    (Laws(("a", "b"), (.5, .5), (.5,)), "as many of each"), (Laws(("a",), (1.,), (1.,)), "2 to 50,000 words"),
    (Laws(("a", "a"), (.5, .5), (.5, .5)), "none may come twice"), (Laws(("a", ["b"]), (.5, .5), (.5, .5)), "a text of its own"),
    (Laws(("a", "b"), (.5, .6), (.5, .5)), "the target: the entries sum to 1.1"),
    (Laws(("a", "b"), (.5, .5), (float("nan"), .5)), "the draft: entry 0"), (Laws(("a", "b"), (.5, "x"), (.5, .5)), "the target:")])
def test_what_is_no_pair_of_laws_is_refused_in_a_sentence(laws, why):
    with pytest.raises(DistributionError, match=why):
        experiment(laws=laws)
