"""`probe show`: stored verdicts, and forgetting one."""

from __future__ import annotations

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.probe import ProbeList
from deepseekeyes.core.errors import EyesError
from deepseekeyes.probe import codes
from deepseekeyes.probe.deps import ShowDeps


class ShowRequest(Contract):
    """One route or all; `forget` names a route whose verdict is dropped first."""

    route: str | None = None
    forget: str | None = None


async def show(request: ShowRequest, deps: ShowDeps) -> ProbeList:
    """List what is remembered, in route order.

    Raises:
        EyesError: `PROBE_NO_VERDICT` when the named route has none.
    """
    routes = {eye.id: eye for eye in deps.eyes}
    forgotten = tuple(name for name in _ids(request.forget, deps) if deps.verdicts.forget(name))
    verdicts = deps.verdicts.every()
    if request.route is not None:
        wanted = set(_ids(request.route, deps))
        verdicts = tuple(verdict for verdict in verdicts if verdict.route in wanted)
        if not verdicts:
            raise EyesError(codes.PROBE_NO_VERDICT, f"Nothing is stored about route {request.route!r}.")
    items = tuple(deps.verdicts.stored(verdict, routes.get(verdict.route)) for verdict in verdicts)
    return ProbeList(items=items, forgotten=forgotten)


def _ids(name: str | None, deps: ShowDeps) -> tuple[str, ...]:
    """The route ids that a name means; a route that is gone from the catalog keeps its id."""
    if name is None:
        return ()
    return tuple(eye.id for eye in deps.eyes if name in (eye.id, eye.label)) or (name,)
