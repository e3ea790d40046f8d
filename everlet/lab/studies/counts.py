"""everlet study counts: operations for each neighbour, by the width of registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.perf import options
from everlet.perf.operations import counted
from everlet.perf.runs import Case, prepared
from everlet.portable import Kernel

KNOWN: dict[str, tuple[options.Reader, Any]] = {"atoms": (options.positive, 256), **OUT}
WIDTHS = (1, 4, 8, 16)  # lanes of 32 bits: scalar, 128, 256, 512 bits
PUBLISHED = {"force": (38.0, 13.5, 8.75, 9.5), "build": (16.0, 5.75, 4.13, 1.75)}
BUILDS = ("build_list",)

PARTS = {key: key for part in PUBLISHED for key in (part, f"published {part}")}
plot("counts")(lines_over("lanes", "lanes of a register", PARTS, "operations for each entry of a row", log=True))


@study("counts")
def counts(words: list[str]) -> Outcome:
    """everlet study counts [--atoms 256] [--out FOLDER]

    Operations of the pair loop (scheme half) and of the build of rows of a melt for each entry of a row, counted from the
    texts of the kernels as if registers had 1, 4, 8 and 16 lanes; beside instructions of hand-written code."""
    given = options.parse(words, KNOWN, "everlet study counts [options]; see everlet study --help")
    rows: list[Row] = []
    for k, width in enumerate(WIDTHS):
        force, build = per_entry(given["atoms"], width)
        rows.append({"lanes": width, "bits": 32 * width if width > 1 else 32, "force": force,
                     "published force": PUBLISHED["force"][k], "build": build, "published build": PUBLISHED["build"][k]})
    falls = rows[-1]["force"] < 0.5 * rows[0]["force"]
    said = (f"with 16 lanes an entry takes {rows[-1]['force'] / rows[0]['force']:.2f} of the operations of one lane: wider "
            f"registers {'pay, as in the source' if falls else 'pay less than in the source'}; there 512 bits took more than "
            "256, since every lane was loaded on its own")
    return outcome(given, "counts", rows, {"lanes": "lanes", **PARTS}, said)


def per_entry(atoms: int, width: int) -> tuple[float, float]:
    """Operations of forces and of the build for each entry, if registers had so many lanes."""
    sim = prepared(Case(atoms, scheme="half", device="reference", precision="mixed"))
    sim.run(0, post=False)
    assert sim.loop is not None and sim.lists is not None
    spent = {"force": 0.0, "build": 0.0}

    def watch(kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        built = kernel.body.__name__ in BUILDS
        if built or (sim.loop is not None and sim.loop.timers.phase == "Pair"):
            found = counted(sim.space, kernel, int(items), args, width, width)
            spent["build" if built else "force"] += sum(found.values()) / width
        launch()

    sim.space.watch = watch
    try:
        sim.loop.rebuild(count=False)
        sim.loop.step()
    finally:
        sim.space.watch = None
    entries = max(sim.lists.pairs(), 1)
    return spent["force"] / entries, spent["build"] / entries
