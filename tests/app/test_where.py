"""The closing card: what it says is the core's, escaped, and its links ask nobody before they are followed."""

import re

from app.where import where
from specdec_core import ENGINES, VARIANTS


def test_the_card_says_all_of_it():
    [html] = where(2)
    text = " ".join(re.sub("<[^>]*>", " ", html).split())
    for engine in ENGINES:
        for name in (engine.name, *engine.gamma, *(knob for knob, _ in engine.more)):
            assert name in text
    for variant in VARIANTS:
        assert variant.name in text and variant.number in text and variant.how in text
    assert html.startswith("<h2>Where it shows up</h2>") and "<h3>" in html and "<h4>" in where(3)[0]


def test_links_load_nothing_and_tell_nothing():
    links = re.findall(r"<a [^>]*>", where()[0])
    assert len(links) == sum(len(variant.references) for variant in VARIANTS)
    assert all(re.fullmatch(r'<a href="https://arxiv\.org/abs/[\d.]+" rel="noreferrer">', link) for link in links)
    assert not re.search(r"<(?!a )[^>]*(?:src|href)=", where()[0])
