"""/speed: its numbers against values derived another way, at every end of a dial; what the widget shares; what is unknown."""

import re

import numpy as np
import pytest
from reading import Reader

from app.controls import Choice, Range, Seed
from app.pasting import Paste
from app.speed import speed
from app.speed_lanes import Lanes
from app.state import State
from app.try_it import TryIt
from specdec_core import read_call_times, timeline
from specdec_core.examples import TRY_IT


class Page(Reader):
    """The whole section."""

    def __init__(self, state=State(), **options):
        super().__init__(speed(state, **options))
        self.alpha, self.gamma, self.cost, self.slope, self.operations, _ = self.all(Range)
        self.judging, self.map = self.all(Choice)[:2]
        [self.lanes], [self.seed], self.table_box = self.all(Lanes), self.all(Seed), self.all(Paste)[0]


@pytest.fixture
def reader():
    return Page()


def words(alpha, gamma):
    return sum(alpha**i for i in range(gamma + 1))


def gains(alpha, cost, slope=0.):
    """Speed-ups at γ = 0 … 200."""
    return [words(alpha, gamma) / (gamma * cost + 1 + slope * gamma) for gamma in range(201)]


@pytest.mark.parametrize("alpha, gamma, cost, slope", [(.81, 4, .1, 0), (.3, 1, .5, 0), (.95, 10, .01, .02), (0, 10, 1, .5),
                                                       (.5, 3, 0, .1)])
def test_the_numbers(reader, alpha, gamma, cost, slope):
    reader.alpha.value, reader.gamma.value, reader.cost.value, reader.slope.value = alpha, gamma, cost, slope
    speeds = gains(alpha, cost, slope)
    best = max(range(201), key=lambda g: (round(speeds[g], 12), -g))
    even = (words(alpha, gamma) - 1 - slope * gamma) / gamma
    tokens, ceiling, whole, now, first, broken = reader.boxes[:6]
    assert (tokens, ceiling, whole.replace("\N{NO-BREAK SPACE}", " ")) == (
        f"{words(alpha, gamma):.2f}", f"{1 / (1 - alpha):.2f}", f"{100 * alpha**gamma:.0f} %")
    assert (now, first) == (f"{speeds[gamma]:.2f}×", str(best))
    assert broken == (f"{even:.2f}".removeprefix("0") if even > 0 else "none")
    assert f"a call gives {words(alpha, gamma):.2f} words" in reader.text.replace("  ", " ")
    assert (f"The best γ is {best}, with {speeds[best]:.2f}×" if best
            else "The best γ is 0: plain decoding is fastest") in reader.text
    spent = words(alpha, gamma)
    assert f"each word takes {(gamma * .1 + gamma + 1) / spent:.2f}× the arithmetic" in reader.text.replace("  ", " ")


@pytest.mark.parametrize("cost", [.01, .1, .3, .5, .9])
@pytest.mark.parametrize("alpha", [.1, .3, .5, .81])
def test_the_theorem(reader, alpha, cost):
    """A gain exists iff α > c, and is then at least (1 + α)/(1 + c)."""
    reader.alpha.value, reader.cost.value = alpha, cost
    gain = max(gains(alpha, cost)) > 1 + 1e-12
    assert gain == (alpha > cost) == ("So here" in reader.text) == ("Not so here" not in reader.text)
    if alpha > cost:
        assert f"(1 + α)/(1 + c) = {(1 + alpha) / (1 + cost):.2f}×" in reader.text
        assert max(gains(alpha, cost)) >= (1 + alpha) / (1 + cost) - 1e-12


def test_judging_moves_the_break_even(reader):
    reader.slope.value = .2
    even = max((words(.81, gamma) - 1 - .2 * gamma) / gamma for gamma in range(1, 200))
    assert f"some γ gains only while c is below {even:.2f}".replace("0.", ".") in reader.text
    reader.alpha.value = .1
    assert "no γ gains, even if drafts are free" in reader.text


