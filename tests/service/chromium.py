"""A real headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from websockets.sync.client import ClientConnection, connect

QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--mute-audio",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
         "--remote-debugging-port=0", "--remote-allow-origins=*")  # fmt: skip
BINARY = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Chromium:
    """One browser with one page."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 800) -> None:
        assert BINARY is not None
        command = [BINARY, *QUIET, f"--user-data-dir={profile}", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self._number = 0
        self._open = ExitStack()
        self.errors: list[str] = []
        self._page = self._connect()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        self._process.terminate()
        self._process.wait(10)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def _connect(self) -> ClientConnection:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            found = re.search(r"ws://([^/]+)/", line)
            if found:
                break
        else:
            raise RuntimeError("Chromium did not start")
        with connect(f"ws://{found[1]}/devtools/browser/{line.strip().rsplit('/', 1)[-1]}") as browser:
            browser.send(json.dumps({"id": 1, "method": "Target.getTargets"}))
            targets = json.loads(browser.recv())["result"]["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        return self._open.enter_context(connect(f"ws://{found[1]}/devtools/page/{page['targetId']}", max_size=2**26))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a DevTools method and return its result; errors of the page are kept in `errors`."""
        self._number += 1
        self._page.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            told = json.loads(self._page.recv(timeout=30))
            if told.get("method") == "Runtime.exceptionThrown":
                details = told["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            if told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
                self.errors.append(f"{told['params']['entry']['text']} {told['params']['entry'].get('url', '')}")
            if told.get("id") == self._number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']['message']}")
                result: dict[str, Any] = told["result"]
                return result

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        """Make the page so large, in CSS px."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def open(self, url: str) -> None:
        """Go to an address and wait until the page says that it is ready."""
        self.call("Page.navigate", url=url)
        self.until("document.documentElement.dataset.ready === '1'")

    def js(self, expression: str) -> Any:
        """Evaluate an expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "error in the page"))
        return found["result"].get("value")

    def until(self, expression: str, timeout_s: float = 20.0) -> Any:
        """Wait until an expression is true, and return it."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            try:
                if value := self.js(f"(found => found instanceof Node ? true : found)({expression})"):
                    return value
            except RuntimeError:
                pass  # the page is being replaced
            time.sleep(0.02)
        raise AssertionError(
            f"not within {timeout_s} s: {expression}\n{self.js('document.body.innerText')[:1500]}\n{self.errors}"
        )

    def click(self, selector: str) -> None:
        """Click the middle of an element, as a finger or mouse does."""
        place = f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;
            e.scrollIntoView({{block: "center"}}); const b = e.getBoundingClientRect();
            return [b.x + b.width / 2, b.y + b.height / 2]; }})()"""
        x, y = self.until(place)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str, code: str, text: str = "") -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, text=text if kind == "keyDown" else "")

    def screenshot(self, path: Path) -> None:
        """Save what the page looks like."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
