"""Two kinds of address at which Panel alone would serve a page that stays empty."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from bokeh.application.handlers.handler import Handler
from bokeh.document import Document
from panel.io.state import set_curdoc, state
from tornado.httputil import HTTPServerRequest

from .state import State

_LONG_QUERY = 4096  # bytes
_LONG_VALUE = 1024


class Addresses(Handler):
    """Part of an application that serves a page: makes it work under a long query, and with a slash at the end of its path."""

    def process_request(self, request: HTTPServerRequest) -> dict[str, Any]:
        """What goes into the session's token. The browser sends that back in a header, for which a long query would be too long."""
        if len(request.query) <= _LONG_QUERY:
            return {}
        ours = {field.name for field in fields(State)} & request.arguments.keys()
        return {"arguments": {name: [request.arguments[name][-1][:_LONG_VALUE]] for name in ours}}

    def modify_document(self, doc: Document) -> None:
        """Panel's links to its scripts are relative, and after a slash at the end the page's folder is one level deeper."""
        request = doc.session_context and doc.session_context.request
        if request is not None and (request.app_path or "/").strip("/") and request.app_path.endswith("/"):
            with set_curdoc(doc):
                state.rel_path = ".."
