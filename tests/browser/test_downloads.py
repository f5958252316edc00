"""What downloads may take, held while they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.service

BUDGET = 300_000


@pytest.fixture(scope="module", params=["", "artifacts_dir = false\n"], ids=["kept", "in memory"])
def bounded(request: pytest.FixtureRequest, hands_with: Any) -> Any:
    return hands_with(f"max_download_bytes = {BUDGET}\n{request.param}")


def test_a_download_without_an_end_is_cancelled_where_the_budget_ends(bounded: Any, pages: Any) -> None:
    pages.gone.clear()
    bounded("open", url=f"{pages.url}/popups.html")
    bounded("open", url=f"{pages.url}/endless-download")
    row = bounded("wait", until="download")["downloads"][-1]
    assert (row["state"], row["path"], row["sha256"]) == ("failed", None, None)
    assert row["error"].startswith("BROWSER_DOWNLOADS_TOO_LARGE")
    assert pages.gone.wait(20)
    left = [path.stat().st_size for path in Path(bounded.home).rglob("downloads/*")]
    assert left == []


def test_small_downloads_go_on_and_count_together(bounded: Any, pages: Any) -> None:
    bounded("open", url=f"{pages.url}/popups.html")
    bounded("click", name="Get file")
    row = bounded("wait", until="download")["downloads"][-1]
    assert (row["state"], row["error"]) == ("done", None)
