"""Pages of runs: what logs tell, statistics, structure, and the page in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.cli import main
from everlet.computes.base import compute_style
from everlet.fixes.base import fix_style
from everlet.io.trajectories import TrajectoryFrame
from everlet.view import charts, citations, scene, statistics
from everlet.view.history import read_log
from everlet.view.report import made
from everlet.view.structure import Displacements, Distances
from tests.browser import asked

SCRIPT = """units lj
lattice fcc 0.8442
region box block 0 2 0 2 0 2
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.5 4711
mass * 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 1.6
pair_coeff * * 1.0 1.0
fix 1 all nve
fix 2 all langevin 1.0 1.0 0.5 48279
compute pe all pe/atom
dump 1 all custom 5 melt.dump id type x y z vx vy vz c_pe
thermo 2
run 30
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a run in plain Python."""
    place = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        Path("in.small").write_text(SCRIPT)
        assert main(["run", "in.small", "--device", "reference", "--screen", "none"]) == 0
    return place


def test_a_log_tells_what_was_run(folder: Path) -> None:
    history = read_log(folder / "log.everlet")
    assert history.script["text"].splitlines() == SCRIPT.splitlines() and history.start["device"] == "reference"
    assert history.setup["styles"]["fix"] == ["nve", "langevin"] and history.setup["styles"]["pair"] == ["lj/cut"]
    assert history.setup["dumps"] == ["melt.dump"] and history.setup["masses"] == [1.0, 1.0]
    run, = history.runs
    assert run.last == 30 and run.columns["step"].tolist() == list(range(0, 31, 2)) and run.summary["steps"] == 30


def test_the_text_of_a_log_tells_the_same(folder: Path, tmp_path: Path) -> None:
    """Logs of the reference are read as well: the text is in its form."""
    (tmp_path / "log.lammps").write_text((folder / "log.everlet").read_text())
    by_text, by_lines = read_log(tmp_path / "log.lammps"), read_log(folder / "log.everlet")
    for word, values in by_text.runs[0].columns.items():
        np.testing.assert_allclose(values, by_lines.runs[0].columns[word], rtol=1e-7)
    assert by_text.runs[0].summary["builds"] == by_lines.runs[0].summary["builds"] and by_text.units_name == "lj"


def test_facts_are_in_every_log_and_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.two").write_text(SCRIPT.replace("run 30", "run 1\nrun 1\nlog second\nrun 1").replace("dump 1", "# dump 1"))
    assert main(["run", "in.two", "--device", "reference", "--screen", "none"]) == 0
    for name in ("log.everlet.jsonl", "second.jsonl"):
        kinds = [json.loads(line)["event"] for line in Path(name).read_text().splitlines()]
        assert [kinds.count(kind) for kind in ("start", "script", "setup")] == [1, 1, 1]


@pytest.mark.parametrize("memory", [0.0, 0.9])
def test_errors_of_blocks(memory: float) -> None:
    """Of x' = a x + noise: the variance of the mean is (1 + a)/(1 - a) var/n."""
    generator, x = np.random.default_rng(7), np.zeros((40, 8192))
    for k in range(1, x.shape[1]):
        x[:, k] = memory * x[:, k - 1] + generator.normal(size=40)
    expected = 1.0 / (1.0 - memory) / x.shape[1] ** 0.5
    assert 0.8 < np.mean([statistics.block_error(row) for row in x]) / expected < 1.5


