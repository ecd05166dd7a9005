"""The widget as a reader meets it, in the exported file: opened from disk, with the network off."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from app.embed import embed
from app.state import State
from specdec_core import simulate_calls, sweep
from specdec_core.examples import TRY_IT, Laws

NUMBERS = sweep(TRY_IT.target, TRY_IT.draft, TRY_IT.words)


@pytest.fixture
def try_it(open_page, tmp_path):
    """`try_it(laws=…, state=…, width=…, …)` exports the widget and opens the file offline."""
    def opened(laws=TRY_IT, state=State(), title="A bad draft costs speed, never truth", **page):
        file = tmp_path / "try-it.html"
        file.write_text(embed(laws, state, title), "utf-8")
        opened_page = open_page(file.as_uri(), **{"offline": True} | page)
        if page.get("java_script_enabled", True):
            opened_page.wait_for_selector(".bars")
        return opened_page
    return opened


def numbers(page):
    return [text.replace("\u00a0", " ") for text in page.locator("dd").all_text_contents()]


def test_the_opening(try_it):
    page = try_it()
    assert page.locator(".share b").all_text_contents() == ["100%", "71%", "100%", "100%", "41%", "100%"]
    assert numbers(page) == ["81.0 %", "0.190", "3.43"]
    arithmetic = page.locator(".arithmetic").inner_text().replace("\u00a0", " ")
    assert arithmetic == "a: draft .31, target .22, kept .22 / .31 = 71 %, the rest rejected."
    cards = [" ".join(text.split()) for text in page.locator(".card:visible").all_inner_texts()]
    assert cards == ["the ✓ kept", "my → the fixed", "a dropped", "her dropped"]
    assert page.locator(".totals").inner_text().strip() == "1 call, 2 words: 2.00 per call (expected 3.43)"
    assert page.faults == []


def test_no_request_but_the_file(try_it):
    page = try_it()
    page.get_by_role("button", name="Run 1,000 calls").click()
    page.locator("summary").click()
    assert page.requests == [page.url] and page.faults == []


@pytest.mark.parametrize("closeness, alpha, tv, tokens", [("0", "62.0 %", "0.380", "2.39"), ("1", "100.0 %", "0.000", "5.00")])
def test_the_ends_of_the_slider(try_it, closeness, alpha, tv, tokens):
    page = try_it(state=State(closeness=float(closeness)))
    assert numbers(page) == [alpha, tv, tokens] and "NaN" not in page.inner_text("body")


def test_bars_land_on_the_target(try_it):
    """Kept and refill together reach the target's line on every word, and the left bar is as high as the draft."""
    page = try_it(state=State(closeness=.2))
    plot = page.locator(".column").first.bounding_box()["height"]
    for i, (p, q) in enumerate(zip(NUMBERS.target, NUMBERS.draft[20])):
        pair = page.locator(".pair").nth(i)
        height = lambda kind, nth=0: pair.locator(f".bar .{kind}").nth(nth).bounding_box()["height"]
        scale = height("kept") / min(p, q)
        assert height("kept", 0) == pytest.approx(height("kept", 1))
        assert height("kept") + height("rejected") == pytest.approx(scale * q, abs=1)
        assert height("kept") + height("refill") == pytest.approx(scale * p, abs=1)
        line = pair.locator(".target").bounding_box()
        base = pair.locator(".column").bounding_box()
        assert base["y"] + plot - line["y"] == pytest.approx(scale * p, abs=3)


def test_a_run(try_it):
    page = try_it()
    page.get_by_role("button", name="Run 1,000 calls").click()
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 1000, 7)
    words = core.tally.sum()
    assert page.locator(".totals").inner_text().strip() == (f"1,000 calls, {words:,} words: {core.tokens_per_call:.2f} ± "
                                                            f"{core.standard_error:.2f} "
                                                            "per call (expected 3.43)")
    gaps = abs(core.tally / words - NUMBERS.target)
    bands, largest = NUMBERS.band / words**.5, gaps.argmax()
    said = f"{TRY_IT.words[largest]}, {gaps[largest]:.3f}, in a band of ± {bands[largest]:.3f}; all 6 words"
    assert said.replace("0.", ".") in page.locator(".gap").inner_text()
    assert page.locator(".seen:visible").count() == 6
    assert f"in {100 * NUMBERS.confidence:.0f} runs of 100" in page.locator(".key").inner_text()
    assert "1,000 calls" in page.get_by_role("status").inner_text()


