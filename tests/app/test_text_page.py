"""/text: what it shows, against laws worked out another way; who may draft; beginnings of every kind; what a link brings back."""

import html
import json
import math
import re
import urllib.parse
from dataclasses import replace

import numpy as np
import panel as pn
import pytest
import reading

from app import books
from app.books import Models
from app.controls import Buttons, Choice
from app.page import Split
from app.state import BOUNDS, State, read
from app.text import Writing
from app.text_compare import Comparison
from app.text_drafts import DRAFTS, PROMPTS
from app.text_exact_run import ExactRun, Trial
from app.text_player import shown
from app.try_it import TryIt
from specdec_core import acceptance_rate, chi_square
from specdec_core.words import detokenise, normalise, tokenise

ATTACK = "<img src=x onerror=alert(1)>"


def flat(parts):
    """The parts of splits among the others."""
    for part in parts:
        yield from flat([*part.words, *part.figure, *part.more]) if isinstance(part, Split) else [part]


class Reader(reading.Reader):
    """The section as somebody who reads and uses it."""

    def __init__(self, state=State(), **options):
        self.section = Writing(state, **options)
        self.controls, self.player = self.section.controls, self.section.player
        super().__init__(flat(self.section.parts))

    @property
    def record(self):
        return json.loads(self.player.record)

    @property
    def text(self):
        return html.unescape(super().text)

    @property
    def written(self):
        """The text as it stands on the page, without the beginning."""
        return "".join(" " * spaced + word for call in self.record["calls"] for word, spaced in [
            *call["pieces"][:call["accepted"]], call["pieces"][call["last"]]])

    @property
    def link(self):
        query = urllib.parse.parse_qs(re.search(r'href="\?([^"]*)"', html.unescape(self.section._link.html))[1])
        return read({name: [value.encode() for value in values] for name, values in query.items()})


@pytest.fixture
def reader(at_once):
    return Reader()


def cooled(law, temperature):
    weights = law ** (1 / temperature)
    return weights / weights.sum()


def test_every_law_and_every_decision_on_the_page(reader):
    """The record, worked out again from the two models, with p^(1/T) for the temperature."""
    models = books.shipped()
    target, draft, words = models.order(5), models.order(2), models.vocabulary.words
    known = {word.replace("\n", "¶"): number for number, word in enumerate(words)}  # none of these has a sign that is not shown
    text, out = tokenise(PROMPTS[0]), []
    for call in reader.record["calls"]:
        context = models.vocabulary.ids([*text, *out])
        for i, place in enumerate(call["places"]):
            p, q = cooled(target.law(context), .8), cooled(draft.law(context), .8)
            if i == len(call["drafted"]):
                assert place["alpha"] is None and place["keep"] is None
                q = np.zeros_like(p)
            else:
                assert place["alpha"] == f"{100 * np.minimum(p, q).sum():.1f}\N{NO-BREAK SPACE}%"
            numbers = [known[word] for word in place["words"]]
            laws = dict(p=p, q=q, kept=np.minimum(p, q), rejected=np.maximum(q - p, 0), refill=np.maximum(p - q, 0))
            for name, law in laws.items():
                assert place[name] == pytest.approx([*law[numbers], law.sum() - law[numbers].sum()], abs=2e-6), name
            if i < len(call["drafted"]):
                word, u = numbers[place["drafted"]], call["uniforms"][i]
                assert call["p"][i] == pytest.approx(p[word]) and call["q"][i] == pytest.approx(q[word])
                assert i > call["accepted"] or (u * q[word] < p[word]) == (i < call["accepted"])
                assert place["keep"][place["drafted"]] == pytest.approx(min(1, p[word] / q[word]), abs=1e-6)
                assert call["names"][i] == place["words"][place["drafted"]]
                context.append(word)
        out += [*call["names"][:call["accepted"]], call["names"][call["last"]]]
    assert reader.written == detokenise([*text, *out])[len(detokenise(text)):]


