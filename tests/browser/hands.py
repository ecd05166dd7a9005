"""What a reader does on a page, and what they see: the tests of several sections use it."""

import urllib.parse

_FOCUSED = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return [at.ariaLabel, at.textContent, ...[...at.labels ?? []].map(label => label.textContent)].join(" ");
}"""


def says(page, text):
    """Wait until the page shows this text."""
    page.get_by_text(text).locator("visible=true").first.wait_for(timeout=20_000)


def reach(page, name, most=60):
    """Press Tab until what has this name (or a part of it) is focused."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if name in page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"no key reaches {name}")


def query(page):
    """What the page's address asks for."""
    return urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
