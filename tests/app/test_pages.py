"""The pages over HTTP: what the address says, what it may not do, and what the document asks of other hosts (nothing)."""

import html
import re
import urllib.parse
import urllib.request

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from app.lesson import explanation
from app.page import Page, guarded

PATHS = ["/", "/try-it", "/speed", "/text", "/filtering"]
PAYLOADS = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'};alert(1)//", "{{7*7}}",
            "javascript:alert(1)", "</style><b>"]


def get(url: str) -> str:
    """The page at `url`; raises if the answer is no success."""
    with urllib.request.urlopen(url, timeout=60) as answer:  # a busy machine is no fault
        assert answer.headers["content-type"].startswith("text/html")
        return answer.read().decode()


def notices(page: str) -> list[str]:
    block = re.search(r'<div class="notices" role="status">(.*?)</div>', page, re.DOTALL)
    return [html.unescape(text) for text in re.findall("<p>(.*?)</p>", block[1])] if block else []


@pytest.mark.parametrize("path", [*PATHS, "/try-it/"])
def test_a_page_is_whole(site, path):
    page = get(site + path)
    assert '<html lang="en" data-theme="auto">' in page and '<meta name="viewport"' in page and "<main" in page
    assert page.count("<title>") == 1 and 'href="data:image/svg+xml;base64,' in page and 'href="#content"' in page
    assert not notices(page) and "Traceback" not in page


@pytest.mark.parametrize("path", PATHS)
def test_a_page_names_no_other_host(site, path):
    page = get(site + path)
    loaded = re.findall(r'<(?!a )[^>]*(?:src|href|action)="([^"]*)"', page) + re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", page)
    assert loaded and all(re.match(r"static/|data:|#", str(address)) for address in loaded)


@pytest.mark.parametrize("theme, scheme", [("light", "light"), ("dark", "dark"), ("auto", "light dark")])
def test_the_theme_is_the_documents(site, theme, scheme):
    page = get(f"{site}/?theme={theme}")
    assert f'data-theme="{theme}"' in page and f'<meta name="color-scheme" content="{scheme}">' in page


@pytest.mark.parametrize("name", ["closeness", "gamma", "seed", "calls", "theme"])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_bad_parameter_is_named_and_escaped(site, name, payload):
    page = get(f"{site}/try-it?{urllib.parse.urlencode({name: payload})}")
    [notice] = notices(page)
    assert name in notice and payload in notice
    assert payload not in page or payload == html.escape(payload)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=60))
def test_no_query_breaks_the_page(site, query):
    assert "Traceback" not in get(f"{site}/try-it?closeness={query}")


def test_a_long_query_still_gives_a_short_token(site):
    """The browser must send the token back in a header, and the server takes 64 kB of headers at most."""
    value = "".join(chr(33 + 7919 * i % 90) for i in range(20_000))
    page = get(f"{site}/?{urllib.parse.urlencode({'other': value, 'gamma': '9' + value})}")
    assert len(notices(page)) == 1
    assert len(re.search('"token":"([^"]*)"', page)[1]) < 8000


def test_it_lives(site):
    with urllib.request.urlopen(f"{site}/liveness") as answer:
        assert answer.status == 200


def test_the_explanations_figures():
    text = explanation().replace("\N{NO-BREAK SPACE}", " ")
    for figure in ("10 %", "4 words", "80 %", "3.36 words", "2.40 times"):
        assert figure in text
    assert 120 < len(re.sub("<[^>]*>", "", text).split()) < 190


def test_the_claim_is_there_before_the_scripts(site):
    for path in "/", "/try-it":
        page = get(site + path)
        assert page.index("<h1>A bad draft costs speed, never truth</h1>") < page.index("<script")


def test_a_failure_is_not_shown(serving, caplog):
    def broken():
        raise RuntimeError("<b>secret</b>")

    page = get(serving({"/": guarded(broken)}))
    assert "Something went wrong" in page and "secret" not in page and "Traceback" not in page
    assert "secret" in caplog.text


def test_a_page_escapes_plain_text(serving):
    page = get(serving({"/": lambda: Page("<b>title</b>", [Markup("<p>text</p>")], notices=["<i>notice</i>"])}))
    assert "&lt;b&gt;title" in page and "&lt;i&gt;notice" in page and "<p>text</p>" in page
