"""Files that a caller wants beside a run's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepseekeyes.automation.publishing import wanted
from deepseekeyes.core.errors import EyesError


def test_a_file_is_wanted_where_its_folder_is(tmp_path: Path) -> None:
    assert wanted(None, tmp_path) is None
    assert wanted("page.png", tmp_path) == tmp_path / "page.png"
    assert wanted(str(tmp_path / "page.png"), Path("/")) == tmp_path / "page.png"


def test_a_folder_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(EyesError) as caught:
        wanted("my runs/page.png", tmp_path)
    assert (caught.value.code.name, caught.value.hint) == (
        "OUT_FOLDER_MISSING",
        "Create the folder first: mkdir -p 'my runs'",
    )
    assert list(tmp_path.iterdir()) == []
