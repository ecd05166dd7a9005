"""What the app's and the browser's tests share: the real server, and pages served from a thread of this process."""

import contextlib
import socket
import subprocess
import sys
import time

import pytest
from local import ROOT, free_port


@pytest.fixture(scope="session")
def site():
    """The address of `specdec serve`, running in a process of its own."""
    port = str(free_port())
    command = [sys.executable, "-m", "app.cli", "serve", "--port", port]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert port in server.stdout.readline()
        yield f"http://localhost:{port}"
        server.terminate()
        assert server.wait(timeout=10) == 0


@pytest.fixture
def serving():
    """`serving({"/path": function that builds a page})` serves these pages until the test ends, and returns their address."""
    import panel as pn

    with contextlib.ExitStack() as servers:
        def serve(pages):
            port = free_port()
            server = pn.serve(pages, port=port, address="127.0.0.1", websocket_origin=[f"127.0.0.1:{port}"], show=False,
                              verbose=False, threaded=True)
            servers.callback(server.stop)
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:  # the thread returns before it listens
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(.02)
            return f"http://127.0.0.1:{port}"
        yield serve
