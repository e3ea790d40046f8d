"""A script is data: it runs no code unless the user has allowed it. docs/security.md says what it may do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from everlet import InputError, Simulation, settings
from everlet.forces import potential_file
from everlet.portable import cache

PACKAGE = Path(settings.__file__).parent
OPTIONS: dict[str, Any] = {"device": "serial", "log": "none", "screen": "none", "tune": False}


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "SCRIPTED", {})


def everlet(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **options.pop("env", {})}
    return subprocess.run([sys.executable, "-m", "everlet.cli", *words], capture_output=True, text=True, env=environment,
                          timeout=120, **options)


# ---- the environment
@pytest.mark.parametrize("name", ["EVERLET_CACHE", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "LD_LIBRARY_PATH", "NUMBA_X",
                                  "DYLD_INSERT_LIBRARIES", "CUDA_PATH", "CUPY_CACHE_DIR", "NVRTC_X", "OMP_TOOL_LIBRARIES",
                                  "KMP_X", "PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "MPICH_X", "OMPI_MCA_x", "UCX_X",
                                  "GCONV_PATH", "BASH_ENV", "BASH_FUNC_ls%%", "Path"])
def test_names_that_programs_obey_are_refused(name: str) -> None:
    sim = Simulation(**OPTIONS)
    with pytest.raises(InputError, match=f"putenv {name} is refused|no name of an environment variable"):
        sim.commands(f"shell putenv HARMLESS=1 {name}=/somewhere")
    assert os.environ.get(name) != "/somewhere" and settings.given(name) != "/somewhere"


def test_other_names_are_for_scripts_alone(tmp_path: Path) -> None:
    """For variables, for folders of data, and for programs that the user has allowed."""
    (tmp_path / "Al.eam").write_text("")
    sim = Simulation(**OPTIONS)
    sim.commands(f"shell putenv MY_NAME=one LAMMPS_POTENTIALS={tmp_path}\nvariable x getenv MY_NAME")
    sim.commands("shell mkdir below\nshell cd below")
    assert sim.variables.text("x") == "one" and potential_file.find("Al.eam") == tmp_path / "Al.eam"
    assert "MY_NAME" not in os.environ and "MY_NAME" not in settings.environment()
    sim.options["shell"] = True
    sim.commands("shell putenv PYTHONHASHSEED=7\nshell env > seen")
    assert {"MY_NAME=one", "PYTHONHASHSEED=7"} <= set(Path("seen").read_text().splitlines())
    assert os.environ.get("PYTHONHASHSEED") != "7"


def test_settings_are_read_in_one_place() -> None:
    found = [str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")
             if re.search(r"os\.(environ|getenv|putenv)", path.read_text())]
    assert found == ["settings.py"]


# ---- modules of the present folder
def test_workers_import_nothing_from_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("numba", "numpy", "everlet", "sitecustomize"):
        Path(f"{name}.py").write_text("open('caught', 'w')\n")
    started: list[Any] = []
    real = subprocess.Popen

    def start(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(real([*words[:3], words[3].replace("worker(", "import numba; worker("), *words[4:]], **options))
        started[-1].wait()
        return started[-1]

    monkeypatch.setattr(cache.subprocess, "Popen", start)
    monkeypatch.setitem(settings.STARTED, "PYTHONPATH", os.pathsep.join(["", ".", *sys.path]))
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path / "kernels"))
    paths = [tmp_path / f"k_{k}.py" for k in range(9)]
    for path in paths:
        path.write_text("# target: plain\n")
    cache.build_all.func(paths, workers=2)  # type: ignore[attr-defined]
    assert not Path("caught").exists() and started[0].returncode == 0


@pytest.mark.parametrize("path", ["{root}", "{root}:", ":{root}", "{root}:."])
def test_the_program_imports_nothing_from_there(path: str) -> None:
    Path("show.py").write_text("import sys, os\nprint('HERE', os.getcwd() in sys.path or '' in sys.path)\n")
    done = everlet("run", "in.x", "--plugin", "show.py", env={"PYTHONPATH": path.format(root=PACKAGE.parent)})
    assert "there is no script" in done.stderr
    Path("in.x").write_text("units lj\n")
    done = everlet("run", "in.x", "--plugin", "show.py", env={"PYTHONPATH": path.format(root=PACKAGE.parent)})
    assert "HERE False" in done.stdout, done.stdout + done.stderr
