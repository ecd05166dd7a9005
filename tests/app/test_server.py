"""What goes over the wire is compressed: the scripts of a page, its document, and the models that its socket carries."""

import asyncio
import re
import urllib.request

import pytest
from tornado.websocket import websocket_connect


def asked(url: str) -> tuple[str, bytes]:
    """How the answer is encoded for a browser that reads gzip, and the answer as sent."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.headers["content-encoding"], answer.read()


@pytest.fixture(scope="module")
def page(site):
    with urllib.request.urlopen(f"{site}/try-it", timeout=10) as answer:
        return answer.read().decode()


def test_the_document_and_its_scripts_are_compressed(site, page):
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    assert len(scripts) > 2
    answers = {path: asked(f"{site}/{path}") for path in ["try-it", *scripts]}
    assert {encoding for encoding, _ in answers.values()} == {"gzip"}
    assert sum(len(body) for _, body in answers.values()) < 1_000_000  # as they come they are three times this


def test_the_socket_is_compressed(site, page):
    token = re.search(r'"token":"([^"]+)"', page)[1]

    async def extensions():
        address = f"{site.replace('http', 'ws')}/try-it/ws"
        socket = await websocket_connect(address, subprotocols=["bokeh", token], compression_options={})
        socket.close()
        return socket.headers["Sec-WebSocket-Extensions"]

    assert "permessage-deflate" in asyncio.run(extensions())
