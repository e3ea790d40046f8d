"""everlet watch: logs that grow, what the terminal shows, and the server; sim.view()."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.cli import main
from everlet.errors import InputError
from everlet.view import server, terminal
from everlet.view.follow import Follower
from tests.browser import asked

BEGIN = [{"event": "start", "version": "1", "device": "threads(2)", "precision": "double", "ranks": 1},
         {"event": "script", "name": "in.melt", "text": "units lj", "whole": True},
         {"event": "begin", "units": "lj", "dimension": 3, "step": 0, "steps": 1000, "timestep": 0.005, "atoms": 4000}]
END = {"event": "run", "seconds": 2.0, "steps": 1000, "atoms": 4000, "sections": {"Pair": 1.5, "Neigh": 0.3}}


def put(path: Path, *events: dict[str, Any], end: str = "\n") -> None:
    with path.open("a") as file:
        file.write("\n".join(json.dumps(event) for event in events) + end)


def rows(first: int, last: int) -> list[dict[str, Any]]:
    return [{"event": "thermo", "step": step, "temp": 1.0 + 0.1 * np.sin(step), "press": None, "emol": 0.0}
            for step in range(first, last, 10)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.everlet.jsonl"
    put(path, *BEGIN, *rows(0, 500))
    return path


def test_a_log_that_grows(log: Path) -> None:
    follower = Follower(log.with_suffix(""))
    assert follower.look() and follower.step == 490 and not follower.done and not follower.look()
    put(log, *rows(500, 510), end="")  # a line that is being written
    assert follower.look() and follower.step == 490
    put(log, {"event": "warning", "text": "careful"}, end="\n")
    put(log, *rows(510, 1001), END)
    assert follower.look() and follower.step == 1000 and follower.speed() == 500.0
    put(log, {"event": "end", "seconds": 3.0})
    assert follower.look() and follower.done and follower.left() is None
    log.write_text("")
    put(log, *BEGIN)
    assert follower.look() and follower.step == 0 and not follower.done


def test_speed_and_time_left_are_those_that_were_seen(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, follower = [1000.0], Follower(log)
    monkeypatch.setattr(time, "time", lambda: clock[0])
    follower.look()
    for step in (500, 600, 700):
        clock[0] += 2.0
        put(log, *rows(step, step + 10))
        follower.look()
    assert follower.speed() == pytest.approx(50.0) and follower.left() == pytest.approx(6.0)


@pytest.mark.parametrize("width", [60, 120])
def test_the_screen(log: Path, width: int) -> None:
    put(log, *rows(500, 1001), END, {"event": "warning", "text": "atoms are near"})
    follower = Follower(log)
    follower.look()
    lines = terminal.screen(follower, width, 40).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= width
    text = "\n".join(lines)
    for part in ("in.melt: 4000 atoms on threads(2), run 1", "step 1000 of 1000, 100%, 500 steps/s", "Temp", "(mean 0.99",
                 "Pair", "75.0%", "WARNING: atoms are near"):
        assert part in text
    assert "emol" not in text.lower().replace("e_mol", "emol") and "\x1b" not in text


def test_dots_show_a_curve() -> None:
    lines = terminal.dots(np.linspace(0.0, 1.0, 50), np.linspace(0.0, 1.0, 50), 10, 4)
    ups = [min(k for k, line in enumerate(lines) if line[column] != "\u2800") for column in range(10)]
    assert ups == sorted(ups, reverse=True) and ups[0] == 3 and ups[-1] == 0


def test_the_command(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(log)]) == 0 and "step 490 of 1000" in capsys.readouterr().out
    assert main(["watch", str(log), "--columns", "press", "--once", "yes"]) == 0 and "Temp" not in capsys.readouterr().out
    put(log, {"event": "error", "text": "lost atoms"})
    assert main(["watch", str(log)]) == 1 and "ERROR: lost atoms" in capsys.readouterr().out
    for words, message in (("watch nowhere", "no log"), (f"watch {log} --columns tmp", "no column"), ("watch a b", "one log"),
                           (f"watch {log} --every 0", "0.05 to 3600"), (f"watch {log} --serve 99999999", "port")):
        assert main(words.split()) == 1 and message in capsys.readouterr().err


def _got(address: str, host: str = "") -> str:
    with urllib.request.urlopen(urllib.request.Request(address, headers={"Host": host} if host else {}), timeout=30) as answer:
        return str(answer.read(300_000).decode())


def test_the_server(log: Path) -> None:
    """The page, a word when the log grows, and nothing for who has no token or comes by another name."""
    follower = Follower(log)
    follower.look()
    with server.Server(follower, 0, 0.05) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        page = _got(made.address)
        assert "in.melt" in page and "EventSource" in page and "connect-src 'self'" in page
        for address, host in ((made.address[:-1], ""), (made.address.partition("?")[0], ""), (made.address, "evil.example")):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                _got(address, host)
        with urllib.request.urlopen(made.address.replace("/?", "/events?"), timeout=30) as stream:
            put(log, *rows(500, 510))
            assert any(stream.readline() == b"data: new\n" for _ in range(200))
        assert follower.step == 500
        made.stopped.set()
        made.shutdown()


def water() -> Simulation:
    sim = Simulation(units="real", device="reference")
    sim.create(positions=[[1.0, 1.0, 1.0], [1.96, 1.0, 1.0], [0.7, 1.9, 1.0]], species=["O", "H", "H"], cell=[9.0] * 3,
               charges=[-0.8, 0.4, 0.4], bonds=[[0, 1], [0, 2]])
    return sim


LOOKS = """
const place = document.getElementById("player"), part = (name) => place.querySelector(`[data-part=${name}]`);
await until(() => place.dataset.state);
return {state: place.dataset.state, modes: [...part("mode").options].map((one) => one.value), bonds: part("bonds").checked,
  mode: part("mode").value, legend: part("legend").textContent};
"""


def test_a_view(tmp_path: Path) -> None:
    with water() as sim:
        view = sim.view(values={"number": [1.0, 2.0, 3.0]})
        assert repr(view) == "<View: 1 frames>" and "<iframe sandbox" in view._repr_html_() and "<iframe" in sim._repr_html_()
        with pytest.raises(InputError, match="values of number"):
            sim.view(values={"number": [1.0]})
        with pytest.raises(InputError, match="not of a trajectory"):
            sim.view("some.dump", values={"number": [1.0]})
        page = view.save(tmp_path / "water.html")
    assert "<iframe" not in repr(sim)
    said = asked(page, LOOKS)
    assert said == {"state": "ready", "modes": ["type", "element", "speed", "charge", "number"], "bonds": True,
                    "mode": "element", "legend": "O: 1H: 2"}
