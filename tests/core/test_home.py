"""Where the home is."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepseekeyes.core.home import home


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({"DEEPSEEKEYES_HOME": "/own", "DSH_HOME": "/dsh", "HOME": "/u"}, "/own"),
        ({"DSH_HOME": "/dsh", "HOME": "/u"}, "/dsh/deepseekeyes"),
        ({"HOME": "/u"}, "/u/.dsh/deepseekeyes"),
        ({"DEEPSEEKEYES_HOME": "~/eyes", "HOME": "/u"}, "/u/eyes"),
        ({"DSH_HOME": "~", "HOME": "/u"}, "/u/deepseekeyes"),
        ({"DEEPSEEKEYES_HOME": "  ", "DSH_HOME": "", "HOME": "/u"}, "/u/.dsh/deepseekeyes"),
        ({"USERPROFILE": "/profile"}, "/profile/.dsh/deepseekeyes"),
    ],
)
def test_the_most_specific_variable_decides(environ: dict[str, str], place: str) -> None:
    assert home(environ) == Path(place)


def test_a_relative_home_is_made_absolute_and_nothing_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPSEEKEYES_HOME", "eyes")
    assert home() == tmp_path / "eyes"
    assert list(tmp_path.iterdir()) == []
