"""What the browser tests of all sections share: what a page says, its Tab order, and what must hold of every page."""

import urllib.parse

from axe_playwright_python.sync_playwright import Axe

WIDTHS = 320, 360, 768, 1280  # CSS pixels: from the narrowest phone to a projector

_FOCUSED = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return [at.ariaLabel, at.textContent, ...[...at.labels ?? []].map(label => label.textContent)].join(" ");
}"""


def says(page, text):
    """Waits until the text can be seen."""
    page.get_by_text(text).locator("visible=true").first.wait_for(timeout=20_000)


def reach(page, name):
    """Presses Tab until the focus is on the control that has this in its name. Fails if 60 of them do not reach it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"no key reaches {name}")


def query(page):
    """The address's parameters, each with the list of its values."""
    return urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)


def open_all(page):
    """Opens every <details> that can be seen, and those in them."""
    closed = page.locator("details:not([open]) > summary:visible")
    while closed.count():
        closed.first.click()


def axe_finds_nothing(page):
    """Axe breaks no rule on the page as it stands."""
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


def no_width_scrolls_sideways(page):
    """The page is as wide as the window, at each of `WIDTHS`."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") == width


def nothing_went_wrong(page):
    """The page asked its own host alone, and no script and no request failed. For a page of the `open_page` fixture."""
    hosts = {urllib.parse.urlsplit(url).netloc for url in page.requests if not url.startswith(("blob:", "data:"))}
    assert hosts == {urllib.parse.urlsplit(page.url).netloc} and page.faults == []
