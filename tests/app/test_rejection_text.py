"""/rejection: the numbers in its text against values derived another way, at every choice, seed and end of a slider."""

import math
import re

import numpy as np
import pytest
from reading import Reader, boxes

from app.controls import Choice, Range, Seed, Text
from app.rejection import rejection
from app.rejection_circle import MOST
from app.rejection_envelope import PROPOSALS
from app.state import State
from app.try_it import TryIt
from specdec_core.examples import TRY_IT


class Page(Reader):
    """The whole section."""

    def __init__(self, state=State(), **options):
        super().__init__(rejection(state, **options))
        [self.where, self.which], [self.multiple, self.closeness] = self.all(Choice), self.all(Range)


@pytest.fixture
def reader():
    return Page()


def test_points_in_a_circle(reader):
    [box] = [text for text in reader.all(Text) if "thrown" in text.html][:1]
    points = np.random.RandomState(7).random_sample((10_101, 2))
    inside = np.hypot(points[:, 0] - .5, points[:, 1] - .5) < .5
    assert boxes(box)[:2] == ["100", str(inside[:100].sum())]
    reader.press("Add 10,000"), reader.press("Add 1")
    kept, z = int(inside.sum()), 2.5758293
    half = z * math.sqrt(math.pi / 4 * (1 - math.pi / 4) / 10_101)
    assert boxes(box)[:2] == ["10,101", f"{kept:,}"]
    for printed in (f"{kept:,} of 10,101 points kept: {kept / 101.01:.2f} %", f"π/4 = {25 * math.pi:.2f} %",
                    f"lies in {25 * math.pi - 100 * half:.2f} % to {25 * math.pi + 100 * half:.2f} %"):
        assert printed in reader.text, printed


def test_no_points_and_the_most(reader):
    reader.press("Reset")
    assert "No points yet" in reader.text and "nan" not in reader.text.lower()
    reader.press("Add 1")
    assert "With so few points any share may come" in reader.text
    for _ in range(11):
        reader.press("Add 10,000")
    assert f"{MOST:,} points are the most" in reader.text


def test_ten_dimensions(reader):
    assert "0.25 %" not in reader.text
    reader.where.value = "In 2 to 10 dimensions"
    assert f"{100 * math.pi**5 / 120 / 2**10:.2f} % in 10" in reader.text
    assert f"{100 * 8 * math.pi**2 / 15 / 32:.2f} % in 5" in reader.text
    assert "0.25 %" in reader.text and "points thrown" not in reader.text


def test_the_example_by_hand(reader):
    reader.which.value = "Three words"
    assert "M = 2 keeps 45 %, but what is kept is 4/9, 3/9, 2/9: not p. M = 2.5 keeps 40 % and gives p" in reader.text
    assert "M = 2.500 covers p" in reader.text and "40.00 % are kept" in reader.text and "Wrong" not in reader.text
    reader.multiple.value = .8
    assert "Wrong. M = 2.000 is below max p/q = 2.500, so p stands out over the envelope at “the”." in reader.text
    assert "45.00 %" in reader.text and ".444, .333, .222" in reader.text
    reader.press("Set M to max p/q")
    assert reader.multiple.value == 1 and "Wrong" not in reader.text


@pytest.mark.parametrize("which, constant", [("Six words", .42 / .18), ("Bumps under a box", 18 / 7),
                                             ("Bumps under a bell", 2.2115)])
def test_an_envelope_of_each_kind(reader, which, constant):
    reader.which.value = which
    [box] = [text for text in reader.all(Text) if "under p" in text.html and "<dl" in text.html]
    assert f"which needs {constant:.3f}" in reader.text or which == "Bumps under a bell"
    for multiple in .6, .99, 1, 1.3, 2:
        reader.multiple.value = multiple
        proposed, kept, wasted = (int(number.replace(",", "")) for number in boxes(box))
        assert proposed == PROPOSALS == kept + wasted
        assert ("Wrong." in reader.text) == (multiple < 1) and "nan" not in reader.text.lower()
        if multiple >= 1:
            share = float(re.search(r"1/M = ([\d.]+) % are kept", reader.text)[1]) / 100
            assert share == pytest.approx(1 / (multiple * constant), abs=1e-4)
            assert abs(kept - proposed * share) < 4 * math.sqrt(proposed * share * (1 - share))


def test_moving_m_judges_the_same_luck(reader):
    [box] = [text for text in reader.all(Text) if "under p" in text.html and "<dl" in text.html]
    first = box.html
    reader.multiple.value = 1.5
    assert box.html != first
    reader.multiple.value = 1
    assert box.html == first
    reader.all(Seed)[1].value = 8
    assert box.html != first and reader.all(Seed)[0].value == 8


@pytest.mark.parametrize("closeness, classic, match, speculative", [(.5, ".714", ".228", ".810"), (0, ".429", ".198", ".620"),
                                                                    (1, "1.000", ".259", "1.000")])
def test_three_ways(reader, closeness, classic, match, speculative):
    reader.closeness.value = closeness
    q = [closeness * a + (1 - closeness) * b for a, b in zip(TRY_IT.target, TRY_IT.draft)]
    assert (f"At closeness {closeness:.2f} classic rejection keeps {classic} of the proposals, comparing two draws {match}, "
            f"and the speculative rule {speculative} .") in reader.text
    worth = f"{1 / sum(a * a / b for a, b in zip(TRY_IT.target, q)):.3f}".removeprefix("0")
    assert f"worth {worth} of a draw" in reader.text
    for word, p, draft in zip(TRY_IT.words, TRY_IT.target, q):
        assert f"{word} {p:.4f} {draft:.4f} {p:.4f} {p:.4f} {p:.4f}" in reader.text


def test_it_shares_closeness_and_seed_with_the_widget():
    widget = TryIt(closeness=.25, seed=3)
    reader = Page(State(closeness=.25, seed=3), follow=widget)
    widget.param.update(closeness=.75, seed=9)
    assert reader.closeness.value == .75 and [seed.value for seed in reader.all(Seed)] == [9] * len(reader.all(Seed))
    reader.closeness.value = .1
    reader.all(Seed)[1].value = 2**32 - 1
    assert (widget.closeness, widget.seed) == (.1, 2**32 - 1)