def test_the_counters_are_sums_over_the_calls(reader):
    record, words, tested, kept = reader.record, 0, [0] * 4, [0] * 4
    assert record["counters"][0]["perCall"] == record["counters"][0]["speedup"] == "–"
    for k, (call, counted) in enumerate(zip(record["calls"], record["counters"][1:]), 1):
        words += call["accepted"] + 1
        for i in range(4):
            tested[i] += call["accepted"] >= i
            kept[i] += call["accepted"] > i
        assert counted["calls"] == k and counted["words"] == words and counted["perCall"] == f"{words / k:.2f}"
        assert counted["speedup"] == f"{words / (1.4 * k):.2f}×"
        for i, (place, n, share, _) in enumerate(counted["places"]):
            assert place == str(i + 1) and n == str(tested[i])
            assert share == (f"{kept[i]} ({100 * kept[i] / tested[i]:.0f}\N{NO-BREAK SPACE}%)" if tested[i] else "–")
    assert len(record["plain"]) == words and record["speculative"][-1]["end"] == pytest.approx(1.4 * k)
    assert record["speculative"][-1]["out"] == words
    assert f"{words} words in {k} target calls: {words / k:.2f} a call. " in reader.text
    assert f"With c = 0.10 that is {words / (1.4 * k):.2f}× plain" in reader.text
    alphas = [float(call["places"][i]["alpha"][:-2]) / 100 for call in record["calls"] for i in range(min(call["accepted"] + 1, 4))]
    mean = sum(alphas) / len(alphas)
    assert f"the mean {100 * mean:.1f} % here" in reader.text
    assert re.search(rf"the formula gives ({(1 - mean**5) / (1 - mean) - .005:.3f}|{(1 - mean**5) / (1 - mean):.2f})", reader.text)
    assert f"it went from {100 * min(alphas):.0f} % to {100 * max(alphas):.0f} %" in reader.text


@pytest.mark.parametrize("draft, cost, said", [
    ("target", 1, "so c is 1 whatever"), ("look-up", 0, "so c is 0 whatever"), ("1-gram", .3, "α is not the same everywhere"),
    ("stranger", .3, "±")])
def test_what_each_draft_costs(draft, cost, said, at_once):
    reader = Reader(State(draft=draft, cost=.3))
    words, calls = reader.record["counters"][-1]["words"], reader.record["calls"]
    drafted = sum(len(call["drafted"]) for call in calls)
    assert said in reader.text and f"With c = {cost:.2f} that is {words / (drafted * cost + len(calls)):.2f}× plain" in reader.text
    if draft == "target":
        assert "They agree, since α is 100 % everywhere." in reader.text and words == 5 * len(calls)


@pytest.mark.parametrize("draft", DRAFTS)
def test_at_temperature_0_the_text_is_the_same(draft, at_once):
    reader = Reader(State(draft=draft, temperature=0, words=30, seed=3))
    models, text = books.shipped(), tokenise(PROMPTS[0])
    for _ in range(30):
        text.append(models.vocabulary.words[int(models.order(5).law(models.vocabulary.ids(text)).argmax())])
    assert reader.written.startswith(detokenise(text)[len(normalise(PROMPTS[0])):])


@pytest.mark.parametrize("draft, gamma, words", [*((draft, 10, 30) for draft in DRAFTS), ("2-gram", 1, 10)])
@pytest.mark.parametrize("edge", [
    dict(temperature=0, draft_temperature=0), dict(temperature=5, draft_temperature=.01), dict(top_k=1, draft_top_p=.01),
    dict(top_p=.01, draft_top_k=1), dict(prompt=ATTACK), dict(prompt="\x00\u202e 4"), dict(cost=0), dict(cost=1)])
def test_no_corner_says_nan(gamma, words, draft, edge):
    reader = Reader(State(gamma=gamma, words=words, draft=draft, **edge))
    assert not re.search(r"\b(nan|NaN|inf|None)\b", reader.text + reader.player.record)
    assert reader.record["counters"][-1]["words"] >= words and ATTACK not in reader.html


def test_a_look_up_without_a_match_says_so(at_once):
    reader = Reader(State(draft="look-up", prompt="She was", words=10, seed=1))
    assert ("Nothing was drafted" in reader.text) == (not any(call["drafted"] for call in reader.record["calls"]))
    assert "of the calls had fewer than γ = 4 words drafted" in Reader(State(draft="look-up", prompt=PROMPTS[4])).text


def test_a_beginning_of_ones_own(reader):
    own = reader.controls.own
    own._handle_msg("Mr. Darcy smiled;\n but ")
    assert reader.record["prompt"] == normalise("Mr. Darcy smiled;\n but ") and own.fault == ""
    assert reader.controls.prompt.options[-1] == "your own: Mr. Darcy smiled; but" and reader.controls.prompt.value == len(PROMPTS)
    before = reader.player.record
    for nothing in "", " \n\t":
        own._handle_msg(nothing)
        assert own.fault == "Not used: there is no word in it." and reader.player.record == before
    own._handle_msg("They danced")
    assert reader.record["prompt"] == "They danced" and own.fault == ""


def test_unknown_words_are_named_and_escaped(reader):
    reader.controls.own._handle_msg(f"She zzyzx {ATTACK} " + "q" * 500)
    assert "The models do not know “zzyzx”, “<”, “img” and" in reader.text and ATTACK not in reader.html
    assert "“zzyzx”" in reader.html and "<img" not in reader.html and "q" * 30 not in reader.text.split("The models")[1]
    assert reader.record["counters"][-1]["words"] >= 40


