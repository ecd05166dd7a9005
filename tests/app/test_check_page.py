"""What /check says, against figures derived another way; what it does with settings, pasted laws and a session that ends."""

import csv
import html
import io
import re
import urllib.request

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app import check_text as say
from app.check import Check
from app.check_run import Progress, Run
from app.experiment import Experiment
from app.state import State
from specdec_core import RULES, Tally
from specdec_core.examples import TRY_IT, Laws


def ran(rule="speculative", calls=2_000, laws=TRY_IT, closeness=.5, gamma=4, seed=7):
    it = Experiment(rule, laws, closeness, gamma, seed, calls)
    run = Run(it)
    assert run.wait(20)
    return it, run.progress


def plain(markup):
    return html.unescape(re.sub("<[^>]*>", " ", str(markup))).replace("\N{NO-BREAK SPACE}", " ")


def result(it, progress):
    return plain(say.result(it, progress, say.judged(it, progress), it.forecast, moved=False))


def test_an_exact_rule_passes_and_a_wrong_one_fails():
    assert "nothing speaks against this rule. And rightly" in " ".join(result(*ran()).split())
    text = " ".join(result(*ran("redraw", 20_000)).split())
    assert "this is not the target's law. Rightly: its own law lies 0.0482 from the target" in text and "< 0.01 %" in text


def test_a_wrong_rule_that_passes_is_told_to_be_wrong():
    it, progress = ran("inclusive", 1_000, laws=Laws(("the", "my", "a", "this"), (.5, 0, .3, .2), (.4, .2, 0, .4)), seed=1)
    text = " ".join(result(it, progress).split())
    assert f"And yet it is wrong: its own law lies 0.000129 from the target. It takes {it.forecast.catch:,} calls" in text
    assert f"{it.forecast.catch:,} calls" in say.plan(it, it.forecast, told=True)
    assert "A run of 1,000 may well see nothing" in say.plan(it, it.forecast, told=True)


def test_the_forecast_waits_for_a_guess():
    it = Experiment("redraw", TRY_IT, .5, 4, 7, 10_000)
    assert "1,258" not in say.plan(it, it.forecast, told=False) and "1,258" in say.plan(it, it.forecast, told=True)
    assert "3.428" in say.plan(it, None, told=False)


@pytest.mark.parametrize("rule, guess, said", [
    ("speculative", "exact", "You were right. This rule gives exactly"), ("redraw", "fewer",
    "You said: too few of them. This rule gives too many of the draft’s favourites; here these are a, my."),
    ("redraw", None, "This rule gives too many"), ("greedy", "more", "You were right")])
def test_the_answer_to_a_guess(rule, guess, said):
    assert plain(say.answer(Experiment(rule, TRY_IT, .5, 4, 7, 1_000), guess)).strip().startswith(said)


def test_neither_more_nor_fewer_is_said_as_such():
    assert "in another way" in say.answer(Experiment("temperature", TRY_IT, 1., 4, 7, 1_000), "more")


def test_words_per_call_explain_two_of_3_43():
    it, progress = ran(calls=1)
    text = plain(say.tokens_caption(it, progress.tally))
    alpha = np.minimum(it.p, it.q).sum()
    assert f"{100 * alpha * (1 - alpha):.1f} % of calls give 2" in text and "2.00 per call; 3.428 is the mean over many" in text
    assert "give 2" not in say.tokens_caption(Experiment("always", TRY_IT, .5, 4, 7, 1_000), None)


def test_no_verdict_while_it_runs_or_without_a_call():
    it, progress = ran(calls=1_000)
    object.__setattr__(progress, "state", "running")
    assert say.judged(it, progress) is None and "No verdict yet" in result(it, progress)
    for state in "stopped", "running", "failed":
        text = result(it, Progress(state, Tally(0, np.zeros(6, int), np.zeros(5, int)), (), 0.))
        assert ("No call yet" in text) == (state == "running") and "nan" not in text.lower()


