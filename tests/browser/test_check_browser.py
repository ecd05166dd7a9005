"""The check in a browser: runs that pass and fail, a guess, a link that replays, files, keyboard, axe, widths, no other host."""

import csv
import time
import urllib.parse

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from specdec_core import blend, simulate_rule
from specdec_core.examples import TRY_IT
from specdec_core.rules import RULES

PASSES, FAILS = "nothing speaks against this rule", "this is not the target's law"


@pytest.fixture
def checked(site, open_page):
    """`checked(query, …)` opens /check and waits for its controls."""
    def checked(query="", path="/check", **options):
        page = open_page(f"{site}{path}?{query}", **options)
        run(page).wait_for()
        return page
    return checked


def run(page):
    return page.get_by_role("button", name="Run", exact=True).first  # in the lesson the section on text has one too


def ended(page, text="Done after"):
    expect(page.get_by_role("status").filter(has_text=text)).to_be_visible(timeout=15_000)
    return page.get_by_role("status").filter(has_text=text).inner_text()


def test_the_exact_rule_passes_and_redraw_fails(checked):
    page = checked()
    run(page).click()
    assert PASSES in ended(page, "Done after 10,000 calls")
    page.get_by_role("combobox", name="Rule").select_option("Redraw from the target")
    page.get_by_text("1,258 calls").wait_for(state="detached")
    page.get_by_label("100,000", exact=True).check(force=True)
    run(page).click()
    assert FAILS in ended(page, "Done after 100,000 calls")
    expect(page.get_by_text("It takes 1,258 calls to catch this rule")).to_be_visible()
    expect(page.get_by_text("this rule’s own distance")).to_be_visible()
    assert page.faults == []


def test_a_guess_is_answered_by_the_run(checked):
    page = checked("rule=retry")
    assert page.get_by_text("to catch this rule in 99").count() == 0
    page.get_by_label("too few of them").check(force=True)
    expect(page.get_by_text("to catch this rule in 99")).to_be_visible()
    run(page).click()
    ended(page)
    answer = "You said: too few of them. This rule gives too many of the draft’s favourites; here these are a, my."
    expect(page.get_by_text(answer)).to_be_visible()


def test_a_teacher_can_hide_the_question(checked):
    page = checked("rule=retry&hide=predict")
    expect(page.get_by_text("to catch this rule in 99").locator("visible=true")).to_be_visible()  # another waits for scripts
    assert page.get_by_text("What will come out?").count() == 0
    run(page).click()
    ended(page)
    assert page.get_by_text("This rule gives").count() == 0


def test_the_link_replays_the_run(checked, site):
    page = checked("rule=redraw&closeness=0.25&gamma=3&seed=9&theme=dark")
    run(page).click()
    ended(page)
    numbers = page.locator("dd").all_inner_texts()
    link = page.get_by_role("link", name="replays")
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(link.get_attribute("href")).query)
    assert query == {"rule": ["redraw"], "closeness": ["0.25"], "gamma": ["3"], "seed": ["9"], "run": ["10000"], "theme": ["dark"]}
    link.click()
    ended(page)
    assert page.locator("dd").all_inner_texts() == numbers and page.url.startswith(f"{site}/check?") and page.faults == []
    law = RULES["redraw"]
    calls = simulate_rule(law, TRY_IT.target, blend(TRY_IT.target, TRY_IT.draft, .25), 3, 10_000, 9)
    assert numbers[0] == f"{np.abs(calls.tally / calls.tally.sum() - TRY_IT.target).sum() / 2:.4f}"
    assert numbers[2] == f"{calls.tokens_per_call:.3f}"


def test_stop_and_a_slider_moved_while_it_runs(checked):
    page = checked()
    page.get_by_label("1,000,000", exact=True).check(force=True)
    run(page).click()
    page.get_by_role("slider", name="Closeness").press("ArrowRight")
    page.get_by_role("button", name="Stop").click()
    text = ended(page, "after")
    assert text.startswith(("Stopped", "Done"))
    expect(page.get_by_text("closeness 0.50, γ 4, seed 7, 1,000,000 calls. The controls have moved")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    ended(page, "Nothing is running")


def test_two_runs_in_a_row_end_with_the_second(checked):
    page = checked()
    page.get_by_label("1,000,000", exact=True).check(force=True)
    run(page).click()
    page.get_by_label("1,000", exact=True).check(force=True)
    run(page).click()
    ended(page, "Done after 1,000 calls")
    time.sleep(.5)
    assert page.get_by_text("1,000 of 1,000 calls").count() == 1 and page.faults == []


def test_the_files_hold_the_run(checked, tmp_path):
    page = checked("rule=redraw&run=1000")
    ended(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "run.csv")
    rows = list(csv.DictReader((tmp_path / "run.csv").open()))
    counts = {row["name"]: int(row["count"]) for row in rows if row["kind"] == "word"}
    calls = simulate_rule(RULES["redraw"], TRY_IT.target, blend(TRY_IT.target, TRY_IT.draft, .5), 4, 1_000, 7)
    assert counts == dict(zip(TRY_IT.words, calls.tally.tolist()))
    assert ("seed", "7") in {(row["name"], row["expected"]) for row in rows}
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG").click()
    download.value.save_as(tmp_path / "run.png")
    picture = Image.open(tmp_path / "run.png")
    assert picture.width > 400 and picture.height > 600 and len(picture.convert("RGB").getcolors(1 << 20)) > 10
    assert page.faults == []


def test_pasted_words(checked):
    page = checked()
    page.get_by_text("Your own words and laws").click()
    box = page.get_by_role("textbox", name="CSV with")
    box.fill("word,target,draft\n<b onclick=hacked=1>x</b>,0.5,0.9\ny,0.5,0.2")
    page.get_by_role("button", name="Use these").click()
    expect(page.get_by_role("alert").filter(has_text="the draft: the entries sum to 1.1, not to 1")).to_be_visible()
    assert box.input_value().endswith("0.2")
    box.fill(box.input_value().replace("0.2", "0.1"))
    page.get_by_role("button", name="Use these").click()
    expect(page.get_by_text("It runs on your 2 words")).to_be_visible()
    run(page).click()
    ended(page)
    expect(page.get_by_text("No link replays this run")).to_be_visible()
    page.get_by_text("The words’ numbers as a table").click()
    assert page.locator("table th[scope=row]").first.inner_text() == "<b onclick=hacked=1>x</b>" and page.faults == []


def test_by_keyboard_alone(checked):
    page = checked()
    page.get_by_role("combobox", name="Rule").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("""() => { let at = document.activeElement;
                                    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
                                    return at.textContent; }""") == "Run":
            break
    page.keyboard.press("Enter")
    ended(page)
    expect(page.get_by_text("The run: Redraw from the target")).to_be_visible()


def test_it_has_its_place_in_the_lesson(checked):
    page = checked("", path="/")
    assert page.get_by_role("heading", name="Run it to check").count() == 1
    run(page).click()
    assert PASSES in ended(page)