def test_a_beginning_of_100_kb(reader):
    reader.controls.own._handle_msg("She walked on and on. " * 4_600)
    assert "of your beginning the last 300 are used" in reader.text and len(reader.record["prompt"]) < 400
    assert "No link replays this text" in reader.text and reader.player.address["prompt"] is None
    reader.controls.draft.value = list(DRAFTS).index("look-up")
    assert sum(len(call["drafted"]) for call in reader.record["calls"]) > 20


def test_a_link_brings_it_back(reader):
    it = reader.controls
    it.own._handle_msg("“Well,” said & she, “100 % “")
    it.draft.value, it.gamma.value, it.cost.value, it.seed.value, it.words.value = 2, 6, .25, 99, "20"
    it.target_sampling.enter("temperature", "0.7"), it.target_sampling.enter("k", "50"), it.draft_sampling.enter("mass", "0.9")
    state, notices = reader.link
    assert notices == () and state == State(prompt="“Well,” said & she, “100 % “", draft="3-gram", gamma=6, cost=.25, seed=99, words=20,
                                            temperature=.7, top_k=50, draft_top_p=.9)
    assert Reader(state).player.record == reader.player.record
    assert reader.player.address == {"prompt": "“Well,” said & she, “100 % “", "words": 20, "temperature": "0.7", "top_k": 50, "top_p": None,
                                     "draft_temperature": None, "draft_top_k": None, "draft_top_p": "0.9"}


def test_a_first_page_has_an_empty_address(reader):
    assert set(reader.player.address.values()) == {None} and reader.link[0] == State()


def test_what_is_out_of_range_changes_nothing(reader):
    before = reader.player.record
    for name, text in (("temperature", "-1"), ("temperature", "6"), ("k", "0"), ("k", "1.5"), ("mass", "0"), ("mass", "1.1"),
                       ("temperature", "")):
        reader.controls.target_sampling.enter(name, text)
        assert name in reader.controls.target_sampling.faults and reader.player.record == before


def test_it_shares_gamma_and_seed_with_the_widget(at_once):
    widget = TryIt(gamma=3, seed=5)
    reader = Reader(State(gamma=3, seed=5), follow=widget)
    widget.gamma, widget.seed = 6, 8
    assert reader.controls.settings.gamma == 6 and len(reader.record["calls"][0]["drafted"]) == 6
    assert Reader(State(gamma=6, seed=8)).player.record == reader.player.record
    reader.controls.gamma.value = 2.0
    assert widget.gamma == 2


def test_other_models_can_write(reader):
    mine = Models(tokenise("the cat sat on the mat. the dog sat on the log. the cat saw the dog and the dog saw the cat. " * 4))
    reader.section.use(mine)
    assert {name for call in reader.record["calls"] for name in call["names"]} <= {shown(word) for word in mine.vocabulary.words}
    reader.controls.own._handle_msg("It is a cat")
    assert "The models do not know “It”, “is”, “a”: they see" in reader.text


def settings(**changed):
    return Reader(State(**changed)).controls.settings


def exact(n=1_000, **changed):
    run = ExactRun(Trial(settings(**changed), books.shipped(), n))
    assert run.wait(60) and run.progress.state == "done"
    return run.trial, [chi_square(counts, run.trial.law) for counts in run.progress.counts], run.progress


def test_continuations_have_the_targets_law_and_the_wrong_rules_do_not():
    trial, (plain, speculative, redraw), progress = exact(2_000)
    assert progress.counts.sum(axis=1).tolist() == [2_000] * 3
    assert plain.passed and speculative.passed and not redraw.passed and redraw.degrees > 15


def test_the_exact_law_of_continuations():
    trial = Trial(settings(prompt="She was", temperature=.7), books.shipped(), 1)
    models, law = books.shipped(), lambda context: cooled(books.shipped().order(5).law(context), .7)
    context = models.vocabulary.ids(["She", "was"])
    first = law(context)
    chances = {(i, j): first[i] * p for i in np.argsort(-first)[:60].tolist() for j, p in enumerate(law([*context, i]).tolist())}
    best = sorted(chances, key=chances.get, reverse=True)[:20]
    assert trial.law[:-1] == pytest.approx([chances[words] for words in best])  # of equals, rounding may swap two
    assert all(trial.cells[words] == pytest.approx(chances[words]) for words in trial.cells) and len(trial.cells) == 20
    assert trial.law.sum() == pytest.approx(1)
    assert trial.names[0] == " ".join(models.vocabulary.tokens(next(iter(trial.cells)))) and trial.names[-1] == "all the rest"
    q = cooled(models.order(2).law(context), .8)
    redrawn = np.minimum(first, q) + (1 - acceptance_rate(first, q)) * first
    assert trial.first_word_distance == pytest.approx(np.abs(redrawn - first).sum() / 2)


