"""Words for devices: one list, from which the command line, errors and pages are made; and traits, which are data."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from everlet.api.simulation import Simulation
from everlet.cli.request import run_request
from everlet.cli.subcommands import SUBCOMMANDS
from everlet.errors import DeviceError
from everlet.portable import Reference, Serial, Space, Threads, choose, devices
from everlet.portable.backends import kinds, places, traits_of
from everlet.portable.traits import Traits, powers

ROOT = Path(__file__).parents[2]


def test_words_stand_for_devices() -> None:
    assert devices.find("nothing") is None and devices.find("cpu:1") is None and devices.find("cuda:x") is None
    assert devices.find("gpu:3") == (devices.devices()["cuda"], 3) and devices.find("cuda") == (devices.devices()["cuda"], None)
    assert [devices.usual(word) for word in ("gpu", "gpu:3", "cpu", "auto", "nothing")] == [
        "cuda", "cuda:3", "cpu", "auto", "nothing"]
    assert devices.accelerator().name == "cuda" and devices.of_package("omp") == devices.devices()["cpu"]
    assert devices.of_package("kokkos") is None


def test_every_word_is_in_the_help_and_on_the_pages() -> None:
    pages = {"everlet --help": SUBCOMMANDS["run"].usage, "Simulation": Simulation.__doc__ or "",
             "portable.md": (ROOT / "docs" / "portable.md").read_text()}
    for name in devices.names():
        first, _, rest = name.partition(":")
        for where, text in pages.items():
            assert name in text or f"{first}[:{rest}]" in text, f"{where} does not name {name}"
    with pytest.raises(DeviceError) as caught:
        choose("nothing")
    assert all(name in caught.value.remedy for name in devices.names())


@pytest.mark.parametrize("word", [*devices.names(), "gpu", "gpu:1", "cuda:1"])
def test_the_command_line_takes_every_word(word: str) -> None:
    assert run_request(["in.x", "--device", word]).device == devices.usual(word)


def test_ranks_take_devices_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    from everlet.portable.backends.cuda import found

    monkeypatch.setattr(found, "why_not", lambda: "")
    monkeypatch.setattr(found, "count", lambda: 2)
    assert [devices.of_rank("auto", k) for k in range(3)] == ["cuda:0", "cuda:1", "cuda:0"]
    assert devices.of_rank("gpu", 1) == "cuda:1" and devices.of_rank("cuda:0", 1) == "cuda:0"
    assert devices.of_rank("cpu", 1) == "cpu" and devices.of_rank("nothing", 1) == "nothing"
    monkeypatch.setattr(found, "why_not", lambda: "none here")
    assert devices.of_rank("auto", 1) == "auto" and devices.automatic().name == "cpu"


def test_spaces_choose_teams() -> None:
    class Far(Space):
        target = "cuda"

    assert [Far().team(n, 16) for n in (0, 1000, 10_000, 32_000, 63_999, 64_000, 200_000)] == [16, 16, 16, 4, 4, 2, 1]
    assert Far().team(1, 10**6) == Far.widest and Serial().team(1, 16) == Reference().team(1, 16) == 1


def test_spaces_have_the_traits_of_their_targets() -> None:
    class Far(Space):
        target = "cuda"

    class FarInOrder(Space):
        target = "cuda"
        ordered = True

    for space in (Reference(), Serial(), Threads(1), Far()):
        for trait in fields(Traits):
            assert getattr(space, trait.name) == getattr(traits_of(space.target), trait.name)
    assert FarInOrder().ordered and FarInOrder().many_threads and not Far().ordered
    assert Serial() != Serial() and len({Serial(), Serial()}) == 2  # spaces are things, not values
    assert kinds("replays") == "GPUs" and kinds("ordered") == "CPUs"
    assert all(place.TRAITS.widest in powers(place.TRAITS.members) for place in places().values())
