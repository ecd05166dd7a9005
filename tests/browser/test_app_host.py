"""The widget in the app, as a reader meets it: params, address, theme, keyboard; and what an address may not do."""

import time
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from app.page import Page
from app.state import MAX_CALLS
from app.try_it import TryIt
from specdec_core.examples import THE_AND_A

CLOSENESS, GAMMA = "How closely the draft matches", "Draft tokens per check"
PAYLOADS = ["<script>hacked=1</script>", "\"><img src=x onerror=hacked=1>", "'-(hacked=1)-'", "</script><script>hacked=1</script>",
            "javascript:hacked=1", "1e999", "NaN", "\u202e1\0\n", "9" * 9_000]


@pytest.fixture
def opened(open_page):
    """`opened(url, …)` opens a page and waits for the widget."""
    def opened(url, **options):
        page = open_page(url, **options)
        page.get_by_label(CLOSENESS).first.wait_for()
        return page
    return opened


@pytest.fixture
def hosted(serving, opened):
    """A page in the browser and the `TryIt` behind it."""
    made = []

    def build():
        made.append(TryIt())
        return Page("test", [made[-1]])

    page = opened(serving({"/": build}))
    return page, made[-1]


def becomes(get, value):
    """Wait until `get()` is `value`."""
    deadline = time.monotonic() + 5
    while get() != value and time.monotonic() < deadline:
        time.sleep(.02)
    assert get() == value


def numbers(page):
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in page.locator(".try-it dd").all_text_contents()]


def test_the_reader_moves_python(hosted):
    page, widget = hosted
    page.get_by_label(CLOSENESS).press("ArrowRight")
    page.get_by_label(GAMMA).press("End")
    page.get_by_role("button", name="Next call").click()
    page.locator(".try-it").get_by_label("seed").fill("42")
    page.locator(".try-it").get_by_label("seed").press("Enter")
    becomes(lambda: (widget.closeness, widget.gamma, widget.calls, widget.seed), (.51, 10, 2, 42))


def test_python_moves_the_widget(hosted):
    page, widget = hosted
    widget.param.update(closeness=0., gamma=4, calls=0)
    becomes(lambda: numbers(page), ["62.0 %", "0.380", "2.39"])
    assert page.get_by_label(CLOSENESS).input_value() == "0" and "No calls yet" in page.locator(".totals").inner_text()
    widget.show(THE_AND_A)
    becomes(lambda: page.locator(".word").all_text_contents(), list(THE_AND_A.words))
    assert page.faults == []


def test_no_echo_turns_a_slider_back(hosted):
    page, widget = hosted
    slider, seen = page.get_by_label(CLOSENESS), []
    for _ in range(40):
        slider.press("ArrowRight")
        seen.append(float(slider.input_value()))
    assert seen == sorted(seen)
    becomes(lambda: widget.closeness, .9)
    time.sleep(.3)
    assert slider.input_value() == "0.9" and widget.closeness == .9


def test_the_address_follows_on_release_only(site, opened):
    page = opened(f"{site}/try-it?cmid=12&gamma=6")
    before, length = page.url, page.evaluate("history.length")
    box = page.get_by_label(CLOSENESS).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(box["x"] + box["width"] * (.5 - .04 * step), box["y"] + box["height"] / 2)
        assert page.url == before
    page.mouse.up()
    closeness = page.get_by_label(CLOSENESS).input_value()
    assert float(closeness) < .3
    becomes(lambda: urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query),
            {"cmid": ["12"], "gamma": ["6"], "closeness": [closeness], "seed": ["7"], "calls": ["1"]})
    assert page.evaluate("history.length") == length
    shown = numbers(page)
    page.reload()
    page.get_by_label(CLOSENESS).first.wait_for()
    assert numbers(page) == shown and page.locator(".notices").count() == 0


