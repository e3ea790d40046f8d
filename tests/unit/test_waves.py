"""Words for threads that share an item, on waves of 64 threads as GPUs of AMD have them, and of 32: the text of the words is
carried out by as many threads of Python, with votes and shuffles as AMD's headers define them."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from everlet.portable.backends.grid import prelude

TEXTS = prelude.LANES + prelude.WARP_SUM + prelude.ADD_SUMS["lanes"]
GROUP = 32  # threads that shuffle with each other, whatever a wave has


def signed(value: int, bits: int) -> int:
    return (int(value) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


class Wave:
    """Threads in step, of which some may not be there: what they say is known to all of them once all have said it."""

    def __init__(self, threads: int, active: list[int]):
        self.threads, self.active, self.said = threads, active, {}
        self.meeting = threading.Barrier(len(active), timeout=20)

    def exchange(self, lane: int, value: Any) -> dict[int, Any]:
        self.said[lane] = value
        self.meeting.wait()
        heard = dict(self.said)
        self.meeting.wait()
        return heard

    def primitives(self, lane: int) -> SimpleNamespace:
        """Those of one thread. The second wave of a block: numbers in the block are not those in the wave."""
        def ballot(mask: int, vote: bool) -> int:
            return signed(sum(1 << one for one, given in self.exchange(lane, vote).items() if given), 64)

        def down(mask: int, value: int, by: int) -> int:
            return self.exchange(lane, value).get(lane if (lane % GROUP) + by >= GROUP else lane + by, 0)

        def across(mask: int, value: int, by: int) -> int:
            other = lane ^ by
            return self.exchange(lane, value).get(lane if other >= (lane + GROUP) & ~(GROUP - 1) else other, 0)

        return SimpleNamespace(
            laneid=lane, threadIdx=SimpleNamespace(x=self.threads + lane), ballot_sync=ballot, shfl_down_sync=down,
            shfl_xor_sync=across, popc=lambda value: (value & 0xFFFFFFFF).bit_count(),
            libdevice=SimpleNamespace(double2hiint=lambda x: struct.unpack("<ii", struct.pack("<d", x))[1],
                                      double2loint=lambda x: struct.unpack("<ii", struct.pack("<d", x))[0],
                                      hiloint2double=lambda high, low: struct.unpack("<d", struct.pack("<ii", low, high))[0]))

    def run(self, team: int, work: Callable[[dict[str, Any], int], Any]) -> dict[int, Any]:
        """What work(words, lane) gives in each thread that is there."""
        found, names = {}, {"device": lambda made: made, "TEAM": team, "i32": lambda x: signed(x, 32),
                            "i64": lambda x: signed(x, 64), "u64": int, "f64": float}

        def thread(lane: int) -> None:
            words = {**names, "cuda": self.primitives(lane)}
            exec(TEXTS, words)
            found[lane] = work(words, lane)

        threads = [threading.Thread(target=thread, args=(lane,)) for lane in self.active]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(found) == self.active
        return found


def wave(threads: int, team: int, gaps: bool) -> Wave:
    """gaps: every other item has come to its end."""
    return Wave(threads, [lane for lane in range(threads) if not gaps or lane // team % 2 == 0])


CASES = [(64, 4, True), (64, 16, True), (64, 32, False), (32, 8, True), (32, 32, False)]


@pytest.mark.parametrize("threads, team, gaps", CASES)
def test_votes_of_an_item(threads: int, team: int, gaps: bool) -> None:
    """Lanes are counted, and append side by side, within their own item."""
    def yes(lane: int) -> bool:
        return lane % 3 != 1 or lane == threads - 1

    def work(words: dict[str, Any], lane: int) -> tuple[int, int]:
        return words["count_lanes"](yes(lane)), words["append"](rows[lane // team], 0, 0, 1, lane, yes(lane))

    here, rows = wave(threads, team, gaps), [[-1] * team for _ in range(threads // team)]
    for lane, counts in here.run(team, work).items():
        said = [one for one in here.active if one // team == lane // team and yes(one)]
        assert counts == (len(said), len(said))
        assert rows[lane // team][: len(said)] == said


@pytest.mark.parametrize("threads, team, gaps", CASES)
def test_sums_of_an_item(threads: int, team: int, gaps: bool) -> None:
    """Of numbers whose sums are exact in any order."""
    def work(words: dict[str, Any], lane: int) -> float | None:
        words["add_sums"](totals[lane // team], 0, 1, lane + 0.25, lane * 2.0, True)
        total = words["lane_sum"](lane + 0.5)
        return total if words["leader"]() else None

    here, totals = wave(threads, team, gaps), [[0.0, 0.0] for _ in range(threads // team)]
    for lane, total in here.run(team, work).items():
        of_item = [one for one in here.active if one // team == lane // team]
        assert total == (None if lane % team else sum(of_item) + 0.5 * team)
        assert totals[lane // team] == [sum(of_item) + 0.25 * team, 2.0 * sum(of_item)]


@pytest.mark.parametrize("threads", [32, 64])
def test_sums_for_reductions(threads: int) -> None:
    """Each 32 threads have their own, in the first of them."""
    found = wave(threads, 1, False).run(1, lambda words, lane: words["_warp_sum"](lane + 0.5))
    assert [found[lane] for lane in range(0, threads, GROUP)] == [
        sum(range(lane, lane + GROUP)) + 16 for lane in range(0, threads, GROUP)]
