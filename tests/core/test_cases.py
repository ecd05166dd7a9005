"""The 89 published and derived cases of tests/data/cases.json, each answered with the core (here, in speed_answers,
filtering_answers or test_cases_rules) or listed with what it waits for.

An answer holds every key of the case's `expected` and may hold keys of its `wrong`: the first must agree, the second must differ.
"""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import test_cases_rules
from filtering_answers import FILTERING
from speed_answers import SPEED

from specdec_core import (acceptance_probability, acceptance_rate, as_pmf, best_gamma, blend, expected_tokens, output_distribution,
                          residual, rounded_speedup, softmax, speedup, sweep, tokens_distribution, top_k, total_variation, verify)

CASES = {case["id"]: case for case in json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text())["cases"]}

FOREVER = 10**6  # a γ so large that expected_tokens has reached its limit

NOT_YET = {id: waits for waits, ids in {
    "rules that the page does not show: other comparators, a clamped residual, a threshold": "B03 B07 R47 B09",
    "tree, block and multi-draft verification": "B08 C11 C12 C13 C14 C15 C16 R16 R41 R56",
    "other interpolations than the linear blend": "A07",
}.items() for id in ids.split()}


def one_hot(x, size):
    return np.eye(size)[x]


def judged(accept):
    """A call whose drafted words meet these acceptances: words that the target gives 1/2, judged at u = 0 or .9."""
    gamma = len(accept)
    return verify([1] * gamma, [[.5, .5]] * (gamma + 1), [[0, 1]] * gamma, [0 if a else .9 for a in accept] + [.5])


def keep_prob(pairs):
    return {"keep": acceptance_probability(*np.transpose(pairs))}


def widget(p, q0, c, gamma):
    s = sweep(p, q0, "abcdef")
    i = s.at(c)
    return {"alpha": s.alpha[i], "tv": s.tv[i], "kept": s.keep[i], "tokens_per_call": s.tokens[i, gamma - 1],
            "kept_pct": np.round(s.keep[i] * 100), "alpha_pct_1dp": round(s.alpha[i] * 100, 1), "tv_3dp": round(s.tv[i], 3),
            "tokens_2dp": round(s.tokens[i, gamma - 1], 2), "output": output_distribution(p, s.draft[i])}


def widget_sweep(p, q0, c, gamma):
    alpha = acceptance_rate(p, blend(p, q0, c))
    return {"alpha": alpha, "tokens": expected_tokens(alpha, gamma)}


def gamma_sweep(alpha, gammas):
    return {"tokens": expected_tokens(alpha, gammas), "limit": expected_tokens(alpha, FOREVER)}


def completion_invariance(n, seed):
    """The words this, her and its are known by their sums only: .29 in the target, .15 in the draft, each no likelier there."""
    rng = np.random.RandomState(seed)
    draft, more = .15 * rng.dirichlet([1] * 3, n), .14 * rng.dirichlet([1] * 3, n)

    def laws(the, a, my, rest):
        return np.column_stack([np.tile([the, a], (n, 1)), rest[:, :2], np.full(n, my), rest[:, 2]])

    p = as_pmf(laws(.42, .22, .07, draft + more))
    q = blend(p, as_pmf(laws(.18, .40, .27, draft)), [.5] * n)
    alpha, keep = acceptance_rate(p, q), acceptance_probability(p, q)
    assert np.ptp(alpha) < 1e-12 and np.ptp(keep, axis=0).max() < 1e-12
    return {"alpha": alpha[0], "tokens": expected_tokens(alpha[0], 4), "kept": keep[0]}


def spec_step(p, q):
    return {"alpha": acceptance_rate(p, q), "tv": total_variation(p, q), "residual": residual(p, q),
            "output": output_distribution(p, q)}


def one_call(accept, gamma):
    call = judged([a or 0 for a in accept])
    assert len(call.drafted) == gamma
    return {"emitted": len(call.words), "accepted": call.accepted, "discarded": len(call.discarded), "per_call": len(call.words)}


def joint_two_models(P0, P, Q0, Q, gamma, L):
    """The law of the first L words: calls follow one another until L words are out, each weighed by its chance."""
    law = np.zeros((2,) * L)

    def extend(prefix, weight):
        if len(prefix) >= L:
            law[prefix[:L]] += weight
            return
        step(prefix, weight, gamma)

    def step(prefix, weight, left):
        p, q = (P[prefix[-1]], Q[prefix[-1]]) if prefix else (P0, Q0)
        if left == 0:
            for x, share in enumerate(p):
                extend(prefix + (x,), weight * share)
            return
        keep, recovered = acceptance_probability(p, q), residual(p, q)
        for x, share in enumerate(q):
            step(prefix + (x,), weight * share * keep[x], left - 1)
            for y in range(len(p)) if keep[x] < 1 else ():
                extend(prefix + (y,), weight * share * (1 - keep[x]) * recovered[y])

    extend((), 1.0)
    target = [P0[x[0]] * math.prod(P[a][b] for a, b in zip(x, x[1:])) for x in product(range(2), repeat=L)]
    return {"max_abs_err": np.abs(law.ravel() - target).max()}


def greedy(draft, target):
    """At temperature 0 both laws are one-hot, and uniforms change nothing."""
    return {"out": [verify(d, one_hot(t, 6), one_hot(d, 6), [.999] * len(t)).words for d, t in zip(draft, target)]}


def lev_table4(rows):
    """Name, draft, temperature, γ, α, c, printed prediction, printed measurement; α and c are rounded to two decimals."""
    gamma, alpha, cost, printed = np.array([row[3:7] for row in rows]).T
    gamma = gamma.astype(int)
    speed, (low, high) = speedup(alpha, gamma, cost), rounded_speedup(alpha, gamma, cost)
    return {"speed": speed, "matches_at_1dp": speed.round(1) == printed,
            "interval_contains_printed": (low <= printed + .05) & (printed - .05 <= high)}


