"""An own text on `/text`: the page writes with what it taught, and says no link replays that."""

import json

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app import books
from app.state import State
from app.text import Writing
from app.text_drafts import PROMPTS
from app.text_player import shown
from specdec_core.words import tokenise


@pytest.fixture
def writing(at_once):
    with set_curdoc(Document()):
        yield Writing(State())


ALICE = tokenise(books.read("alice"))


def words(writing):
    return {word for call in json.loads(writing.player.record)["calls"] for word in call["names"]}


def test_the_page_writes_with_an_own_text_and_goes_back(writing):
    before, link = writing.player.record, writing._link.html
    own = books.Models(ALICE)
    writing.use(own)
    assert writing.controls.prompt.options == own.beginnings(len(PROMPTS))
    assert writing.controls.settings.prompt.startswith("Alice was beginning to get very tired") and writing._notes.html == ""
    assert words(writing) <= {shown(word) for word in ALICE}
    assert "No link replays" in writing._link.html and "href" not in writing._link.html and writing.player.address["prompt"] is None
    writing.use(books.shipped())
    assert writing.player.record == before and writing._link.html == link


def test_a_beginning_of_the_readers_own_stays_in_the_list(writing):
    writing.controls.own._handle_msg("Who are you")
    writing.use(books.Models(ALICE))
    assert writing.controls.prompt.options[-1] == "your own: Who are you" and writing.controls.prompt.value == 0
    writing.controls.prompt.value = len(writing.controls.prompt.options) - 1
    assert writing.controls.settings.prompt == "Who are you"