def test_the_published_map(reader):
    """Best γ at c = .01, .02, .05, .1, .2, in rows of α, as the issue has them."""
    grid = {row[0]: row[1:6] for row in reader.table("Best γ")[1:]}
    assert grid["50 %"] == list("54321") and grid["70 %"] == list("98643")
    assert grid["80 %"] == ["14", "11", "8", "6", "4"] and grid["90 %"] == ["24", "19", "13", "10", "7"]
    reader.map.value = "Best speed-up"
    heads, *rows = reader.table("Best speed-up")
    for name, *cells in rows:
        alpha = int(name.removesuffix(" %")) / 100
        for head, cell in zip(heads[1:], cells):
            assert cell == f"{max(gains(alpha, float(head.removeprefix('c ')))):.2f}"
    reader.slope.value = .3
    assert float(reader.table("Best speed-up")[-1][1]) < float(rows[-1][1])


def test_a_table_row_is_its_own_quotient(reader):
    for _, tokens, spent, gain in reader.table("α 81.0")[1:]:
        assert abs(float(tokens) / float(spent) - float(gain.removesuffix("×"))) < .0051


@pytest.mark.parametrize("alpha", [0, 1])
@pytest.mark.parametrize("cost", [0, 1])
@pytest.mark.parametrize("slope", [0, .5])
@pytest.mark.parametrize("gamma", [1, 10])
def test_no_corner_says_nan(alpha, cost, slope, gamma):
    reader = Page(State(alpha=alpha, cost=cost, slope=slope, gamma=gamma, operations=1))
    assert not re.search(r"\b(nan|NaN|inf|None)\b", reader.text)
    assert ("there is no best γ" in reader.text) == (alpha == 1 and not cost)
    assert "There is no ceiling" in reader.text or alpha == 0


@pytest.mark.parametrize("closeness, gamma, cost, slope, seed", [(.5, 4, .1, 0, 7), (0, 10, .3, .1, 1), (1, 2, 0, 0, 3)])
def test_the_lanes_are_to_scale(closeness, gamma, cost, slope, seed):
    reader = Page(State(closeness=closeness, gamma=gamma, cost=cost, slope=slope, seed=seed))
    lanes, q = reader.lanes.lanes, [closeness * a + (1 - closeness) * b for a, b in zip(TRY_IT.target, TRY_IT.draft)]
    plain, speculative, shown = lanes["plain"], lanes["speculative"], [entry["word"] for entry in lanes["words"]]
    n = len(speculative) // (gamma + 1)
    calls = timeline(TRY_IT.target, q, gamma, n, seed, cost).calls
    assert shown == [TRY_IT.words[word] for word in calls.words] and 12 <= len(shown) < 12 + gamma + 1
    assert [step["end"] for step in plain] == list(range(1, len(shown) + 1))
    lengths = [step["end"] - step["start"] for step in speculative]
    np.testing.assert_allclose(lengths, ([cost] * gamma + [1 + slope * gamma]) * n, atol=1e-12)
    length = n * (gamma * cost + 1 + slope * gamma)
    assert f"as long as {length:.2f} target steps: in this run {len(shown) / length:.2f}×" in reader.text.replace("  ", " ")
    marks = [entry["kind"] for entry in lanes["words"]]
    assert marks.count("kept") == calls.accepted.sum() and marks.count("refill") == (calls.accepted < gamma).sum()


def test_an_alpha_that_no_draft_of_the_widgets_has(reader):
    reader.alpha.value = .3
    assert "farthest draft has α = 62.0 %, so this is what is played here, not your 30.0 %" in reader.text
    reader.alpha.value = .7
    assert "farthest draft" not in reader.text


def test_it_follows_the_widget():
    widget = TryIt(closeness=.25, gamma=3, seed=3)
    reader = Page(State(closeness=.25, gamma=3, seed=3), follow=widget)
    assert "At α = 71.5 % and γ = 3" in reader.text
    widget.param.update(closeness=.75, gamma=6, seed=9)
    assert "At α = 90.5 % and γ = 6" in reader.text and reader.seed.value == 9
    reader.gamma.value = 2.0  # a browser may send it so
    assert widget.gamma == 2 and type(widget.gamma) is int
    reader.alpha.value = .3
    assert "At α = 30.0 % and γ = 2" in reader.text and widget.closeness == .75
    widget.closeness = 1
    assert "At α = 100.0 %" in reader.text


