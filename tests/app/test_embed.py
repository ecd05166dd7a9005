"""`specdec export`: the file's text, its options, and what a wrong option or file gets."""

import json
import re

import pytest

from app.cli import main
from app.embed import POLICY, embed
from app.state import State
from specdec_core import DistributionError, sweep
from specdec_core.examples import TRY_IT, Laws

OPTIONS = re.compile(r'mount\(document\.getElementById\("try-it"\), (\{.*\})\)\)\);')


def options(page):
    return json.loads(OPTIONS.search(page)[1])


def test_the_file_holds_everything(tmp_path):
    assert main(["export", "try-it", "-o", str(tmp_path / "x.html")]) == 0
    page = (tmp_path / "x.html").read_text("utf-8")
    assert page == embed()
    assert options(page)["sweep"] == json.loads(sweep(*(TRY_IT.target, TRY_IT.draft, TRY_IT.words)).to_json())
    assert POLICY in page and not re.search(r"<link[^>]+href=\"(?!data:)|src=|@import|url\(", page)
    assert "Copyright (C) 1997" in page, "the vendored library's licence goes with it"
    assert not re.search(r"^\s*(import|export)\b", page, re.MULTILINE)


def test_options(tmp_path, capsys):
    laws = tmp_path / "laws.csv"
    laws.write_text("word,target,draft\nyes,.7,.4\nno,.3,.6\n")
    assert main(["export", "try-it", "-o", "-", "--laws", str(laws), "--closeness", ".25", "--gamma", "6", "--seed", "42",
                 "--calls", "0", "--theme", "dark",
                 "--title", "Q & A"]) == 0
    page = capsys.readouterr().out
    found = options(page)
    assert found["state"] == {"closeness": .25, "gamma": 6, "seed": 42, "calls": 0}
    assert found["sweep"]["words"] == ["yes", "no"] and '<html lang="en" data-theme="dark">' in page
    assert "<title>Q &amp; A</title>" in page and "<h1>Q &amp; A</h1>" in page


@pytest.mark.parametrize("arguments", [["--closeness", "1.5"], ["--closeness", "nan"], ["--gamma", "0"], ["--gamma", "2.5"],
                                       ["--seed", "-1"],
                                       ["--calls", "99999"], ["--theme", "pink"]])
def test_a_wrong_option_is_named(arguments, capsys, tmp_path):
    with pytest.raises(SystemExit) as exit:
        main(["export", "try-it", "-o", str(tmp_path / "x.html"), *arguments])
    assert exit.value.code == 2 and arguments[0] in capsys.readouterr().err and not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("content, sentence", [
    ("word,target,draft\nyes,.7,.4\nno,.4,.6\n", "target: the entries sum to 1.1, not to 1"),
    ("word,target,draft\nyes,.7,.4\nno,.3,nan\n", "draft: entry 1"),
    ("word,target,draft\nyes,1,1\n", "2 to 12 words"),
    ("word,target,draft\nyes,.7,.4\nyes,.3,.6\n", "'yes' is there twice"),
])
def test_a_wrong_file_is_one_sentence(content, sentence, tmp_path, capsys):
    (tmp_path / "laws.csv").write_text(content)
    assert main(["export", "try-it", "--laws", str(tmp_path / "laws.csv"), "-o", str(tmp_path / "x.html")]) == 2
    error = capsys.readouterr().err
    assert sentence in error and error.count("\n") == 1 and not (tmp_path / "x.html").exists()


def test_a_missing_file_is_one_sentence(tmp_path, capsys):
    assert main(["export", "try-it", "--laws", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_words_cannot_end_the_script():
    page = embed(Laws(("</script>", "<!--"), (.5, .5), (.4, .6)), State(), "</title>")
    assert page.count("</script>") == 1 and options(page)["sweep"]["words"] == ["</script>", "<!--"]


def test_laws_that_are_none():
    with pytest.raises(DistributionError, match="draft"):
        embed(Laws(("a", "b"), (.5, .5), (.5, .6)))
