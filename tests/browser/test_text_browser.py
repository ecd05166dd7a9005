"""/text as a reader meets it: played, stepped forth and back, by keyboard alone, replayed from a link, and in the lesson."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect
from section import reach, says

LINK = "/text?draft=3-gram&gamma=3&seed=11&words=20&temperature=0.7&draft_temperature=0.5&prompt=" + urllib.parse.quote("She <b>was")


@pytest.fixture
def opened(open_page):
    """`opened(url, …)` opens a page and waits for the player."""
    def opened(url, **options):
        page = open_page(url, **options)
        page.locator(".writer .running").wait_for()
        page.get_by_role("button", name="Compare the drafts").wait_for()
        return page
    return opened


def button(page, name):
    return page.locator(".writer").get_by_role("button", name=name, exact=True)


def words(page, *looks):
    """The words of the text that look so, in order."""
    return page.locator(", ".join(f".running label.{look}" for look in looks)).all_text_contents()


OUT = ("kept", "fixed", "bonus")


def numbers(page):
    return page.locator(".writer .numbers dd").all_inner_texts()


def clock(page):
    return float(page.get_by_role("slider", name="Clock").get_attribute("aria-valuetext").split()[0])


def status(page):
    return page.locator(".writer .status").text_content()


def test_the_sentences_are_there_from_the_first_paint(site, open_page):
    page = open_page(f"{site}/text", java_script_enabled=False)
    text = page.locator("main").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert re.search(r"It is a truth universally acknowledged, that(?: \S+){5}", text)
    for sentence in "In a language model", "With one α for all contexts", "Which draft?":
        assert sentence in text


def test_the_text_is_whole_at_first_and_nothing_moves(site, opened):
    page = opened(f"{site}/text")
    before = words(page, *OUT)
    assert len(before) >= 40 and words(page, "pending", "later") == [] and clock(page) == len(before)
    page.wait_for_timeout(500)
    assert words(page, *OUT) == before and clock(page) == len(before)
    calls, per_call, gain = numbers(page)
    assert per_call == f"{len(before) / int(calls):.2f}" and gain == f"{len(before) / (1.4 * int(calls)):.2f}×"
    assert page.faults == []


def test_a_call_forth_and_back(site, opened):
    page = opened(f"{site}/text")
    whole, seen = words(page, *OUT), []
    button(page, "Next call").click()  # from the end on to the first
    while len(words(page, *OUT)) < len(whole):
        out, struck, dropped = (words(page, *looks) for looks in (OUT, ["struck"], ["dropped"]))
        assert out == whole[:len(out)] and numbers(page)[0] == str(len(seen) + 1) and len(struck) <= 1
        assert clock(page) == pytest.approx(1.4 * (len(seen) + 1)) and f"Call {len(seen) + 1}: " in status(page)
        assert numbers(page)[1] == f"{len(out) / (len(seen) + 1):.2f}"
        seen.append((out, struck, dropped))
        button(page, "Next call").click()
    assert any(struck and dropped for _, struck, dropped in seen)
    for out, struck, dropped in reversed(seen):
        button(page, "Call back").click()
        assert (words(page, *OUT), words(page, "struck"), words(page, "dropped")) == (out, struck, dropped)
    button(page, "Call back").click()
    assert words(page, *OUT) == [] and clock(page) == 0 and numbers(page) == ["0", "–", "–"] and "Nothing is written yet." in status(page)
    button(page, "Call back").click()
    assert clock(page) == 0 and page.faults == []


def test_a_word_forth_and_back(site, opened):
    page = opened(f"{site}/text")
    whole = words(page, *OUT)
    states = []
    for n in range(1, 13):
        button(page, "Next word").click()
        assert words(page, *OUT) == whole[:n] and whole[n - 1].strip().replace("\n", "") in status(page).replace("\n", "")
        states.append((words(page, *OUT), words(page, "pending"), words(page, "struck")))
        assert page.locator(".running label:has(:checked)").text_content() == whole[n - 1]
    assert any(pending for _, pending, _ in states) and any(struck for _, _, struck in states)
    for state in reversed(states[:-1]):
        button(page, "Word back").click()
        assert (words(page, *OUT), words(page, "pending"), words(page, "struck")) == state
    button(page, "Word back").click()
    assert words(page, *OUT) == []


def test_it_plays_on_its_clock_and_pauses(site, opened):
    page = opened(f"{site}/text?words=20")
    page.get_by_role("slider", name="Speed of a play").fill("8")
    button(page, "Play").click()
    page.wait_for_timeout(700)
    button(page, "Pause").click()
    stopped, out = clock(page), words(page, *OUT)
    assert 1 < stopped < 20 and out
    calls = int(numbers(page)[0])
    assert calls == int((stopped + 1e-6) / 1.4) or calls == int((stopped + 1e-6) / 1.4) + 1
    plain = int(re.search(r"Plain decoding: (\d+)", page.locator(".lanes .name").first.inner_text())[1])
    assert plain == int(stopped + 1e-6)
    page.wait_for_timeout(300)
    assert clock(page) == stopped and words(page, *OUT) == out
    button(page, "Play").click()
    button(page, "Play").wait_for(timeout=30_000)
    assert len(words(page, *OUT)) >= 20 and page.faults == []


def test_where_motion_is_reduced_a_play_hops(site, opened):
    page = opened(f"{site}/text?words=20", reduced_motion="reduce")
    page.get_by_role("slider", name="Speed of a play").fill("8")
    button(page, "Play").click()
    seen = set()
    for _ in range(15):
        page.wait_for_timeout(50)
        seen.add(round(clock(page), 2))
    button(page, "Pause").click()
    edges = {round(1.4 * k + .1 * i, 2) for k in range(20) for i in range(5)} | set(range(30))
    assert seen <= edges and len(seen) > 2


def test_choosing_a_word_opens_its_laws(site, opened):
    page = opened(f"{site}/text")
    page.locator(".running label.kept").first.click()
    place = page.locator(".place")
    said = place.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    word = page.locator(".running label:has(:checked)").text_content()
    assert re.search(r"α = \d+\.\d % of what the draft says here is kept", said) and f"{word}:" in said and "is kept" in said
    assert place.locator(".bars .pair").last.inner_text().endswith("the rest")
    place.locator(".bars .pair").last.click()
    assert "the rest: draft ." in place.inner_text()
    page.locator(".place summary").click()
    place.locator("tbody tr").first.wait_for()
    rows = [[cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row.locator("th, td").all_inner_texts()]
            for row in place.locator("tbody tr").all()]
    for column in 1, 2:
        assert sum(float(row[column]) for row in rows) == pytest.approx(1, abs=.0005)
    for _, p, q, kept, rejected, refill, _ in rows:
        assert float(kept) + float(refill) == pytest.approx(float(p), abs=2e-4)
        assert float(kept) + float(rejected) == pytest.approx(float(q), abs=2e-4)
    alpha = float(re.search(r"α = ([\d.]+)", said)[1]) / 100
    assert sum(float(row[3]) for row in rows) == pytest.approx(alpha, abs=.001)
    page.locator(".running label.bonus").first.click()
    assert "Nothing is drafted here" in place.inner_text() and "adds one from its own law" in place.inner_text()
    assert place.locator(".bars .rejected").evaluate_all("bars => bars.every(bar => !bar.offsetHeight)")


def test_by_keyboard_alone(site, opened):
    page = opened(f"{site}/text")
    first = page.locator(".running").inner_text()
    reach(page, "The draft")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("location.search.includes('draft=3-gram')")
    # the address changes at once, the text when it is written
    expect(page.locator(".running")).not_to_have_text(first, use_inner_text=True)
    reach(page, ", bonus" if page.locator(".running .bonus:has(:checked)").count() else ", fixed")  # the last word of the text
    title = page.locator(".place h2").inner_text()
    for _ in range(2):  # the first of them may be what was struck at the same place
        page.keyboard.press("ArrowLeft")
    assert page.locator(".place h2").inner_text() != title
    reach(page, "Next word")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert len(words(page, *OUT)) == 2
    reach(page, "Next call")
    page.keyboard.press("Enter")
    assert len(words(page, *OUT)) > 2
    reach(page, "Run")
    page.keyboard.press("Enter")
    says(page, "continuations each way")
    reach(page, "Compare at temperature 0")
    page.keyboard.press("Enter")
    page.get_by_text("texts are the same, word for word").wait_for(timeout=60_000)
    assert page.faults == []


def test_a_run_and_its_verdict(site, opened):
    page = opened(f"{site}/text")
    page.get_by_role("radio", name="500").check()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("With a draft or without, it is the target’s text.").wait_for(timeout=60_000)
    page.get_by_label("Share of each continuation by speculative decoding, minus the target").wait_for()
    says(page, "500 of 500 continuations each way.")
    assert page.faults == []


def test_settings_write_another_text_and_the_link_replays_it(site, opened):
    page = opened(f"{site}/text")
    first = words(page, *OUT)
    page.get_by_label("seed", exact=True).fill("8")
    page.get_by_label("seed", exact=True).press("Enter")
    page.wait_for_function("location.search.includes('seed=8')")
    page.get_by_text("The target: temperature, top-k, top-p").click()
    page.get_by_label("top-k", exact=True).first.fill("30")
    page.get_by_label("top-k", exact=True).first.press("Enter")
    page.wait_for_function("location.search.includes('top_k=30')")
    page.get_by_text("A beginning of your own").click()
    page.get_by_label("Your own beginning").fill("Her <i>sister</i> & she")
    page.get_by_role("button", name="Use it").click()
    page.wait_for_function("location.search.includes('prompt=Her')")
    says(page, "The models do not know")
    second = words(page, *OUT)
    assert second != first
    page.wait_for_timeout(300)
    replayed = opened(page.url)
    assert words(replayed, *OUT) == second
    replayed.get_by_role("link", name="A link that replays this text").click()
    replayed.locator(".writer .running").wait_for()
    assert words(replayed, *OUT) == second and replayed.locator(".running i").count() == 0 and replayed.faults == page.faults == []


def test_a_link_with_everything(site, opened):
    page = opened(site + LINK)
    assert page.locator(".running .prompt").inner_text() == "She <b>was" and page.locator(".running b").count() == 0
    assert 20 <= len(words(page, *OUT)) < 24 and page.get_by_role("combobox", name="The draft").input_value() == "3-gram: sees two words back"


def test_bad_parameters_are_named(site, opened):
    page = opened(f"{site}/text?draft=9-gram&words=500&temperature=x&prompt={'a' * 300}")
    for name in "draft must be", "words must be", "temperature must be", "prompt must be a text of 1 to 200 characters":
        says(page, name)
    assert len(words(page, *OUT)) >= 40


def test_a_huge_beginning_and_none(site, opened):
    page = opened(f"{site}/text")
    before = words(page, *OUT)
    page.get_by_text("A beginning of your own").click()
    page.get_by_role("button", name="Use it").click()
    says(page, "there is no word in it")
    assert words(page, *OUT) == before
    page.get_by_label("Your own beginning").fill("She walked on and on. " * 4_700)
    page.get_by_role("button", name="Use it").click()
    says(page, "of your beginning the last 300 are used")
    says(page, "No link replays this text")
    assert page.faults == []


def test_in_the_lesson_it_follows_the_widget(site, opened):
    page = opened(f"{site}/?gamma=3")
    first = words(page, *OUT)
    page.locator(".try-it").get_by_label("Draft tokens per check").press("ArrowRight")
    page.wait_for_function("location.search.includes('gamma=4')")
    page.locator(".writer tbody tr").get_by_text("4", exact=True).first.wait_for()
    assert words(page, *OUT) != first
