"""Checks over a connection that call no tool: errors, listings, honesty about capabilities."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from deepseekeyes.contracts.examination import Finding, failed, ok, skipped, warning
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.content_catalog import METHOD_NOT_FOUND
from deepseekeyes.mcp.lint_report import Named
from deepseekeyes.mcp.lint_visit import Listing, Reply, Visit
from deepseekeyes.mcp.ports import Greeting

INVALID_PARAMS: Final = -32602
NOWHERE: Final = "deepseekeyes-lint-no-such"

PLANES: Final = {"tools": "tools/list", "resources": "resources/list", "prompts": "prompts/list"}
KEYS: Final = {"tools": "tools", "resources": "resources", "prompts": "prompts"}


async def connection_findings(visit: Visit, greeting: Greeting) -> AsyncIterator[Named]:
    """What the greeting says, and how oddities are answered."""
    yield "connection.greeting", _greeting(greeting)
    yield "connection.unknown-method", _unknown_method(await visit.ask(f"{NOWHERE}/method"))
    if greeting.era == "modern":
        yield "connection.ping", skipped("This protocol version has no ping.")
    else:
        reply = await visit.ask("ping")
        yield "connection.ping", _ping(reply)


async def listing_findings(visit: Visit, greeting: Greeting, first: Listing) -> AsyncIterator[Named]:
    """How the tool listing behaves as a listing."""
    if first.error is not None and not _offers(greeting, "tools"):
        yield "tools.listing", skipped("The server does not offer tools.")
        return
    yield "tools.listing", _listing(first)
    if first.error is not None:
        return
    again = await visit.listing("tools/list", "tools")
    yield "tools.stable", _stable(first, again)
    yield "tools.cursor", _cursor(await visit.ask("tools/list", {"cursor": NOWHERE}), first)
    if first.items:
        reply = await visit.ask("tools/call", {"name": f"{NOWHERE}-tool", "arguments": {}})
        yield "tools.unknown", _unknown_tool(reply)


async def capability_findings(visit: Visit, greeting: Greeting) -> AsyncIterator[Named]:
    """Whether what is offered is there."""
    bad, odd = [], []
    for plane, method in PLANES.items():
        reply = await visit.ask(method)
        if _offers(greeting, plane) and reply.result is None:
            bad.append(f"{plane} are offered, and {method} {reply.broken or f'fails with {reply.code}'}")
        elif not _offers(greeting, plane) and (reply.result or {}).get(KEYS[plane]):
            odd.append(f"{plane} are not offered, and {method} lists some")
    if bad:
        yield "connection.capabilities", failed("; ".join(bad) + ".", "Offer only capabilities that are implemented.")
    elif odd:
        yield "connection.capabilities", warning("; ".join(odd) + ".", "Offer every capability that is implemented.")
    else:
        offered = [plane for plane in PLANES if _offers(greeting, plane)]
        yield "connection.capabilities", ok(f"Offered and there: {', '.join(offered) or 'nothing'}.")


async def content_findings(visit: Visit, greeting: Greeting) -> AsyncIterator[Named]:
    """Resources and prompts: their listings, and names that do not exist."""
    if _offers(greeting, "resources"):
        listed = await visit.listing("resources/list", "resources")
        templates = await visit.listing("resources/templates/list", "resourceTemplates")
        yield "resources.listing", _resources(listed, templates)
        reply = await visit.ask("resources/read", {"uri": f"{NOWHERE}://resource"})
        yield "resources.unknown", _unknown(reply, "a resource that does not exist")
    else:
        yield "resources.listing", skipped("The server does not offer resources.")
    if _offers(greeting, "prompts"):
        listed = await visit.listing("prompts/list", "prompts")
        yield "prompts.listing", _prompts(listed)
        reply = await visit.ask("prompts/get", {"name": f"{NOWHERE}-prompt", "arguments": {}})
        yield "prompts.unknown", _unknown(reply, "a prompt that does not exist")
    else:
        yield "prompts.listing", skipped("The server does not offer prompts.")


def _offers(greeting: Greeting, plane: str) -> bool:
    return isinstance(greeting.capabilities.get(plane), dict)


def _greeting(greeting: Greeting) -> Finding:
    name = f"{greeting.server_name or 'a server without a name'} {greeting.server_version or ''}".strip()
    seen = f"{name} speaks {greeting.protocol_version} ({greeting.era})."
    if not greeting.server_name or not greeting.server_version:
        return warning(seen, "Give a name and a version in the greeting.")
    return ok(seen)


def _unknown_method(reply: Reply) -> Finding:
    fix = f"Answer an unknown method with the error {METHOD_NOT_FOUND}."
    if reply.broken:
        return failed(f"An unknown method {reply.broken}.", fix)
    if reply.result is not None:
        return failed("An unknown method was answered with a result.", fix)
    if reply.code == METHOD_NOT_FOUND:
        return ok(f"An unknown method is answered with {METHOD_NOT_FOUND}.")
    return warning(f"An unknown method is answered with {reply.code}.", fix)


def _ping(reply: Reply) -> Finding:
    if reply.result is not None:
        return ok("A ping is answered.")
    return failed(f"A ping {reply.broken or f'was answered with the error {reply.code}'}.", "Answer `ping` with {}.")


def _listing(found: Listing) -> Finding:
    if found.error is not None:
        return failed(f"{found.error.message}", "List all tools over pages whose cursors lead to an end.")
    return ok(f"{len(found.items)} tools in {found.pages} pages.")


def _stable(first: Listing, again: Listing) -> Finding:
    fix = "List the same tools, worded the same, until you announce a change."
    if again.error is not None:
        return failed(f"The second listing failed: {again.error.message}", fix)
    if _digest(first) == _digest(again):
        return ok("A second listing is the same.")
    return failed(f"A second listing differs: {len(first.items)} tools, then {len(again.items)}.", fix)


def _digest(found: Listing) -> str:
    try:
        return digest(found.items)
    except EyesError:
        return repr(found.items)


def _cursor(reply: Reply, first: Listing) -> Finding:
    fix = f"Answer a cursor that you did not issue with the error {INVALID_PARAMS}."
    if reply.broken:
        return failed(f"A cursor that was never issued {reply.broken}.", fix)
    if reply.result is None:
        return ok(f"A cursor that was never issued is answered with {reply.code}.")
    if first.pages > 1:
        return failed("A cursor that was never issued is answered with a page.", fix)
    return warning("A cursor that was never issued is ignored.", fix)


def _unknown_tool(reply: Reply) -> Finding:
    fix = f"Answer an unknown tool with the error {INVALID_PARAMS}."
    if reply.broken:
        return failed(f"A call of a tool that does not exist {reply.broken}.", fix)
    if reply.result is None:
        return ok(f"A call of a tool that does not exist is answered with {reply.code}.")
    if reply.result.get("isError") is True:
        return ok("A call of a tool that does not exist is a result that reports an error.")
    return failed("A call of a tool that does not exist succeeds.", fix)


def _unknown(reply: Reply, what: str) -> Finding:
    fix = "Answer with an error that names what is missing."
    if reply.broken:
        return failed(f"A request for {what} {reply.broken}.", fix)
    if reply.result is not None:
        return failed(f"A request for {what} succeeds.", fix)
    return ok(f"A request for {what} is answered with {reply.code}.")


def _resources(listed: Listing, templates: Listing) -> Finding:
    fix = "Give every resource a `uri` of its own, and answer resources/templates/list, if only with an empty list."
    if listed.error is not None:
        return failed(listed.error.message, fix)
    uris = [each.get("uri") for each in listed.items if isinstance(each, dict)]
    if len(uris) < len(listed.items) or not all(isinstance(uri, str) and uri for uri in uris):
        return failed("A listed resource has no URI.", fix)
    if len(set(uris)) < len(uris):
        return failed("Two listed resources have the same URI.", fix)
    if templates.error is not None:
        return warning(f"{len(uris)} resources; their templates cannot be listed: {templates.error.message}", fix)
    return ok(f"{len(uris)} resources and {len(templates.items)} templates.")


def _prompts(listed: Listing) -> Finding:
    fix = "Give every prompt a `name` of its own, and every argument a name."
    if listed.error is not None:
        return failed(listed.error.message, fix)
    names = [each.get("name") if isinstance(each, dict) else None for each in listed.items]
    if not all(isinstance(name, str) and name for name in names):
        return failed("A listed prompt has no name.", fix)
    if len(set(names)) < len(names):
        return failed("Two listed prompts have the same name.", fix)
    bare = [each["name"] for each in listed.items if not each.get("description")]
    if bare:
        return warning(f"{len(bare)} of {len(names)} prompts have no description.", "Describe every prompt.")
    return ok(f"{len(names)} prompts.")