def test_moving_a_slider_judges_the_same_calls_again(try_it):
    page = try_it(state=State(calls=1000))
    page.get_by_label("How closely the draft matches").press("Home")
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[0], 4, 1000, 7)
    assert f"{core.tally.sum():,} words" in page.locator(".totals").inner_text()
    page.get_by_label("How closely the draft matches").fill("0.5")
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 1000, 7)
    assert f"{core.tally.sum():,} words" in page.locator(".totals").inner_text()


def test_next_and_reset(try_it):
    page = try_it()
    page.get_by_role("button", name="Next call").click()
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 2, 7)
    totals = page.locator(".totals").inner_text()
    assert totals.startswith(f"2 calls, {core.tally.sum()} words: {core.tokens_per_call:.2f} per call")
    page.get_by_role("button", name="Reset").click()
    assert "No calls yet" in page.locator(".totals").inner_text() and page.locator(".card:visible").count() == 0
    page.get_by_role("button", name="Next call").click()
    assert page.locator(".totals").inner_text().startswith("1 call, 2 words: 2.00")


def test_calls_have_an_end(try_it):
    page = try_it(state=State(calls=9_999))
    for _ in range(3):
        page.get_by_role("button", name="Run 1,000 calls").click()
    assert "10,000 calls are the most" in page.locator(".totals").inner_text()


def test_a_seed(try_it):
    page = try_it()
    seed = page.get_by_label("seed")
    seed.fill("42")
    seed.press("Enter")
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 1, 42)
    assert page.locator(".totals").inner_text().startswith(f"1 call, {core.tally.sum()} words")
    for wrong in ["-1", "4294967296", "7.5", "<img src=x>", "", "１"]:
        before = page.locator(".totals").inner_text()
        seed.fill(wrong)
        seed.press("Enter")
        assert "still use seed 42" in page.get_by_role("alert").inner_text() and page.locator(".totals").inner_text() == before
        assert seed.input_value() == wrong, "what was typed stays"
    seed.fill("7")
    seed.press("Enter")
    assert page.locator(".fault").text_content() == ""


def test_why(try_it):
    page = try_it()
    call = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 1, 7)
    assert call.accepted[0] == 1
    why = page.locator(".why")
    assert re.match(r"my: the draw \.\d+ is not below p/q = \.07 / \.17 = \.41, so it is rejected; the residual \(draw \.\d+\) "
                    r"gives the\.", why.inner_text())
    page.locator(".card").first.click()
    assert why.inner_text().startswith("the: the target's .42 is no less than the draft's .30")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert why.inner_text().startswith("a: never tested")


def test_printed_ratios_are_ratios_of_printed_numbers(try_it):
    page = try_it()
    page.locator(".pair").nth(4).click()
    closeness = page.get_by_label("How closely the draft matches")
    closeness.press("Home")
    for _ in range(101):
        found = re.search(r"kept ([.\d]+) / ([.\d]+) = (\d+)", page.locator(".arithmetic").inner_text())
        if found:
            assert int(100 * float(found[1]) / float(found[2]) + .5 + 1e-9) == int(found[3])
        closeness.press("ArrowRight")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe(try_it, dark, width):
    page = try_it(dark=dark, width=width, state=State(calls=1000))
    page.locator("summary").click()
    page.get_by_label("seed").fill("nonsense")
    page.keyboard.press("Tab")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1920])
def test_nothing_is_wider_than_the_screen(try_it, width):
    page = try_it(width=width, state=State(gamma=10, closeness=1, calls=1000))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width, height", [(360, 800), (1280, 720)])
def test_the_whole_claim_is_on_the_first_screen(try_it, width, height):
    page = try_it(viewport={"width": width, "height": height})
    for part in ["h1", ".intro p", ".slider >> nth=0", ".slider >> nth=1", ".bars", ".numbers"]:
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, part


def test_labels_keep_clear_of_bars_and_bands(try_it):
    """A share's label stands above everything that is drawn in its pair, before and after a run."""
    page = try_it(width=360)
    for _ in range(2):
        for i in range(6):
            pair = page.locator(".pair").nth(i)
            label = pair.locator(".share b").bounding_box()
            for part in pair.locator(".bar i, .band, .seen").all():
                box = part.bounding_box()
                if box and box["height"]:
                    assert label["y"] + label["height"] <= box["y"] + 1
        page.get_by_role("button", name="Run 1,000 calls").click()


