"""Files of averages: rows of text, or YAML if the name ends in .yaml or .yml."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.io.files import Pieces, cannot_write, whole_file
from everlet.state.text import shortest

YAML = (".yaml", ".yml")


class AverageFile:
    """Titles, and blocks of rows that follow each other or, with `overwrite`, replace each other."""

    def __init__(self, user: str, path: str, titles: list[str], keywords: list[str], append: bool = False,
                 overwrite: bool = False, form: str = " %g"):
        self.user, self.path, self.overwrite, self.form = user, path, overwrite, form
        self.yaml = path.endswith(YAML)
        if self.yaml and overwrite:
            raise InputError(f"{user}: overwrite of a YAML file is not available", "choose another ending, or leave it out")
        self.head = "".join(f"{title}\n" for title in titles)
        if self.yaml:
            self.head += "---\nkeywords: [" + "".join(f"'{word}', " for word in keywords) + "]\ndata:\n"
        self._file: Pieces | None = None
        try:
            self._file = Pieces(path, append)
        except OSError as error:
            raise cannot_write(path, error, f"{user}: ") from None
        self._write(self.head)

    def row(self, step: int, values: list[float]) -> None:
        """One row of numbers."""
        if self.yaml:
            self._write("  - [" + "".join(f"{shortest(value)}, " for value in [step, *values]) + "]\n")
        else:
            self._write(f"{step}{self._numbers(values)}\n")

    def table(self, step: int, rows: list[list[float]]) -> None:
        """Several rows."""
        if self.yaml:
            text = "".join("  - [" + "".join(f"{shortest(value)}, " for value in row) + "]\n" for row in rows)
            self._write(f"  {step}:\n{text}")
        else:
            self._write(f"{step} {len(rows)}\n" + "".join(f"{k}{self._numbers(row)}\n" for k, row in enumerate(rows, 1)))

    def text(self, text: str) -> None:
        """A block as it is."""
        self._write(text)

    def _numbers(self, values: list[float]) -> str:
        return "".join(self.form % value for value in values)

    def _write(self, text: str) -> None:
        try:
            if self.overwrite:
                with whole_file(self.path) as stream:
                    stream.write(self.head + (text if text is not self.head else ""))
            elif self._file is not None:
                self._file.add(text, True)
        except OSError as error:
            raise cannot_write(self.path, error, f"{self.user}: ") from None

    def close(self) -> None:
        if self._file is not None:
            if self.yaml:
                self._write("...\n")
            self._file.close()
            self._file = None
