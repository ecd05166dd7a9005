"""Words and laws from a file: what is right is read, what is wrong gets one sentence that says where."""

import json

import pytest

from app.laws_file import read_laws
from specdec_core import DistributionError
from specdec_core.examples import TRY_IT, Laws

CSV = "word,target,draft\nyes,.7,.4\nno,.3,.6\n"


@pytest.fixture
def read(tmp_path):
    """`read(name, content)` writes a file and reads its laws."""
    def from_file(name, content):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_laws(tmp_path / name)
    return from_file


@pytest.mark.parametrize("text", [CSV, CSV.replace("\n", "\r\n"), CSV.replace(",", ";"), CSV.replace(",", "\t"), "\ufeff" + CSV,
                                  CSV + "\n\n",
                                  "Word, Target ,DRAFT\n yes , .7 , .4 \nno,3e-1,0.6"])
def test_csv(read, text):
    assert read("laws.csv", text) == Laws(("yes", "no"), (.7, .3), (.4, .6))


def test_json_and_quoted_words(read):
    assert read("laws.json", json.dumps(TRY_IT._asdict() | {"note": "kept"})) == TRY_IT
    assert read("laws.csv", 'word,target,draft\n"a, b",.5,.5\n"""c""",.5,.5\n').words == ("a, b", '"c"')


@pytest.mark.parametrize("name, content, sentence", [
    ("laws.csv", "", "first line"),
    ("laws.csv", "yes,.7,.4\n", "first line"),
    ("laws.csv", "word,target,draft\nyes,.7\n", "line 2 has 2 cells"),
    ("laws.csv", "word,target,draft\nyes,.7,.4\n\nno,many,.6\n", "line 4: the target 'many' is not a number"),
    ("laws.csv", b"word,target,draft\n\xff\xfe,.7,.4\n", "byte 18"),
    ("laws.csv", "x" * 200_000, "larger than 100,000 bytes"),
    ("laws.json", "{", "not JSON"),
    ("laws.json", "[" * 90_000, "not JSON"),
    ("laws.json", "[1, 2]", "must hold"),
    ("laws.json", '{"words": ["a"], "target": [1]}', "must hold"),
])
def test_what_is_wrong_is_said(read, name, content, sentence):
    with pytest.raises(DistributionError, match=sentence) as error:
        read(name, content)
    assert str(error.value).startswith(name) and "\n" not in str(error.value) and len(str(error.value)) < 200
