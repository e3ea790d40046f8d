"""Packages: the wheel has all files of the package, and recipes ask for what the package asks for."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_conda_recipe_asks_for_the_same() -> None:
    text = (ROOT / "packaging" / "conda" / "meta.yaml").read_text()
    run = text.partition("  run:\n")[2].partition("\n\n")[0]
    found = {line.strip("- ").replace(" ", "") for line in run.splitlines()}
    assert found == {*PROJECT["project"]["dependencies"], f"python{PROJECT['project']['requires-python']}"}
    assert f"everlet = {PROJECT['project']['scripts']['everlet']}" in text
    assert PROJECT["build-system"]["requires"][0].replace(">=", " >=") in text


def test_the_container_copies_what_the_package_is_made_of() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = {word for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for word in line.split()[:-1]}
    project = PROJECT["project"]
    needed = {"pyproject.toml", project["readme"], *project["license-files"], "everlet", "everlet_formats"}
    assert copied == needed and all((ROOT / name).exists() for name in needed)
    extras = re.search(r"ARG EXTRAS=(.*)", text)
    assert extras and set(extras[1].split(",")) <= set(project["optional-dependencies"])


@pytest.mark.skipif(find_spec("setuptools") is None, reason="setuptools is not installed")
def test_the_wheel_has_all_files(tmp_path: Path) -> None:
    """Also those that are no Python: machines, parts of pages, names of the reference."""
    import setuptools

    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip(f"setuptools {setuptools.__version__} is too old for this project")
    source = tmp_path / "source"
    tracked = [path for top in ("everlet", "everlet_formats") for path in (ROOT / top).rglob("*")
               if path.is_file() and "__pycache__" not in path.parts]
    for path in [*tracked, *(ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE"))]:
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path),
                           str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wheel, = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        inside = set(packed.namelist())
    missing = sorted(str(path.relative_to(ROOT)) for path in tracked if path.relative_to(ROOT).as_posix() not in inside)
    assert not missing
