"""The browser plays the calls that the core plays, bit for bit, and shows the numbers that the core computed."""

import json

import numpy as np
import pytest

from app.assets import module
from app.embed import embed
from specdec_core import expected_tokens, acceptance_rate, blend, simulate_calls, sweep, total_variation
from specdec_core.examples import TRY_IT, Laws

SEEDS = [0, 1, 7, 2026, 2**32 - 1]
UNEVEN = Laws(("a", "b", "c", "d", "e"), (0., 1 / 3, 1 / 7, 11 / 21, 0.), (.1, 0., .3, .2, .4))
"""Words that the target or the draft never says, the first and the last among them."""


@pytest.fixture
def rule(open_page, tmp_path):
    """A page that holds speculative.js, its functions on `rule`."""
    names = "uniformStream, decidingRow, playCall, tallyCalls"
    (tmp_path / "rule.html").write_text(f'<script type="module">{module("speculative.js")}\nwindow.rule = {{ {names} }};</script>',
                                        "utf-8")
    page = open_page((tmp_path / "rule.html").as_uri())
    page.wait_for_function("window.rule")
    return page


@pytest.mark.parametrize("seed", SEEDS)
def test_uniforms(rule, seed):
    drawn = rule.evaluate("seed => Array.from(rule.uniformStream(seed)(500))", seed)
    assert drawn == np.random.RandomState(seed).random_sample(21 * 500).tolist()


def test_a_stream_grows_without_changing(rule):
    assert rule.evaluate("""() => {
        const whole = rule.uniformStream(3)(300), grown = rule.uniformStream(3);
        return [1, 2, 50, 300].every(n => { const part = grown(n); return part.slice(0, 21 * n).every((u, i) => u === whole[i]); });
    }""")


@pytest.mark.parametrize("laws", [TRY_IT, UNEVEN], ids=["try-it", "uneven"])
@pytest.mark.parametrize("seed", SEEDS[1:])
def test_calls_at_every_position(rule, laws, seed):
    """All 101 × 10 positions of the sliders, 40 calls each."""
    numbers, calls = sweep(laws.target, laws.draft, laws.words), 40
    played = rule.evaluate("""([sweep, seed, calls]) => {
        const uniforms = rule.uniformStream(seed)(calls), range = n => Array.from({length: n}, (_, i) => i);
        return sweep.draft.map((q, at) => {
            const row = rule.decidingRow(sweep.target, q, sweep.residual[at]);
            return range(10).map(g => {
                const all = range(calls).map(k => rule.playCall(row, uniforms, k, g + 1));
                const { tally, lengths } = rule.tallyCalls(row, uniforms, calls, g + 1);
                return [all.flatMap(call => call.drafted), all.map(call => call.accepted), all.map(call => call.last),
                        Array.from(tally), Array.from(lengths)];
            });
        });
    }""", [json.loads(numbers.to_json()), seed, calls])
    for at, row in enumerate(played):
        for gamma, (drafted, accepted, last, tally, lengths) in enumerate(row, start=1):
            core = simulate_calls(numbers.target, numbers.draft[at], gamma, calls, seed)
            assert core.drafted.ravel().tolist() == drafted, (at, gamma)
            assert core.accepted.tolist() == accepted and core.last.tolist() == last, (at, gamma)
            assert core.tally.tolist() == tally and np.bincount(core.accepted, minlength=gamma + 1).tolist() == lengths, (at, gamma)


def test_the_standard_error(rule):
    numbers = sweep(TRY_IT.target, TRY_IT.draft, TRY_IT.words)
    mean, error = rule.evaluate("""([p, q, residual]) => {
        const seen = rule.tallyCalls(rule.decidingRow(p, q, residual), rule.uniformStream(7)(1000), 1000, 4);
        return [seen.mean, seen.error];
    }""", [numbers.target.tolist(), numbers.draft[50].tolist(), numbers.residual[50].tolist()])
    core = simulate_calls(numbers.target, numbers.draft[50], 4, 1000, 7)
    assert (mean, error) == pytest.approx((core.tokens_per_call, core.standard_error), rel=1e-12)


def test_every_figure_at_every_position(open_page, tmp_path):
    """What the page prints is what the core's functions give, rounded: from the laws themselves, not through the sweep."""
    (tmp_path / "try-it.html").write_text(embed(), "utf-8")
    page = open_page((tmp_path / "try-it.html").as_uri())
    page.wait_for_selector(".bars")
    shown = page.evaluate("""() => {
        const [closeness, gamma] = document.querySelectorAll("input[type=range]"), all = [];
        const to = (slider, value) => { slider.value = value; slider.dispatchEvent(new Event("input")); };
        for (let at = 0; at <= 100; at++) {
            to(closeness, at / 100);
            for (let g = 1; g <= 10; g++) {
                to(gamma, g);
                all.push([...document.querySelectorAll("dd, .share b")].map(element => element.textContent));
            }
        }
        return all;
    }""")
    p = np.array(TRY_IT.target)
    for at in range(101):
        q = blend(TRY_IT.target, TRY_IT.draft, at / 100)
        alpha, tv, keep = acceptance_rate(p, q), total_variation(p, q), np.minimum(p, q) / q
        for gamma in range(1, 11):
            wanted = [f"{int(100 * share + .5 + 1e-9)}%" for share in keep]  # halves go up: .07 / .112 is .625
            wanted += [f"{100 * alpha:.1f}\u00a0%", f"{tv:.3f}", f"{expected_tokens(min(alpha, 1), gamma):.2f}"]
            assert shown[at * 10 + gamma - 1] == wanted, (at, gamma)
