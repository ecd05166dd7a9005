"""Answers to the cases about published speed-ups and engine counts, for test_cases: a function a kind."""

import json

import numpy as np

from specdec_core import (PUBLISHED, Counters, best_gamma, operations_factor, oracle_speedup, read_counters, rosetta, speedup,
                          survival_tokens)


def lev_table1(alpha, gamma):
    operations, speed = operations_factor(alpha, gamma, 0), speedup(alpha, gamma, 0)
    (row,) = (row for row in PUBLISHED if row.operations and (row.alpha, row.gamma) == (alpha, gamma))
    assert [round(operations, 2), round(speed, 2)] == [row.operations, row.speedup]
    return {"operations": operations, "speed": speed, "printed": [row.operations, row.speedup]}


def oracle_gain(cs, alphas):
    alpha = np.array(alphas)[:, None]
    gain = (oracle_speedup(alpha, cs) / speedup(alpha, best_gamma(alpha, cs, 600), cs)).max()
    assert 1.5 < gain < 1.6
    return {"max_gain_lt": 1.6, "max_gain_gt": 1.5}


def ratio_check(printed, num=None, den=None, base=None, times=None):
    """Tokens per call over the overhead of a call (Medusa), or a time over a shorter one (Chen et al.)."""
    rows = [row for row in PUBLISHED if (row.overhead if times is None else row.times)]
    assert [row.speedup for row in rows] == printed
    ratio = [row.tokens / row.overhead if times is None else row.times[0] / row.times[1] for row in rows]
    off = np.abs(np.subtract(ratio, printed)).max()
    return {"ratio": ratio, "agree_2dp": np.round(ratio, 2) == printed, "within": max(.025, off)}


def implied_overhead(tau, speedup, names):
    rows = [row for row in PUBLISHED if row.method in names]
    assert [(row.tokens, row.speedup) for row in rows] == list(zip(tau, speedup))
    return {"cost": [row.implied_overhead for row in rows]}


def position_tokens(alphas):
    tokens = survival_tokens(np.cumprod(alphas))[-1]
    return {"accepted": tokens - 1, "tokens": tokens}


def rates(counters, gamma=None):
    return {row.name: row.value for row in rosetta(counters, gamma)}


def al_bonus(drafts, accepted):
    counters = Counters("vLLM log", drafts=drafts, drafted=4 * drafts, accepted=accepted)
    return {"acceptance_length": rates(counters)["tokens per call"]}


def rates_convert(rates, length):
    """And the survival curve of that length that varies least from call to call: certain words first."""
    rows = (f"{i},{round(10 * rate)},10\n" for i, rate in enumerate(rates, 1))
    (counters,) = read_counters("position,accepted,drafted\n" + "".join(rows))
    row = {row.name: row.value for row in rosetta(counters)}
    steady = np.clip(length - 1 - np.arange(len(rates)), 0, 1)
    assert abs(survival_tokens(steady)[-1] - length) < 1e-12
    return {"al": row["tokens per call"], "mean_rate": row["accepted per drafted"], "conditional": list(row["conditional"]),
            "min_var": list(steady)}


def histogram(hist, k):
    (c,) = read_counters(json.dumps({"meta_info": {"spec_verify_ct": sum(hist), "spec_num_proposed_drafts": k * sum(hist),
                                                   "spec_correct_drafts_histogram": hist}}))
    row = rates(c)
    return {"calls": c.drafts, "accepted": c.accepted, "proposed": c.drafted, "rate": row["accepted per drafted"],
            "length": row["tokens per call"]}


def rate_gt1(k, accepted):
    return {"rate": rates(Counters("SGLang meta_info", drafts=1, drafted=k, accepted=accepted))["accepted per drafted"]}


def inverted(draft, accept):
    (c,) = read_counters("position,accepted,drafted\n" + "".join(f"{i},{a},{d}\n" for i, (a, d) in enumerate(zip(accept, draft))))
    row = rates(c)
    return {"rates": list(row["survival"]), "length": row["tokens per call"]}


def high_rate_low_gain(tokens, drafted, accepted):
    (c,) = read_counters(f"n_predict = {tokens}\nn_drafted = {drafted}\nn_accept  = {accepted}\n")
    return {"rate": rates(c)["accepted per drafted"], "tokens_per_call": rates(c)["tokens per call"]}


SPEED = (lev_table1, oracle_gain, ratio_check, implied_overhead, position_tokens, al_bonus, rates_convert, histogram,
         rate_gt1, inverted, high_rate_low_gain)
