"""Whatever a file or a variable holds, the answer is a list of problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.config.environment import read_environment, variables
from deepseekeyes.config.fields import leaves
from deepseekeyes.config.load import inspect, inspect_text
from deepseekeyes.config.settings import NAMES, SECTIONS, section_type

KEYS = sorted({part for name in SECTIONS for leaf in leaves(section_type(name), (name,)) for part in leaf.path[1:]})
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6)
keys = st.sampled_from([*KEYS, "env", "transport", "oauth", "visionProvider"]) | words.filter(bool)
scalars = st.booleans() | st.integers(-(2**62), 2**62) | st.floats() | words | st.dates() | st.datetimes()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)
documents = st.dictionaries(
    st.sampled_from(NAMES) | words.filter(bool), st.dictionaries(keys, values, max_size=3) | values
)


@given(documents)
def test_any_toml_is_judged(document: dict[str, Any]) -> None:
    text = tomlkit.dumps(document)
    for problem in inspect_text(text, Path("/nowhere/config.toml"), Path("/nowhere")):
        assert problem.sentence
        assert problem.document().code == problem.code.name


@given(st.binary(max_size=200))
def test_any_bytes_are_judged(tmp_path_factory: Any, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "deepseekeyes.toml").write_bytes(data)
    found = inspect(home=folder / "home", cwd=folder, environ={})
    assert [problem for problem in found.problems if not problem.sentence] == []


@given(
    st.dictionaries(
        st.sampled_from(sorted(variables())) | words.map(lambda word: f"DEEPSEEKEYES_{word}"),
        st.text(max_size=12),
        max_size=4,
    )
)
def test_any_environment_is_judged(environ: dict[str, str]) -> None:
    found = read_environment(environ, set)
    assert len(found.origins) + len(found.problems) + len(found.warnings) <= len(environ)
