"""Which tools a model may see: deterministic, greedy, every tool accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from deepseekeyes.mcp.catalog import Catalog, Tool
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.references import Unusable
from deepseekeyes.mcp.risk import permitted
from deepseekeyes.mcp.selectors import decide, tool_names
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.surface import Shown, prompt_definition, resource_definition, shown

Reason = Literal[
    "denylist",
    "not-allowlisted",
    "risk-policy-read-only",
    "definition-changed",
    "definition-unusable",
    "duplicate-public-name",
    "max-tools",
    "schema-token-budget",
]


@dataclass(frozen=True, slots=True)
class Source:
    """One server as exposure sees it.

    Attributes:
        approved: whether a tool's present definition is the remembered one (or was never seen).
        resources, prompts: whether at least one item of the kind is allowed and live.
    """

    server_id: str
    settings: ServerSettings
    catalog: Catalog
    approved: Callable[[Tool], bool] = lambda tool: True  # noqa: ARG005
    resources: bool = False
    prompts: bool = False

    @property
    def name(self) -> str:
        return self.settings.name or self.server_id


@dataclass(frozen=True, slots=True)
class Exposed:
    """A tool that is shown."""

    server_id: str
    tool: Tool
    shown: Shown


@dataclass(frozen=True, slots=True)
class Withheld:
    """A tool that is not, and why. `detail` completes the reason for people."""

    server_id: str
    tool: Tool
    reason: Reason
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Exposure:
    """The outcome: `len(exposed) + len(withheld)` is the number of tools that the servers listed."""

    exposed: tuple[Exposed, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    content: tuple[Shown, ...] = ()
    tokens: int = 0
    by_name: Mapping[str, Exposed] = field(default_factory=dict)

    def reason(self, server_id: str, public: str) -> Withheld | None:
        """Why a tool is withheld, or None."""
        return next(
            (each for each in self.withheld if each.server_id == server_id and each.tool.public_name == public), None
        )


def expose(sources: Iterable[Source], settings: McpSettings) -> Exposure:
    """Admit tools in the order of servers and public names while the budgets last.

    A tool that does not fit is skipped and a later, smaller one may still fit; nothing is moved to make room. The two
    generic content tools come last and are left out silently when they do not fit.
    """
    ordered = tuple(sources)
    budget = Budget(settings)
    exposed: dict[str, Exposed] = {}
    withheld: list[Withheld] = []
    for source in ordered:
        if not source.settings.tools_enabled:
            continue
        for tool in source.catalog.tools:
            outcome = _judge(source, tool, exposed, budget)
            if isinstance(outcome, Exposed):
                exposed[tool.public_name] = outcome
            else:
                withheld.append(outcome)
    content: list[Shown] = []
    if any(source.resources for source in ordered) and budget.take(resource := resource_definition()) is None:
        content.append(resource)
    if any(source.prompts for source in ordered) and budget.take(prompt := prompt_definition()) is None:
        content.append(prompt)
    return Exposure(tuple(exposed.values()), tuple(withheld), tuple(content), budget.tokens, exposed)


class Budget:
    """What is left of the most tools and the most schema tokens; 0 is no bound."""

    def __init__(self, settings: McpSettings, count: int = 0, tokens: int = 0) -> None:
        self._most = settings.max_tools
        self._most_tokens = settings.max_schema_tokens
        self.count = count
        self.tokens = tokens

    def take(self, definition: Shown) -> Reason | None:
        """Make room for a definition, or say which bound it is over."""
        if self._most and self.count >= self._most:
            return "max-tools"
        if self._most_tokens and self.tokens + definition.tokens > self._most_tokens:
            return "schema-token-budget"
        self.count += 1
        self.tokens += definition.tokens
        return None


def _judge(source: Source, tool: Tool, taken: Mapping[str, Exposed], budget: Budget) -> Exposed | Withheld:
    reason, detail = refusal(source, tool)
    if reason is None and tool.public_name in taken:
        reason, detail = "duplicate-public-name", f"{taken[tool.public_name].server_id} has it already"
    if reason is not None:
        return Withheld(source.server_id, tool, reason, detail)
    try:
        definition = shown(tool, source.name)
    except Unusable as problem:
        return Withheld(source.server_id, tool, "definition-unusable", str(problem))
    over = budget.take(definition)
    if over is not None:
        return Withheld(source.server_id, tool, over, f"it needs {definition.tokens} tokens")
    return Exposed(source.server_id, tool, definition)


def refusal(source: Source, tool: Tool) -> tuple[Reason | None, str | None]:
    """The policy's word on one tool, budgets aside."""
    if tool.problem is not None:
        return "definition-unusable", tool.problem
    settings = source.settings
    names = tool_names(source.server_id, source.name, tool.raw_name, tool.public_name)
    decision = decide(names, settings.allowed_tools, settings.deny_tools)
    if not decision.allowed:
        return ("denylist" if decision.reason == "denylist" else "not-allowlisted"), decision.selector
    if not permitted(settings.risk_policy, tool.classification):
        return "risk-policy-read-only", f"its risk is {tool.classification.risk}"
    if not source.approved(tool):
        return "definition-changed", "its definition differs from the one that was allowed"
    return None, None
