"""How figures look: the palette is the style sheet's, nothing takes the wheel, every figure has a name."""

import re

import pytest

from app import figures
from app.assets import style


def test_the_palette_is_the_style_sheets():
    tokens = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", style("tokens.css"))
    assert figures.PALETTE == {name: light for name, light, _ in tokens}
    assert {"paper", "kept", "rejected", "refill"} <= set(figures.PALETTE)


def test_a_light_colour_stands_for_one_dark_colour():
    """The browser goes from light colour to token to dark: two tokens of one light colour must share their dark one too."""
    dark = {}
    for light, other in re.findall(r"light-dark\((#\w+), (#\w+)\)", style("tokens.css")):
        assert dark.setdefault(light, other) == other


@pytest.fixture
def plot():
    return figures.figure("What it shows", x_label="x", y_label="share", x_range=(0, 1))


def test_a_figure_is_hidden_and_shown_as_often_as_one_likes(plot):
    pane = figures.pane(plot)
    for shown in (False, True, False, True):
        pane.visible = shown
        assert (pane.visible, plot.visible) == (shown, shown)


def test_nothing_takes_the_wheel_or_a_finger(plot):
    assert plot.toolbar_location is None and plot.toolbar.tools == [] and plot.sizing_mode == "stretch_width"


def test_it_has_a_name_and_readable_text(plot):
    assert plot.html_attributes == {"role": "group", "aria-label": "What it shows"}
    for axis in plot.axis:
        assert all(int(size.removesuffix("px")) >= 14 for size in (axis.major_label_text_font_size, axis.axis_label_text_font_size))


def test_kept_rejected_and_refill_differ_in_more_than_colour():
    areas = figures.KEPT, figures.REJECTED, figures.REFILL
    assert len({area.get("hatch_pattern") for area in areas}) == 3
    assert all(area["line_color"] == figures.PALETTE["line"] for area in areas)
    assert figures.KEPT_MARK["marker"] != figures.REJECTED_MARK["marker"]


def test_every_colour_of_a_figure_is_a_token(plot):
    plot.vbar(x=[1], top=[1], **figures.REJECTED)
    used = {value for model in plot.references() for name, value in model.properties_with_values(include_defaults=False).items()
            if name.endswith("_color") and isinstance(value, str)}
    assert used and used <= set(figures.PALETTE.values())
