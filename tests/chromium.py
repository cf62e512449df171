"""A page in Chromium without a window, led by the DevTools protocol over a pipe, and a server of static files."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

_PIPED = """
import os, sys
for at, fd in enumerate(sys.argv[1:3]): os.dup2(int(fd), 103 + at)
for at in (0, 1): os.dup2(103 + at, 3 + at)
os.execvp(sys.argv[3], sys.argv[3:])
"""  # Chromium hears on 3 and answers on 4

NAMES = ("chromium", "chromium-browser", "google-chrome")


class RefusedError(AssertionError):
    """Chromium could not do what it was asked for."""


class Browser:
    """Chromium, which is asked and answers in messages that end with a zero."""

    def __init__(self, process: subprocess.Popen[bytes], asked: IO[bytes], told: IO[bytes]) -> None:
        self._process = process
        self._asked = asked
        self._told = told
        self._count = 0
        self._pages: dict[str, Page] = {}

    def tab(self) -> Page:
        """A new tab."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self._pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable", {}, session)
        return self._pages[session]

    def call(self, method: str, parameters: dict[str, object], session: str | None = None) -> dict[str, Any]:
        """The answer of Chromium, or of the tab that the session is attached to."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._asked.write(json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._count:
                if "error" in told:
                    raise RefusedError(told["error"]["message"])
                answer: dict[str, Any] = told["result"]
                return answer
            if told.get("sessionId") in self._pages:
                self._pages[told["sessionId"]].hear(told)

    def _next(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._told.read(1)) != b"\0":
            assert byte, f"Chromium has ended with {self._process.poll()}"
            data += byte
        told: dict[str, Any] = json.loads(data)
        return told


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self.complaints: list[str] = []

    def open(self, url: str) -> None:
        """Go to an address, and wait until the page is there."""
        self._call("Page.navigate", url=url)
        self.wait(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of a piece of JavaScript; a promise is waited for. Raises AssertionError with what it throws."""
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = 180) -> float:
        """Wait until a piece of JavaScript is true, and say how long that took."""
        began = time.monotonic()
        while not self._is_true(script):
            assert time.monotonic() - began < seconds, f"never came: {script}; {self.complaints}"
            time.sleep(0.05)
        return time.monotonic() - began

    def type(self, text: str) -> None:
        r"""Type a text where the focus is; ``\n`` is Enter."""
        for char in text:
            key = (
                {"key": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
                if char == "\n"
                else {"key": char, "text": char}
            )
            self._call("Input.dispatchKeyEvent", type="keyDown", **key)
            self._call("Input.dispatchKeyEvent", type="keyUp", key=key["key"])

    def press(self, key: str) -> None:
        """Press a key that types nothing, such as Tab."""
        code = {"Tab": 9, "Escape": 27}[key]
        for kind in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Click into the middle of the first element that a selector finds, where it is then seen."""
        self.show()
        at = self.run(
            f"""(() => {{
              const one = document.querySelector({json.dumps(selector)});
              one.scrollIntoView({{ block: "center", behavior: "instant" }});
              const {{ x, y, width, height }} = one.getBoundingClientRect();
              return [x + width / 2, y + height / 2];
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def show(self) -> None:
        """Bring it before the other tabs: only the one that is seen has the focus."""
        self._call("Page.bringToFront")

    def look(self, width: int, height: int, *, dark: bool = False, printed: bool = False) -> None:
        """Have a window of this size, light or dark, or as it is printed."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", media="print" if printed else "", features=[scheme])

    def picture(self, path: Path) -> None:
        """Write what is seen of the page."""
        answer = self._call("Page.captureScreenshot")
        path.write_bytes(base64.b64decode(answer["data"]))

    def paper(self) -> bytes:
        """The page as it is printed, as a PDF."""
        answer = self._call("Page.printToPDF", preferCSSPageSize=True)
        return base64.b64decode(answer["data"])

    def _is_true(self, script: str) -> bool:
        try:
            return bool(self.run(script))
        except RefusedError as error:
            # A script that runs while the page that it waits for opens has no page.
            if "navigated" not in str(error):
                raise
            return False

    def hear(self, told: dict[str, Any]) -> None:
        """Keep what the page complains about: faults of scripts, and what its policy refused."""
        if told.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["params"]["exceptionDetails"])[:500])
        if told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
            self.complaints.append(told["params"]["entry"]["text"])

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        return self._browser.call(method, parameters, self._session)


@contextmanager
def chromium(home: Path) -> Iterator[Browser]:
    """A fresh Chromium, with its files below ``home``.

    Raises AssertionError if it is missing: these tests are never skipped.
    """
    program = next(filter(None, map(shutil.which, NAMES)), None)
    assert program, "Chromium is missing: apt-get install chromium"
    commands, to = os.pipe()
    answers, back = os.pipe()
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-extensions",
        "--remote-debugging-pipe",
    ]
    arguments = [program, *options, f"--user-data-dir={home / 'profile'}", "about:blank"]

    environment = {**os.environ, "HOME": str(home)}
    process = subprocess.Popen(
        [sys.executable, "-c", _PIPED, str(commands), str(back), *arguments],
        pass_fds=(commands, back),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    os.close(commands)
    os.close(back)
    with os.fdopen(to, "wb", buffering=0) as asked, os.fdopen(answers, "rb") as told:
        try:
            yield Browser(process, asked, told)
        finally:
            process.terminate()
            process.wait(30)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a plain static server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
