"""/text: from a press on a step's button to the frame that shows it, against the round trip of a nearly empty Panel callback."""

import shutil

import pytest
from playwright.sync_api import sync_playwright
from round_trip import ARGS

from app.controls import Buttons, Text
from app.lesson import text
from app.page import Page

STEP = """(button, isTrip) => new Promise(done => {
    const start = performance.now();
    const shown = () => requestAnimationFrame(() => {   // the frame that shows the change …
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - start);   // … and just after it
        channel.port2.postMessage(0);
    });
    if (!isTrip) {
        button.click();
        return shown();
    }
    const changed = event => {
        if (event.attr !== "html") return;
        Bokeh.documents[0].remove_on_change(changed);
        shown();
    };
    Bokeh.documents[0].on_change(changed);
    button.click();
})"""


def empty():
    """A button whose callback changes one sentence."""
    said = Text()
    return Page("empty", [Buttons(["Next"], lambda _: said.param.update(html=said.html + ".")), said])


def p95(values):
    return sorted(values)[round(.95 * (len(values) - 1))]


@pytest.fixture
def step(serving):
    """`step(name)` presses that button once and returns the milliseconds until what follows is on the screen."""
    site = serving({"/text": text, "/empty": empty})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        buttons = {}
        for path, names in ("/text", ("Next word", "Word back", "Next call", "Call back")), ("/empty", ("Next",)):
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(site + path)
            for name in names:
                buttons[name] = page.get_by_role("button", name=name, exact=True)
                buttons[name].wait_for()
            page.wait_for_timeout(1000)

        def step(name):
            buttons[name].page.bring_to_front()
            buttons[name].page.wait_for_timeout(60)
            return buttons[name].evaluate(STEP, name == "Next")

        yield step
        browser.close()


def test_a_step_forth_or_back(step):
    """The 95th percentiles of 40 steps and 40 callbacks, taken in turns: at most 2 × the empty callback's."""
    ours, theirs = [], []
    for i in range(42):
        ours.append(step(("Next word", "Next call", "Word back", "Next call", "Call back")[i % 5]))
        theirs.append(step("Next"))
    ours, theirs = p95(ours[2:]), p95(theirs[2:])
    print(f"step to frame, p95: {ours:.1f} ms, empty callback {theirs:.1f} ms, ratio {ours / theirs:.2f}")
    assert ours <= 2 * theirs
