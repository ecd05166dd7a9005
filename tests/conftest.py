"""What the app's and the browser's tests share: pages served from a thread of this process."""

import contextlib
import socket

import pytest


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def serving():
    """`with serving({"/path": function that builds a page}) as address:` serves these pages until the block ends."""
    import panel as pn

    @contextlib.contextmanager
    def serve(pages):
        port = free_port()
        server = pn.serve(pages, port=port, address="127.0.0.1", websocket_origin=[f"127.0.0.1:{port}"], show=False, verbose=False,
                          threaded=True)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.stop()
    return serve