def test_distances_of_an_ideal_gas_and_of_a_crystal() -> None:
    """In tilted cells too: g is 1 of atoms that know nothing of each other, and has its peaks at distances of neighbours."""
    cell = np.array([[9.0, 0.0, 0.0], [3.0, 8.0, 0.0], [-2.0, 1.5, 10.0]])
    gas = Distances()
    gas.add(TrajectoryFrame(0, np.random.default_rng(3).uniform(size=(2000, 3)) @ cell, cell))
    r, g = gas.result()
    np.testing.assert_allclose(g[len(r) // 3:], 1.0, atol=0.15)
    crystal = Distances()
    crystal.add(TrajectoryFrame(0, np.array(list(np.ndindex(6, 6, 6)), float) + 0.5, 6.0 * np.eye(3)))
    r, g = crystal.result()
    assert np.flatnonzero(g).size < 20
    inside = np.abs(r - 1.0) < 0.05
    assert 4.0 * np.pi * np.sum(g[inside] * r[inside] ** 2) * (r[1] - r[0]) == pytest.approx(6.0, rel=0.01)


@pytest.mark.parametrize("unwrapped", [False, True])
def test_displacements_follow_atoms_through_faces(unwrapped: bool) -> None:
    v, found = np.array([1.0, -0.5, 0.25]), Displacements()
    x, ids = np.random.default_rng(1).uniform(size=(50, 3)) * 3.0, np.arange(1, 51)
    for step in range(0, 40, 2):
        at = x + 0.3 * step * v
        order = np.random.default_rng(step).permutation(50)
        found.add(TrajectoryFrame(step, (at if unwrapped else at % 3.0)[order], 3.0 * np.eye(3), ids=ids[order],
                                  unwrapped=unwrapped))
    lag, squares = found.result()
    np.testing.assert_allclose(squares, (0.3 * lag) ** 2 * (v @ v), rtol=1e-9, atol=1e-12)


def test_frames_are_thinned_out_evenly() -> None:
    made_of, x = scene.Scene(most=40_000), np.random.default_rng(1).uniform(size=(1000, 3))
    for step in range(30):
        made_of.add(TrajectoryFrame(step, x))
    assert [frame.step for frame in made_of.frames] == [0, 8, 16, 24] and made_of.every == 8
    assert len(made_of.packed()) < 40_000


@pytest.mark.parametrize("lost", [slice(0, 1), slice(None)])
@pytest.mark.filterwarnings("error")
def test_positions_that_are_no_numbers(lost: slice) -> None:
    """A run that broke is looked at, too: the page is read as JSON, which has none."""
    made_of, x = scene.Scene(), np.arange(12.0).reshape(4, 3)
    x[lost] = np.nan
    made_of.add(TrajectoryFrame(0, x, cell=4.0 * np.eye(3)))
    assert not {"NaN", "Infinity"} & set(re.findall("[A-Za-z]+", made_of.packed()))


def test_papers_are_of_styles_that_exist() -> None:
    known = {"fix": fix_style, "compute": compute_style}
    for kind, pattern, _ in citations.PAPERS:
        names = known.get(kind, ())
        assert kind not in known or any(citations.fnmatchcase(name, pattern) for name in names), pattern
    assert [what for what, _ in citations.cited({"fix": ["nvt", "nve"], "pair": ["eam/alloy"]})] == ["pair_style eam/alloy",
                                                                                                       "fix nvt"]


def test_ticks_say_what_they_stand_at() -> None:
    """No two ticks of an axis have the same text."""
    for low, high in ((-4.624, -4.612), (0.0, 1e7), (299.99, 300.01), (-1e-7, 3e-7), (307980.0, 307991.0), (1.5e9, 1.6e9),
                      (2.0e-9, 2.001e-9)):
        marks = charts.ticks(low, high, 5)
        texts = charts.labels(marks)
        assert len(set(texts)) == len(texts) > 3 and max(map(len, texts)) < 11
        assert [float(text) for text in texts] == pytest.approx(marks, rel=1e-6, abs=1e-9 * (high - low))


def test_numbers_of_ticks_and_the_name_of_their_axis_stand_side_by_side() -> None:
    for values in ([0.0, 1.0], [-34165.85, -34165.6]):
        page = charts.chart("energy", [charts.Curve("energy", np.arange(2.0), np.array(values))], "step", "kcal/mol")
        ends = [(float(x), len(text)) for x, text in re.findall(r'x="([0-9.]+)" y="[0-9.]+" text-anchor="end">([^<]+)<', page)]
        assert ends and all(x - charts.LETTER * digits >= charts.BESIDE - 6 for x, digits in ends)


def test_steps_are_known_where_no_column_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.multi").write_text(SCRIPT.replace("thermo 2", "thermo_style multi\nthermo 2").replace("run 30", "run 4"))
    assert main(["run", "in.multi", "--device", "reference", "--screen", "none"]) == 0
    run, = read_log(tmp_path / "log.everlet").runs
    assert run.columns["step"].tolist() == [0, 2, 4]


def test_a_page_needs_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder)]) == 0
    assert "1 runs, 16 rows, atoms of melt.dump" in capsys.readouterr().out
    page = (folder / "report.html").read_text()
    for text in ("Temp", "Mean squared displacement", "Radial distribution", "velocity: 87287", "langevin: 48279", "Neighbours",
                 "Drift of TotEng", "Schneider, Stoll", "Content-Security-Policy"):
        assert text in page
    assert len(page) < 200_000 and not re.search(r"(?:src|href)=[\"']?http", page)


def test_a_log_may_have_any_name(folder: Path, tmp_path: Path) -> None:
    """`-log melt.jsonl` writes text there, and lines in melt.jsonl.jsonl: each tells the run."""
    for name in ("melt.jsonl", "melt.jsonl.jsonl"):
        (tmp_path / name).write_text((folder / ("log.everlet.jsonl" if name.count(".") > 1 else "log.everlet")).read_text())
    for name in ("melt.jsonl", "melt.jsonl.jsonl"):
        assert read_log(tmp_path / name).runs[0].last == 30


