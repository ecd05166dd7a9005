"""Where the checkout is, and a port of this machine."""

import pathlib
import socket

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
