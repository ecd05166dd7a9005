"""What a run can see: non-centrality, power, and the calls that catch a broken rule, against experiments that must fail."""

from math import inf

import numpy as np
import pytest
from word_laws import BROKEN, EXACT, HALF, P, run

from specdec_core import RULES, calls_to_catch, chi_square, examples, noncentrality, power
from specdec_core.check import LEVEL


def test_noncentrality():
    p, law = np.array(P), np.array(HALF)
    assert noncentrality(law, p) == pytest.approx(sum((b - a) ** 2 / a for a, b in zip(P, HALF)), rel=1e-12)
    assert noncentrality(law, p) == pytest.approx(.230925324675325, abs=1e-12)
    assert noncentrality(p, p) == 0 and noncentrality((.5, .5), (1, 0)) == inf and noncentrality((1, 0), (1, 0)) == 0


@pytest.mark.parametrize("n_words", (200, 500, 1000, 2000))
def test_power_is_how_often_such_words_are_caught(n_words):
    law = RULES["redraw"].words_distribution(P, HALF, 10)
    counts = np.random.default_rng(n_words).multinomial(n_words, law, size=2000)
    caught = np.mean([not chi_square(row, P, 1e-3).passed for row in counts])
    assert power(law, P, n_words, 1e-3) == pytest.approx(caught, abs=.04)


def test_power_from_an_impossible_word_alone():
    assert power((.99, .01), (1, 0), 100) == pytest.approx(1 - .99**100)
    assert power((0, 1), (1, 0), 1) == 1 and power((1, 0), (1, 0), 1000) == 0
    assert power(P, P, 10_000, 1e-4) == pytest.approx(1e-4, rel=1e-6)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("level", (LEVEL, 1e-6))
def test_a_broken_rule_is_caught_at_the_promised_number_of_calls(name, level):
    rule = RULES[name]
    p, q = rule.laws.target, rule.laws.draft
    calls = calls_to_catch(rule, p, q, 4, level=level)
    seeds = range(30)
    caught = sum(not chi_square(run(name, calls, seed, (p, q)).words, p, level).passed for seed in seeds)
    assert caught >= 27
    early = sum(not chi_square(run(name, calls // 10, seed, (p, q)).words, p, level).passed for seed in seeds)
    assert early <= 20  # with a tenth of the calls it is luck at best


def test_calls_to_catch_is_the_first_that_is_enough():
    rule = RULES["retry"]
    law, per_call = rule.words_distribution(P, HALF, 4), rule.tokens_per_call(P, HALF, 4)
    calls = calls_to_catch(rule, P, HALF, 4)
    assert power(law, P, calls * per_call) >= .99 > power(law, P, (calls - 1) * per_call)
    assert calls_to_catch(rule, P, HALF, 4, chance=.5) < calls < calls_to_catch(rule, P, HALF, 4, level=1e-6)


def test_nothing_is_promised_where_nothing_is_wrong():
    for name in EXACT:
        assert calls_to_catch(RULES[name], P, HALF, 4) is None
    for name in BROKEN:
        assert calls_to_catch(RULES[name], (1, 0), (1, 0), 4) is None
    assert calls_to_catch(RULES["shared"], P, HALF, 1) is None
    assert calls_to_catch(RULES["misaligned"], P, HALF, 4) is None
    assert calls_to_catch(RULES["always"], (1, 0), (0, 1), 4) == 1


def test_a_rule_that_passes_at_1000_calls_and_fails_at_100000():
    p, q = examples.CUT_LISTS.target, examples.CUT_LISTS.draft
    assert chi_square(run("inclusive", 1000, 1, (p, q)).words, p).passed
    assert not chi_square(run("inclusive", 100_000, 1, (p, q)).words, p).passed
    assert 1000 < calls_to_catch(RULES["inclusive"], p, q, 4) < 100_000


def test_the_negative_controls_of_the_design_document():
    """20,000 words at closeness .5 against the critical value 35.89."""
    rng = np.random.default_rng(0)
    for name, ncp in (("redraw", 303), ("retry", 462), ("always", 4618)):
        law = RULES[name].output_distribution(P, HALF)
        assert 20_000 * noncentrality(law, P) == pytest.approx(ncp, abs=.6) and power(law, P, 20_000, 1e-6) > .999999
        assert chi_square(rng.multinomial(20_000, law), P, 1e-6).statistic > 35.89
