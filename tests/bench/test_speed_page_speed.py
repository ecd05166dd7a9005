"""/speed: from a slider's event to its curves redrawn, against the round trip of a Panel callback that does next to nothing."""

import shutil
import statistics

import pytest
from playwright.sync_api import sync_playwright

from app.controls import Range, Text
from app.lesson import speed
from app.page import Page

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run"]

TURN = """(input, [value, attr]) => new Promise(done => {
    const figures = Bokeh.documents[0], start = performance.now();
    const changed = event => {
        if (event.attr !== attr) return;
        figures.remove_on_change(changed);
        requestAnimationFrame(() => {   // the frame that shows the change …
            const channel = new MessageChannel();
            channel.port1.onmessage = () => done(performance.now() - start);   // … and just after it
            channel.port2.postMessage(0);
        });
    };
    figures.on_change(changed);
    input.value = value;
    input.dispatchEvent(new Event("input"));
})"""


def empty():
    """A range whose callback changes one sentence."""
    dial, said = Range(label="Acceptance rate", value=.5), Text()
    dial.param.watch(lambda event: said.param.update(html=Text().html + f"{event.new}"), "value")
    return Page("empty", [dial, said])


@pytest.fixture
def turn(serving):
    """`turn(name, value)` moves α on the page of that name, and returns the milliseconds until what follows is on the screen."""
    site = serving({"/speed": speed, "/empty": empty})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        dials = {}
        for name in "speed", "empty":
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(f"{site}/{name}")
            dials[name] = page.get_by_role("slider", name="Acceptance rate")
            dials[name].wait_for()
            page.wait_for_timeout(1000)

        def turn(name, value):
            dials[name].page.bring_to_front()
            dials[name].page.wait_for_timeout(150)
            return dials[name].evaluate(TURN, [value, "data" if name == "speed" else "html"])

        yield turn
        browser.close()


def test_a_redraw_after_a_slider_event(turn):
    """The medians of 25 moves each, taken in turns: at most 1.5 × the empty callback's."""
    trips = {"speed": [], "empty": []}
    for i in range(27):
        for name in trips:
            trips[name].append(turn(name, .6 + .01 * i))
    redraw, trip = (statistics.median(trips[name][2:]) for name in ("speed", "empty"))
    print(f"slider to redraw: {redraw:.1f} ms, empty callback {trip:.1f} ms, ratio {redraw / trip:.2f}")
    assert redraw <= 1.5 * trip
