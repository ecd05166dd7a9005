"""Make the picture that opens the README: the real page, served, after a run. `.venv/bin/python tests/picture.py`"""

import shutil
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.server import build  # noqa: E402


def main(port: int = 5017) -> None:
    """Serve the app for a moment, open `/try-it`, run 1,000 calls, and write `assets/picture.png`."""
    ready = threading.Event()

    def serve():
        server = build(port)
        server.start()
        server.io_loop.add_callback(ready.set)
        server.io_loop.start()

    threading.Thread(target=serve, daemon=True).start()
    ready.wait()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 960}, color_scheme="light")
        page.goto(f"http://localhost:{port}/try-it")
        page.get_by_role("button", name="Run 1,000 calls").click()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=ROOT / "assets" / "picture.png")
        browser.close()


if __name__ == "__main__":
    main()
