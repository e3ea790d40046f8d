"""pair_write: a pair potential as a table file, readable by pair style table.

    pair_write I J N r|rsq|bitmap inner outer FILE KEYWORD [q_i q_j]

N lines of index, distance, energy, force (length, energy, energy/length), evenly spaced in r or in r^2 from inner to
outer; with bitmap 2^N lines for pair_style table bitmap N. An existing file is appended to, after a check that its units
are the same. Charges are for styles that have them; 1 and 1 if they are not given.
"""

from __future__ import annotations

import datetime
import math
import os
from typing import TYPE_CHECKING

from everlet.comm.world import writes
from everlet.errors import InputError, arguments, integer, number
from everlet.forces.pair.styles.table_bits import divide
from everlet.portable.code_places import check_output

if TYPE_CHECKING:
    from everlet.forces.pair.base import PairStyle

USAGE = "pair_write I J N r|rsq|bitmap inner outer FILE KEYWORD [q_i q_j]"


def pair_write(style: PairStyle, args: list[str]) -> str:
    """Write the file; the result is the line for the log."""
    arguments(args, 8, 10, USAGE)
    if len(args) == 9:
        raise InputError("pair_write takes two charges", f"usage: {USAGE}")
    charges = [number(word, "a charge") for word in args[8:]] or [1.0, 1.0]
    if len(args) > 8 and not style.charged:
        raise InputError(f"pair_write: pair style {style.name} does not depend on charges", "leave them out")
    first, second = style.system.type_of(args[0]), style.system.type_of(args[1])
    n = integer(args[2], "the number of lines")
    inner, outer = number(args[4], "the inner distance"), number(args[5], "the outer distance")
    path, keyword = args[6], args[7]
    if args[3] not in ("r", "rsq", "bitmap"):
        raise InputError(f"pair_write: unknown spacing '{args[3]}'", "use r, rsq or bitmap")
    if n < 2:
        raise InputError(f"pair_write needs 2 lines or more, found {n}", "use a larger N")
    if not 0.0 < inner < outer:
        raise InputError(f"pair_write needs 0 < inner < outer, found {inner:g} and {outer:g}", "choose other distances")
    if args[3] == "bitmap":
        squares = divide(inner, outer, n).s.tolist()
        n = len(squares)
    style.init()
    lines = [f"# Pair potential {style.name} for atom types {first} {second}: i,r,energy,force", "", keyword,
             f"N {n} {args[3].upper()} {inner:.15g} {outer:.15g}", ""]
    for k in range(n):
        r = inner + (outer - inner) * k / (n - 1)
        if args[3] == "rsq":
            r = math.sqrt(inner * inner + (outer * outer - inner * inner) * k / (n - 1))
        elif args[3] == "bitmap":
            r = math.sqrt(squares[k])
        force, energy = style.single(r * r, first, second, *charges)
        if math.isnan(energy):
            raise InputError(f"pair_write: the potential has no value at distance {r:g}", "use a larger inner distance")
        lines.append(table_row(k, r, energy, force * r))
    return store_table(path, "\n".join(lines) + "\n", style.system.units.name, "pair_write")


def table_row(k: int, place: float, energy: float, force: float) -> str:
    return f"{k + 1:8d} {place:< 22.15g} {energy:< 22.15g} {force:< 22.15g}"


def store_table(path: str, text: str, units: str, command: str) -> str:
    """Append to the file or create it, with a first line that says date and units. Of several ranks one does."""
    if not writes():
        return ""
    try:
        check_output(path)
        if os.path.exists(path):
            with open(path) as file:
                words = file.readline().split()
            date = words[words.index("DATE:") + 1] if "DATE:" in words[:-1] else "unknown"
            theirs = words[words.index("UNITS:") + 1] if "UNITS:" in words[:-1] else units
            if theirs != units:
                raise InputError(f"'{path}' is in {theirs} units, the system in {units} units", "choose another file")
            with open(path, "a") as file:
                file.write(text)
            return f"Appending to table file {path} with DATE: {date}"
        date = datetime.date.today().isoformat()
        with open(path, "w") as file:
            file.write(f"# DATE: {date} UNITS: {units} Created by {command}\n{text}")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}", "choose a writable place for it") from None
    return f"Creating table file {path} with DATE: {date}"