def test_keyboard_alone(try_it):
    page = try_it()
    stops = []
    for _ in range(12):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("""() => { const e = document.activeElement, wide = e.closest("label, button, summary") ?? e;
            return [e.type ?? e.tagName, getComputedStyle(wide).outlineStyle, getComputedStyle(e).outlineStyle]; }"""))
    kinds = [kind for kind, *_ in stops]
    assert kinds[:9] == ["range", "range", "radio", "radio", "button", "button", "button", "text", "SUMMARY"]
    assert all("solid" in outlines for _, *outlines in stops[:9]), "focus is seen"
    page.get_by_label("Draft tokens per check").press("End")
    assert page.locator(".card:visible").count() >= 10
    page.locator(".pair input:checked").press("ArrowRight")
    assert page.locator(".arithmetic b").inner_text() == "this"


def test_names_of_controls(try_it):
    page = try_it()
    for role, name in ("slider", "How closely the draft matches"), ("slider", "Draft tokens per check, γ"), ("textbox", "seed"):
        assert page.get_by_role(role, name=name, exact=True).count() == 1
    assert page.get_by_role("slider").first.get_attribute("aria-valuetext").replace("\u00a0", " ") == "0.50: acceptance rate 81.0 %"


def test_the_table(try_it):
    page = try_it(state=State(calls=1000))
    page.locator("summary").click()
    page.locator("tbody tr").nth(5).wait_for()
    rows = page.locator("tbody tr").all()
    assert len(rows) == 6
    core = simulate_calls(NUMBERS.target, NUMBERS.draft[50], 4, 1000, 7)
    cells = rows[1].locator("th, td").all_text_contents()
    assert [cell.replace("\u00a0", " ") for cell in cells[:8]] == ["a", "0.2200", "0.3100", "0.2200", "0.0900", "0.0000", "71 %",
                                                                   "0.0000"]
    assert cells[8] == f"{core.tally[1]:,}"


def test_a_printed_page_shows_the_table(try_it):
    page = try_it()
    page.pdf()
    assert page.locator("tbody tr").count() == 6


def test_without_scripts_there_is_a_table(try_it):
    page = try_it(java_script_enabled=False)
    text = page.inner_text("body").replace("\u00a0", " ")
    assert "81.0 %" in text and "3.43" in text and page.locator("tr").count() == 7


def test_what_a_teacher_wrote_is_text(try_it):
    nasty = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "&amp;{}")
    page = try_it(laws=Laws(nasty, (.5, .3, .2), (.2, .3, .5)), title="<b onclick=alert(3)>'\"</title>")
    page.get_by_role("button", name="Run 1,000 calls").click()
    assert page.locator(".word").all_text_contents() == list(nasty)
    assert page.locator("h1").inner_text() == page.title() == "<b onclick=alert(3)>'\"</title>"
    assert page.faults == [] and page.locator("img").count() == 0


def test_twelve_words_on_a_small_phone(try_it):
    words = tuple(f"verylongword{i}" for i in range(12))
    page = try_it(laws=Laws(words, (1 / 12,) * 12, tuple(i / 66 for i in range(12))), width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320 and page.faults == []
    assert page.locator(".share b").count() == 12


def test_a_theme_that_was_asked_for(try_it):
    ground = lambda **options: try_it(**options).evaluate("getComputedStyle(document.body).backgroundColor")
    light, dark = ground(), ground(dark=True)
    assert light != dark == ground(state=State(theme="dark")) and light == ground(dark=True, state=State(theme="light"))


def test_forced_colours_keep_three_fills_apart(try_it):
    page = try_it(forced_colors="active")
    bars = {kind: page.locator(f".bar .{kind}").nth(int(kind == "rejected")) for kind in ("kept", "rejected", "refill")}
    fills = {kind: bar.evaluate("e => getComputedStyle(e).background") for kind, bar in bars.items()}
    assert len(set(fills.values())) == 3 and "linear" in fills["rejected"] and "radial" in fills["refill"]


def test_nothing_moves_at_rest(try_it):
    page = try_it(state=State(calls=1000))
    assert page.evaluate("""() => new Promise(done => {
        let changes = 0;
        new MutationObserver(list => { changes += list.length; }).observe(
            document, {subtree: true, childList: true, attributes: true, characterData: true});
        setTimeout(() => done(changes), 500);
    })""") == 0
    assert page.evaluate("document.getAnimations().length") == 0
