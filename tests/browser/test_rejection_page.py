"""/rejection as a reader meets it: in both schemes, at every width, by keyboard alone, and in the lesson."""

import pytest
from section import query, reach, says

M = "Envelope constant M"


@pytest.fixture
def opened(open_page):
    """`opened(url, …)` opens a page and waits for the section's last control and figure."""
    def opened(url, **options):
        page = open_page(url, **options)
        page.get_by_label("Closeness of the draft").first.wait_for()
        page.get_by_label("How often each of the three ways").wait_for()
        return page
    return opened


def read(page):
    """The text that can be seen, shadow roots included."""
    shown = page.locator("main :is(h1, h2, h3, p, dd, dt, td)").locator("visible=true").all_inner_texts()
    return " ".join(shown).replace("\N{NO-BREAK SPACE}", " ")


def colours(page):
    """The colours that fill some place in a figure, as (red, green, blue)."""
    return {tuple(colour) for colour in page.evaluate("""() => {
        const canvases = root => [...root.querySelectorAll("*")].flatMap(e =>
            e.localName === "canvas" ? [e] : e.shadowRoot ? canvases(e.shadowRoot) : []);
        const seen = new Map();
        for (const canvas of canvases(document)) {
            if (!canvas.width || !canvas.height) continue;
            const drawn = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            for (let i = 0; i < drawn.length; i += 4) if (drawn[i + 3] === 255) {
                const key = [drawn[i], drawn[i + 1], drawn[i + 2]].join();
                seen.set(key, (seen.get(key) ?? 0) + 1);
            }
        }
        return [...seen].filter(([, n]) => n > 100).map(([key]) => key.split(",").map(Number));
    }""")}


def test_its_numbers_are_there_from_the_first_paint(site, open_page):
    page = open_page(f"{site}/rejection", java_script_enabled=False)
    text = read(page)
    for number in ("78.54 %", ".714", ".810", "42.86 %"):
        assert number in text, number


def test_by_keyboard_alone(site, opened):
    page = opened(f"{site}/rejection")
    reach(page, "Add 1")
    page.keyboard.press("Enter")
    says(page, "of 101 points kept")
    reach(page, "Six words")
    page.keyboard.press("ArrowRight")
    says(page, "M = 2 keeps 45 %, but what is kept is 4/9, 3/9, 2/9")
    says(page, "M = 2.5 keeps 40 %")
    reach(page, M)
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    says(page, "Wrong.")
    says(page, "2.000 is below max p/q = 2.500")
    assert page.get_by_label(M).get_attribute("aria-valuetext") == "2.000"
    reach(page, "Set M")
    page.keyboard.press("Space")
    says(page, "2.500 covers p")
    reach(page, "Closeness of the draft")
    page.keyboard.press("End")
    says(page, "and the speculative rule 1.000")
    assert query(page) == {"closeness": ["1"]}
    assert page.get_by_role("status").count() >= 3 and page.faults == []


def test_a_second_tab_shows_the_price(site, opened):
    page = opened(f"{site}/rejection")
    assert "0.25 %" not in read(page)
    page.get_by_role("radio", name="In 2 to 10 dimensions").check()
    says(page, "0.25 %")
    assert page.get_by_role("button", name="Add 100", exact=True).count() == 0
    square, many = (page.get_by_label(name) for name in ("Points in a square", "The ball's share"))
    for _ in range(2):
        page.get_by_role("radio", name="In a square").check()
        square.wait_for(), many.wait_for(state="hidden")
        page.get_by_role("radio", name="In 2 to 10 dimensions").check()
        square.wait_for(state="hidden"), many.wait_for()


def test_figures_follow_the_scheme(site, opened):
    amber = {False: (0xf0, 0xb0, 0x40), True: (0xe6, 0xa6, 0x3a)}
    page = opened(f"{site}/rejection", dark=True)
    page.wait_for_timeout(500)
    assert amber[True] in colours(page) and amber[False] not in colours(page)
    page.emulate_media(color_scheme="light")
    page.wait_for_timeout(500)
    assert amber[False] in colours(page) and amber[True] not in colours(page)
    page = opened(f"{site}/rejection?theme=dark")
    page.wait_for_timeout(500)
    assert amber[True] in colours(page)


def test_the_address_is_where_it_opens(site, opened):
    page = opened(f"{site}/rejection?closeness=0&seed=3")
    assert "At closeness 0.00 classic rejection keeps .429" in read(page)
    seeds = page.get_by_label("seed", exact=True)
    assert [seed.input_value() for seed in seeds.all()] == ["3", "3"]
    seeds.first.fill("11")
    seeds.first.press("Enter")
    page.wait_for_function("location.search.includes('seed=11')")
    says(page, "seed 11")
    assert seeds.last.input_value() == "11"


def test_in_the_lesson_it_shares_the_widgets_closeness(site, opened):
    page = opened(f"{site}/?closeness=0.25")
    says(page, "At closeness 0.25")
    page.get_by_label("How closely the draft matches").press("End")
    says(page, "At closeness 1.00")
    page.get_by_label("Closeness of the draft").first.press("Home")
    page.locator(".try-it dd").get_by_text("62.0").wait_for(timeout=20_000)
    assert page.faults == []


def test_another_target_does_not_turn_the_slider_back(site, opened):
    page = opened(f"{site}/rejection")
    page.get_by_role("radio", name="Bumps under a box").check()
    for _ in range(20):
        page.get_by_label(M).press("ArrowLeft")
    says(page, "M = 2.057 is below max p/q = 2.571")
    assert page.get_by_label(M).input_value() == "0.8"
