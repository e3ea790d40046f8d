"""The end of a reduction: sums of blocks are added up by a kernel, so that they can stay in the memory of the space."""
# ruff: noqa: F821

from __future__ import annotations

from everlet.portable.language.dtypes import f64, i64
from everlet.portable.language.functions import portable
from everlet.portable.programs import Kernel

TEAM = 256


@portable
def add_up(k, n: i64, counter: i64, size: i64, sums: i64, first: i64, add: i64, control: i64[:], partial: f64[:], into: f64[:]):
    """into[first + k] = sum number k of all blocks of `size` items; of n items, or of as many as a control word says."""
    items = n
    if counter > 0:
        items = min(n, control[counter])
    total = 0.0
    for block in team_range((items + size - 1) // size):
        total += partial[block * sums + k]
    whole = team_sum(total)
    if team_rank() == 0:
        if add > 0:
            whole += into[first + k]
        into[first + k] = whole


@portable
def add_all(t, count: i64, table: i64[:], control: i64[:], partial: f64[:], into: f64[:]):
    """into[t] = the sums of all rows that are for number t. table: where its rows begin and end, for each of `count` numbers;
    then rows of WORDS: first sum of a block, items, the control word that knows their number, items of a block, step."""
    total = 0.0
    for row in range(table[2 * t], table[2 * t + 1]):
        place = 2 * count + WORDS * row
        items = table[place + 1]
        if table[place + 2] > 0:
            items = min(items, control[table[place + 2]])
        size = table[place + 3]
        for block in team_range((items + size - 1) // size):
            total += partial[table[place] + block * table[place + 4]]
    whole = team_sum(total)
    if team_rank() == 0:
        into[t] = whole


WORDS = 5
ADD_UP = Kernel(add_up, team=TEAM, league=True)
ADD_ALL = Kernel(add_all, team=TEAM, league=True)
