"""The thermo output of a simulation as a table with units."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from everlet.api.record import quoted
from everlet.api.styles import words
from everlet.io.keywords import keywords
from everlet.session import Session

SHOWN = 12  # rows that a notebook shows


class Table:
    """Rows that were printed, over all runs. Columns are named by the words of thermo_style.

        sim.thermo["temp"]             one column
        sim.thermo.table()             all of them
        sim.thermo.value("pe")         a word now
        sim.thermo.units["press"]      'bar'
        sim.thermo.every = 100         rows at multiples of this step; 0: at the first and last step of runs
        sim.thermo.columns = ["step", "temp", "pe", "press"]
        sim.thermo.to_pandas()
        sim.thermo.clear()             forget the rows so far
    """

    def __init__(self, session: Callable[[], Session]):
        self._session = session

    def value(self, word: str) -> float:
        """One thermo word as it would be printed now; also c_ID, f_ID, v_NAME."""
        return self._session().thermo_value(word)

    def table(self) -> dict[str, np.ndarray]:
        """All rows, one array per column; NaN where a row has no such column (another thermo_style)."""
        return self._session().thermo.table()

    @property
    def history(self) -> list[dict[str, float]]:
        """All rows, each as a dictionary."""
        return self._session().thermo.history

    def clear(self) -> None:
        """Forget all rows, as those of a run that was for getting ready."""
        self._session().thermo.history.clear()

    def __getitem__(self, word: str) -> np.ndarray:
        """One column of all rows."""
        found = self.table()
        if word not in found:
            raise KeyError(f"'{word}' is not a column: {', '.join(found)}; set sim.thermo.columns before the run" +
                           (f", or ask for sim[{word!r}], its value now" if word in keywords else ""))
        return found[word]

    def __contains__(self, word: str) -> bool:
        return word in self.table()

    def __iter__(self) -> Iterator[str]:
        return iter(self.table())

    def __len__(self) -> int:
        """Rows."""
        return len(self.history)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column; empty where it has none, or nobody knows it."""
        session = self._session()
        return {word: session.thermo.unit(word) for word in self.table()}

    @property
    def every(self) -> int:
        """Rows at multiples of this step; 0: at the first and last step of runs."""
        return self._session().thermo.every

    @every.setter
    def every(self, steps: int) -> None:
        self._session().commands(f"thermo {steps}")

    @property
    def columns(self) -> list[str]:
        """Words of thermo_style custom."""
        return [column.word for column in self._session().thermo.columns]

    @columns.setter
    def columns(self, given: list[str]) -> None:
        self._session().commands(" ".join(["thermo_style custom", *map(quoted, words(list(given)))]))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; its attrs have the units."""
        try:
            import pandas  # type: ignore[import-untyped]
        except ImportError:
            raise ImportError("to_pandas() needs pandas: pip install pandas (or use sim.thermo.table())") from None
        found = pandas.DataFrame(self.table())
        found.attrs["units"] = self.units
        return found

    def __repr__(self) -> str:
        return f"<thermo: {len(self)} rows of {' '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        found, units = self.table(), self.units
        head = "".join(f"<th>{html.escape(word)}<br><small>{html.escape(units[word])}</small></th>" for word in found)
        rows = "".join("<tr>" + "".join(f"<td>{values[k]:.8g}</td>" for values in found.values()) + "</tr>"
                       for k in range(max(0, len(self) - SHOWN), len(self)))
        more = f"<caption>the last {SHOWN} of {len(self)} rows</caption>" if len(self) > SHOWN else ""
        return f"<table>{more}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
