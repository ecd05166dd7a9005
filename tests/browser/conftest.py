"""A browser for the tests: Debian's Chromium, or Playwright's own where that is installed. Without one, the tests fail."""

import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=20_000)  # a busy machine is no fault

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run"]


@pytest.fixture(scope="session")
def browser():
    """One headless browser for the whole run."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """`open_page(url, width=1280, dark=False, **context)` opens a page in a context of its own, closed after the test.

    The page collects what it asked for in `page.requests` (URLs) and what went wrong in `page.faults` (script and console errors).
    """
    contexts = []

    def open_page(url, width=1280, dark=False, **context):
        scheme = "dark" if dark else "light"
        context = browser.new_context(**{"viewport": {"width": width, "height": 720}, "color_scheme": scheme} | context)
        contexts.append(context)
        page = context.new_page()
        page.requests, page.faults = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("websocket", lambda socket: page.requests.append(socket.url))
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (page.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