def test_a_log_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there instead is named."""
    assert main(["report", str(tmp_path / "log.evrlet")]) == 1
    assert "has no logs. A run writes log.everlet" in capsys.readouterr().err
    for name in ("log.everlet", "log.first", "notes"):
        (tmp_path / name).write_text("")
    assert main(["report", str(tmp_path / "log.evrlet")]) == 1
    said = capsys.readouterr().err
    assert 0 < said.index("log.everlet") < said.index("log.first") and "notes" not in said
    assert main(["report", str(tmp_path / "nosuch")]) == 1
    assert "log.first" in capsys.readouterr().err


def test_logs_that_lack_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No step among the columns, no rows, no runs, an error, words that could be taken for parts of the page."""
    begin = {"event": "begin", "units": "real", "step": 0, "steps": 10, "timestep": 1.0, "atoms": 3}
    rows = [{"event": "thermo", "temp": value} for value in (1.0, None, 2.0, 2.0)]
    script = {"event": "script", "name": "<b>", "text": "<i>", "whole": False}
    for events, text in (([{"event": "start", "version": "1"}, script], "&lt;i&gt;"),
                         ([begin, *rows], "row</text>"), ([begin, {"event": "error", "text": "lost <u>"}], "lost &lt;u&gt;"),
                         ([begin, {"event": "thermo", "step": 0, "temp": 1.0}, {"event": "run", "seconds": 0.0}], "Temp")):
        path = tmp_path / "some.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in events))
        page = made(read_log(path))
        assert text in page and not re.search("<[biu]>", page)
        assert main(["watch", str(path)]) == int(events[-1]["event"] == "error") and "fault" not in capsys.readouterr().err


CONTROLS = """
const place = document.getElementById("player"), part = (name) => place.querySelector(`[data-part=${name}]`);
await until(() => place.dataset.state);
const canvas = part("canvas"), gl = canvas.getContext("webgl2"), colours = () => {
  const found = new Uint8Array(4 * canvas.width * canvas.height), set = new Set();
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, found);
  for (let k = 0; k < found.length; k += 4) set.add(found[k] << 16 | found[k + 1] << 8 | found[k + 2]);
  return set.size;
};
const said = {state: place.dataset.state, atoms: place.dataset.atoms, last: place.dataset.frame, colours: colours()};
part("slider").value = 2; part("slider").dispatchEvent(new Event("input"));
await until(() => place.dataset.frame === "2"); said.step = part("step").textContent;
part("play").click(); await until(() => place.dataset.frame === "4"); part("play").click();
said.played = place.dataset.frame; said.button = part("play").textContent;
said.modes = [...part("mode").options].map((one) => one.value);
part("mode").value = "c_pe"; part("mode").dispatchEvent(new Event("change"));
await until(() => part("legend").querySelector("b")); said.legend = part("legend").textContent;
const box = canvas.getBoundingClientRect(), click = (x, y) => {
  for (const kind of ["pointerdown", "pointerup"])
    canvas.dispatchEvent(new PointerEvent(kind, {pointerId: 1, clientX: x, clientY: y}));
};
canvas.setPointerCapture = () => {};
const hits = [];
for (let k = 6; k < 34 && hits.length < 3; k += 2) for (let j = 6; j < 34 && hits.length < 3; j += 4) {
  const x = box.left + box.width * k / 40, y = box.top + box.height * j / 40;
  click(box.left + 3, box.top + 3); click(x, y);
  const id = (part("info").textContent.match(/^atom \\d+/) || [""])[0];
  if (id && !hits.some((one) => one.id === id)) hits.push({x, y, id});
}
click(box.left + 3, box.top + 3); said.nothing = part("info").textContent;
said.told = hits.map(({x, y}) => { click(x, y); return part("info").textContent; });
const before = canvas.toDataURL();
for (const [name, value] of [["size", 0.3], ["cut", 0.5]]) {
  part(name).value = value; part(name).dispatchEvent(new Event("input"));
}
part("box").click(); await new Promise((done) => setTimeout(done, 100)); said.changed = before !== canvas.toDataURL();
part("reset").click(); part("save").click(); await until(() => place.dataset.saved); said.saved = Number(place.dataset.saved);
const chart = document.querySelector("figure.plot svg"), frame = chart.getBoundingClientRect();
chart.dispatchEvent(new PointerEvent("pointermove", {clientX: frame.left + frame.width / 2, clientY: frame.top + 50}));
said.value = document.querySelector("figure.plot output").textContent;
return said;
"""


def test_a_page_in_a_browser(folder: Path) -> None:
    """No word on the console, atoms are seen, and every control does what it says."""
    history = read_log(folder / "log.everlet")
    (folder / "page.html").write_text(made(history, folder / "melt.dump"))
    said: dict[str, Any] = asked(folder / "page.html", CONTROLS)
    assert "error" not in said, said
    assert (said["state"], said["atoms"], said["last"]) == ("ready", "32", "6") and said["colours"] > 100
    assert said["step"] == "step 10 (3 of 7)" and said["played"] == "4" and said["button"] == "Play"
    assert said["modes"] == ["type", "c_pe", "speed"] and re.match(r"-?[\d.]+", said["legend"])
    one, two, three = said["told"]
    assert said["nothing"].startswith("Click") and "c_pe" in one and "distance" not in one
    assert "distance to atom" in two and "angle" not in two and "angle" in three
    assert said["changed"] and said["saved"] > 1000 and said["value"].startswith("Temp ")
