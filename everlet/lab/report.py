"""everlet report LOG|FOLDER [DUMP] [--output FILE] [--data FILE] [--size MB]: a page of a run, or of all results of a folder.

LOG is log.everlet, its .jsonl, or a log of the reference; FOLDER one that holds it. The page has what ran where, thermo output
with means and errors, drift, structure and motion of atoms, where time went, warnings, the input and whom to cite. DUMP (text,
.xyz, .xtc, .trr, .dcd, .nc, .h5md, .gsd; a * stands for many files) adds atoms in three dimensions; without it the first dump
that the log names is taken. --data: a data file whose bonds are shown (else the one that the script reads); --size: megabytes
that frames may take (20).

A FOLDER of results: every JSON file with rows becomes a section: its table (the .txt beside it, or made from the rows), its
plot (the .svg or .png beside it, else drawn from the rows of a study or benchmark), what was concluded, where and with which
commit it was measured, and the command that repeats it. Files that are no results are left out; those that cannot be read are
named.

Pages are one file, need no other one and no network.
"""

from __future__ import annotations

import base64
import difflib
import html
import importlib.util
import json
import re
import shlex
from pathlib import Path
from typing import Any

from everlet.errors import InputError, number
from everlet.flags import Flags
from everlet.io.files import whole_file
from everlet.io.stages import counted, shown, stage
from everlet.lab.results import plot, study
from everlet.perf import plots, record
from everlet.view import page
from everlet.view.scene import MOST

USAGE = "everlet report LOG|FOLDER [DUMP] [--output FILE] [--data FILE] [--size MB]"
MOST_ROWS, MOST_COLUMNS = 60, 14  # of a table that is made from rows
RATES = {"who", "rate", "threads", "device"}  # what rows of speeds have
LOGS = ("log.everlet", "log.lammps")


def main(words: list[str]) -> int:
    """The command `everlet report`."""
    if not words or {"-h", "--help", "help"} & set(words):
        print(str(__doc__).strip())
        return 0 if words else 1
    flags = Flags(USAGE)
    for name in ("output", "data", "size"):
        flags.add(name)
    found, rest = flags.read(list(words))
    given = {name: value for name, _, (value,) in found}
    if not 1 <= len(rest) <= 2:
        raise InputError(f"one folder or log is needed, and maybe a dump, found {len(rest)} words", f"usage: {USAGE}")
    place = Path(rest[0])
    if not place.exists():
        raise InputError(f"there is no folder or log '{place}'", _instead(place))
    log = _log(place)
    if log is not None:
        return _run(log, rest[1:], given)
    if rest[1:] or {"data", "size"} & set(given):
        raise InputError(f"'{place}' has no log of a run", f"give the log itself. Usage: {USAGE}")
    return _results(place, given.get("output", ""))


def _instead(place: Path) -> str:
    """What to do if there is nothing of this name: the logs beside it whose names are near, or the last ones."""
    folder = place.parent if place.parent.is_dir() else Path()
    logs = [path for path in folder.iterdir() if path.is_file() and (path.name.startswith("log.") or path.suffix == ".log")]
    last = [path.name for path in sorted(logs, key=lambda path: path.stat().st_mtime, reverse=True)]
    names = difflib.get_close_matches(place.name, last) or last[:3]
    there = f"logs in '{folder}': {', '.join(names)}" if names else f"'{folder}' has no logs"
    return f"{there}. A run writes log.everlet to the folder where it is started, or the file of --log; a study to --out"


def _log(place: Path) -> Path | None:
    """The log of a run that is meant; None: a folder of results."""
    if place.is_file():
        return place
    logs = [place / name for name in LOGS if (place / name).is_file()] or sorted(place.glob("log*.jsonl"))
    return logs[0] if logs else None


def _run(log: Path, rest: list[str], given: dict[str, str]) -> int:
    from everlet.view.history import read_log
    from everlet.view.report import made as page_of

    most = number(given["size"], "megabytes") if "size" in given else MOST / 1e6
    with shown("report"):
        history = read_log(log)
        named = [history.folder / one for one in history.setup.get("dumps", []) if not one.endswith((".png", ".ppm", ".jpg"))]
        there = [one for one in named if one.is_file() or "*" in one.name and any(one.parent.glob(one.name))]
        dump = Path(rest[0]) if rest else next(iter(there), None)
        page_text = page_of(history, dump, Path(given["data"]) if "data" in given else None, int(most * 1e6))
    output = given.get("output") or str(log.parent / "report.html")
    with whole_file(output) as stream:
        stream.write(page_text)
    rows = sum(len(run.rows) for run in history.runs)
    print(f"written: {output} ({len(history.runs)} runs, {rows} rows" + (f", atoms of {dump.name}" if dump else "") + ")")
    return 0


def _results(folder: Path, output: str) -> int:
    with shown("report"):
        page_text, count, broken = made(folder)
    if not count:
        raise InputError(f"'{folder}' holds no results and no log of a run" + "".join(f"\n{one}" for one in broken),
                         "everlet study NAME, or everlet bench NAME --json FILE, makes some; a run writes log.everlet")
    output = output or str(folder / "report.html")
    with whole_file(output) as stream:
        stream.write(page_text)
    print("\n".join([*broken, f"written: {output} ({count} results)"]))
    if importlib.util.find_spec("matplotlib") is None:
        print("only plots that were there: matplotlib is missing, which draws others: pip install 'everlet[plot]'")
    return 0


