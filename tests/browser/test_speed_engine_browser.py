"""Your engine's numbers and your own distributions as a reader meets them: pasted, dropped, by keyboard, at every width."""

import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe
from hands import reach, says

from app.page import Page
from app.speed_engine import SAMPLES, engine
from app.speed_laws import laws
from app.try_it import TryIt

BOX, SAMPLE = "What your engine printed", "A sample to try"
TABLE = "position,accepted,drafted\n1,80,100\n2,50,100\n3,20,100\n"
ATTACK = "<img src=x onerror=alert(1)>$$x$$"
VLLM = "\n".join(f'vllm:spec_decode_num_{name}_total{{model_name="{ATTACK}"}} {n}'
                 for name, n in (("drafts", 10), ("draft_tokens", 40), ("accepted_tokens", 20)))


def _laws():
    widget = TryIt()
    return Page("Laws", [*laws(1, widget.show), widget])


@pytest.fixture
def opened(serving, open_page):
    """`opened(path, …)` opens one of the two subsections alone and waits for its last control."""
    address = serving({"/engine": lambda: Page("Engine", engine(1)), "/laws": _laws})

    def opened(path, **options):
        page = open_page(f"{address}/{path}", **options)
        page.get_by_label("γ in use" if path == "engine" else "c, cost of a draft step").wait_for()
        return page
    return opened


def paste(page, label, text):
    page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Read it").first.click()


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
    hosts = {urllib.parse.urlsplit(url).netloc for url in page.requests if not url.startswith(("blob:", "data:"))}
    assert hosts == {urllib.parse.urlsplit(page.url).netloc} and page.faults == []


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
    says(page, "With c = 0.3")
    assert page.faults == []


def test_a_dropped_file(opened):
    page = opened("engine")
    page.get_by_label(BOX).evaluate("""(box, text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "table.csv"));
        box.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", TABLE)
    says(page, "100 calls, 300 drafted words")


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
    says(page, "With c = 0.5")
    assert page.get_by_role("status").count() >= 1 and page.faults == []


@pytest.mark.parametrize("path", ["engine", "laws"])
@pytest.mark.parametrize("width, dark", [(320, True), (1280, False)])
def test_axe_finds_nothing(opened, path, width, dark):
    page = opened(path, width=width, dark=dark)
    if path == "engine":
        paste(page, BOX, "hello")
        says(page, "no acceptance counts")
    else:
        page.get_by_label("temperature").last.fill("0.6")
        page.get_by_label("temperature").last.press("Tab")
        says(page, "The two temperatures differ.")
    for summary in page.locator("summary:visible").all():
        summary.click()
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("path", ["engine", "laws"])
def test_no_width_scrolls_sideways(opened, path):
    page = opened(path)
    if path == "engine":
        paste(page, BOX, VLLM.replace(ATTACK, "m" * 300))
        says(page, "10 calls")
    for summary in page.locator("summary:visible").all():
        summary.click()
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") == width
