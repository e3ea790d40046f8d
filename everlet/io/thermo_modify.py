"""The options of `thermo_modify`.

norm yes|no         extensive values per atom (default: yes in lj units)
flush yes|no        hand every row to the operating system at once (default: about once a second)
hash yes|no         a last column with 15 hexadecimal digits that are the same only if ids, positions and velocities of all
                    atoms are, bit by bit (default: no)
lost error|warn|ignore
line one|multi|yaml
format line "..." | int F | float F | N F | WORD F | none       C-style formats; one of a column counts more than those of int
                    and float, and these more than a line, whatever comes first
colname N NAME | WORD NAME | default
lost/bond error     a bond whose atoms are not found ends the run; warn and ignore are refused where there are bonds
warn ignore | reset | default | N      how many warnings are shown (default 100); reset: count from 0 again
temp ID, press ID   the computes behind temp, ke, etotal and press, pxx, ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.computes.energies.pressure import Pressure
from everlet.computes.temperatures.base import Temperature
from everlet.errors import InputError, integer, one_of, unknown, yes_no
from everlet.io.formats import check_format
from everlet.io.log import MOST_WARNINGS
from everlet.io.thermo import FORMATS, Thermo
from everlet.state.topology import KINDS, count_links

REFUSED = {
    "triclinic/general": "general triclinic boxes are not available",
}


def modify(thermo: Thermo, args: list[str], log: Any = None) -> None:
    """Apply a list of thermo_modify options; `log` is for warn."""
    words = list(args)
    while words:
        option = words.pop(0)
        if option in REFUSED:
            raise InputError(f"thermo_modify {option} is not available: {REFUSED[option]}", "remove it")
        if option == "warn" and log is not None:
            _warn(log, words)
            continue
        if option not in OPTIONS:
            raise unknown("thermo_modify option", option, (*OPTIONS, "warn"))
        OPTIONS[option](thermo, words)
    thermo.modified = True


def _take(words: list[str], option: str, what: str) -> str:
    if not words:
        raise InputError(f"thermo_modify {option} lacks {what}", "usage: thermo_modify OPTION VALUE")
    return words.pop(0)


def _choice(words: list[str], option: str, choices: list[str]) -> str:
    word = _take(words, option, "its value")
    if word not in choices:
        raise InputError(f"thermo_modify {option} takes {', '.join(choices)}, found '{word}'", "use one of these")
    return word


def _norm(thermo: Thermo, words: list[str]) -> None:
    thermo.norm = yes_no(_take(words, "norm", "yes or no"), "thermo_modify norm")


def _flush(thermo: Thermo, words: list[str]) -> None:
    thermo.flush = yes_no(_take(words, "flush", "yes or no"), "thermo_modify flush")


def _hash(thermo: Thermo, words: list[str]) -> None:
    thermo.hash = yes_no(_take(words, "hash", "yes or no"), "thermo_modify hash")


def _lost(thermo: Thermo, words: list[str]) -> None:
    thermo.lost = _choice(words, "lost", ["error", "warn", "ignore"])


def _lost_bond(thermo: Thermo, words: list[str]) -> None:
    word, atoms = _choice(words, "lost/bond", ["error", "warn", "ignore"]), thermo.system.atoms
    if word != "error" and any(count_links(atoms, kind) for kind in KINDS.values()):
        raise InputError(f"thermo_modify lost/bond {word} is not available: a bond whose atom is lost has no force",
                         "use error, and delete_bonds for bonds that should go")


def _warn(log: Any, words: list[str]) -> None:
    word = _take(words, "warn", "ignore, reset, default or a number")
    if word == "reset":
        log.warnings = 0
    elif word in ("ignore", "default"):
        log.most_warnings = 0 if word == "ignore" else MOST_WARNINGS
    else:
        log.most_warnings = integer(word, "ignore, reset, default or a number of warnings")


def _line(thermo: Thermo, words: list[str]) -> None:
    thermo.layout = _choice(words, "line", list(FORMATS))


def _place(thermo: Thermo, word: str, option: str) -> int:
    """A column from its number (1 is the first, -1 the last) or its word."""
    count = len(thermo.columns)
    try:
        number = int(word)
    except ValueError:
        names = [column.word for column in thermo.columns]
        if word not in names:
            raise unknown(f"thermo_modify {option} column", word, names) from None
        return names.index(word)
    if not 1 <= abs(number) <= count:
        raise InputError(f"thermo_modify {option} {number} is out of range: there are {count} columns",
                         "use the number of a column, or its word")
    return number - 1 if number > 0 else count + number


def _kind(thermo: Thermo, place: int) -> str:
    return "int" if thermo.columns[place].whole else "float"


def _format(thermo: Thermo, words: list[str]) -> None:
    which = _take(words, "format", "line, int, float, none or a column")
    if which == "none":
        thermo.formats.clear()
        return
    text = _take(words, f"format {which}", "the format")
    if which == "line":
        parts = text.split()
        if len(parts) != len(thermo.columns):
            raise InputError(
                f"format line has {len(parts)} words for {len(thermo.columns)} columns",
                "give one format per column, with spaces between them",
            )
        for place, part in enumerate(parts):
            thermo.formats[f"line {place}"] = check_format(part, _kind(thermo, place))
    elif which in ("int", "float"):
        thermo.formats[which] = check_format(text, which)
    else:
        place = _place(thermo, which, "format")
        thermo.formats[place] = check_format(text, _kind(thermo, place))


def _colname(thermo: Thermo, words: list[str]) -> None:
    which = _take(words, "colname", "a column and a name, or default")
    if which == "default":
        thermo.headings.clear()
    else:
        thermo.headings[_place(thermo, which, "colname")] = _take(words, f"colname {which}", "the name")


def _find(thermo: Thermo, words: list[str], option: str) -> tuple[str, Any]:
    name = _take(words, option, "the ID of a compute")
    one_of("compute", name, thermo.system.computes)
    return name, thermo.system.computes[name]


def _temp(thermo: Thermo, words: list[str]) -> None:
    """The pressure uses the same temperature from now on."""
    name, compute = _find(thermo, words, "temp")
    if not isinstance(compute, Temperature):
        raise InputError(f"compute '{name}' does not give a temperature", "use the ID of a compute temp")
    thermo.computes["temp"] = name
    thermo.compute("press").temperature = name


def _press(thermo: Thermo, words: list[str]) -> None:
    name, compute = _find(thermo, words, "press")
    if not isinstance(compute, Pressure):
        raise InputError(f"compute '{name}' does not give a pressure", "use the ID of a compute pressure")
    thermo.computes["press"] = name


OPTIONS: dict[str, Callable[[Thermo, list[str]], None]] = {
    "norm": _norm,
    "flush": _flush,
    "hash": _hash,
    "lost": _lost,
    "lost/bond": _lost_bond,
    "line": _line,
    "format": _format,
    "colname": _colname,
    "temp": _temp,
    "press": _press,
}
