"""Your engine's numbers and your own distributions as a reader meets them: pasted, dropped, by keyboard, at every width."""

import urllib.parse

import panel as pn
import pytest
from section import nothing_went_wrong, query, reach, says

from app.engine_samples import SAMPLES
from app.page import Page
from app.speed_engine import engine
from app.speed_laws import laws
from app.state import read
from app.try_it import TryIt

BOX, SAMPLE = "What your engine printed", "A sample to try"
TABLE = "position,accepted,drafted\n1,80,100\n2,50,100\n3,20,100\n"
ATTACK = "<img src=x onerror=alert(1)>$$x$$"
VLLM = "\n".join(f'vllm:spec_decode_num_{name}_total{{model_name="{ATTACK}"}} {n}'
                 for name, n in (("drafts", 10), ("draft_tokens", 40), ("accepted_tokens", 20)))


def _state():
    return read(pn.state.session_args)[0]


def _laws():
    widget = TryIt()
    return Page("Laws", [*laws(_state(), 1, widget.show), widget])


@pytest.fixture
def opened(serving, open_page):
    """`opened(path, …)` opens one of the two subsections alone and waits for its last control."""
    address = serving({"/engine": lambda: Page("Engine", engine(_state(), 1)), "/laws": _laws})

    def opened(path, **options):
        page = open_page(f"{address}/{path}", **options)
        page.get_by_label("γ in use" if path.startswith("engine") else "c, cost of a draft step").wait_for()
        return page
    return opened


def paste(page, label, text):
    page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Read it").first.click()


def boxes(page):
    return page.locator("dd").locator("visible=true").all_inner_texts()


def test_every_sample(opened):
    page, read = opened("engine"), dict(zip(SAMPLES, ("2,100 calls", "1,500 calls", "30 calls", "2.80 tokens per call", "100 calls",
                                                      "6,000 drafted words", "150 accepted words"), strict=True))
    for name, said in read.items():
        page.get_by_label(SAMPLE).select_option(name)
        says(page, said)
        page.get_by_label("γ in use").fill("5")
        page.get_by_label("γ in use").press("Tab")
        says(page, "the γ = ")
        assert page.locator(".stone tbody tr").locator("visible=true").count() == 7
    assert page.get_by_label(BOX).input_value() == TABLE and page.faults == []


def test_bad_input_is_told_and_nothing_is_lost(opened):
    page = opened("engine")
    for text, sentence in (TABLE.replace("2,50", "3,50"), "position 2 is missing: line 3"), (
            "hello", "no acceptance counts in these 1 lines"), (
            "hello", "no acceptance counts in these 1 lines"), (TABLE.replace("80", "many"), "line 2: many is not a count"):
        paste(page, BOX, text)
        says(page, sentence)
        assert page.get_by_label(BOX).input_value() == text and page.get_by_label(BOX).get_attribute("aria-invalid") == "true"
        says(page, "2,100 calls")
    paste(page, BOX, TABLE)
    says(page, "100 calls, 300 drafted words")
    assert page.get_by_role("alert").locator("visible=true").count() == 0
    assert not urllib.parse.urlsplit(page.url).query and page.faults == []


def test_a_models_name_is_only_text(opened):
    page = opened("engine")
    paste(page, BOX, VLLM)
    says(page, "10 calls")
    says(page, ATTACK)
    page.goto(page.url.replace("engine", "laws"))
    page.get_by_label("c, cost of a draft step").wait_for()
    for label in "The target’s numbers, CSV", "The draft’s numbers, CSV":
        page.get_by_label(label).fill(f"{ATTACK},.9\nyes,.1")
    for button in page.get_by_role("button", name="Read it").all():
        button.click()
    says(page, "100.0")
    page.get_by_role("button", name="Show these").click()
    says(page, "all 2 words")
    nothing_went_wrong(page)


