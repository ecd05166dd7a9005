"""The command line, and the two ways to start the app."""

import contextlib
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from local import ROOT, free_port

from app.cli import main

SPECDEC = [sys.executable, "-m", "app.cli"]


@contextlib.contextmanager
def started(command, **options):
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def test_serve_prints_its_address_and_ends_quietly():
    port = free_port()
    with started([*SPECDEC, "serve", "--port", str(port)], cwd=ROOT) as server:
        assert f"http://localhost:{port}/" in server.stdout.readline()
        for host in ("localhost", "127.0.0.1"):
            urllib.request.urlopen(f"http://{host}:{port}/try-it", timeout=10).close()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) == 0
        assert server.stdout.read() == server.stderr.read() == ""


def test_a_taken_port_is_one_sentence(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--address", "127.0.0.1", "--port", port]) == 1
    out, err = capsys.readouterr()
    assert out == "" and re.fullmatch(rf"specdec serve: port {port} is taken[^\n]*\n", err)


@pytest.mark.parametrize("options", [["--address", "no.invalid"], ["--allow-websocket-origin", "a:b:c"],
                                     ["--allow-websocket-origin", ""]])
def test_an_address_that_is_none_is_one_sentence(options, capsys):
    assert main(["serve", "--port", str(free_port()), *options]) == 1
    assert re.fullmatch(r"specdec serve: [^\n]*\n", capsys.readouterr().err)


@pytest.mark.parametrize("arguments", [[], ["fly"], ["serve", "--port", "0"], ["serve", "--port", "65536"],
                                       ["serve", "--port", "٤"], ["serve", "--port", "9" * 5000], ["serve", "--surprise"]])
def test_bad_arguments_end_with_the_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "usage: specdec" in capsys.readouterr().err


def test_panel_serve_needs_no_installation(tmp_path):
    """From another folder, and with the checkout not on the path."""
    port = free_port()
    with started([sys.executable, "-m", "panel", "serve", str(ROOT / "app" / "main.py"), "--port", str(port)], cwd=tmp_path,
                 env={"PATH": "", "HOME": str(tmp_path)}):
        deadline = time.monotonic() + 20
        while True:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/main?gamma=x", timeout=10) as answer:
                    page = answer.read().decode()
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(.2)
    assert "never truth" in page and "gamma must be" in page


def test_the_core_needs_no_panel():
    modules = [path.stem for path in pathlib.Path(ROOT, "specdec_core").glob("*.py") if path.stem != "__init__"]
    code = ("import importlib, sys; [importlib.import_module('specdec_core.' + name) for name in sys.argv[1:]]; "
            "sys.exit(', '.join({'panel', 'bokeh', 'param'} & set(sys.modules)) or 0)")
    answer = subprocess.run([sys.executable, "-c", code, *modules], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
