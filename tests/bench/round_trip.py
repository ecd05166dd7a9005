"""From a slider's event to what follows on the screen, on a page and on one whose callback does next to nothing."""

import contextlib
import shutil
import statistics

from playwright.sync_api import sync_playwright

from app.controls import Range, Text
from app.page import Page

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run"]

TURN = """(input, [value, attr]) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`no ${attr} changed when the slider went to ${value}`)), 20_000);
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
    dial, said = Range(label="An empty callback", value=.5), Text()
    dial.param.watch(lambda event: said.param.update(html=Text().html + f"{event.new}"), "value")
    return Page("empty", [dial, said])


@contextlib.contextmanager
def turning(serving, build, dial, attr, query=""):
    """Gives `turn(name, value)`, which moves the `dial` of the page that `build` makes ("page"), or the empty one's ("empty"), and
    returns the milliseconds until the change of `attr` is on the screen."""
    site = serving({"/page": build, "/empty": empty})
    watched = {"page": (f"/page{query}", dial, attr), "empty": ("/empty", "An empty callback", "html")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        dials = {}
        for name, (path, label, _) in watched.items():
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(site + path)
            dials[name] = page.get_by_role("slider", name=label)
            dials[name].wait_for()
            page.wait_for_timeout(1000)

        def turn(name, value):
            dials[name].page.bring_to_front()
            dials[name].page.wait_for_timeout(150)
            return dials[name].evaluate(TURN, [value, watched[name][2]])

        yield turn
        browser.close()


def quick_enough(turn, values, most):
    """Whether one round of three moves no slower than `most` times the empty page: a busy machine can only make a round slower."""
    return any(redraw_ratio(turn, values) <= most for _ in range(3))


def redraw_ratio(turn, values):
    """The median of the page's moves over that of the empty one's, taken in turns; the first two of each are not counted."""
    trips = {"page": [], "empty": []}
    for i, value in enumerate(values, 1):
        trips["page"].append(turn("page", value))
        trips["empty"].append(turn("empty", i / 100))
    redraw, trip = (statistics.median(trips[name][2:]) for name in ("page", "empty"))
    print(f"slider to redraw: {redraw:.1f} ms, empty callback {trip:.1f} ms, ratio {redraw / trip:.2f}")
    return redraw / trip
