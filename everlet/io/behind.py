"""Work that goes on behind a run: one piece at a time, in a thread of its own, and errors come back to whoever waits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class Behind:
    """
    >>> behind, done = Behind(), []
    >>> behind.do(lambda: done.append(1)); behind.do(lambda: done.append(2)); behind.wait(); done
    [1, 2]
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._last: Future[None] | None = None

    def do(self, work: Callable[[], None]) -> None:
        """Begin this piece when the one before is done."""
        self.wait()
        self._pool = self._pool or ThreadPoolExecutor(1)
        self._last = self._pool.submit(work)

    def wait(self) -> None:
        """Until all is done. An error of the work is raised here, once."""
        last, self._last = self._last, None
        if last is not None:
            last.result()

    def close(self) -> None:
        """Wait, and give the thread back."""
        try:
            self.wait()
        finally:
            if self._pool is not None:
                self._pool.shutdown()
                self._pool = None
