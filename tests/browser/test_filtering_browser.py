"""/filtering as a reader meets it: in both schemes, at every width, by keyboard alone, draws and rounds played, in the lesson."""

import re

import pytest
from playwright.sync_api import expect
from section import WIDTHS, open_all, query, reach, says

FPR, DRAWS, ROUND = "Wrong answers that pass", "Draws so far", "Round"


@pytest.fixture
def opened(open_page):
    """`opened(url, …)` opens a page and waits for the section's first figure and its last."""
    def opened(url, **options):
        page = open_page(url, **options)
        dial(page, DRAWS).wait_for()
        page.get_by_label("The ratio p/q of six words").wait_for()
        return page
    return opened


def dial(page, name):
    return page.get_by_role("slider", name=name)


def press(page, name, place=".draws"):
    page.locator(place).get_by_role("button", name=name).click()


def choose(page, name):
    page.get_by_role("radio", name=name).check()


def draws(page):
    """How many draws have been played."""
    return int(dial(page, DRAWS).input_value())


def told(page):
    """Drawn, kept, thrown away; the figures add up."""
    drawn, kept, thrown, *waiting = map(int, re.findall(r"\d+", page.locator(".draws .totals").inner_text()))
    assert drawn == draws(page) == kept + thrown + sum(waiting)
    return drawn, kept, thrown


def chips(page):
    return page.locator(".draws .chip").all_inner_texts()


def bars(page, side):
    """The heights of the kept part of each left or right bar, over that of the plot."""
    return page.locator(".draws .pair").evaluate_all("""(pairs, side) => pairs.map(pair => {
        const kept = pair.querySelectorAll(".bar")[side].querySelector(".kept");
        return kept.getBoundingClientRect().height / pair.querySelector(".column").getBoundingClientRect().height;
    })""", side)


def test_its_numbers_are_there_from_the_first_paint(site, open_page):
    page = open_page(f"{site}/filtering", java_script_enabled=False)
    text = page.locator("main").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    for number in ("5.00", ".500, .300 and .200", "50.9 %", ".5599", "82.9 %", "81.0 %", ".866"):
        assert number in text, number


def test_the_draws_step_go_back_and_come_out_the_same(site, opened):
    page = opened(f"{site}/filtering")
    assert told(page) == (8, 1, 7) and chips(page)[0].startswith("19a ✓")
    page.wait_for_timeout(600)
    assert draws(page) == 8, "nothing moves at rest"
    seen = [chips(page)]
    for _ in range(4):
        press(page, "Step")
        seen.append(chips(page))
    assert draws(page) == 12 and query(page)["draws"] == ["12"] and len(seen[-1]) == 4 and seen[-1][:3] == seen[-2]
    expect(page.locator(".draws .why")).to_contain_text("Draw 12 is")
    for before in seen[-2::-1]:
        press(page, "Back")
        assert chips(page) == before
    press(page, "Next batch")
    assert draws(page) == 16 and "Batch 2: draws 9 to 16" in page.locator(".draws .name").inner_text()
    assert "16 drawn" in page.locator(".draws .status").text_content()
    dial(page, DRAWS).fill("0")
    assert chips(page) == [] and told(page) == (0, 0, 0)
    press(page, "Back")
    assert draws(page) == 0 and page.faults == []


def test_the_draws_play_and_pause(site, opened):
    page = opened(f"{site}/filtering?draws=0")
    press(page, "Play")
    page.wait_for_function("location.search.includes('draws=0')")
    page.wait_for_timeout(1600)
    press(page, "Pause")
    stopped = draws(page)
    assert 1 <= stopped <= 5 and query(page)["draws"] == [str(stopped)]
    page.wait_for_timeout(800)
    assert draws(page) == stopped
    dial(page, DRAWS).fill("599")
    press(page, "Play")
    page.locator(".draws").get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(900)
    assert draws(page) == 600 and query(page)["draws"] == ["600"]
    press(page, "Play")  # from the end it begins again
    page.wait_for_timeout(200)
    assert draws(page) <= 1 and page.faults == []


def test_what_is_kept_lands_on_the_line(site, opened):
    page = opened(f"{site}/filtering?draws=600")
    right = bars(page, 1)
    lines = page.locator(".draws .pair").evaluate_all("""pairs => pairs.map(pair => {
        const column = pair.querySelector(".column").getBoundingClientRect();
        return (column.bottom - pair.querySelector(".target").getBoundingClientRect().bottom) / column.height;
    })""")
    assert right == pytest.approx(lines, abs=.01) and right[0] / right[2] == pytest.approx(2.5, abs=.05) and right[3:] == [0, 0, 0]
    dots = page.locator(".draws .seen").evaluate_all("dots => dots.map(dot => dot.checkVisibility())")
    assert all(dots)
    choose(page, "Erring checker")
    says(page, "71.4 %")
    assert bars(page, 1)[3] > 0 and query(page)["filter"] == ["errs"]


@pytest.mark.parametrize("name, says_so", [("Two questions", "gives 80.0 %"), ("A cap for each", "With at most 2 kept of 8 draws"),
                                           ("No solution twice", "leaves 1.24 kept"),
                                           ("Best of n", "The best of 8 is right 48.4 %")])
