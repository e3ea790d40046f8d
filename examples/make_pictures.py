"""Run examples and draw the pictures of README.md: python examples/make_pictures.py [NAME …] (needs matplotlib).

Each picture comes from one script, which is run in a temporary folder; names are those of the files in pictures/.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.figure import Figure

HERE = Path(__file__).parent
rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "everlet", "font.size": 8})
Plot = Callable[[Any, Path], None]
PLOTS: dict[str, tuple[str, Plot]] = {}
IMAGES = {"obstacle": ("flow/in.obstacle", "obstacle.*.png"), "crack": ("fracture/in.crack", "crack.*.png"),
          "indent": ("fracture/in.indent", "indent.*.png"), "friction": ("fracture/in.friction", "friction.*.png"),
          "polymer": ("molecules/in.polymer", "polymer.*.png"), "bilayer": ("molecules/in.bilayer", "bilayer.*.png"),
          "ball": ("language/in.pictures", "ball.*.png")}


def plot(name: str, script: str) -> Callable[[Plot], Plot]:
    """The decorated function draws pictures/NAME.svg from what SCRIPT has written."""
    def register(function: Plot) -> Plot:
        PLOTS[name] = (script, function)
        return function
    return register


def table(path: Path) -> np.ndarray:
    """Rows of numbers of a file of averages; of one with many tables, the last one."""
    rows = [line.split() for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    wide = len(rows[-1])
    found: list[list[str]] = []
    for row in rows:
        if len(row) == wide:
            found.append(row)
        else:
            found = []  # the header of the next table
    return np.array(found, dtype=float)


@plot("tension", "metals/in.tension")
def tension(axes: Any, folder: Path) -> None:
    data = table(folder / "tension.out")
    axes.plot(100 * data[:, 1], data[:, 2])
    axes.set(xlabel="strain (%)", ylabel="stress (GPa)", title="copper pulled along x")


@plot("melting", "metals/in.melting")
def melting(axes: Any, folder: Path) -> None:
    data = table(folder / "melting.out")
    axes.plot(data[:, 1], data[:, 2], label="atoms with fcc neighbours")
    axes.plot(data[:, 1], data[:, 3] / data[:, 3].max(), label="displacement² (relative)")
    axes.set(xlabel="temperature (K)", title="copper melts")
    axes.legend()


@plot("structure", "liquids/in.structure")
def structure(axes: Any, folder: Path) -> None:
    data = table(folder / "rdf.out")
    axes.plot(data[:, 1], data[:, 2])
    axes.set(xlabel="r", ylabel="g(r)", title="Lennard-Jones liquid")


@plot("interface", "liquids/in.interface")
def interface(axes: Any, folder: Path) -> None:
    data = table(folder / "density.out")
    axes.plot(data[:, 1], data[:, 3])
    axes.set(xlabel="z / box length", ylabel="density", title="liquid film and its vapour")


@plot("temperature", "liquids/in.heat_exchange")
def temperature(axes: Any, folder: Path) -> None:
    data = table(folder / "temperature.out")
    axes.plot(data[:, 1], data[:, 4], "o-", markersize=3)
    axes.set(xlabel="z / box length", ylabel="temperature", title="heat from one slab to another")


@plot("poiseuille", "flow/in.poiseuille")
def poiseuille(axes: Any, folder: Path) -> None:
    data = table(folder / "poiseuille.out")
    data = data[data[:, 2] > 0]
    axes.plot(data[:, 1], data[:, 3], "o", markersize=3)
    fit = np.polyfit(data[1:-1, 1], data[1:-1, 3], 2)
    axes.plot(data[:, 1], np.polyval(fit, data[:, 1]), label="parabola")
    axes.set(xlabel="y", ylabel="velocity", title="flow between walls")
    axes.legend()


@plot("butane", "molecules/in.butane")
def butane(axes: Any, folder: Path) -> None:
    data = table(folder / "butane.out")
    axes.bar(data[:, 1], data[:, 3], width=9)
    axes.set(xlabel="dihedral angle (degrees)", ylabel="share", title="butane: trans and gauche")


@plot("charges", "ions/in.capacitor")
def charges(axes: Any, folder: Path) -> None:
    data = table(folder / "charges.out")
    axes.plot(data[:, 1], data[:, 3] * data[:, 4])
    axes.set(xlabel="z", ylabel="charge density", title="ions in a field between walls")


@plot("shock", "walls/in.piston")
def shock(axes: Any, folder: Path) -> None:
    blocks = re.split(r"^(?=\d)", (folder / "shock.out").read_text(), flags=re.MULTILINE)[1:]
    for block in blocks[2::2]:
        rows = np.array([line.split() for line in block.splitlines()[1:]], dtype=float)
        rows = rows[rows[:, 2] > 0]
        axes.plot(rows[:, 1], rows[:, 3], label=f"step {block.split()[0]}")
    axes.set(xlabel="x", ylabel="density", title="a shock wave in front of a piston")
    axes.legend()


@plot("umbrella", "free_energy/in.umbrella")
def umbrella(axes: Any, folder: Path) -> None:
    sys.path.insert(0, str(HERE / "free_energy"))
    from free_energy import histograms, wham

    x, counts, places = histograms(folder)
    axes.plot(x, wham(x, counts, places), "o", markersize=3, label="umbrella sampling")
    axes.plot(x, 4 * (x**2 - 1) ** 2, label="exact")
    axes.set(xlabel="x", ylabel="free energy / kT", ylim=(-0.5, 8), title="a double well")
    axes.legend()


def run(script: str, folder: Path) -> Path:
    """A copy of the script's folder in which it was run."""
    source = HERE / script
    copy = folder / source.parent.name
    shutil.copytree(source.parent, copy)
    for command in re.findall(r"^#   everlet (potential .*)$", source.read_text(), re.MULTILINE):
        subprocess.run([sys.executable, "-m", "everlet", *command.split()], cwd=copy, check=True)
    subprocess.run([sys.executable, "-m", "everlet", "run", source.name, "--screen", "none", "--allow-python"], cwd=copy,
                   check=True)
    return copy


def shrink(source: Path, target: Path) -> None:
    """A PNG of 48 colours."""
    from PIL import Image

    Image.open(source).convert("RGB").quantize(48).save(target, optimize=True)


def main(names: list[str]) -> None:
    out = HERE / "pictures"
    out.mkdir(exist_ok=True)
    for name, (script, draw) in PLOTS.items():
        if not names or name in names:
            with tempfile.TemporaryDirectory() as folder:
                figure = Figure(figsize=(3.4, 2.3), layout="constrained")
                draw(figure.subplots(), run(script, Path(folder)))
                figure.savefig(out / f"{name}.svg", metadata={"Date": None})
                print(f"pictures/{name}.svg")
    for name, (script, pattern) in IMAGES.items():
        if not names or name in names:
            with tempfile.TemporaryDirectory() as folder:
                shrink(max(run(script, Path(folder)).glob(pattern)), out / f"{name}.png")
                print(f"pictures/{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