def test_in_a_frame_the_address_stays(site, open_page, tmp_path):
    course = tmp_path / "course.html"
    course.write_text(f'<!doctype html><title>course</title><iframe src="{site}/try-it?gamma=6" width="800" height="800"></iframe>')
    page = open_page(course.as_uri())
    widget = page.frame_locator("iframe")
    widget.get_by_label(CLOSENESS).press("Home")
    widget.get_by_role("button", name="Next call").click()
    assert widget.locator("dd").first.inner_text() == "62.0\N{NO-BREAK SPACE}%"
    assert page.frames[1].url == f"{site}/try-it?gamma=6" and page.url == course.as_uri()


@pytest.mark.parametrize("path", ["/", "/try-it"])
def test_nothing_comes_from_another_host(site, opened, path):
    page = opened(site + path)
    page.get_by_role("button", name="Run 1,000 calls").click()
    page.wait_for_load_state("networkidle")
    hosts = {urllib.parse.urlsplit(url).netloc for url in page.requests if not url.startswith(("blob:", "data:"))}
    assert hosts == {urllib.parse.urlsplit(site).netloc} and page.faults == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: ascii(payload[:20]))
def test_no_address_injects_or_breaks(site, opened, payload):
    names = ["closeness", "gamma", "seed", "calls", "theme"]
    page = opened(f"{site}/?{urllib.parse.urlencode(dict.fromkeys(names, payload))}")
    notices = page.locator(".notices > p").all_inner_texts()
    assert [notice.split()[0] for notice in notices] == names and page.locator(".notices *").count() == len(names)
    assert page.evaluate("typeof hacked") == "undefined" and page.faults == []
    assert numbers(page) == ["81.0 %", "0.190", "3.43"]


def test_a_good_address_is_the_opening_state(site, opened):
    page = opened(f"{site}/try-it/?closeness=0&gamma=4&seed=3&calls={MAX_CALLS}")
    assert numbers(page) == ["62.0 %", "0.380", "2.39"] and page.locator(".try-it").get_by_label("seed").input_value() == "3"
    assert f"{MAX_CALLS:,} calls are the most" in page.locator(".totals").inner_text()
    assert page.faults == []


@pytest.mark.parametrize("theme, dark, paper", [("auto", False, 255), ("auto", True, 23), ("dark", False, 23),
                                                ("light", True, 255)])
def test_the_theme_reaches_page_and_widget(site, opened, theme, dark, paper):
    page = opened(f"{site}/?theme={theme}", dark=dark)
    ground = "element => getComputedStyle(element).backgroundColor"
    assert page.locator("body").evaluate(ground).startswith(f"rgb({paper},")
    assert page.locator(".try-it").get_by_label("seed").evaluate(ground).startswith(f"rgb({paper},")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/", "/try-it", "/?gamma=99&theme=x"])
def test_axe_finds_nothing(site, opened, path, dark):
    page = opened(site + path, dark=dark)
    page.get_by_role("button", name="Run 1,000 calls").click()
    page.locator(".try-it summary").click()
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


def test_a_keyboard_reaches_everything(site, opened):
    page = opened(site)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    reached = []
    while "summary" not in reached and len(reached) < 20:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("""() => {
            let at = document.activeElement;
            while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
            return at.type ?? at.localName;
        }"""))
    assert reached == ["range", "range", "radio", "radio", "button", "button", "button", "text", "summary"]


@pytest.mark.parametrize("path, title", [("/", "Speculative decoding: a bad draft costs speed, never truth"),
                                         ("/try-it", "Try it: a bad draft costs speed, never truth")])
def test_it_is_a_plain_document(site, opened, path, title):
    """With a title, one first heading, its own height for a frame to measure, and no scrolling sideways."""
    page = opened(site + path)
    assert page.title() == title and page.get_by_role("heading", level=1).count() == 1
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 200})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        end = page.locator("summary:visible").last.bounding_box()
        height = page.evaluate("document.documentElement.scrollHeight")
        assert end["y"] + end["height"] < height and (path == "/" or height < end["y"] + 200)


def test_without_a_page_around_it_the_widget_has_its_palette(serving, opened):
    page = opened(serving({"/": lambda: TryIt()}))
    style = page.locator(".try-it").last.evaluate("element => getComputedStyle(element).color")
    assert style == "rgb(32, 29, 26)" and page.faults == []