class _Watch:
    def stop(self):
        pass


@pytest.fixture
def by_hand(monkeypatch):
    """Looks at a run are left to the test."""
    monkeypatch.setattr(pn.state, "add_periodic_callback", lambda *_, **__: _Watch())


def ran(reader, label):
    """Press the button of this label, and read when the run has ended."""
    [buttons] = [part for part in reader.all(Buttons) if label in part.labels]
    owner = buttons._pressed.__closure__[0].cell_contents
    buttons._handle_msg(buttons.labels.index(label))
    assert owner._run.wait(60)
    owner._look()
    return reader.text


def test_the_verdicts_in_words(reader, by_hand):
    [size] = [part for part in reader.all(Choice) if part.label == "Continuations each way"]
    text = ran(reader, "Run")
    assert "2,000 of 2,000 continuations each way." in text and "The wrong rule is caught, and rightly" in text
    assert "With a draft or without, it is the target’s text." in text
    size.value, reader.controls.draft.value = "500", list(DRAFTS).index("target")
    assert "rejected too seldom for the wrong rule to show" in ran(reader, "Run")
    reader.controls.draft.value = list(DRAFTS).index("3-gram")
    assert "The wrong rule gets away with it in so short a run" in ran(reader, "Run")


def test_at_temperature_0_there_is_one_continuation(reader, by_hand):
    reader.controls.target_sampling.enter("temperature", "0")
    [size] = [part for part in reader.all(Choice) if part.label == "Continuations each way"]
    size.value = "500"
    text = ran(reader, "Run")
    assert "too few kinds of word, to tell anything" in text and "nan" not in text


def test_the_drafts_compared(reader, by_hand):
    text = ran(reader, "Compare the drafts")
    rows = dict(re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', reader.html))
    cells = {name: re.findall("<td>(.*?)</td>", row) for name, row in rows.items() if len(re.findall("<td>", row)) == 5}
    assert list(cells) == ["no draft", *(draft.short for draft in DRAFTS.values())]
    assert cells["no draft"][1:4] == ["1.00", "–", "1.00×"]
    assert cells["the target itself"][:4] == ["100.0\N{NO-BREAK SPACE}%", "5.00", "1.00", "1.00×"]
    alphas = [float(cells[name][0][:-2]) for name in ("1-gram", "2-gram", "3-gram", "the target itself")]
    assert alphas == sorted(alphas) and cells["look-up"][2] == "0.00"
    for name in "1-gram", "2-gram", "3-gram", "2-gram of another book":
        assert float(cells[name][3][:-1]) == pytest.approx(float(cells[name][1]) / 1.4, abs=.008)
    assert "Fastest here: 3-gram" in text and "their law is one, the target’s" in text
    text = ran(reader, "Compare at temperature 0")
    assert "all 7 texts are the same, word for word, for 200 words" in text


def test_a_run_that_breaks_off_says_so(reader, by_hand, monkeypatch, caplog):
    monkeypatch.setattr("app.text_compare.decode", lambda *_: 1 / 0)
    assert "This comparison broke off" in ran(reader, "Compare the drafts")
    monkeypatch.setattr("app.text_exact_run.continuations", lambda *_: 1 / 0)
    assert "This run broke off" in ran(reader, "Run") and caplog.text.count("a run failed") == 2


def test_an_end_between_two_looks_is_not_missed(reader, by_hand):
    """A run that ended while its last but one moment was being shown is looked at once more."""
    [buttons] = [part for part in reader.all(Buttons) if "Run" in part.labels]
    exact = buttons._pressed.__closure__[0].cell_contents
    buttons._handle_msg(0)
    assert exact._run.wait(60)
    last, watch = exact._run.progress, exact._watch
    exact._run.progress = replace(last, state="running")
    exact._look()
    assert exact._watch is watch is not None and "rightly" not in reader.text
    exact._run.progress = last
    exact._look()
    assert exact._watch is None and "rightly" in reader.text


def test_a_comparison_can_be_stopped():
    run = Comparison(settings(), books.shipped())
    run.stop()
    assert run.wait(20) and run.progress.state in ("stopped", "done") and len(run.progress.texts) < 7


def test_the_bounds_are_those_of_the_fields(reader):
    assert math.isclose(BOUNDS["top_p"][0], reader.controls.target_sampling._fields["mass"].least)
