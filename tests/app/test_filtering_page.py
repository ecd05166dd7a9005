"""/filtering: the numbers on it against values derived another way; what each switch breaks; what the address may ask for."""

import json
import re
from math import comb, log

import numpy as np
import pytest
from reading import Reader

from app.controls import Choice, Player, Range, Seed
from app.filtering import filtering
from app.filtering_draws import DrawsView
from app.filtering_study import FATES, KEPT, Study
from app.state import BOUNDS, CLIPS, FILTERS, HINTS, MAX_DRAWS, State, read
from app.try_it import TryIt
from specdec_core.examples import EGGS, TRY_IT


class Section(Reader):
    """The section as somebody who reads and uses it."""

    def __init__(self, state=State(), **options):
        super().__init__(filtering(state, **options))
        self.tpr, self.fpr, self.n, self.cap, self.rate, self.group, self.skill, self.closeness = self.all(Range)
        self.which, self.hint, self.clip = self.all(Choice)
        [self.view], [self.round], self.seeds = self.all(DrawsView), self.all(Player), self.all(Seed)

    def turn(self, name):
        self.which.value = self.which.options[FILTERS.index(name)]

    @property
    def scene(self):
        return json.loads(self.view.scene)


@pytest.fixture
def reader():
    return Section()


def test_what_is_right_lands_on_the_line_exactly(reader):
    assert reader.boxes[:3] == ["20.0\N{NO-BREAK SPACE}%", "100.0\N{NO-BREAK SPACE}%", ".000"]
    assert reader.scene["out"] == pytest.approx([.5, .3, .2, 0, 0, 0])
    assert reader.scene["target"] == pytest.approx(reader.scene["out"])
    assert "costs 5.00 draws" in reader.text and ".500, .300 and .200: p(y | right), exactly" in reader.text
    assert [a + b for a, b in zip(reader.scene["kept"], reader.scene["rejected"])] == pytest.approx(EGGS.law)


def test_a_checker_that_errs(reader):
    reader.turn("errs")
    assert reader.boxes[:2] == ["28.0\N{NO-BREAK SPACE}%", "71.4\N{NO-BREAK SPACE}%"]
    assert sum(reader.scene["out"][3:]) == pytest.approx(.08 / .28)
    assert [dial.visible for dial in (reader.tpr, reader.fpr, reader.n, reader.cap)] == [True, True, False, False]
    reader.tpr.value, reader.fpr.value = 0, 0
    assert "Nothing ever passes" in reader.text and reader.boxes[:3] == ["0.0\N{NO-BREAK SPACE}%", "none", "none"]
    assert reader.scene["out"] == [0] * 6 and not set(reader.scene["fates"]) & set(map(str, KEPT))
    reader.tpr.value, reader.fpr.value = 1, 1
    assert reader.boxes[1] == "20.0\N{NO-BREAK SPACE}%" and reader.scene["out"] == pytest.approx(EGGS.law)


def test_two_questions_and_a_cap(reader):
    reader.turn("pooled")
    assert reader.boxes[:3] == ["50.0\N{NO-BREAK SPACE}%", "80.0\N{NO-BREAK SPACE}%", "20.0\N{NO-BREAK SPACE}%"]
    reader.turn("capped")
    for n, cap in (8, 2), (8, 8), (16, 1), (1, 8):
        reader.n.value, reader.cap.value = n, cap
        mean = [sum(min(cap, k) * comb(n, k) * s**k * (1 - s) ** (n - k) for k in range(n + 1)) for s in (.8, .2)]
        assert reader.scene["out"] == pytest.approx([m / sum(mean) for m in mean])
        assert reader.boxes[1] == f"{100 * mean[0] / sum(mean):.1f}\N{NO-BREAK SPACE}%"
        assert "without a cap it gives 80.0 %" in reader.text