def test_an_alpha_in_the_address_is_the_readers_own():
    assert "At α = 33.0 % and γ = 4" in Page(State(closeness=.25, alpha=.33)).text


MEASURED = "words,ms\n1,20\n2,21\n3,22\n5,30\n"
COSTS = [1, 1.05, 1.1, 1.3, 1.5]  # four words: on the line between three and five


@pytest.fixture
def judged(reader):
    """The section with a table of judging in use."""
    reader.judging.value = "A table of mine"
    reader.table_box._handle_msg(MEASURED)
    assert not reader.table_box.fault
    return reader


def test_a_table_of_judging(judged):
    judged.alpha.value, judged.gamma.value, judged.cost.value = .7, 3, .05
    speeds = [words(.7, gamma) / (gamma * .05 + v) for gamma, v in enumerate(COSTS)]
    best = speeds.index(max(speeds))
    assert judged.boxes[3:5] == [f"{speeds[3]:.2f}×", str(best)] and best == 2
    assert f"The best γ is {best}, with {speeds[best]:.2f}×" in judged.text
    rows = judged.table("α 70.0 %, c 0.05")[1:]
    assert [(row[0], row[3]) for row in rows] == [(str(gamma), f"{speed:.2f}×") for gamma, speed in enumerate(speeds)]
    even = max((words(.7, gamma) - v) / gamma for gamma, v in enumerate(COSTS) if gamma)
    assert f"With your table of judging, some γ gains only while c is below {even:.2f}".replace(" 0.", " .") in judged.text
    assert "4 times, of calls that judge 1 to 5 words, so γ goes up to 4" in judged.text
    assert "v(4) = 1.50. Between them" in judged.text
    lengths = [step["end"] - step["start"] for step in judged.lanes.lanes["speculative"]]
    np.testing.assert_allclose(lengths[:4], [.05, .05, .05, COSTS[3]])
    for name, *cells in judged.table("Best γ")[1:]:
        alpha = int(name.removesuffix(" %")) / 100
        for cost, cell in zip((.01, .02, .05, .1, .2, .5), cells):
            row = [round(words(alpha, gamma) / (gamma * cost + v), 12) for gamma, v in enumerate(COSTS)]
            assert cell == str(row.index(max(row)))
    assert "where judging costs what your table says, up to γ = 4, where it ends" in judged.text


def test_a_table_ends_and_says_so(judged):
    judged.alpha.value, judged.gamma.value, judged.cost.value = .95, 9, .01
    assert "At γ = 4 it is" in judged.text and "a call gives" in judged.text
    assert judged.text.count("Your table ends at γ = 4, which stands here for your γ = 9.") == 2  # the speed-up, the lanes
    assert "The best γ in your table is its last, 4, with" in judged.text and "what is beyond is unknown" in judged.text
    judged.judging.value = "Flat, or a line"
    assert "Your table ends" not in judged.text and "At γ = 9 it is" in judged.text


def test_a_bad_table_is_named_and_the_last_good_one_stays(judged):
    before = judged.text
    for text, why in ((MEASURED + "6,x\n", "line 6: 'x' is not a time above 0"), ("", "there are no times"),
                      ("<img src=x onerror=alert(1)>\n1\n", "two times at least"), (MEASURED + "4,9\n", "line 6: the numbers")):
        judged.table_box._handle_msg(text)
        assert judged.table_box.fault.startswith("Not used: ") and why in judged.table_box.fault and judged.text == before
    judged.table_box._handle_msg("20,40")
    assert judged.table_box.fault == "" and "so γ goes up to 1" in judged.text


def test_a_table_goes_into_the_address_if_it_is_short(judged):
    assert judged.table_box.carried == "1:20,2:21,3:22,5:30"
    again = Page(State(verification=read_call_times(judged.table_box.carried)))
    assert again.text == judged.text
    judged.table_box._handle_msg(",".join(f"{20 + i / 7}" for i in range(40)))
    assert judged.table_box.carried == "" and "a link does not carry it" in judged.text
    judged.judging.value = "Flat, or a line"
    assert judged.table_box.carried == "" and "a link does not carry it" not in judged.text
