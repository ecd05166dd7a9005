"""The document around every section: language, title, palette, a skip link, notices. Nothing in it comes from another host."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import panel as pn
import param
from bokeh.document import Document
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from .assets import icon, module, style
from .controls import Text
from .figures import Scheme

_PAUSE = 50  # ms

# Unlike Panel's own environment this one escapes whatever is not marked as HTML.
_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True)


@dataclass(frozen=True)
class Split:
    """Words and controls beside a figure that stays in view; one under the other where there is no room.

    `more` stands below the words where there is room, and below the figure where there is none.
    """

    words: Sequence[Part]
    figure: Sequence[Part]
    more: Sequence[Part] = ()

    @property
    def columns(self) -> dict[str, Sequence[Part]]:
        """Those that hold something, by name."""
        return {name: parts for name, parts in vars(self).items() if parts}


class Later(pn.custom.JSComponent):
    """Parts that are built when the rest of the page is with its reader, and then stand in this one's place.

    So a long page answers as fast as a short one. Until they come, `waiting` stands there.
    """

    layout = param.List(doc="What is shown: HTML, the number of a component, or two columns of such.")
    parts = pn.custom.Children(doc="The components.")

    _esm = module("later.js")

    def __init__(self, build: Callable[[], Sequence[Part]], waiting: Markup = Markup(), **params):
        super().__init__(**params)
        self.build, self.waiting = build, waiting

    def show(self, parts: Sequence[Part]) -> None:
        """Put these in its place. One of them must be live."""
        live: list[pn.viewable.Viewable] = []
        self.param.update(layout=[self._place(part, live) for part in parts], parts=live)

    def _place(self, part: Part, live: list[pn.viewable.Viewable]) -> dict:
        if isinstance(part, Split):
            return {column: [self._place(inner, live) for inner in inners] for column, inners in part.columns.items()}
        if isinstance(part, pn.viewable.Viewable):
            live.append(part)
            return {"live": len(live) - 1}
        return {"html": part}


Part = Markup | pn.viewable.Viewable | Split
"""A piece of a page: HTML written into the document, a live component, or two columns of such."""


class Page(pn.Template):
    """An HTML document of text and live components, in the order given; it has its natural height and scrolls as a document.

    What a component has as `waiting` (`Markup`) stands in its place until it is drawn. `title` and `notices` are plain text;
    `theme` is one of `state.THEMES`.
    """

    def __init__(self, title: str, parts: Sequence[Part], *, theme: str = "auto", notices: Sequence[str] = ()):
        super().__init__(_TEMPLATES.get_template("page.html"))
        self._live = 0
        shown = [self._place(part) for part in [*parts, Scheme()]]
        for name, value in dict(heading=title, parts=shown, theme=theme, notices=notices, icon=icon(),
                                style=Markup(style("tokens.css", "page.css", "reading.css"))).items():
            self.add_variable(name, value)
        if later := [part for part in parts if isinstance(part, Later)]:
            pn.state.onload(functools.partial(_come, later))

    def __repr__(self) -> str:  # Panel asks for it at every `add_panel`, and its own spells out all components each time
        return type(self).__name__

    def _init_doc(self, doc: Document | None = None, *args: Any, **options: Any) -> Document:
        # Else Bokeh walks through all models again for every component that is added, and a long page takes seconds.
        doc = doc or pn.state.curdoc
        with doc.models.freeze():
            return super()._init_doc(doc, *args, **options)

    def _place(self, part: Part) -> dict:
        """What the template needs to show the part."""
        if isinstance(part, Split):
            return {column: [self._place(inner) for inner in inners] for column, inners in part.columns.items()}
        if isinstance(part, pn.viewable.Viewable):
            self._live += 1
            self.add_panel(f"part{self._live}", part)
            return {"root": f"part{self._live}", "html": getattr(part, "waiting", "")}
        return {"html": part}


def _come(parts: Sequence[Later]) -> None:
    """Build the first; the others follow when what the reader did meanwhile has been answered."""
    part, *others = parts
    try:
        part.show(part.build())
    except Exception:
        logging.getLogger(__name__).exception("could not build a part of a page")
        part.show([Text(html=Markup("<p>This part could not be put together. The fault is ours, and the server has written it "
                                    "down.</p>"))])
    if others:
        pn.state.curdoc.add_timeout_callback(functools.partial(_come, others), _PAUSE)


def guarded(build: Callable[[], Page]) -> Callable[[], Page]:
    """`build`, except that a failure is logged and answered with a page that says so: a server's traceback is not the reader's."""

    @functools.wraps(build)
    def page() -> Page:
        try:
            return build()
        except Exception:
            logging.getLogger(__name__).exception("could not build a page")
            return Page("Something went wrong", [Markup(
                "<h1>Something went wrong</h1><p>This page could not be put together. The fault is ours, and the server has "
                "written it down. Loading the page again may help.</p>")])
    return page
