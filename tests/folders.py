"""Folders that tests run in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


def folder_of(**texts: str) -> Callable[..., Path]:
    """A fixture: the test runs in a folder of its own, which has these modules."""

    @pytest.fixture
    def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        return tmp_path

    return folder
