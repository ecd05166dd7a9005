"""What holds of every section: axe finds nothing in either scheme, no width scrolls sideways, no other host is asked."""

import pytest
from section import axe_finds_nothing, no_width_scrolls_sideways, nothing_went_wrong, open_all, says

NAME = "\n".join(f'vllm:spec_decode_num_{name}_total{{model_name="{"m" * 300}"}} {n}'
                 for name, n in (("drafts", 10), ("draft_tokens", 40), ("accepted_tokens", 20)))

def check(page):
    page.get_by_role("combobox", name="Rule").select_option("Redraw from the target")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("status").filter(has_text="Done after").wait_for()


def rejection(page):
    page.get_by_label("How often each of the three ways").wait_for()
    page.get_by_role("radio", name="Three words").check()
    page.get_by_label("Envelope constant M").press("Home")
    says(page, "Wrong.")


def speed(page):
    page.get_by_label("Best γ by acceptance rate").wait_for()
    page.get_by_role("button", name="Reset").click()
    for text, said in (NAME, "10 calls"), ("hello", "no acceptance counts"):
        page.get_by_label("What your engine printed").fill(text)
        page.get_by_role("button", name="Read it").first.click()
        says(page, said)
    page.get_by_label("temperature").last.fill("0.6")
    page.get_by_label("temperature").last.press("Tab")
    says(page, "The two temperatures differ.")


def text(page):
    for name in "Next call", "Next word":
        page.get_by_role("button", name=name).click()
    page.get_by_text("A beginning of your own").click()
    page.get_by_role("button", name="Use it").click()
    says(page, "there is no word in it")
    page.get_by_role("radio", name="500").check()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Compare at temperature 0").click()
    for said in "all 7 texts are the same", "With a draft or without":
        page.get_by_text(said).wait_for(timeout=60_000)


def filtering(page):
    page.get_by_label("The ratio p/q of six words").wait_for()
    page.locator(".draws").get_by_role("button", name="Next batch").click()
    page.get_by_role("slider", name="Pass rate").press("Home")
    says(page, "no batch is ever full")


SECTIONS = {"/rejection": rejection, "/check": check, "/speed?published=1&verification=20,21,25": speed, "/text": text,
            "/filtering?filter=capped&draws=90": filtering}
"""What a reader does to see most of a section, errors too, by its address."""


@pytest.fixture(params=SECTIONS)
def used(request, site, open_page):
    """`used(…)` opens a section, uses it, and opens all that can be opened. The test runs for each section."""
    def used(**options):
        page = open_page(site + request.param, **options)
        SECTIONS[request.param](page)
        open_all(page)
        return page
    return used


@pytest.mark.parametrize("width, dark", [(320, True), (1280, False)])
def test_axe_finds_nothing_and_no_other_host_is_asked(used, width, dark):
    page = used(width=width, dark=dark)
    axe_finds_nothing(page)
    nothing_went_wrong(page)


def test_no_width_scrolls_sideways(used):
    no_width_scrolls_sideways(used())


def test_the_whole_lesson(site, open_page):
    page = open_page(site)
    page.get_by_role("heading", name="Your own distributions").wait_for()
    page.get_by_label("Best γ by acceptance rate").wait_for()
    open_all(page)
    no_width_scrolls_sideways(page)
    nothing_went_wrong(page)
