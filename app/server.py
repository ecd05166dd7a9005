"""`specdec serve`: the pages on this machine, at an address it prints."""

from __future__ import annotations

import argparse
import errno
import signal
import sys
from collections.abc import Sequence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `specdec serve`."""
    parser.add_argument("--port", type=_port, default=5006, help="port to listen on (default: %(default)s)")
    parser.add_argument("--address", default="localhost", help="address to listen on (default: %(default)s)")
    parser.add_argument("--allow-websocket-origin", metavar="HOST[:PORT]", action="append", default=[], dest="origins",
                        help="another host under whose name this server is reached; may be given more than once")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C. Returns the exit status: 1 if the address cannot be listened on."""
    try:
        server = build(args.port, args.address, args.origins)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return _failed(f"port {args.port} is taken; choose another with --port")
        return _failed(f"{args.address}: {error.strerror or error}")
    except ValueError as error:
        return _failed(f"--allow-websocket-origin: {error}")
    host = "localhost" if args.address in ("", "0.0.0.0", "::") else args.address
    print(f"SpecDec Lab is at http://{host}:{args.port}/ (stop it with Ctrl-C)", flush=True)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))  # what stops a container does what Panel has Ctrl-C do
    server.start()
    server.io_loop.start()
    server.stop()
    return 0


def build(port: int, address: str = "localhost", origins: Sequence[str] = ()):
    """The server of all pages, bound to its port but not started; `/liveness` tells whether it lives.

    `origins` are hosts under whose names it is reached, besides its address, localhost and 127.0.0.1. Raises `OSError` if it cannot
    listen there, `ValueError` if an origin is none.
    """
    # Panel takes a second to import, and the other commands do without it.
    from panel.io.application import build_applications
    from panel.io.server import get_server

    from . import books
    from .addresses import Addresses
    from .lesson import check, filtering, lesson, rejection, speed, text, try_it
    from .page import guarded

    pages = {"/": lesson, "/try-it": try_it, "/rejection": rejection, "/check": check, "/speed": speed, "/text": text,
             "/filtering": filtering}
    books.warm()
    applications = build_applications({path: guarded(page) for path, page in pages.items()})
    for application in applications.values():
        application.add(Addresses())
    own = [f"{host}:{port}" for host in dict.fromkeys((address, "localhost", "127.0.0.1")) if host]
    # Panel compresses nothing by itself: its scripts are 3 MB, and the lesson's models 2 MB, mostly the same modules again.
    return get_server(applications, port=port, address=address, websocket_origin=[*own, *origins], liveness=True,
                      compress_response=True, websocket_compression_level=6)


def _failed(why: str) -> int:
    print(f"specdec serve: {why}", file=sys.stderr)
    return 1


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, not {text!r}")
    return int(text)
