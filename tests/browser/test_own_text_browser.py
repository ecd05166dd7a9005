"""An own text as a reader brings it: pasted, chosen or dropped, good and bad; nothing is lost, and the page hears of it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from markupsafe import Markup

from app import books
from app.controls import Text
from app.page import Page
from app.text_own import OwnText

BOX = "A text to learn from"
CHAPTER = books.read("alice")[:20_000]
ATTACK = "<img src=x onerror=alert(1)>"


def _page():
    heard = Text(role="status", html=Markup("<p>The novels’ words.</p>"))

    def hear(models):
        heard.html = Markup("<p>Heard {:,} words.</p>").format(len(models.vocabulary))
    return Page("Own text", [Markup("<h1>Own text</h1>"), *OwnText(hear, 2).parts, heard])


@pytest.fixture
def opened(serving, open_page):
    """`opened(…)` opens the box alone, unfolded."""
    address = serving({"/own": _page})

    def opened(**options):
        page = open_page(f"{address}/own", **options)
        page.get_by_text("Paste or drop a text").click()
        page.get_by_label(BOX).wait_for()
        return page
    return opened


def says(page, text):
    page.get_by_text(text).locator("visible=true").first.wait_for(timeout=20_000)


def paste(page, text):
    page.get_by_label(BOX).fill(text)
    page.get_by_role("button", name="Learn from it").click()


def test_a_pasted_text_and_back(opened):
    page = opened()
    paste(page, CHAPTER + ATTACK)
    says(page, "The models have learned your text: 4,7")
    says(page, "Heard 9")
    assert page.get_by_label(BOX).input_value() == CHAPTER + ATTACK
    page.get_by_role("button", name="Back to the novels").click()
    says(page, f"Heard {len(books.shipped().vocabulary):,} words.")
    assert page.get_by_role("button", name="Back to the novels").locator("visible=true").count() == 0 and page.faults == []


def test_bad_texts_are_told_and_stay_in_the_box(opened):
    page = opened()
    for text, sentence in ("Too short.", "Not used: it has 3 words"), ("word " * 1_500, "only 1 different word"), (
            "a\u0001b" * 400, "binary data: character 2 is the control character U+0001"):
        paste(page, text)
        says(page, sentence)
        assert page.get_by_label(BOX).input_value() == text and page.get_by_label(BOX).get_attribute("aria-invalid") == "true"
    paste(page, CHAPTER)
    says(page, "The models have learned")
    assert page.get_by_role("alert").locator("visible=true").count() == 0 and page.faults == []


def test_files_good_large_and_not_text(opened, tmp_path):
    page, file = opened(), tmp_path / "book.txt"
    paste(page, "Mine.")
    for content, sentence in (b"\xff\xfea\0b\0", "book.txt is not UTF-8 text"), (b"\xe9t\xe9", "not UTF-8"), (
            b"\x7fELF" + bytes(5_000), "binary data"), (b"x" * 2_000_001, "book.txt has more than 2,000,000 bytes"), (
            books.read("pride-and-prejudice").encode(), "The models have learned your text: 14"):
        file.write_bytes(content)
        page.get_by_label("or a file").set_input_files(file)
        says(page, sentence)
    says(page, "book.txt is too long to show")
    assert page.faults == []


def test_a_dropped_file(opened):
    page = opened()
    page.get_by_label(BOX).evaluate("""(box, text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "chapter.txt"));
        box.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", CHAPTER)
    says(page, "The models have learned")
    assert page.get_by_label(BOX).input_value() == CHAPTER


def test_two_megabytes_show_how_far_they_are_and_a_second_text_takes_over(opened, tmp_path):
    page, file = opened(), tmp_path / "long.txt"
    file.write_text((books.read("emma") + books.read("pride-and-prejudice") * 2)[:1_900_000], "utf-8")
    page.get_by_label("or a file").set_input_files(file)
    page.get_by_role("progressbar", name="Learning your text").wait_for()
    paste(page, CHAPTER)
    says(page, "Heard 9")
    page.wait_for_timeout(300)
    assert page.get_by_role("progressbar").locator("visible=true").count() == 0
    says(page, "The models have learned your text: 4,7")
    assert page.faults == []


@pytest.mark.parametrize(("width", "dark"), [(320, True), (1280, False)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(opened, width, dark):
    page = opened(width=width, dark=dark)
    paste(page, CHAPTER)
    says(page, "The models have learned")
    paste(page, "Too short.")
    says(page, "Not used")
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") == width
