"""Every setting of the earlier tools keeps its meaning: default, smallest and largest value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

NUMBERS = [
    ("vision.failover_attempts", 2, 0, 8),
    ("vision.max_clarifications", 3, 0, 8),
    ("vision.history_images", 8, 0, 32),
    ("vision.summary_chars", 320, 64, 2000),
    ("routing.health_ttl_ms", 60_000, 1_000, 3_600_000),
    ("routing.failure_cooldown_ms", 30_000, 0, 3_600_000),
    ("ledger.attempts_limit", 1_000, 10, 10_000),
    ("automation.calls_per_turn", 32, 0, 10_000),
    ("browser.timeout_ms", 15_000, 1_000, 120_000),
    ("browser.settle_ms", 300, 0, 10_000),
    ("browser.viewport.width", 1440, 320, 3840),
    ("browser.viewport.height", 900, 240, 2160),
    ("browser.max_elements", 500, 20, 2_000),
    ("browser.max_text_chars", 20_000, 1_000, 100_000),
    ("browser.history_limit", 8, 0, 32),
    ("desktop.timeout_ms", 30_000, 1_000, 120_000),
    ("desktop.settle_ms", 300, 0, 10_000),
    ("desktop.max_windows", 50, 1, 200),
    ("desktop.max_elements", 200, 20, 500),
    ("desktop.display", 0, 0, 32),
    ("desktop.history_limit", 8, 0, 32),
    ("mcp.max_result_chars", 20_000, 256, 10_000_000),
    ("mcp.tool_call_timeout_ms", 30_000, 100, 3_600_000),
]
NUMBERS_OR_ZERO = [
    ("vision.base_max_tokens", 16_384, 512, None),
    ("vision.target_max_tokens", 8_192, 256, None),
    ("automation.context_max_tokens", 32_768, 4_096, None),
    ("mcp.max_tools", 16, 1, 1_000),
    ("mcp.max_schema_tokens", 12_000, 256, 10_000_000),
    ("mcp.max_external_calls_per_run", 64, 1, 10_000),
]
OTHERS = {
    "vision.auto_detect": True,
    "vision.active_probe": True,
    "routing.health_check": True,
    "ledger.attempts": True,
    "ledger.usage": True,
    "store.evidence": True,
    "browser.enabled": False,
    "browser.headless": False,
    "browser.locale": "zh-CN",
    "browser.artifacts_dir": Path("browser-runs"),
    "desktop.enabled": False,
    "desktop.visual_mode": "auto",
    "desktop.semantic": True,
    "desktop.artifacts_dir": Path("desktop-runs"),
    "mcp.enabled": False,
    "mcp.audit": True,
    "mcp.artifact_dir": "mcp-artifacts",
    "serve.provider_id": "deepseekeyes",
    "serve.display_name": "DeepSeekEyes",
    "vision.provider": None,
    "vision.model": None,
    "serve.upstream_route": None,
    "browser.channel": None,
    "browser.executable": None,
}


def value_of(settings: Any, key: str) -> Any:
    for part in key.split("."):
        settings = getattr(settings, part)
    return settings


def written(key: str, value: int) -> str:
    table, _, name = key.rpartition(".")
    return f"[{table}]\n{name} = {value}\n"


@pytest.mark.parametrize(("key", "default", "low", "high"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_numbers_keep_default_and_range(place: Any, key: str, default: int, low: int, high: int) -> None:
    assert value_of(place.load().settings, key) == default
    for value in (low, high):
        place.mine(written(key, value))
        assert value_of(place.load().settings, key) == value
    for value in (low - 1, high + 1):
        place.mine(written(key, value))
        assert place.problems() == [("CONFIG_VALUE", key)]


@pytest.mark.parametrize(("key", "default", "low", "high"), NUMBERS_OR_ZERO, ids=[row[0] for row in NUMBERS_OR_ZERO])
def test_zero_means_no_bound_and_the_gap_above_it_is_refused(
    place: Any, key: str, default: int, low: int, high: int | None
) -> None:
    assert value_of(place.load().settings, key) == default
    for value in (0, low, high or 10**12):
        place.mine(written(key, value))
        assert value_of(place.load().settings, key) == value
    for value in {-1, low - 1 or -1, high + 1 if high else -1}:
        place.mine(written(key, value))
        assert place.problems() == [("CONFIG_VALUE", key)]


@pytest.mark.parametrize(("key", "default"), OTHERS.items(), ids=list(OTHERS))
def test_switches_words_and_paths_keep_their_defaults(place: Any, key: str, default: Any) -> None:
    assert value_of(place.load().settings, key) == default


def test_settings_made_from_defaults_equal_settings_that_were_checked(place: Any) -> None:
    from deepseekeyes.config.settings import SECTIONS, section_type

    settings = place.load().settings
    assert [name for name in SECTIONS if settings.section(name) != section_type(name)()] == []
