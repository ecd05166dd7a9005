"""The cases of tests/data/cases.json that rejection sampling and the rules answer; each kind has its own answer here."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from specdec_core import (RULES, Rule, acceptance_probability, ball_share, envelope_constant, kept_distribution, kept_share,
                          noncentrality, residual, softmax, three_ways, total_variation)
from specdec_core.rules import InclusiveTest, Lenience, SharedUniform

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
EXACT = RULES["speculative"]


@dataclass(frozen=True)
class Declared(Rule):
    """Drafted words come from another law than the q that is tested."""

    law: list

    def drawn(self, q):
        return np.array(self.law)


class ConstantRecovery(Rule):
    """The recovered word is always word 0."""

    def recovery(self, p, q):
        return np.eye(len(p))[0]


def circle(case, inputs, expected, tol):
    assert ball_share(2) == pytest.approx(expected["kept_fraction"], abs=tol)


def naive_rejection(case, inputs, expected, tol):
    p, q = inputs["p"], inputs["q"]
    M = envelope_constant(p, q)
    assert M == pytest.approx(expected["M"], abs=tol)
    classic, _, speculative = three_ways(p, q)
    assert kept_share(p, q, M) == pytest.approx(expected["accept_naive"], abs=tol)
    assert (classic.kept, speculative.kept) == pytest.approx((expected["accept_naive"], expected["alpha"]), abs=tol)


def variant(case, inputs, expected, tol):
    p, q, wrong = np.array(inputs["p"], dtype=float), np.array(inputs["q"], dtype=float), case["wrong"] or {}
    assert EXACT.output_distribution(p, q) == pytest.approx(expected["output"], abs=tol)
    if "accept_right" in expected:
        assert EXACT.acceptance_rate(p, q) == pytest.approx(expected["accept_right"], abs=tol)
    if inputs["variant"] == "zero_inplace":  # the drafted word's entry is gone before it is tested, and so from the residual
        spoilt = np.where(q > 0, 0, p)
        assert q @ acceptance_probability(spoilt, q) == wrong["accept"]
        assert residual(spoilt, q) == pytest.approx(wrong["output"], abs=tol)
        return
    rule, target = {"greedy_draft_raw_q": (RULES["greedy"], p), "always_accept": (RULES["always"], p),
                    "resample_from_p": (RULES["redraw"], p), "sample_match": (RULES["match"], p), "retry": (RULES["retry"], p),
                    "declared_q": (Declared(inputs.get("r")), p), "argmax_compare": (RULES["match"], softmax(p, 0)),
                    "recover_const0": (ConstantRecovery(), p)}[inputs["variant"]]
    out = rule.output_distribution(target, q)
    if rule.exact and target is p:
        assert out == pytest.approx(expected["output"], abs=tol)
        assert rule.acceptance_rate(p, q) == pytest.approx(expected["accept_match"], abs=tol)
    else:
        assert out == pytest.approx(wrong["output"], abs=tol) and total_variation(out, p) > .01
        if "accept" in wrong:
            assert rule.acceptance_rate(target, q) == pytest.approx(wrong["accept"], abs=tol)


def mutant(case, inputs, expected, tol):
    rule = RULES[{"resample_from_p": "redraw", "always_accept": "always", "retry": "retry"}[inputs["mutant"]]]
    law = rule.output_distribution(inputs["p"], inputs["q"])
    assert law == pytest.approx(expected["law"], abs=tol)
    assert total_variation(law, inputs["p"]) == pytest.approx(expected["tv_error"], abs=tol)
    assert noncentrality(law, inputs["p"]) == pytest.approx(expected["ncp_per_sample"], abs=tol)


def shared_u(case, inputs, expected, tol):
    p, q, gamma = inputs["p"], inputs["q"], inputs["gamma"]
    assert EXACT.survival(p, q, gamma)[-1] == pytest.approx(expected["accept_all_right"], abs=tol)
    assert SharedUniform().survival(p, q, gamma)[-1] == pytest.approx(expected["accept_all_shared"], abs=tol)


def lenience(case, inputs, expected, tol):
    p, q, rule = inputs["p"], inputs["q"], Lenience(inputs["l"])
    assert rule.acceptance_rate(p, q) == pytest.approx(expected["alpha"], abs=tol)
    assert np.minimum(np.array(p) / inputs["l"], q).sum() == pytest.approx(expected["alpha_formula"], abs=tol)
    out = rule.output_distribution(p, q)
    assert out == pytest.approx(expected["output"], abs=tol) and (out <= np.array(expected["bound"]) + tol).all()


def residual_misaligned(case, inputs, expected, tol):
    p, q = (np.array([law.get(str(word), 0.0) for word in range(inputs["V"])]) for law in (inputs["p"], inputs["q"]))
    for rule, wanted in (EXACT, expected["right_residual"]), (RULES["misaligned"], case["wrong"]["residual"]):
        assert rule.recovery(p, q) == pytest.approx([wanted.get(str(word), 0.0) for word in range(inputs["V"])], abs=tol)


def threshold_accept(case, inputs, expected, tol):
    p, q, M = np.array(inputs["p"]), np.array(inputs["q"]), inputs["M"]
    assert kept_distribution(p, q, M) == pytest.approx(expected["output"], abs=tol)
    kept = q * (p / (M * q) > inputs["t"])
    assert kept / kept.sum() == pytest.approx(case["wrong"]["output"], abs=tol)


def collision(case, inputs, expected, tol):
    p = inputs["p"]
    assert EXACT.acceptance_rate(p, p) == pytest.approx(expected["ratio_rule"], abs=tol)
    assert RULES["match"].acceptance_rate(p, p) == pytest.approx(expected["match_sampled"], abs=tol)
    assert RULES["match"].acceptance_rate(p, softmax(p, 0)) == pytest.approx(expected["match_argmax"], abs=tol)


def onehot(case, inputs, expected, tol):
    """A draft that says the word it drafted for sure is kept p(x) of the time: the match test, drafted either way."""
    p, q = inputs["p"], inputs["q"]
    likeliest = softmax(q, 0)
    assert EXACT.acceptance_rate(p, q) == pytest.approx(expected["ratio_rule"], abs=tol)
    assert EXACT.acceptance_rate(p, likeliest) == pytest.approx(expected["onehot_argmax"], abs=tol)
    assert RULES["match"].acceptance_rate(p, q) == pytest.approx(expected["onehot_sampled"], abs=tol)
    for out in EXACT.output_distribution(p, q), EXACT.output_distribution(p, likeliest), RULES["match"].output_distribution(p, q):
        assert expected["all_outputs_exact"] and out == pytest.approx(p, abs=tol)


def edge_uniform(case, inputs, expected, tol):
    """As laws of two words, so that each probe is the first word's."""
    for probe, right in zip(inputs["probe"], expected["right"]):
        p, q = ([x, 1 - x] for x in (probe["p"], probe["q"]))
        assert EXACT.kept(p, q)[0] == right
    assert inputs["comparators"][0] == "u<=ratio" and expected["accept"][0][0]  # wrong at u = 0, once in 2^bits
    assert InclusiveTest(24).kept([0, 1], [.3, .7])[0] == 2.0**-24


def coupling_bound(case, inputs, expected, tol):
    assert max(way.kept for way in three_ways(inputs["p"], inputs["q"])) == pytest.approx(expected["max_agree"], abs=tol)


ANSWERS = {answer.__name__: answer for answer in (circle, naive_rejection, variant, mutant, shared_u, lenience, residual_misaligned,
                                                  threshold_accept, collision, onehot, edge_uniform, coupling_bound)}


@pytest.mark.parametrize("case", [case for case in CASES if case["kind"] in ANSWERS], ids=lambda case: case["id"])
def test_case(case):
    ANSWERS[case["kind"]](case, case["inputs"], case["expected"], case["tol"])


def test_every_answer_is_asked_for():
    assert set(ANSWERS) <= {case["kind"] for case in CASES}
