"""What /speed says of two pasted distributions, against sums by hand; what cannot be compared; and the widget that shows them."""

import numpy as np
import pytest
from reading import Reader

from app.controls import Buttons
from app.pasting import Fields, Menu, Paste
from app.speed_laws import laws
from app.state import State
from app.try_it import TryIt
from specdec_core.examples import TRY_IT

ATTACK = "<img src=x onerror=alert(1)>"


class LawsReader(Reader):
    """The subsection as somebody who pastes into it."""

    def __init__(self, show=None, state=State()):
        super().__init__(laws(state, 2, show))
        self.p, self.q = self.all(Paste)
        self.kinds = self.all(Menu)
        self.target, self.draft, self.speed = self.all(Fields)


@pytest.fixture
def reader(at_once):
    return LawsReader()


def test_it_opens_with_the_widgets_words(reader):
    assert "62.0 %" in reader.text and ".380" in reader.text
    tokens = (1 - .62**5) / .38
    assert f"a call would give {tokens:.2f} words at γ = 4" in reader.text and f"{tokens / 1.4:.2f}×" in reader.html
    assert "my 0.0700 0.2700 25.9 % 0.2000" in reader.text and "the 0.4200 0.1800 0.6316" in reader.text
    assert "Different supports" not in reader.text and "temperatures differ" not in reader.text


def test_temperature_then_cut_and_the_mistake(reader):
    p, q = np.array(TRY_IT.target), np.array(TRY_IT.draft)
    drawn = q**2 / (q**2).sum()
    reader.draft.enter("temperature", "0.5")
    honest, reported = np.minimum(p, drawn).sum(), np.minimum(p, q).sum()
    kept = (drawn * np.minimum(1, p / q)).sum()
    assert f"The honest α is {100 * honest:.1f} %" in reader.text
    assert f"α would be reported as {100 * reported:.1f} %" in reader.text
    assert f", {100 * kept:.1f} % of the drafted words would really be kept" in reader.text
    assert "no longer exact" in reader.text
    reader.draft.enter("temperature", "1")
    assert "temperatures differ" not in reader.text
    reader.target.enter("top_k", "3"), reader.draft.enter("top_p", "0.6")  # the, a, this; a, my
    assert "Different supports." in reader.text
    assert f"{100 * min(.22 / .76, .4 / .67):.1f} %" in reader.text


def test_same_laws(reader):
    reader.p._handle_msg(".5\n.5"), reader.q._handle_msg(".5\n.5")
    assert "100.0 %" in reader.text and ".000" in reader.text and "none, the two laws are the same" in reader.text
    assert "nan" not in reader.text.lower()


@pytest.mark.parametrize("text, sentence", [
    ("", "nothing was pasted"), ("the,.5\na,many", "line 2: 'many' is not a number"), ("[1, NaN]", "is not a number"),
    ("1\n" * 200_001, "more than 200000"), ("[" * 100_000, "JSON"), ("x" * 5_000_001, "more than 5,000,000"),
])
def test_a_bad_paste_is_told_in_a_sentence_and_what_was_good_stays(reader, text, sentence):
    before = reader.html
    reader.p._handle_msg(text)
    assert sentence in reader.p.fault and reader.html == before and reader.q.fault == ""


def test_laws_that_do_not_match_yet(reader):
    reader.p._handle_msg("1\n2\n3")
    assert "Not used: the target has 3 entries and the draft 6" in reader.text and "62.0 %" in reader.text
    reader.q._handle_msg("1\n2\n3")
    assert "Not used" not in reader.text and "100.0 %" in reader.text and "read as logits" in reader.text
    reader.kinds[0].value = 1
    assert "probabilities sum to 6" in reader.text
    reader.kinds[0].value = 0
    assert "Not used" not in reader.text


def test_it_opens_as_an_address_says(at_once):
    p, q = np.array(TRY_IT.target), np.array(TRY_IT.draft)
    q = np.where(q >= .18, q, 0)  # the, a and my
    reader = LawsReader(state=State(laws_draft_top_k=3, laws_target_temperature=2., laws_gamma=2, laws_cost=.5,
                                    laws_draft_kind="probabilities"))
    alpha = np.minimum(np.sqrt(p) / np.sqrt(p).sum(), q / q.sum()).sum()
    assert reader.boxes[0].replace("\N{NO-BREAK SPACE}", " ") == f"{100 * alpha:.1f} %"
    assert reader.boxes[2] == f"{(1 + alpha + alpha**2) / 2:.2f}×" and reader.kinds[1].value == 1


def test_an_address_that_asks_for_what_cannot_be(at_once):
    reader = LawsReader(state=State(laws_target_kind="log-probabilities"))
    assert "Not used: target: the log-probabilities sum to" in reader.text and "62.0 %" in reader.text
    assert "the target’s read as probabilities" in reader.text
    reader.kinds[0].value = 0
    assert "Not used" not in reader.text


def test_a_vocabulary_goes_to_the_widget(at_once):
    widget = TryIt()
    reader, before = LawsReader(widget.show), widget.sweep
    generator = np.random.default_rng(1)
    for paste in reader.p, reader.q:
        paste._handle_msg("\n".join(f"{x:.5f}" for x in generator.normal(size=50_000)))
        assert paste.fault == ""
    assert "50,000 words" in reader.text
    [button] = reader.all(Buttons)
    assert button.visible
    button._handle_msg(0)
    assert widget.sweep != before and "the rest" in widget.sweep
    assert "now shows the 11 likeliest of 50,000 words, and “the rest”" in reader.text
    reader.p._handle_msg("1"), reader.q._handle_msg("1"), button._handle_msg(0)
    assert "at least two words" in reader.text


def test_without_a_widget_there_is_no_button(reader):
    assert not reader.all(Buttons)[0].visible


def test_what_was_pasted_is_only_text(reader):
    for paste, shares in (reader.p, ".9 .1"), (reader.q, ".1 .9"):
        first, second = shares.split()
        paste._handle_msg(f"{ATTACK},{first}\n\u202e\x00,{second}")
    assert "<img" not in reader.html and "&lt;img" in reader.html and "\u202e" not in reader.html
    reader.kinds[0]._handle_msg(9), reader.kinds[0]._handle_msg("x")
    reader.p._handle_msg(None), reader.target._handle_msg(["no", "1"])
    assert reader.kinds[0].value == 0