def made(folder: Path) -> tuple[str, int, list[str]]:
    """The page, how many sections it has, and files that could not be read."""
    found, broken = [], []
    for path in sorted(folder.rglob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            broken.append(f"left out: {path.relative_to(folder).as_posix()}: {error}")
            continue
        if isinstance(content, dict) and isinstance(content.get("rows"), list):
            found.append((path.relative_to(folder).with_suffix("").as_posix(), path, content))
    links = " ".join(f'<a href="#{_anchor(name)}">{html.escape(name)}</a>' for name, _, _ in found)
    parts = [section(name, path, content) for name, path, content in counted(found)]
    body = f"<h1>Results</h1><nav>{links}</nav><div class='drawn'>{''.join(parts)}</div>"
    foot = "".join(f"<p class='facts'>{html.escape(one)}</p>" for one in broken)
    return page.page("Everlet: results", body + foot), len(found), broken


def _anchor(name: str) -> str:
    return re.sub(r"\W+", "-", name)


def section(name: str, path: Path, content: dict[str, Any]) -> str:
    """One result."""
    stage(name)
    parts = [f'<h2 id="{_anchor(name)}">{html.escape(name)}</h2>']
    if content.get("conclusion"):
        parts.append(f"<p>{html.escape(str(content['conclusion']))}</p>")
    drawn = picture(name, path, content)
    parts.append(drawn)
    beside = path.with_suffix(".txt")
    table = beside.read_text(encoding="utf-8") if beside.is_file() else table_of(content["rows"])
    parts.append(f"<pre>{html.escape(table.rstrip())}</pre>")
    where = [str(content[key]) for key in ("machine", "system", "date") if content.get(key)]
    where += [f"commit {content['commit']}"] if content.get("commit") else []
    where += [f"load {content['load']} when it began"] if content.get("load") is not None else []
    repeat = again(content, path.stem if drawn else "")
    parts.append(f"<p class='facts'>{html.escape(', '.join(where))}"
                 + (f"<br>again: <code>{html.escape(repeat)}</code></p>" if repeat else "</p>"))
    return "".join(parts)


def again(content: dict[str, Any], stem: str = "") -> str:
    """The commands that made a result; where none is kept, the study whose plot its rows made, by the name of the file.

    >>> again({"command": ["bench", "lj", "--scheme", "half branch yes", ";", "bench", "eam"]})
    "everlet bench lj --scheme 'half branch yes'; everlet bench eam"
    """
    words = content.get("command")
    if isinstance(words, str) or not words:
        name, _, system = stem.partition("-")
        return words or (f"everlet study {name}" + (f" --system {system}" if system else "") if name in study else "")
    lines: list[list[str]] = [[]]
    for word in words:
        if word == ";":
            lines.append([])
        else:
            lines[-1].append(str(word))
    return "; ".join(shlex.join(["everlet", *line]) for line in lines)


def picture(name: str, path: Path, content: dict[str, Any]) -> str:
    """The plot of a result, inside the page: the one beside it, or one drawn from its rows."""
    beside, image = path.with_suffix(".svg"), path.with_suffix(".png")
    text = beside.read_text(encoding="utf-8") if beside.is_file() else ""
    if "<svg" not in text and image.is_file():
        return f'<figure><img alt="" src="data:image/png;base64,{base64.b64encode(image.read_bytes()).decode()}"></figure>'
    text = text if "<svg" in text else drawing(path.stem, content)
    if "<svg" not in text:
        return ""
    # names inside of a drawing must be its own on the page
    own = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{_anchor(name)}-", text[text.index("<svg"):])
    return f"<figure>{own}</figure>"


def drawing(stem: str, content: dict[str, Any]) -> str:
    """A drawing of rows as the study or benchmark that made them does it; '' if they are not such rows."""
    rows, words = content["rows"], content.get("command")
    if not rows or not all(isinstance(row, dict) for row in rows):
        return ""
    named = words[1] if isinstance(words, list) and words[:1] == ["study"] and len(words) > 1 else stem.partition("-")[0]
    made_by = plot.get(str(named)) if not words or words[0] == "study" else None
    if made_by is None and {"who", "rate", "atoms", "scheme", "device"} <= set(rows[0]):
        made_by = plots.rates
    elif made_by is None and "mops" in rows[0]:
        made_by = plots.operations
    try:
        return plots.svg(rows, made_by) if made_by else ""
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):  # rows of something else, or of an older version
        return ""


def table_of(rows: list[Any]) -> str:
    """A table of the plain values of rows; what is the same in all of them is said once. Of speeds the first is the one that
    the plot shows."""
    plain = [row for row in rows if isinstance(row, dict)][:MOST_ROWS]
    names = [name for name in dict.fromkeys(name for row in plain for name in row)
             if all(isinstance(row.get(name), str | int | float | type(None)) for row in plain)]
    if not names:
        return json.dumps(rows[:3], indent=1)
    same = [name for name in names if len(plain) > 1 and len({json.dumps(row.get(name)) for row in plain}) == 1]
    names = [name for name in names if name not in same]
    first = {plots.quantity(plain): plots.speed} if plain and all(set(row) >= RATES for row in plain) else {}
    kept = [*([names.pop(0)] if names else []), *first, *names][:MOST_COLUMNS]
    said = ", ".join(f"{name} {_cell(plain[0][name])}" for name in same if plain[0].get(name) not in (None, ""))
    more = f"\n… and {len(rows) - MOST_ROWS} more" if len(rows) > MOST_ROWS else ""
    cells = [[_cell(first[name](row) if name in first else row.get(name)) for name in kept] for row in plain]
    return (f"in all rows: {said}\n\n" if said else "") + (record.table(kept, cells) if kept else "") + more


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.5g}" if isinstance(value, float) else str(value)
