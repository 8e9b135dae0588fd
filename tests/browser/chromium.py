"""A headless Chromium, told what to do over a pair of pipes: the DevTools protocol, without a library.

Messages are JSON objects, each ended by a zero byte: Chromium reads them from descriptor 3 and answers on 4.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
OPTIONS = (
    "--headless",
    "--no-sandbox",  # it opens our own pages only, and root gets no sandbox
    "--disable-gpu",
    "--hide-scrollbars",  # or a phone has 15 px less
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-pipe",
)
SECONDS = 60.0  # an answer takes some 10 ms; a busy machine may need long to start
FIRST_FREE = 10  # descriptors 3 and 4 must stay free for the other side


def found() -> str | None:
    """Return the program: $CHROMIUM, or the first that is on PATH under one of its names."""
    return os.environ.get("CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    """One browser with one empty page; `events` holds what it has said since the last `open`."""

    def __init__(self, program: str, profile: Path) -> None:
        reads, self._to = _pipe()
        self._from, writes = _pipe()
        self._kept, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        actions = [
            (os.POSIX_SPAWN_DUP2, reads, 3),
            (os.POSIX_SPAWN_DUP2, writes, 4),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        arguments = [program, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        self._pid = os.posix_spawn(program, arguments, os.environ, file_actions=actions)
        os.close(reads)
        os.close(writes)
        targets = self("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self(f"{domain}.enable")

    def __call__(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send one command and return its result."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        rest = memoryview(json.dumps(message).encode() + b"\0")
        while rest:
            rest = rest[os.write(self._to, rest) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        """Return the next message; keep it among the events if it is one."""
        until = time.monotonic() + SECONDS
        while b"\0" not in self._kept:
            ready, _, _ = select.select([self._from], [], [], max(until - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            piece = os.read(self._from, 1 << 20)
            assert piece, "the browser has gone"
            self._kept += piece
        line, _, self._kept = self._kept.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, page: Path) -> None:
        """Load a page from its file, and wait for it."""
        self.events.clear()
        self("Page.navigate", url=page.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next()

    def look(self, width: int, *, theme: str = "light", media: str = "screen") -> None:
        """Give the window a width in CSS pixels, a theme and a medium (screen or print)."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self("Emulation.setEmulatedMedia", media=media, features=features)

    def ask(self, expression: str) -> Any:
        """Return what a JavaScript expression comes to in the page, or the promise of it."""
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element."""
        place = f"(e => {{e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); \
            return [b.x + b.width / 2, b.y + b.height / 2]}})(document.querySelector({json.dumps(selector)}))"
        x, y = self.ask(place)
        for kind in ("mousePressed", "mouseReleased"):
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press_enter(self) -> None:
        """Press Enter on whatever has the focus."""
        key = {"key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
        self("Input.dispatchKeyEvent", type="keyDown", **key)
        self("Input.dispatchKeyEvent", type="keyUp", **key)

    def complaints(self) -> list[str]:
        """Return the errors and warnings that the page has given rise to since it was opened."""
        told = []
        for event in self.events:
            said = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                told.append(str(said["exceptionDetails"]))
            elif event["method"] == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning"):
                told.append(str(said["args"]))
            elif event["method"] == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                told.append(str(said["entry"]["text"]))
        return told

    def close(self) -> None:
        """End the browser, and wait until it has gone."""
        self._session = ""
        try:
            self("Browser.close")
        finally:
            os.close(self._to)
            os.close(self._from)
            os.waitpid(self._pid, 0)


def _pipe() -> tuple[int, int]:
    """Return the two ends of a pipe, both with high numbers, and not handed on to children."""
    low = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for end in low]
    for end in low:
        os.close(end)
    return high[0], high[1]
