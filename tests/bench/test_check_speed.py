"""What the check's run may cost: beside the bare simulation, in memory, and to somebody else's slider on the same server."""

import statistics
import time
import tracemalloc

from bokeh.document import Document
from panel.io.state import set_curdoc
from timing import times_slower

from app.check import Check
from app.check_run import Run
from app.experiment import Experiment
from app.state import State
from specdec_core import simulate_calls
from specdec_core.examples import TRY_IT


PAUSE = .05  # seconds


def experiment(calls):
    return Experiment("speculative", TRY_IT, .5, 4, 7, calls)


def test_a_watched_run_takes_at_most_half_again_as_long_as_the_calls_alone():
    it = experiment(1_000_000)
    ratio = times_slower(lambda: Run(it).wait(), lambda: simulate_calls(it.p, it.q, 4, 1_000_000, 7), rounds=4)
    print(f"run with tally / simulate_calls: {ratio:.2f}")
    assert ratio <= 1.5


def test_memory_does_not_grow_with_the_calls():
    def peak(calls):
        tracemalloc.start()
        try:
            Run(experiment(calls)).wait()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1_000)
    few, many = peak(100_000), peak(1_000_000)
    print(f"peak of a million calls / of a hundred thousand: {many / few:.3f}")
    assert many <= 1.05 * few


def test_a_run_does_not_hold_up_another_reader():
    """From a slider's event to its answer, while a run of another session has a thread of its own: the 50 ms in which Panel gathers
    events, then the server's work, on this thread as on the server's loop. The wire is left out, being the same in both.

    Measured on two cores with four to six other processes at work: 1.1 to 1.6; the work alone, without Panel's pause, 1.35 to 6.2.
    """
    times = {"idle": [], "running": []}
    with set_curdoc(Document()):
        check = Check(State())
        for block in range(10):
            kind = ("idle", "running")[block % 2]
            times[kind].append([])
            run = Run(experiment(1_000_000))
            if kind == "idle":
                run.stop()
                run.wait()
            for step in range(20):
                if kind == "running" and not run.running:
                    run = Run(experiment(1_000_000))
                start = time.perf_counter()
                time.sleep(PAUSE)
                check._closeness.value = round(.01 * (20 * (block // 2 % 4) + step), 2)
                times[kind][-1].append(time.perf_counter() - start)
            run.stop()
            run.wait()
    # The median of the blocks' percentiles: a burst of other work on the machine hits a block or two.
    idle, running = (statistics.median(statistics.quantiles(block, n=20)[-1] for block in times[kind]) for kind in times)
    print(f"slider's event, p95: idle {1e3 * idle:.1f} ms, during a run {1e3 * running:.1f} ms, ratio {running / idle:.2f}")
    assert running <= 2 * idle
