"""Parts that come after their page: in their places, styled by it, alive; and one that fails takes no other with it."""

import pytest
from markupsafe import Markup
from section import says

from app.controls import Buttons, Text
from app.page import Later, Page, Split


def page():
    said = Text(role="status")

    def pressed(_):
        said.html = Markup("<p>Pressed.</p>")

    def build():
        words = [Markup("<h3>Words</h3>"), Buttons(["Press"], pressed)]
        return [Markup("<h2>First</h2>"), Split(words, [said], [Markup("<p>More</p>")])]

    def fail():
        raise RuntimeError

    return Page("Later", [
        Markup("<h1>Now</h1>"), Later(build, Markup('<p><a href="first">Waiting</a></p>')), Markup("<h2>Between</h2>"),
        Later(fail), Later(lambda: [Markup("<h2>Last</h2>"), Text(html=Markup("<p>The end.</p>"))])])


@pytest.mark.filterwarnings("error")
def test_they_stand_in_their_places_and_live(serving, open_page):
    opened = open_page(serving({"/later": page}) + "/later")
    says(opened, "The end.")
    assert opened.locator("main :is(h1, h2, h3)").all_inner_texts() == ["Now", "First", "Words", "Between", "Last"]
    words, figure, more = (opened.locator(f".split > .{name}").bounding_box() for name in ("words", "figure", "more"))
    assert words["x"] == more["x"] < figure["x"], "the page's style sheet reaches them"
    opened.get_by_role("button", name="Press").click()
    says(opened, "Pressed.")
    assert opened.get_by_text("The fault is ours").count() == 1 and "RuntimeError" not in opened.content()
    assert not opened.get_by_text("Waiting").is_visible() and opened.faults == []


def test_without_scripts_a_link_stands_there(serving, open_page):
    opened = open_page(serving({"/later": page}) + "/later", java_script_enabled=False)
    assert opened.get_by_role("link", name="Waiting").is_visible()