def test_files_good_large_and_not_text(opened, tmp_path):
    page, file = opened("engine"), tmp_path / "counts.csv"
    chooser = page.get_by_label("or a file").first
    file.write_text(TABLE)
    chooser.set_input_files(file)
    says(page, "100 calls, 300 drafted words")
    file.write_bytes(b"\xff\xfe\x00")
    chooser.set_input_files(file)
    says(page, "counts.csv is not UTF-8 text")
    file.write_bytes(b"x" * 5_000_001)
    chooser.set_input_files(file)
    says(page, "counts.csv has more than 5,000,000 bytes")
    file.write_text("rubbish, 'and' \"more\"\n" * 200_000)
    chooser.set_input_files(file)
    says(page, "no acceptance counts in these 200001 lines")
    says(page, "counts.csv is too long to show")
    assert page.get_by_label(BOX).input_value() == TABLE
    says(page, "100 calls, 300 drafted words")
    page.get_by_label("c, over").fill("0.3")
    page.get_by_label("c, over").press("Tab")
    says(page, "With c = 0.3,")
    assert page.faults == []


def test_a_dropped_file(opened):
    page = opened("engine")
    page.get_by_label(BOX).evaluate("""(box, text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "table.csv"));
        box.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", TABLE)
    says(page, "100 calls, 300 drafted words")


def test_what_is_being_typed_stays_when_an_answer_comes(opened):
    page = opened("engine")
    page.get_by_label("c, over").fill("0.3")
    page.get_by_label("c, over").press("Tab")
    page.get_by_label("or: a draft step").fill("6")
    says(page, "With c = 0.3,")
    assert page.get_by_label("or: a draft step").input_value() == "6"


def test_a_link_replays_the_engines_settings(opened):
    page = opened("engine")
    paste(page, BOX, TABLE)
    says(page, "100 calls, 300 drafted words")
    page.get_by_label(SAMPLE).select_option("SGLang: log")
    says(page, "2.80 tokens per call")
    for label, text in ("γ in use", "5"), ("or: a draft step", "6"), ("and a target step", "20"):
        page.get_by_label(label).fill(text)
        page.get_by_label(label).press("Tab")
    slope = page.get_by_role("slider", name="Judging one word more")
    slope.fill("0.03")
    slope.dispatch_event("change")
    says(page, "With c = 0.3, where judging costs 0.03 a word, the γ = 5 in use")
    page.wait_for_function("location.search.includes('engine_cost')")
    assert query(page) == {"engine_sample": ["sglang_log.txt"], "engine_gamma": ["5"], "engine_cost": ["0.3"],
                           "engine_slope": ["0.03"]}
    again = opened("engine" + page.url[page.url.index("?"):])
    says(again, "With c = 0.3, where judging costs 0.03 a word, the γ = 5 in use")
    assert boxes(again) == boxes(page) != []
    page.get_by_label("γ in use").fill("")
    page.get_by_label("γ in use").press("Tab")
    page.wait_for_function("!location.search.includes('engine_gamma')")
    assert page.faults == again.faults == []


def test_a_link_replays_how_the_laws_are_drawn_from(opened):
    page = opened("laws")
    page.get_by_label("The draft’s numbers are").select_option("logits")
    for label, at, text in (("temperature", 0, "0.0000005"), ("temperature", 1, "0.6"), ("top-k", 1, "4"), ("top-p", 0, "0.9"),
                            ("γ, words", 0, "7")):
        page.get_by_label(label).nth(at).fill(text)
        page.get_by_label(label).nth(at).press("Tab")
    says(page, "at γ = 7")
    page.wait_for_function("location.search.includes('laws_gamma')")
    assert query(page) == {"laws_draft_kind": ["logits"], "laws_target_temperature": ["0.0000005"], "laws_draft_temperature": ["0.6"],
                           "laws_draft_top_k": ["4"], "laws_target_top_p": ["0.9"], "laws_gamma": ["7"]}
    again = opened("laws" + page.url[page.url.index("?"):])
    for one in page, again:
        says(one, "The honest α is 22.6")
    assert boxes(again) == boxes(page) != []
    assert page.faults == again.faults == []


def test_by_keyboard_alone(opened):
    page = opened("engine")

    reach(page, SAMPLE)
    page.keyboard.press("End")
    says(page, "100 calls, 300 drafted words")
    reach(page, BOX)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(TABLE.replace("1,80", "1,90"))
    reach(page, "Read it")
    page.keyboard.press("Enter")
    says(page, "160 accepted words")
    reach(page, "c, over")
    page.keyboard.press("Control+a")
    page.keyboard.type("ten")
    page.keyboard.press("Tab")
    says(page, "c, over a target step must be a number from 0 to 100; it is still 0.1.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("0.5")
    page.keyboard.press("Tab")
    says(page, "With c = 0.5,")
    assert page.get_by_role("status").count() >= 1 and page.faults == []
