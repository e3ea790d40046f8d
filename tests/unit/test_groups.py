"""Groups: bits of the mask."""

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.state.groups import MOST, Groups


@pytest.fixture
def mask():
    return np.ones(8, np.int32)


def chosen(*rows):
    return np.isin(np.arange(8), rows)


def test_all_holds_everything(mask):
    groups = Groups()
    assert groups.count("all", mask) == 8 and groups.index("all") == 0 and groups.names() == ["all"]


def test_assign_adds(mask):
    groups = Groups()
    groups.assign("a", mask, chosen(1, 2))
    groups.assign("a", mask, chosen(5))
    assert groups.member("a", mask).nonzero()[0].tolist() == [1, 2, 5]
    assert "a" in groups and "b" not in groups


def test_set_operations(mask):
    groups = Groups()
    groups.assign("a", mask, chosen(0, 1, 2, 3))
    groups.assign("b", mask, chosen(2, 3, 4))
    groups.union("u", mask, ["a", "b"])
    groups.intersect("i", mask, ["a", "b"])
    groups.subtract("s", mask, ["all", "a", "b"])
    groups.subtract("a", mask, ["a", "b"])
    members = {name: groups.member(name, mask).nonzero()[0].tolist() for name in "uisa"}
    assert members == {"u": [0, 1, 2, 3, 4], "i": [2, 3], "s": [5, 6, 7], "a": [0, 1]}


def test_unknown_group_changes_nothing(mask):
    groups = Groups()
    with pytest.raises(InputError, match="group 'nobody'"):
        groups.subtract("new", mask, ["all", "nobody"])
    assert groups.names() == ["all"] and (mask == 1).all()


def test_every_bit_works_and_the_last_is_31(mask):
    groups = Groups()
    for n in range(1, MOST):
        groups.assign(f"g{n}", mask, chosen(n % 8))
    assert groups.index("g31") == 31 and groups.bit("g31") == np.iinfo(np.int32).min
    assert all(groups.count(f"g{n}", mask) == 1 for n in range(1, MOST))
    with pytest.raises(InputError, match="32 groups"):
        groups.define("more")


def test_delete_frees_a_clean_bit(mask):
    groups = Groups()
    groups.assign("a", mask, chosen(1))
    groups.assign("b", mask, chosen(2))
    groups.delete("a", mask)
    groups.define("c")
    assert groups.index("c") == 1 and groups.count("c", mask) == 0 and groups.count("b", mask) == 1


def test_clear(mask):
    groups = Groups()
    groups.assign("a", mask, chosen(1, 2))
    groups.clear("a", mask)
    assert "a" in groups and groups.count("a", mask) == 0


@pytest.mark.parametrize("act", ["clear", "delete"])
def test_all_stays(act, mask):
    with pytest.raises(InputError, match="group all"):
        getattr(Groups(), act)("all", mask)
