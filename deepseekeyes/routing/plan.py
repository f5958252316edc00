"""Which routes may serve a request, in which order, and why. Pure and total; names no model and no engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Literal, NamedTuple

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE, REASONING, capability
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.policy import ENTER_DISABLED, Policy

DecidedBy = Literal["base-route", "requested", "configured", "policy", "route-priority", "rank"]
Cause = Literal[
    "undeclared",
    "excluded",
    "disabled",
    "policy",
    "tags",
    "inputs",
    "modalities",
    "unconfigured",
    "not-named",
    "not-ordered",
]
FailoverScope = Literal["all", "ordered", "none"]

NO_ROUTE: Mapping[str, Code] = {EYE: codes.NO_VISION_MODEL}


class Asked(NamedTuple):
    """What a request says about routes.

    Attributes:
        capability: the kind of work.
        route: `--route`: an entry id or `provider/model`.
        base_route: id of the route that made the record a reread belongs to.
        kinds: input kinds the request carries; empty when only listing.
        required_tags: tags a route must have.
        excluded: ids that may not serve.
        failover: who may follow the first: everyone, only what the operator put in order, or nobody.
        attempt_budget: how many routes may fail; None for all.
    """

    capability: str
    route: str | None = None
    base_route: str | None = None
    kinds: frozenset[str] = frozenset()
    required_tags: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    failover: FailoverScope = "all"
    attempt_budget: int | None = None


class Preferences(NamedTuple):
    """What the configuration says about routes.

    Attributes:
        configured: the configured eye or reasoner: an id, `provider/model`, or a provider alone.
        priority: ids or `provider/model` in order, used where policy never arranged the capability.
        auto_detect: whether routes that nothing names take part.
    """

    configured: str | None = None
    priority: tuple[str, ...] = ()
    auto_detect: bool = True


class Facts(NamedTuple):
    """What is known without asking anyone: where entries come from, and which variables are missing."""

    origins: Mapping[str, str] = MappingProxyType({})
    missing_keys: Mapping[str, str] = MappingProxyType({})


class Place(NamedTuple):
    """A route that may serve, its zero-based position, and what decided it."""

    route: Route
    position: int
    decided_by: DecidedBy
    reason: str


class Exclusion(NamedTuple):
    """A route that may not serve, and why."""

    route: Route
    cause: Cause
    code: Code
    reason: str


class Plan(NamedTuple):
    """Every entry once: in `places` or in `excluded`. `unknown` holds names that fit no entry, by who said them."""

    asked: Asked
    places: tuple[Place, ...]
    excluded: tuple[Exclusion, ...]
    unknown: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def capability(self) -> str:
        return self.asked.capability

    @property
    def routes(self) -> tuple[Route, ...]:
        return tuple(place.route for place in self.places)

    def demand(self) -> Plan:
        """This plan, if it can be walked.

        Raises:
            EyesError: `ROUTE_NOT_FOUND`, the code of the requested route's exclusion, or, when nothing is left,
                `NO_VISION_MODEL`, `NO_COMPATIBLE_MODEL`, `POLICY_DISABLED` or the one cause all declarers share.
        """
        self._demand_requested()
        if not self.places:
            raise _nothing_left(self)
        return self

    def _demand_requested(self) -> None:
        asked = self.asked.route
        if asked is None:
            return
        if asked in self.unknown.get("requested", ()):
            names = sorted({place.route.id for place in self.places} | {gone.route.id for gone in self.excluded})
            raise EyesError(codes.ROUTE_NOT_FOUND, f"No route is called {asked!r}.", details={"candidates": names[:50]})
        if any(place.decided_by == "requested" or _means(asked, place.route) for place in self.places):
            return
        for gone in self.excluded:
            if _means(asked, gone.route):
                raise EyesError(
                    gone.code,
                    f"Route {gone.route.id} cannot serve {self.capability}: {gone.reason}.",
                    route=gone.route.id,
                )


def plan(
    routes: Iterable[Route],
    asked: Asked,
    preferences: Preferences | None = None,
    policy: Policy | None = None,
    facts: Facts | None = None,
) -> Plan:
    """Order the routes for one request.

    The order is: the base route of a reread, the requested route, the configured one, then the saved policy order if
    the capability was ever arranged, else the priority list, then rank (priority, then id).

    Raises:
        EyesError: `UNKNOWN_CAPABILITY` only.
    """
    capability(asked.capability)
    prefs, rules, known = preferences or Preferences(), policy or Policy(), facts or Facts()
    ranked = sorted(routes, key=attrgetter("id"))
    ranked.sort(key=attrgetter("priority"))
    usable, excluded = _sifted(ranked, asked, rules, known)
    decided, unknown = _named_places(ranked, usable, asked, prefs, rules)
    rest = [route for route in usable if route.id not in decided] if decided else usable
    if not prefs.auto_detect:
        why = "automatic detection is off and nothing names this route"
        excluded.extend(_out(route, "not-named", why) for route in rest)
        rest = []
    named, rest = _scoped(list(decided.values()), rest, asked.failover, excluded)
    places = [Place(route, at, by, why) for at, (route, by, why) in enumerate(named)]
    reasons = {number: f"priority {number}" for number in {route.priority for route in rest}}
    places += [Place(route, at, "rank", reasons[route.priority]) for at, route in enumerate(rest, len(named))]
    return Plan(asked, tuple(places), tuple(excluded), unknown)


_EYE_KINDS = frozenset({"text", "image"})
_Row = tuple[Route, DecidedBy, str]


def _named_places(
    ranked: Sequence[Route], usable: Sequence[Route], asked: Asked, prefs: Preferences, rules: Policy
) -> tuple[dict[str, _Row], dict[str, tuple[str, ...]]]:
    """Usable routes that something names, in order; and the names that fit no entry."""
    decided: dict[str, _Row] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    finders: list[_Finder] = []

    def take(by: DecidedBy, names: Sequence[str], reason: Callable[[int, str], str]) -> None:
        if not names:
            return
        if not finders:
            finders.append(_Finder(ranked, usable))
        finder, missing = finders[0], []
        for index, name in enumerate(names):
            found = finder.find(name, wildcard=by == "configured")
            if found is None:
                missing.append(name)
            for route in found or ():
                decided.setdefault(route.id, (route, by, reason(index, name)))
        if missing:
            unknown[by] = tuple(missing)

    take("base-route", [asked.base_route] if asked.base_route else [], lambda _, __: "made the record this rereads")
    take("requested", [asked.route] if asked.route else [], lambda _, name: f"asked for as {name}")
    take("configured", [prefs.configured] if prefs.configured else [], lambda _, name: f"configured as {name}")
    saved = rules.arranged(asked.capability)
    if saved is not None:
        take("policy", saved.order, lambda index, _: f"place {index + 1} of the saved order")
    else:
        take("route-priority", prefs.priority, lambda index, _: f"place {index + 1} of the priority list")
    return decided, unknown


class _Finder:
    """Looks names up; scans for labels only when a name is not an id."""

    def __init__(self, ranked: Sequence[Route], usable: Sequence[Route]) -> None:
        self._ranked = ranked
        self._usable = usable
        self._by_id = {route.id: route for route in usable}

    def find(self, name: str, *, wildcard: bool) -> tuple[Route, ...] | None:
        """Usable routes a name means, in rank order; None when it fits no entry at all."""
        exact = self._by_id.get(name)
        if exact is not None:
            return (exact,)
        if any(route.id == name for route in self._ranked):
            return ()
        provider, _, model = name.partition("/")
        if model and any(route.provider == provider and route.model == model for route in self._ranked):
            return tuple(route for route in self._usable if route.provider == provider and route.model == model)
        if wildcard and any(route.provider == name for route in self._ranked):
            return tuple(route for route in self._usable if route.provider == name)[:1]
        return None


def _sifted(ranked: Sequence[Route], asked: Asked, rules: Policy, known: Facts) -> tuple[list[Route], list[Exclusion]]:
    """Usable and excluded routes; only those that may be left out are looked at closely."""
    saved = rules.arranged(asked.capability)
    suspects = {*asked.excluded, *known.missing_keys, *(saved.enabled if saved is not None else ())}
    suspects |= {name for name, origin in known.origins.items() if origin in ENTER_DISABLED}
    wanted, tags = asked.kinds | _EYE_KINDS if asked.capability == EYE else asked.kinds, set(asked.required_tags)
    usable: list[Route] = []
    excluded: list[Exclusion] = []
    for route in ranked:
        declared = asked.capability in route.capabilities and route.enabled and wanted.issubset(route.inputs)
        if declared and route.id not in suspects and tags.issubset(route.tags):
            usable.append(route)
            continue
        gone = _left_out(route, asked, rules, known)
        if gone is None:
            usable.append(route)
        else:
            excluded.append(gone)
    return usable, excluded


def _left_out(route: Route, asked: Asked, rules: Policy, known: Facts) -> Exclusion | None:
    if asked.capability not in route.capabilities:
        return _out(route, "undeclared", f"it does not declare {asked.capability}")
    if not route.enabled:
        return _out(route, "disabled", "it is disabled in the configuration")
    if route.id in asked.excluded:
        return _out(route, "excluded", "the request excludes it")
    allowed, rule = rules.allows(asked.capability, route.id, known.origins.get(route.id, "config"))
    if not allowed:
        return _out(route, "policy", rule, codes.POLICY_DISABLED)
    for tag in asked.required_tags:
        if tag not in route.tags:
            return _out(route, "tags", f"it lacks the tag {tag}")
    return _unfit(route, asked, known)


def _unfit(route: Route, asked: Asked, known: Facts) -> Exclusion | None:
    inputs = route.inputs
    if asked.capability == EYE and not ("image" in inputs and "text" in inputs):
        declared = f"an eye takes text and image, and it declares {', '.join(inputs) or 'nothing'}"
        return _out(route, "modalities", declared, codes.VISION_MODEL_NOT_MULTIMODAL)
    for kind in sorted(asked.kinds):
        if kind not in inputs:
            return _out(route, "inputs", f"it takes {', '.join(inputs) or 'nothing'}, not {kind}")
    missing = known.missing_keys.get(route.id)
    if missing is not None and route.builtin:
        return _out(route, "unconfigured", f"it is not configured: {missing} is not set")
    return None


def _scoped(
    named: list[_Row], rest: list[Route], scope: FailoverScope, excluded: list[Exclusion]
) -> tuple[list[_Row], list[Route]]:
    """What may follow the first route; the others are added to `excluded`."""
    if scope == "all":
        return named, rest
    kept = named[:1]
    if scope == "ordered":
        kept += [row for row in named[1:] if row[1] in ("policy", "route-priority")]
        why = "another route was asked for and the operator put no order"
    else:
        why = "the model is locked"
    chosen = {row[0].id for row in kept}
    excluded.extend(_out(route, "not-ordered", why) for route, _, _ in named if route.id not in chosen)
    excluded.extend(_out(route, "not-ordered", why) for route in (rest if named else rest[1:]))
    return kept, ([] if named else rest[:1])


def _out(route: Route, cause: Cause, reason: str, code: Code = codes.NO_COMPATIBLE_MODEL) -> Exclusion:
    return Exclusion(route, cause, code, reason)


def _means(name: str, route: Route) -> bool:
    return name in (route.id, route.label)


def _nothing_left(made: Plan) -> EyesError:
    declarers = [gone for gone in made.excluded if gone.cause != "undeclared"]
    empty = NO_ROUTE.get(made.capability, codes.NO_COMPATIBLE_MODEL)
    if not declarers:
        return EyesError(empty, f"No entry of the catalog declares {made.capability}.")
    shared = {gone.code.name for gone in declarers}
    code = declarers[0].code if len(shared) == 1 and declarers[0].code is not codes.NO_COMPATIBLE_MODEL else empty
    lines = [f"{gone.route.id}: {gone.reason}" for gone in declarers]
    more = f" (and {len(lines) - 10} more)" if len(lines) > 10 else ""
    return EyesError(
        code,
        f"No route can serve {made.capability}: " + "; ".join(lines[:10]) + more + ".",
        details={"candidates": lines[:50]},
    )


def failover_for(name: str, *, locked: bool = False) -> FailoverScope:
    """Who may follow the first route: a reasoner is the one asked for, an eye may be any."""
    if locked:
        return "none"
    return "ordered" if name == REASONING else "all"
