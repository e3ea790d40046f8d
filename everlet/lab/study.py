"""everlet study: questions that take many runs, answered by a table, a JSON file and a plot.

    everlet study NAME [options] [--out FOLDER]        everlet study NAME --help: what it asks, and its options
    everlet study list                                 all names, with one line each

FOLDER (default: study) receives NAME.json for the study NAME, the table as .txt, and, if matplotlib is installed
(pip install 'everlet[plot]'), the plot as .png and .svg. `everlet report FOLDER` makes one page of all of them. A study of
the literature shows published numbers beside ours, and says whether the conclusion of its source holds here.
"""

from __future__ import annotations

import os
import textwrap
from typing import Any

from everlet.errors import unknown
from everlet.io.stages import shown
from everlet.lab.results import plot, study
from everlet.perf import plots, record


def main(words: list[str]) -> int:
    """The command `everlet study`."""
    if not words or words[0] in ("-h", "--help", "help"):
        print("\n\n".join([str(__doc__).strip(), *(about(name) for name in study)]))
        return 0 if words else 1
    if words[0] == "list":
        print("\n".join(listed()))
        return 0
    if words[0] not in study:
        raise unknown("study", words[0], study)
    if words[1:2] and words[1] in ("-h", "--help"):
        print(about(words[0]))
        return 0
    with shown(f"study {words[0]}"):
        folder, name, content, table = study[words[0]](words[1:])
    content.setdefault("command", ["study", *without_folder(words)])
    return keep(folder, name, content, table, plot[words[0]])


def listed() -> list[str]:
    """Names and questions, in lines of a terminal."""
    wide = max(map(len, study))
    return [textwrap.fill(question(name), 110, initial_indent=name.ljust(wide + 2), subsequent_indent=" " * (wide + 2))
            for name in study]


def without_folder(words: list[str]) -> list[str]:
    """Words of a command that repeats a result anywhere.

    >>> without_folder(["padding", "--out", "here", "--atoms", "10", "--out=there"])
    ['padding', '--atoms', '10']
    """
    return [word for k, word in enumerate(words) if not word.startswith("--out") and (not k or words[k - 1] != "--out")]


def about(name: str) -> str:
    """What a study says about itself."""
    return str(study[name].__doc__).strip()


def question(name: str) -> str:
    """The first sentence behind the usage.

    >>> question("padding")[:40]
    'How many lanes are added to rows of the '
    """
    lines = about(name).splitlines()
    start = next(k for k, line in enumerate(lines) if k and line.strip() and not line.strip().startswith("["))
    return " ".join(line.strip() for line in lines[start:]).split(". ")[0].removesuffix(".").rstrip(":")


def keep(folder: str, name: str, content: dict[str, Any], table: str, drawing: plots.Plot) -> int:
    """Write and print the results."""
    print(table)
    path = os.path.join(folder, name)
    record.write(path + ".json", content)
    record.write_text(path + ".txt", table + "\n")
    drawn = plots.draw(path, content["rows"], drawing)
    print(f"written: {path}.json, {path}.txt" + "".join(f", {one}" for one in drawn))
    if not drawn:
        print("no plot: matplotlib is missing: pip install 'everlet[plot]'")
    return 0
