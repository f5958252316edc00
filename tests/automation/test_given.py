"""Text that a caller gives to be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepseekeyes.automation.given import MOST_BYTES, Given, text_of


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="files without an end exist on Unix only")
def test_a_file_without_an_end_is_read_up_to_the_limit(tmp_path: Path) -> None:
    text = text_of(Given(file="/dev/zero"), stdin=lambda most: b"", variable=lambda name: None, cwd=tmp_path)
    assert len(text) == MOST_BYTES
