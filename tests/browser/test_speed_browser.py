"""/speed as a reader meets it: in both schemes, at every width, by keyboard alone, its lanes played, and in the lesson."""

import re

import pytest
from section import query, reach, says

ALPHA, GAMMA, COST = "Acceptance rate α", "Words drafted per call", "Cost of a draft step"


@pytest.fixture
def opened(open_page):
    """`opened(url, …)` opens a page and waits for the section's first dial and its last components."""
    def opened(url, **options):
        page = open_page(url, **options)
        dial(page, ALPHA).wait_for()
        page.locator("section.lanes").get_by_role("button", name="Play").wait_for()
        page.get_by_label("Best γ by acceptance rate").wait_for()
        return page
    return opened


def play(page):
    return page.locator(".lanes").get_by_role("button", name="Play")


def dial(page, name):
    return page.get_by_role("slider", name=name)


def clock(page):
    return float(dial(page, "Clock").get_attribute("aria-valuetext").split()[0])


def out(page):
    """How many words are out: plain, speculative."""
    return [int(re.search(r": (\d+) of", text)[1]) for text in page.locator(".lanes .name").all_inner_texts()]


def test_its_numbers_are_there_from_the_first_paint(site, open_page):
    page = open_page(f"{site}/speed", java_script_enabled=False)
    text = page.locator("main").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    for number in ("3.43", "5.26", "2.45×", "2.54×", "1.58×", "81.0 %"):
        assert number in text, number


def test_by_keyboard_alone(site, opened):
    page = opened(f"{site}/speed")

    reach(page, ALPHA)
    page.keyboard.press("End")
    says(page, "There is no ceiling.")
    page.keyboard.press("Home")
    says(page, "The best γ is 0: plain decoding is fastest")
    assert query(page)["alpha"] == ["0"]
    reach(page, GAMMA)
    page.keyboard.press("ArrowRight")
    says(page, "and γ = 5 a call gives")
    reach(page, COST)
    page.keyboard.press("End")
    says(page, "Not so here")
    reach(page, "Flat, or a line")
    page.keyboard.press("ArrowRight")
    says(page, "In use: 6 times, of calls that judge 1 to 32 words")
    reach(page, "A target call’s time")
    page.keyboard.press("Control+a")
    page.keyboard.type("20 21 oops")
    reach(page, "Use it")
    page.keyboard.press("Enter")
    says(page, "Not used: entry 3: 'oops' is not a time above 0.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("End")
    for _ in "oops":
        page.keyboard.press("Backspace")
    page.keyboard.type("25")
    reach(page, "Use it")
    page.keyboard.press("Enter")
    says(page, "Your table ends at γ = 2, which stands here for your γ = 5.")
    reach(page, "Published points")
    page.keyboard.press("Space")
    says(page, "Squares: T5-XXL")
    assert query(page)["published"] == ["1"] and query(page)["verification"] == ["20,21,25"]
    reach(page, "Best γ")
    page.keyboard.press("ArrowRight")
    says(page, "A cell holds the best speed-up")
    reach(page, "Clock")
    page.keyboard.press("Home")
    assert clock(page) == 0 and out(page) == [0, 0]
    reach(page, "Step")
    page.keyboard.press("Enter")
    assert clock(page) > 0
    reach(page, "The formula")
    page.keyboard.press("ArrowRight")
    says(page, "Words per call are not the speed-up")
    assert page.get_by_label("Speed-up against words per call").is_visible()
    assert page.get_by_role("status").count() >= 5 and page.faults == []


def test_the_lanes_play_pause_step_and_scrub(site, opened):
    page = opened(f"{site}/speed")
    assert clock(page) == 12 and out(page) == [12, 12]
    page.wait_for_timeout(400)
    assert clock(page) == 12, "nothing moves at rest"
    page.get_by_role("button", name="Reset").click()
    assert clock(page) == 0 and out(page) == [0, 0]
    for time, plain, speculative in (.1, 0, 0), (.2, 0, 0), (.3, 0, 0), (.4, 0, 0), (1, 1, 0), (1.4, 1, 2), (1.5, 1, 2):
        page.get_by_role("button", name="Step").click()
        assert clock(page) == pytest.approx(time) and out(page) == [plain, speculative]
    told = page.locator(".lanes .status").text_content()
    assert "At 1.50 target steps plain decoding has 1 word, speculative decoding 2 words." in told
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Pause").click()
    stopped = clock(page)
    assert 1.5 < stopped < 6
    page.wait_for_timeout(300)
    assert clock(page) == stopped
    dial(page, "Clock").fill("4.2")
    assert out(page) == [4, 12]
    dial(page, "Clock").fill("11.5")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(800)
    assert clock(page) == 12 and out(page) == [12, 12]
    seed = page.get_by_label("seed", exact=True)
    seed.fill("8")
    seed.press("Enter")
    page.wait_for_function("location.search.includes('seed=8')")
    assert page.faults == []


def test_where_motion_is_reduced_a_play_hops(site, opened):
    page = opened(f"{site}/speed", reduced_motion="reduce")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Play").click()
    seen = set()
    for _ in range(15):
        page.wait_for_timeout(60)
        seen.add(clock(page))
    page.get_by_role("button", name="Pause").click()
    assert seen <= {0, .1, .2, .3, .4, 1, 1.4, 1.5, 1.6, 1.7, 1.8, 2} and len(seen) > 2


def test_a_link_replays_the_state(site, opened):
    page = opened(f"{site}/speed")
    for name, value in (ALPHA, "0.7"), (GAMMA, "6"), (COST, "0.2"), ("Cost of judging", "0.05"), ("Arithmetic of a draft", "0.4"):
        dial(page, name).fill(value)
        dial(page, name).dispatch_event("change")
    says(page, "At α = 70.0 %, γ = 6 and ĉ = 0.40")
    assert query(page) == {"alpha": ["0.7"], "gamma": ["6"], "cost": ["0.2"], "slope": ["0.05"], "operations": ["0.4"]}
    says(page, "With judging at 0.05 a word")
    page.get_by_role("radio", name="A table of mine").first.check()
    page.get_by_label("A target call’s time").first.fill("1,20\n3,22\n12,40")
    page.get_by_role("button", name="Use it").click()
    page.get_by_role("checkbox", name="Published points").first.check()
    says(page, "In use: 3 times")
    page.wait_for_function("location.search.includes('verification') && location.search.includes('published')")
    assert query(page)["verification"] == ["1:20,3:22,12:40"]
    page.wait_for_timeout(500)
    first, second = (one.locator("[role=status], dd").locator("visible=true").all_inner_texts() for one in (page, opened(page.url)))
    assert first == second and len(first) > 8


def test_a_bad_parameter_is_named(site, opened):
    page = opened(f"{site}/speed?alpha=2&cost=x&verification=20,0")
    says(page, "alpha must be a number from 0 to 1")
    says(page, "cost must be a number from 0 to 1")
    says(page, "verification must be times of judging 1, 2, 3, … words")
    says(page, "At α = 81.0 % and γ = 4")


def test_in_the_lesson_it_follows_the_widget(site, opened):
    page = opened(f"{site}/?alpha=0.3")
    says(page, "At α = 30.0 % and γ = 4")
    page.get_by_label("How closely the draft matches").press("Home")
    says(page, "At α = 62.0 % and γ = 4")
    page.wait_for_function("!location.search.includes('alpha') && location.search.includes('closeness=0')")
    dial(page, GAMMA).last.press("ArrowRight")
    page.locator(".try-it dd").get_by_text("2.48").wait_for(timeout=20_000)
    assert page.faults == []