def test_no_solution_twice_and_the_best_of_n(reader):
    reader.turn("distinct")
    reader.n.value = 16
    mean = [1 - (1 - p) ** 16 for p in EGGS.law[:3]]
    assert f"leaves {sum(mean):.2f} kept" in reader.text
    assert reader.scene["out"][:3] == pytest.approx([m / sum(mean) for m in mean])
    reader.turn("best")
    reader.n.value = 8
    right = .94**8 - .78**8 + (.78**8 - .30**8) * .04 / .48
    assert reader.boxes[:2] == ["1 in 8", f"{100 * right:.1f}\N{NO-BREAK SPACE}%"]
    kl = sum(x * log(x / p) for x, p in zip(reader.scene["out"], EGGS.law))
    assert reader.boxes[2] == f"{kl:.3f}" and f"gives {log(8) - 7 / 8:.3f}: a bound" in reader.text and kl < log(8) - 7 / 8


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("n", [1, 7, 32])
def test_the_run_is_told_as_it_was(name, n):
    """What each draw's fate says agrees with whether it was kept, and with the rule in plain words."""
    study = Study(name, .9, .1, n, 2, 5)
    fates, kept = study.fates, study.run.kept
    assert np.isin(fates, KEPT).tolist() == kept.tolist() and MAX_DRAWS - n < fates.size <= MAX_DRAWS
    for row, right, entries in zip(fates, study.right, study.entries):
        told = [FATES[fate] for fate in row]
        if name != "best":
            assert all(text.startswith("right" if good else "wrong") for text, good in zip(told, right))
        if name == "right":
            assert np.isin(row, KEPT).tolist() == right.tolist()
        elif name == "capped":
            assert np.isin(row, KEPT).sum() == min(2, right.sum())
        elif name == "distinct":
            assert np.isin(row, KEPT).sum() == len(set(entries[right].tolist()))
        elif name == "best":
            assert np.isin(row, KEPT).sum() == 1
    assert study.counts(True).sum() == kept.sum() and study.counts(False).sum() == kept.size


@pytest.mark.parametrize("name", FILTERS)
def test_the_printed_share_is_the_printed_quotient(name):
    study = Section(State(filter=name, n=16, tpr=.9, fpr=.3)).scene
    for told, share in zip(study["explain"], study["out"]):
        kept, whole, printed = map(float, re.search(r"kept is ([.\d]+) / ([.\d]+) = ([.\d]+);", told).groups())
        assert abs(kept / whole - printed) < .0021 and printed == pytest.approx(share, abs=.0005)


def outside(name, narrower=1):
    """How many of 400 runs have a share outside bands so many times narrower."""
    count = 0
    for seed in range(400):
        study = Study(name, .9, .2, 8, 2, seed)
        kept = study.counts(True)
        band = study.band / kept.sum()**.5 / narrower
        count += bool((np.abs(kept / kept.sum() - study.made.law) > band + 1e-12).any())
    return count


@pytest.mark.parametrize("name", FILTERS)
def test_the_bands_hold_in_99_runs_of_100_or_more(name):
    """4 of 400 are expected outside, and 17 or more come up once in a million."""
    assert outside(name) < 17


def test_half_the_band_does_not():
    assert outside("errs", narrower=2) > 17


def test_the_loop_by_round(reader):
    assert reader.boxes[3:6] == ["58.3\N{NO-BREAK SPACE}%", "50.9\N{NO-BREAK SPACE}%", "0.0\N{NO-BREAK SPACE}%"]
    assert reader.table("Accuracy by question")[4][-1] == "0.5833"
    reader.hint.value = reader.hint.options[1]
    assert reader.boxes[5] == "37.3\N{NO-BREAK SPACE}%" and "without hints and 63.7 % with them" in reader.text
    reader.round.value = 0
    assert reader.boxes[3:6] == ["32.5\N{NO-BREAK SPACE}%", "32.5\N{NO-BREAK SPACE}%", "0.0\N{NO-BREAK SPACE}%"]
    assert "the base model" in reader.text
    rows = reader.table("Accuracy by question")[1:]
    assert len(rows) == 11 and rows[0][1:6] == [".800", ".400", ".100", ".000", "0.3250"]
    for row in rows:
        assert float(row[5]) == pytest.approx(sum(map(float, row[1:5])) / 4, abs=.0006)


def test_groups(reader):
    assert reader.boxes[6:9] == [".5599", "1.79", ".4401"]
    reader.rate.value, reader.group.value = .9, 8
    assert "Of 64 groups drawn, 36.5 are useful" in reader.text and "takes 112.4 prompts" in reader.text
    for end in 0, 1:
        reader.rate.value = end
        assert "no batch is ever full" in reader.text and reader.boxes[6:8] == [".0000", "none"]
    for row in reader.table("Share of groups kept")[1:]:
        s = float(row[0].removesuffix(" %")) / 100
        assert float(row[1]) == pytest.approx(1 - s**8 - (1 - s)**8, abs=6e-5)