def walltime(alpha, gamma, c):
    return {"speed": speedup(alpha, gamma, c)}


def walltime_list(alphas, gamma, c):
    speed = speedup(alphas, gamma, c)
    return {"speed": speed, "printed": speed.round(1)}


def opt_speed(alphas, c, gmax):
    gamma = best_gamma(alphas, c, gmax)
    return {"best_gamma": gamma, "best_speed": speedup(alphas, gamma, c)}


def opt_gamma_grid(alphas, cs, gmax):
    return {"gamma": best_gamma(np.array(alphas)[:, None], cs, gmax)}


def cor39(grid, gmax):
    alpha, cost = np.array(list(product(grid, grid))).T
    gamma = best_gamma(alpha, cost, gmax)
    gains = speedup(alpha, gamma, cost) >= (1 + alpha) / (1 + cost) - 1e-12
    return {"violations": np.sum(np.where(alpha > cost, (gamma == 0) | ~gains, gamma > 0))}


def mixture_tokens(weights, betas, gamma):
    return {"tokens": weights @ expected_tokens(betas, gamma), "iid_formula": expected_tokens(np.dot(weights, betas), gamma)}


def nan_residual(p, q, fallback):
    """Without a residual (`None`) there must be no rejection that would draw from it."""
    assert residual(p, q) is None
    output = output_distribution(p, q)
    return {"reachable": (acceptance_probability(p, q) < 1).any(), "accept": acceptance_rate(p, q), "output": output,
            "finite": np.isfinite(output).all()}


def unreachable(n, V, seed):
    """Random pairs, every other one of equal laws: where the residual is all zeros, no drafted word may be rejected."""
    p, q = np.random.default_rng(seed).dirichlet(np.ones(V), (2, n))
    q[::2] = p[::2]
    nothing_to_draw = ~residual(p, q).any(axis=-1)
    assert nothing_to_draw.sum() == n / 2
    return {"violations": np.sum(acceptance_probability(p, q)[nothing_to_draw] < 1)}


def chain_limit(alpha, Ks, target):
    limit = expected_tokens(alpha, FOREVER)
    return {"tokens": expected_tokens(alpha, Ks), "limit": limit, "possible": limit >= target}


def speed_terms(alpha, gamma, c):
    return {"speedup": speedup(alpha, gamma, c)}


def draft_fraction(alpha, gamma):
    accepted = expected_tokens(alpha, gamma) - 1
    return {"accepted": accepted, "fraction": accepted / gamma}


def masks(masks):
    calls = [judged(mask) for mask in masks]
    return {"accepted": sum(call.accepted for call in calls), "emitted": sum(len(call.words) for call in calls),
            "accepted_list": [call.accepted for call in calls]}


def topk_support(p, q, k):
    cut = top_k(p, k)
    return {"alpha_unrestricted": acceptance_rate(cut, q), "alpha_matched": acceptance_rate(cut, top_k(q, k)),
            "output": output_distribution(cut, q)}


def length(gamma, accepted, **before):
    return {"len": before["len"] + len(judged([i < accepted for i in range(gamma)]).words)}


def label(alpha, gamma):
    law = tokens_distribution(alpha, gamma)
    return {"emitted": expected_tokens(alpha, gamma), "accepted": law @ np.arange(gamma + 1)}


def seed_T0(target_logits, draft_argmax):
    p = softmax(target_logits, 0)
    calls = [[verify([x], [p, p], [one_hot(x, 3)], [u, u]) for u in (0, .5, .999)] for x in draft_argmax]
    first = [{call.words[0] for call in seeds} for seeds in calls]
    return {"keep": [acceptance_probability(p, one_hot(x, 3))[x] for x in draft_argmax], "emit": [word for (word,) in first]}


ANSWERS = {answer.__name__: answer for answer in (
    keep_prob, widget, widget_sweep, gamma_sweep, completion_invariance, spec_step, one_call, joint_two_models, greedy, lev_table4,
    walltime, walltime_list, opt_speed, opt_gamma_grid, cor39, mixture_tokens, nan_residual, unreachable, chain_limit, speed_terms,
    draft_fraction, masks, topk_support, length, label, seed_T0, *SPEED, *FILTERING)}

ANSWERED = [case for id, case in CASES.items() if id not in NOT_YET and case["kind"] not in test_cases_rules.ANSWERS]


def agrees(ours, theirs, tol):
    """Whether an answer is the value in the file, to the case's tolerance; `None` and words agree with themselves only."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(agrees(ours[key], theirs[key], tol) for key in theirs)
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(agrees(a, b, tol) for a, b in zip(ours, theirs))
    if isinstance(theirs, str):
        return ours == theirs
    return ours is theirs if ours is None or theirs is None else abs(float(ours) - float(theirs)) <= tol


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_the_core_gives_the_right_answer_and_not_the_wrong_one(case):
    answer = ANSWERS[case["kind"]](**case["inputs"])
    for name, right in case["expected"].items():
        assert agrees(answer[name], right, case["tol"]), f"{name} is {answer[name]}, not {right}"
    for name in answer.keys() & (case["wrong"] or {}).keys():
        assert not agrees(answer[name], case["wrong"][name], case["tol"]), f"{name} is {answer[name]}, the documented mistake"


def test_every_case_is_answered_or_waits_for_something_named():
    assert len(CASES) == 89 and NOT_YET.keys() <= CASES.keys()
    assert {case["kind"] for case in ANSWERED} == ANSWERS.keys()
    assert not {CASES[id]["kind"] for id in NOT_YET} & (ANSWERS.keys() | test_cases_rules.ANSWERS.keys())