def test_the_csv_is_the_run():
    it, progress = ran("redraw", 3_000)
    rows = list(csv.DictReader(io.StringIO(say.as_csv(it, progress, it.forecast))))
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in {row["kind"] for row in rows}}
    settings = {row["name"]: row["expected"] for row in kinds["setting"]}
    assert settings == {"rule": "Redraw from the target", "closeness": "0.5", "gamma": "4", "seed": "7", "calls": "3000",
                        "state": "done"}
    counts = np.array([int(row["count"]) for row in kinds["word"]])
    assert np.array_equal(counts, progress.tally.words) and [row["name"] for row in kinds["word"]] == list(TRY_IT.words)
    assert [float(row["observed"]) for row in kinds["word"]] == pytest.approx(counts / counts.sum())
    distance = next(row for row in kinds["result"] if row["name"] == "distance")
    assert float(distance["observed"]) == pytest.approx(np.abs(counts / counts.sum() - TRY_IT.target).sum() / 2)
    calls = [int(row["count"]) for row in kinds["calls with this many words"]]
    assert sum(calls) == 3_000 and np.dot(calls, range(1, 6)) == counts.sum()


@pytest.mark.parametrize("word", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0", "=1,2", '="x"'])
def test_a_word_in_the_csv_is_no_formula(word):
    it, progress = ran(laws=Laws((word, "a=1", "'b"), (.5, .3, .2), (.2, .3, .5)))
    rows = csv.DictReader(io.StringIO(say.as_csv(it, progress, it.forecast), newline=""))
    assert [row["name"] for row in rows if row["kind"] == "word"] == [f"'{word}", "a=1", "'b"]


def test_what_a_person_typed_is_escaped():
    laws = Laws(("<img src=x onerror=hacked=1>", "b"), (.5, .5), (.9, .1))
    it, progress = ran("always", laws=laws)
    for text in (say.about(it, True), say.about(it, False), say.table(it, progress.tally), say.answer(it, None),
                 say.result(it, progress, say.judged(it, progress), it.forecast, False)):
        assert "<img" not in text
    impossible, progress = ran("always", laws=Laws(("<b>x</b>", "y"), (0., 1.), (1., 0.)), closeness=0.)
    text = say.result(impossible, progress, say.judged(impossible, progress), impossible.forecast, False)
    assert "&lt;b&gt;x" in text and "never says" in text


@pytest.fixture
def check():
    """A section in a document of its own, without a server."""
    doc = Document()
    with set_curdoc(doc):
        yield Check(State())


def test_pasted_laws_are_taken_or_refused_and_the_last_good_ones_stay(check):
    own = '{"words": ["x", "y"], "target": [0.5, 0.5], "draft": [0.25, 0.75]}'
    check._use(own)
    assert check.experiment.laws.words == ("x", "y") and check._paste.fault == "" and check.experiment.closeness == 0
    for bad, why in (("word,target,draft\na,1,x", "line 2: the draft 'x' is not a number"), ("", "first line"), ("{", "not JSON"),
                     ("word,target,draft\na,0.5,0.5\nb,0.4,0.5", "sum to 0.9"), ("[1]", "must hold"), ("\0", "first line"),
                     ('{"words": [[1]], "target": [1], "draft": [1]}', "2 to 50,000"), ("9" * 5_000_000, "characters")):
        check._use(bad)
        assert why in check._paste.fault and check._paste.fault.startswith("Not used: ")
        assert check.experiment.laws.words == ("x", "y")
    check._use(None)
    assert check.experiment.laws == TRY_IT and check._paste.fault == ""


def test_a_rule_brings_the_words_on_which_it_goes_wrong(check):
    check._rule.value = list(RULES).index("misaligned")
    assert check.experiment.laws.words == ("the", "my", "a", "this") and "cut different words" in check._about.html
    check._rule.value = list(RULES).index("retry")
    assert check.experiment.laws == TRY_IT


def test_a_run_keeps_its_settings(check):
    check._run = Run(check.experiment)
    assert check._run.wait(10)
    check._draw_run()
    assert "controls have moved" not in check._result.html
    check._seed.value = 8
    assert "seed 7" in check._result.html and "controls have moved" in check._result.html and check.experiment.seed == 8
    assert "seed=7" in check._link.html and "run=10000" in check._link.html


def test_a_session_that_ends_takes_its_run_along(check):
    check._run = Run(Experiment("speculative", TRY_IT, .5, 4, 7, 1_000_000))
    for callback in pn.state.curdoc.session_destroyed_callbacks:
        callback(None)
    assert check._run.wait(5) and check._run.progress.state == "stopped"


def test_the_page_is_served_with_a_run_asked_for(site):
    with urllib.request.urlopen(f"{site}/check?run=1000000&rule=redraw", timeout=10) as answer:
        page = answer.read().decode()
    assert "Run it to check" in page and "Traceback" not in page