def test_each_switch_and_what_it_breaks(site, opened, name, says_so):
    page = opened(f"{site}/filtering")
    choose(page, name)
    page.locator("p", has_text=re.compile(re.sub(r"\s", r"\\s+", says_so))).locator("visible=true").first.wait_for(timeout=20_000)
    dial(page, DRAWS).fill("64")
    assert told(page)[0] == 64
    page.locator(".draws").get_by_role("radio").last.check()
    expect(page.locator(".draws .arithmetic b")).to_have_text("hard" if name in ("Two questions", "A cap for each") else "5")
    assert page.faults == []


def test_the_best_of_a_batch_waits_for_its_end(site, opened):
    page = opened(f"{site}/filtering?filter=best&n=4&draws=7")
    assert page.locator(".draws .chip.waits").count() == 3 and told(page)[:2] == (7, 1)
    press(page, "Step")
    assert page.locator(".draws .chip.kept").count() == 1 and page.locator(".draws .chip.rejected").count() == 3


def test_rounds_step_forward_and_back(site, opened):
    page = opened(f"{site}/filtering?round=0")
    says(page, "Round 0 is the base model")
    place = page.locator(".player").filter(has=page.get_by_role("slider", name=ROUND))
    place.get_by_role("button", name="Step").click()
    says(page, "Round 1, seed 7: of 16 tries")
    place.get_by_role("button", name="Step").click()
    says(page, "Round 2, seed 7: of 16 tries")
    place.get_by_role("button", name="Back").click()
    says(page, "Round 1, seed 7: of 16 tries")
    assert query(page)["round"] == ["1"]
    place.get_by_role("button", name="Play").click()
    says(page, "Round 3, seed 7")
    place.get_by_role("button", name="Pause").click()
    choose(page, "A hint where")
    says(page, re.compile("got a hint|no hint was needed"))
    assert query(page)["hint"] == ["on"] and page.faults == []


def test_by_keyboard_alone(site, opened):
    page = opened(f"{site}/filtering")
    reach(page, "What is right")
    page.keyboard.press("ArrowRight")
    says(page, "71.4 %")
    reach(page, FPR)
    page.keyboard.press("Home")
    says(page, "100.0 %")
    reach(page, "19a")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".draws .arithmetic b")).to_have_text("19b ✓")
    reach(page, DRAWS)
    page.keyboard.press("ArrowRight")
    assert draws(page) == 9
    reach(page, "Step")
    page.keyboard.press("Enter")
    assert draws(page) == 10
    reach(page, "Back")
    page.keyboard.press("Enter")
    reach(page, "Next batch")
    page.keyboard.press("Enter")
    assert draws(page) == 16 and query(page)["draws"] == ["16"]
    reach(page, "No hint")
    page.keyboard.press("ArrowRight")
    reach(page, ROUND)
    page.keyboard.press("End")
    says(page, "Round 10, seed 7")
    reach(page, "Pass rate")
    page.keyboard.press("Home")
    says(page, "no batch is ever full")
    reach(page, "Skill")
    page.keyboard.press("End")
    says(page, "At skill 8.0")
    reach(page, "DAPO")
    page.keyboard.press("ArrowLeft")
    says(page, ".80 to 1.20")
    assert page.get_by_role("status").count() >= 5 and page.faults == []


@pytest.mark.parametrize("name", ["right", "errs", "pooled", "best"])
def test_the_bars_fit_at_every_width(site, opened, name):
    page = opened(f"{site}/filtering?filter={name}&n=32&draws=600")
    open_all(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator(".draws .scroll").evaluate("element => element.scrollWidth - element.clientWidth") == 0


def test_a_link_replays_the_state(site, opened):
    page = opened(f"{site}/filtering")
    choose(page, "Best of n")
    for name, value in (("Draws in a batch", "12"), (ROUND, "7"), ("Pass rate", "0.3"), ("Answers in a group", "6"),
                        ("Skill", "6.5"), ("Closeness of q", "0.2")):
        dial(page, name).fill(value)
        dial(page, name).dispatch_event("change")
    for _ in range(3):
        press(page, "Next batch")
    choose(page, "PPO")
    choose(page, "A hint where")
    says(page, "At skill 6.5")
    says(page, ".80 to 1.20")
    page.wait_for_timeout(500)
    assert query(page) == {"filter": ["best"], "n": ["12"], "draws": ["36"], "round": ["7"], "rate": ["0.3"], "group": ["6"],
                           "skill": ["6.5"], "closeness": ["0.2"], "clip": ["ppo"], "hint": ["on"]}
    shown = "[role=status]:not(.status), dd, .chip, .totals, .why"
    first, second = (one.locator(shown).locator("visible=true").all_inner_texts() for one in (page, opened(page.url)))
    assert first == second and len(first) > 20


def test_a_bad_parameter_is_named_and_the_rest_stays(site, opened):
    page = opened(f"{site}/filtering?filter=%3Cb%3E&draws=9999&n=4&fpr=2")
    says(page, "filter must be right, errs, pooled, capped, distinct or best, not “<b>”")
    says(page, "draws must be a whole number from 0 to 600")
    says(page, "fpr must be a number from 0 to 1")
    assert "Batch 2: draws 5 to 8" in page.locator(".draws .name").inner_text()


def test_in_the_lesson_it_follows_the_widget(site, opened):
    page = opened(f"{site}/")
    page.get_by_label("How closely the draft matches").press("Home")
    says(page, "Of 1,000 draws from q the speculative rule keeps 620")
    before = chips(page)
    seed = page.locator(".try-it").get_by_label("seed")
    seed.fill("8")
    seed.press("Enter")
    says(page, "Round 3, seed 8")
    assert chips(page) != before and page.faults == []
