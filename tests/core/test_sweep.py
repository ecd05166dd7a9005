"""The widget's numbers at every slider position, against design.md §5 and against exact fractions of the decimals on the page."""

import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest

from specdec_core import DistributionError, sweep
from specdec_core.examples import TRY_IT

SWEEP = sweep(TRY_IT.target, TRY_IT.draft, TRY_IT.words)
SHOWN = 5.1e-10  # half a unit of the ninth decimal
P = [Fraction(str(x)) for x in TRY_IT.target]
FAR = [Fraction(str(x)) for x in TRY_IT.draft]
DRAFTS = [[Fraction(step, 100) * p + Fraction(100 - step, 100) * far for p, far in zip(P, FAR)] for step in range(101)]


def each(cell):
    """`cell(p, q)` for every step and word, as doubles."""
    return np.array([[float(cell(p, q)) for p, q in zip(P, row)] for row in DRAFTS])


def test_the_laws_are_the_decimals_on_the_page():
    assert SWEEP.words == ("the", "a", "this", "her", "my", "its")
    assert SWEEP.target.tolist() == [.42, .22, .12, .10, .07, .07]
    assert SWEEP.draft.tolist() == [[float(x) for x in row] for row in DRAFTS]


def test_bars_keep_probabilities_and_rates_at_every_step():
    assert SWEEP.kept == pytest.approx(each(min), abs=SHOWN)
    assert SWEEP.rejected == pytest.approx(each(lambda p, q: max(0, q - p)), abs=SHOWN)
    assert SWEEP.refill == pytest.approx(each(lambda p, q: max(0, p - q)), abs=SHOWN)
    assert SWEEP.keep == pytest.approx(each(lambda p, q: min(1, p / q)), abs=SHOWN)
    assert SWEEP.alpha.tolist() == pytest.approx([1 - .38 * (100 - step) / 100 for step in range(101)], abs=SHOWN)
    assert SWEEP.tv.tolist() == pytest.approx([.38 * (100 - step) / 100 for step in range(101)], abs=SHOWN)


def test_the_residual_is_the_same_law_at_every_step_but_the_last():
    """p − q = (1 − closeness)·(p − far): its positive part only shrinks, and at 1 there is none."""
    excess = [max(0, p - far) for p, far in zip(P, FAR)]
    for law in SWEEP.residual[:-1]:
        assert law.tolist() == pytest.approx([float(x / sum(excess)) for x in excess], abs=1e-13)
    assert SWEEP.residual[-1] is None and len(SWEEP.residual) == 101


def test_tokens_are_the_exact_sums_for_every_step_and_gamma():
    alphas = [sum(map(min, P, row)) for row in DRAFTS]
    wanted = [[float(sum(alpha**i for i in range(gamma + 1))) for gamma in range(1, 11)] for alpha in alphas]
    assert SWEEP.tokens == pytest.approx(np.array(wanted), abs=SHOWN)


def test_the_numbers_of_the_design():
    i = SWEEP.at(.5)
    assert np.round(SWEEP.keep[i] * 100).tolist() == [100, 71, 100, 100, 41, 100]
    assert (SWEEP.alpha[i], SWEEP.tv[i], SWEEP.tokens[i, 3]) == (.81, .19, 3.42800821)
    at = [SWEEP.at(closeness) for closeness in (0, .25, .5, .75, 1)]
    assert SWEEP.alpha[at].tolist() == [.62, .715, .81, .905, 1]
    assert np.round(SWEEP.tokens[at, 3], 4).tolist() == [2.3905, 2.8531, 3.4280, 4.1360, 5]
    assert (SWEEP.keep[0, 1], round(SWEEP.residual[0][0], 3)) == (.55, .632)
    assert (SWEEP.alpha[-1], SWEEP.tv[-1], SWEEP.tokens[-1].tolist()) == (1, 0, list(range(2, 12)))


def test_a_closeness_between_steps_goes_to_the_nearest():
    assert [SWEEP.at(closeness) for closeness in (0, .004, .005, .496, .5, .994, .996, 1)] == [0, 0, 1, 50, 50, 99, 100, 100]
    assert [SWEEP.at(step / 100) for step in range(101)] == list(range(101))
    for outside in -.01, 1.01, math.nan:
        with pytest.raises(ValueError, match="closeness"):
            SWEEP.at(outside)


def test_json_reads_back_as_the_same_doubles_and_stays_small():
    text = SWEEP.to_json()
    assert len(text.encode()) < 48_000
    read = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert list(read) == [field.name for field in dataclasses.fields(SWEEP)]
    for name, value in read.items():
        ours = getattr(SWEEP, name)
        if name == "residual":
            assert value == [law if law is None else law.tolist() for law in ours]
        else:
            assert value == (ours.tolist() if isinstance(ours, np.ndarray) else list(ours) if name == "words" else ours)


@pytest.mark.parametrize("target, far", [([0, 1, 0], [1, 0, 0]), ([0, 1, 0], [0, 1, 0]), ([.5, .5, 0], [.5, 0, .5])])
def test_laws_with_zeros_give_no_nan_and_keep_the_identity(target, far):
    s = sweep(target, far, "abc")
    for name in "draft", "kept", "rejected", "refill", "keep", "alpha", "tv", "tokens", "band":
        assert np.isfinite(getattr(s, name)).all(), name
    assert s.kept + s.refill == pytest.approx(np.tile(target, (101, 1)), abs=2 * SHOWN)
    assert json.loads(s.to_json())["draft"][0] == far


@pytest.mark.parametrize("far, moved", [([1 / 3, 1 / 6, 1 / 2], []), ([1 / 3, 1 / 7, 1 - 1 / 3 - 1 / 7], [1, 2])])
def test_words_on_which_the_laws_agree_do_so_to_the_last_digit_at_every_step(far, moved):
    """Decimals must not part what is equal: the draft of such a word is the target's double, and equal laws have no residual."""
    target = [1 / 3, 1 / 6, 1 / 2]
    s = sweep(target, far, "abc")
    same = [i for i in range(3) if i not in moved]
    assert (s.draft[:, same] == np.array(target)[same]).all() and s.draft[-1].tolist() == target
    assert all((law is None) == (not moved or step == 100) for step, law in enumerate(s.residual))
    assert all(law[same].tolist() == [0] * len(same) for law in s.residual if law is not None)


@pytest.mark.parametrize("words", [("a", "b"), tuple("abcdefghijkl")])
def test_two_to_twelve_words_fit(words):
    flat = [1 / len(words)] * len(words)
    assert sweep(flat, [1, *[0] * (len(words) - 1)], words).draft.shape == (101, len(words))


@pytest.mark.parametrize("target, far, words, message", [
    ([1.0], [1.0], ["a"], "2 to 12 words, not 1"),
    ([1 / 13] * 13, [1 / 13] * 13, "abcdefghijklm", "2 to 12 words, not 13"),
    ([.5, .5], [.5, .5], ["a", "a"], "'a' is there twice"),
    ([.5, .5], [.5, .5], ["a", " "], "word 1 .* empty"),
    ([.5, .5], [.5, .5], [None, "b"], "word 0 .* not a text"),
    ([.5, .6], [.5, .5], "ab", "target: .* sum to 1.1"),
    ([.5, .5], [1.5, -.5], "ab", "draft: entry 1 .* -0.5"),
    ([.5, .5], [.5, .3, .2], "ab", "draft: 2 words"),
    ([[.5, .5]], [.5, .5], "ab", "target: 2 words"),
])
def test_what_is_wrong_is_said(target, far, words, message):
    with pytest.raises(DistributionError, match=message):
        sweep(target, far, words)
