"""The box for an own text: what a reader is told, and which models the page is given."""

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app import books
from app.text_own import OwnText

CHAPTER = books.read("alice")[:20_000]


class Reader:
    """The section as somebody who pastes into it, without a server that looks by itself."""

    def __init__(self):
        self.given = []
        self.own = OwnText(self.given.append)
        _, self.box, self.bar, self.status, self.back = self.own.parts

    def paste(self, text):
        self.box._handle_msg(text)

    def see(self):
        assert self.own._run.wait(20)
        self.own._look()


@pytest.fixture
def reader():
    with set_curdoc(Document()):
        yield Reader()


def test_a_text_is_learned_and_handed_over(reader):
    reader.paste(CHAPTER)
    assert "is being read" in reader.status.html and reader.given == [] and not reader.back.visible
    reader.see()
    [models] = reader.given
    assert "Rabbit" in models.vocabulary.words
    assert f"{len(models.ids):,} words, {len(models.vocabulary):,} of them different" in reader.status.html
    assert reader.back.visible and not reader.bar.visible and reader.box.fault == ""
    reader.back._handle_msg(0)
    assert reader.given[1:] == [books.shipped()] and not reader.back.visible and "novels" in reader.status.html


def test_while_it_learns_there_is_a_bar_with_a_name(reader):
    reader.own._run = None
    reader.paste(books.read("emma"))
    assert reader.bar.visible and '<progress aria-label="Learning your text" max="1" value="0.0' in reader.bar.html
    assert "%: reading the words." in reader.bar.html
    reader.own._end()


def test_an_unfit_text_is_refused_and_what_was_learned_stays(reader):
    reader.paste(CHAPTER)
    reader.see()
    for bad in "too short", "too short", "\0" * 2_000:
        reader.paste(bad)
        reader.see()
        assert reader.box.fault.startswith("Not used: ") and reader.box.fault.endswith(". The models stay as they were.")
    assert len(reader.given) == 1 and reader.back.visible and reader.status.html == ""
    reader.paste("x" * 2_000_001)
    assert reader.box.fault == "Not read: these are more than 2,000,000 characters."
    reader.paste(CHAPTER)
    reader.see()
    assert reader.box.fault == "" and len(reader.given) == 2


def test_a_second_text_ends_the_learning_of_the_first(reader):
    reader.paste(books.read("emma"))
    first = reader.own._run
    reader.paste(CHAPTER)
    reader.see()
    assert first.wait(20) and first.progress.state == "stopped"
    [models] = reader.given
    assert "Rabbit" in models.vocabulary.words and "Emma" not in models.vocabulary.words


def test_going_back_ends_the_learning(reader):
    reader.paste(books.read("emma"))
    learning = reader.own._run
    reader.own._return()
    assert learning.wait(20) and learning.progress.state == "stopped" and reader.given == [books.shipped()]
    assert not reader.bar.visible


def test_a_session_that_ends_takes_its_learning_along(reader):
    reader.paste(books.read("emma"))
    for callback in pn.state.curdoc.session_destroyed_callbacks:
        callback(None)
    assert reader.own._run.wait(20) and reader.own._run.progress.state == "stopped"
