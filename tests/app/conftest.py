"""What the tests of pages share."""

import asyncio
import concurrent.futures

import panel as pn
import pytest


@pytest.fixture
def at_once(monkeypatch):
    """What a page leaves to the event loop is done before it goes on, even where a browser's loop runs in this thread."""
    def execute(work):
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, work()).result()
    monkeypatch.setattr(pn.state, "execute", execute)