def test_as_the_policy_improves(reader):
    for skill, group in (0, 16), (4, 16), (8, 8), (2.5, 2):
        reader.skill.value, reader.group.value = skill, group
        rates = [1 / (1 + 2.718281828459045 ** (d - skill)) for d in range(1, 8)]
        parts = [sum((1 - s)**group for s in rates) / 7, 0, sum(s**group for s in rates) / 7]
        parts[1] = 1 - parts[0] - parts[2]
        assert reader.boxes[9:12] == [f"{100 * part:.1f}\N{NO-BREAK SPACE}%" for part in parts]
        assert f"a kept group takes {1 / parts[1]:.2f} prompts" in reader.text


def test_one_ratio_three_uses(reader):
    for closeness in 0, .5, 1:
        reader.closeness.value = closeness
        q = [closeness * a + (1 - closeness) * b for a, b in zip(TRY_IT.target, TRY_IT.draft)]
        ratios = [a / b for a, b in zip(TRY_IT.target, q)]
        worth = 1 / sum(a * a / b for a, b in zip(TRY_IT.target, q))
        beyond = sum(not .8 - 1e-12 <= r <= 1.28 + 1e-12 for r in ratios)
        assert reader.boxes[12:] == [f"{100 * sum(map(min, TRY_IT.target, q)):.1f}\N{NO-BREAK SPACE}%",
                                     f"{worth:.3f}".removeprefix("0"), f"{beyond} of 6"]
        for row, r in zip(reader.table("Closeness")[1:], ratios):
            assert row[3:7] == [f"{x:.4f}" for x in (r, min(1, r), r / max(ratios), min(max(r, .8), 1.28))]
            assert row[7:] == ["yes" if r < 1.28 else "no", "yes" if r > .8 else "no"]


def test_it_follows_the_widget_and_its_seeds_are_one():
    widget = TryIt(closeness=.25, seed=3)
    reader = Section(State(closeness=.25, seed=3), follow=widget)
    widget.param.update(closeness=.75, seed=9)
    assert reader.closeness.value == .75 and [seed.value for seed in reader.seeds] == [9, 9, 9]
    before = reader.scene["fates"]
    reader.seeds[2].value = 10
    assert widget.seed == 10 and reader.seeds[0].value == 10 and reader.scene["fates"] != before
    reader.closeness.value = .5
    assert widget.closeness == .5


def test_the_address_asks_for_it():
    query = {"filter": b"best", "n": b"32", "cap": b"8", "tpr": b".5", "fpr": b"1", "draws": b"600", "hint": b"on", "round": b"0",
             "group": b"2", "rate": b"1", "skill": b"8", "clip": b"ppo"}
    state, notices = read({name: [value] for name, value in query.items()})
    assert not notices and state == State(filter="best", n=32, cap=8, tpr=.5, fpr=1, draws=600, hint="on", round=0, group=2,
                                          rate=1, skill=8, clip="ppo")
    reader = Section(state)
    assert reader.n.value == 32 and reader.view.draws == 600 and reader.round.value == 0 and "Best of n" == reader.which.value


@pytest.mark.parametrize("name, text", [
    ("filter", b"Best"), ("filter", b"<b>"), ("n", b"33"), ("n", b"0"), ("cap", b"9"), ("tpr", b"1.1"), ("fpr", b"-1"),
    ("draws", b"601"), ("hint", b"yes"), ("round", b"11"), ("group", b"1"), ("rate", b"nan"), ("skill", b"9"), ("clip", b"x" * 99)])
def test_what_the_address_may_not_ask_for(name, text):
    state, [notice] = read({name: [text]})
    assert state == State() and notice.startswith(f"{name} must be ")
    assert f"This page uses {getattr(State(), name)} instead." in notice


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("end", [0, 1])
def test_no_corner_says_nan(name, end):
    dials = "tpr", "fpr", "n", "cap", "draws", "round", "group", "rate", "skill", "closeness"
    ends = {field: BOUNDS[field][end] for field in dials}
    text = Section(State(filter=name, hint=HINTS[end], clip=CLIPS[end], **ends)).text
    assert not re.search(r"\b(nan|NaN|inf|None)\b", text)
