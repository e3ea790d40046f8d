"""everlet study: questions that take many runs, answered by a table, a JSON file and a plot.

    everlet study schemes   [--scheme NAME,…] [--cutoff 2.5,5.0] [--sizes 4000,32000] [--precision double,mixed]
                            [--threads 1,2] [--steps S] [--repeat 3] [--device cpu] [--against lmp] [--out FOLDER]
    everlet study precision [--atoms 4000] [--steps 5000] [--precision double,mixed,single] [--device cpu]
                            [--out FOLDER]
    everlet study saturation [--largest N | --sizes A,B] [--precision double,mixed]    and the options below
    everlet study neighbours [--sizes 32000] [--team 1,2,4,8,16] [--precision double]  and the options below
    everlet study carveout   [--sizes 256000] [--percent 0,25,50,75,100] [--precision double]  and the options below
                             [--cutoff 2.5] [--device cpu] [--steps S] [--repeat 3] [--out FOLDER]
    everlet study batching  [--system snap|snap-ta] [--atoms 65536] [--cycles 9] [--device cuda] [--out FOLDER]
    everlet study profile   [--system lj|eam|sw|snap|snap-ta] [--atoms 32000] [--precision double] [--scheme NAME]
                            [--cutoff 2.5] [--cycles 9] [--device cpu] [--out FOLDER]

schemes     the Lennard-Jones melt with every scheme, cutoff, size, precision and number of threads that is named
            (default: all schemes); rates per CPU second where one CPU thread runs, else by the wall clock
precision   how far the energy of a melt at constant energy drifts in each precision
saturation  throughput against the number of atoms, from 1000 to the largest in steps of two
neighbours  full and half lists, newton on and off, and on a GPU teams of threads that share the neighbours of an atom
carveout    (GPU) how much of the L1 cache the pair loop leaves to shared memory
batching    (GPU) neighbours of an atom and products that a thread of snap does together: what each stage of the method
            takes, and the ratio to one neighbour for each thread and one product at a time
profile     what each kernel of a cycle takes, moves and computes, and what limits it: 20 steps, for lj the last with a
            rebuild, for the other systems of `everlet bench` none; --cutoff is for lj; their files are profile-NAME

FOLDER (default: study) receives NAME.json for the study NAME, the table as .txt, and, if matplotlib is installed
(pip install 'everlet[plot]'), the plot as .png and .svg. Each study below is one file of everlet/lab/studies.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from everlet.errors import InputError, unknown
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.perf import batching, bench, drift, options, plots, profile, record, sweeps
from everlet.perf.studies import Outcome, study
from everlet.portable import choose

USAGE = "everlet study schemes|precision|saturation|neighbours|carveout|batching|profile [options]; see everlet study --help"
SCHEMES: dict[str, tuple[options.Reader, Any]] = {
    **{name: bench.KNOWN[name] for name in ("cutoff", "precision", "threads", "device", "steps", "repeat", "against")},
    "scheme": (options.many(options.word), []), "sizes": (options.many(options.positive), [4000, 32000]),
    "out": (options.word, "study"),
}
PRECISION: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 4000), "steps": (options.positive, 5000), "device": bench.KNOWN["device"],
    "precision": (options.many(options.one_of(*bench.PRECISIONS)), list(bench.PRECISIONS)),
    "out": (options.word, "study"),
}
SMALL = 4000
LARGE = 5000  # atoms beyond which schemes that visit all pairs are left out, unless they are named


def main(words: list[str]) -> int:
    """The command `everlet study`."""
    if not words or words[0] in ("-h", "--help", "help"):
        print("\n\n".join([str(__doc__).strip(), *(str(study[name].__doc__).strip() for name in study)]))
        return 0 if words else 1
    if words[1:2] and words[1] in ("-h", "--help") and words[0] in study:
        print(str(study[words[0]].__doc__).strip())
        return 0
    studies = {"schemes": schemes, "precision": precision}
    others = {**sweeps.STUDIES, "batching": batching.batching, "profile": profile.profile}
    if words[0] in others:
        return _keep(*_named(words, others[words[0]](words[1:])))
    if words[0] in study:
        return _keep(*_named(words, study[words[0]](words[1:])))
    if words[0] not in studies:
        raise unknown("study", words[0], [*studies, *others, *study])
    return studies[words[0]](words[1:])


def _named(words: list[str], outcome: Outcome) -> Outcome:
    """The result with the command that repeats it."""
    outcome[2].setdefault("command", ["study", *words])
    return outcome


def schemes(words: list[str]) -> int:
    """Every scheme on every system; one that refuses a case is named below the table."""
    given = options.parse(words, SCHEMES, USAGE)
    stamp = record.stamp(choose(given["device"], max(given["threads"])))
    wanted = bench.cases({**given, "atoms": 0, "scheme": given["scheme"] or list(pair_scheme)})
    if not given["scheme"]:
        wanted = [case for case in wanted if case.scheme != "all" or 4 * case.cells**3 <= LARGE]
    small = [replace(case, atoms=SMALL, steps=0, threads=1) for case in wanted]  # what refuses, refuses at any size
    why = {case: bench.refusal(case) for case in dict.fromkeys(small)}
    usable = [case for case, like in zip(wanted, small, strict=True) if not why[like]]
    refused = [f"{case.scheme} {case.precision} r_c {case.cutoff:g}: {cause}" for case, cause in why.items() if cause]
    if not usable:
        raise InputError("no scheme can run any of these cases", "\n     ".join(refused))
    rows = bench.figures(bench.bench(usable, given["repeat"], given["against"] == "lmp"))
    table = "\n".join([bench.text(rows), *(f"not run: {line}" for line in refused)])
    stamp["command"] = ["study", "schemes", *words]
    return _keep(given["out"], "schemes", {**stamp, "rows": rows, "refused": refused}, table, plots.schemes)


def precision(words: list[str]) -> int:
    """Energy drift in every precision."""
    given = options.parse(words, PRECISION, USAGE)
    stamp = record.stamp(choose(given["device"], 1))
    rows = [drift.measure(given["atoms"], given["steps"], name, given["device"]) for name in given["precision"]]
    stamp["command"] = ["study", "precision", *words]
    return _keep(given["out"], "precision", {**stamp, "rows": rows}, drift.text(rows), plots.precision)


def _keep(folder: str, name: str, content: dict[str, Any], table: str, plot: plots.Plot) -> int:
    """Write and print the results."""
    print(table)
    path = os.path.join(folder, name)
    record.write(path + ".json", content)
    record.write_text(path + ".txt", table + "\n")
    drawn = plots.draw(path, content["rows"], plot)
    print(f"written: {path}.json, {path}.txt" + "".join(f", {one}" for one in drawn))
    if not drawn:
        print("no plot: matplotlib is missing: pip install 'everlet[plot]'")
    return 0
