"""Published points on /speed: where they are drawn, what is said of them, and that they come and go together."""

import panel as pn
import pytest
from reading import Reader

from app.controls import Choice, Switch
from app.speed import speed
from app.speed_points import COMPUTED, COUNTED, MEASURED, TIMED
from app.speed_published import published
from app.speed_published_figures import formula_figure, words_figure
from app.state import State
from specdec_core import PUBLISHED, expected_tokens


def plots(reader):
    """The figures, in their order."""
    return [part.object for part in reader.all(pn.pane.Bokeh)]


def points(plot, *markers):
    """Where the points of these shapes are, and whether they are seen."""
    found = [glyph for glyph in plot.renderers if getattr(glyph.glyph, "marker", None) in markers]
    assert len({glyph.visible for glyph in found}) == 1
    return found[0].visible, sorted((x, y) for glyph in found for x, y in zip(*(
        glyph.data_source.data[getattr(glyph.glyph, axis).field] if hasattr(getattr(glyph.glyph, axis), "field")
        else glyph.data_source.data[axis] for axis in "xy")))


def test_every_row_is_in_one_group():
    assert sorted(map(id, COMPUTED + MEASURED + TIMED + COUNTED)) == sorted(map(id, PUBLISHED))


def test_points_on_the_curves_come_and_go_together():
    reader = Reader(speed(State()))
    words, gain = plots(reader)[:2]
    assert not points(words, "square")[0] and not points(gain, "square", "triangle")[0] and "Squares" not in reader.text
    top = gain.y_range.end
    reader.all(Switch)[0].value = True
    assert reader.all(Switch)[1].value
    seen, computed = points(words, "square")
    assert seen and len(computed) == 6
    for gamma, tokens in computed:  # on the curve of an α of the paper's: its drafts are free
        assert min(abs(tokens - expected_tokens(alpha, gamma)) for alpha in (.6, .7, .8, .9)) < .0051
    seen, measured = points(gain, "square", "triangle")
    assert seen and len(measured) == 15 and (7, 3.4) in measured and (4, 1.92) in measured
    assert gain.y_range.end >= max(y for _, y in measured)
    curve = (1 - .75**8) / .25 / (1 + 7 * .02)
    assert f"Turn α to 75 % and c to 0.02: the curve then says {curve:.2f}× for γ = 7, and 3.4× was measured" in reader.text
    assert ["T5-small drafts, EnDe, temperature 0", "7", ".75", ".02", "3.40×"] in reader.table("Leviathan et al. 2023, table 4")
    reader.all(Switch)[1].value = False
    assert "Squares" not in reader.text and gain.y_range.end == top and not points(words, "square")[0]


def test_a_link_shows_them():
    assert "Squares: T5-XXL" in Reader(speed(State(published=True))).text


@pytest.fixture
def reader():
    return Reader(published(3))


def test_two_pictures_with_their_sentences(reader):
    [which], [first, second] = reader.all(Choice), reader.all(pn.pane.Bokeh)
    assert (first.visible, second.visible) == (True, False)
    assert "Of 12 measurements, 8 are faster than the formula allows , 3 slower and 1 as it says" in reader.text
    which.value = "Words per call"
    assert (first.visible, second.visible) == (False, True)
    which.value = "The formula"
    assert (first.visible, second.visible) == (True, False)
    which.value = "Words per call"
    cheap, dear = 1.80 / 1.74, 3.96 / 3.05
    assert f"A call costs {cheap:.2f} plain steps with prompt look-up, and {dear:.2f} with EAGLE" in reader.text


def test_the_pictures_hold_every_point():
    drawn = points(formula_figure(), "triangle", "square", "circle")[1]
    assert len(drawn) == 12 and min(abs(x - 3.1575) + abs(y - 3.4) for x, y in drawn) < 1e-3
    assert points(words_figure(), "square")[1] == sorted((row.tokens, row.speedup) for row in COUNTED)


def test_what_papers_printed(reader):
    text = reader.text
    assert ".9, 10 6.86× 6.86× 1.60× 1.60×" in text and "EnDe, temperature 0, T5-small .75, 7, .02 3.4× 3.02 to 3.30×" in text
    assert "by its two times the first would be 1.88×" in text and abs(14.1 / 7.52 - 1.875) < 1e-9
    assert "at γ = 4; a draft step took 1.8 ms and a target step 14.1, so c = .13" in text and abs(1.8 / 14.1 - .13) < .005
    assert f"XSum, greedy 14.1 ms 7.00 ms 2.01× {2.01 * (4 * 1.8 + 14.1) / 14.1:.2f}" in text
    assert "EAGLE-3, Vicuna 13B 6.62 5.51× 1.20" in text
    for number in "2211.17192", "2302.01318", "2401.10774", "2503.01840":
        assert f"arXiv:{number}" in text
    assert reader.html.count('rel="noreferrer"') == 4
