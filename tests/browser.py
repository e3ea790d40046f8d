"""Pages in a real browser without a window: what it says on its console, what a script finds in the page, and its picture."""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-sandbox",
         "--virtual-time-budget=20000", "--window-size=1000,900", "--enable-logging=stderr", "--disable-background-networking")
LIMIT = 300.0  # seconds on a machine that has much else to do
ASKING = """<script>(async () => {
const until = async (test) => {
  for (let k = 0; k < 400 && !test(); k++) await new Promise((done) => setTimeout(done, 20));
  return test();
};
let said;
try { said = await (async () => { SCRIPT })(); } catch (error) { said = {error: String(error)}; }
const place = document.createElement("pre");
place.id = "answer"; place.textContent = JSON.stringify(said); document.body.append(place);
})();</script>"""


def found() -> str:
    """The browser of this machine; without one the test is skipped by name."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    pytest.skip(f"no browser: none of {', '.join(NAMES)}")


def _run(words: list[str], errors: Path) -> tuple[str, str]:
    """What it prints, up to the end of the page: some browsers do not end by themselves."""
    with errors.open("w+", errors="replace") as said, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        job = subprocess.Popen([*words, f"--user-data-dir={profile}"], stdout=subprocess.PIPE, stderr=said, text=True,
                               start_new_session=True)
        assert job.stdout is not None
        end, lines = threading.Timer(LIMIT, lambda: os.killpg(job.pid, signal.SIGKILL)), []
        end.start()
        for line in job.stdout:
            lines.append(line)
            if "</html>" in line:
                break
        end.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
        job.wait()
        said.seek(0)
        return "".join(lines), said.read()


def asked(page: Path, script: str) -> Any:
    """What the body of an async function returns when it has run in the page; errors of the console fail the test."""
    text = page.read_text(encoding="utf-8")
    asking = ASKING.replace("SCRIPT", script)
    copy = page.with_name(f"asked-{page.name}")
    copy.write_text(text.replace("</body>", f"{asking}</body>"), encoding="utf-8")
    words = [found(), *FLAGS, "--dump-dom", copy.resolve().as_uri()]
    found_text, said_text = _run(words, page.with_suffix(".said"))
    said = [line for line in said_text.splitlines() if ":CONSOLE" in line]
    assert not said, "\n".join(said)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', found_text, re.DOTALL)
    assert answer, f"the page gave no answer: {said_text[-600:]}"
    return json.loads(html.unescape(answer[1]))
