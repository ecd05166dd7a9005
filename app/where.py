"""The lesson's last card: engines that decode so, with their names for γ, and other ways to draft."""

from __future__ import annotations

from markupsafe import Markup

from specdec_core import ENGINES, VARIANTS, Engine, Variant

from .page import Part
from .pieces import arxiv, stone

TITLE = "Where it shows up"
"""The card's heading."""

_LINES = Markup("<br>").join
_ALSO = Markup(", ").join


def where(heading: int = 2) -> list[Part]:
    """The card's parts, under a heading of this level."""
    return [Markup("""<h{level}>{title}</h{level}>
<p>Every engine below drafts ahead and judges the draft in one call. Their names for γ differ, and change from release to
release. Some keep a drafted word only if the target happens to draw the same one: that is exact too, and keeps less.</p>
{engines}
<h{next}>Other ways to draft</h{next}>
<p>The rule asks only what law a word was drawn from, not where the draft came from. A number holds for the machine, the
models and the texts of its paper; “words per call with the added one” count the word that every call adds, kept words alone
are one fewer.</p>
{variants}""").format(level=heading, next=heading + 1, title=TITLE,
                      engines=stone("Knobs of five engines", ("Engine", "What it calls γ", "Other knobs"), map(_engine, ENGINES)),
                      variants=stone("Four kinds of draft", ("Draft", "How it drafts", "Measured"), map(_variant, VARIANTS)))]


def _code(name: str) -> Markup:
    return Markup("<code>{}</code>").format(name)


def _engine(engine: Engine) -> tuple[Markup | str, ...]:
    return (engine.name, Markup("γ: {} <span>{}</span>").format(_ALSO(map(_code, engine.gamma)), engine.about_gamma),
            _LINES(Markup("{}: {}").format(_code(name), sets) for name, sets in engine.more))


def _variant(variant: Variant) -> tuple[Markup | str, ...]:
    return (variant.name, variant.how, Markup("{} <span>{}</span>").format(variant.number, _ALSO(map(arxiv, variant.references))))
