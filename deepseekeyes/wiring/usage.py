"""Deps of the `usage` operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepseekeyes.usage.deps import UsageDeps
    from deepseekeyes.usage.money import PriceList
    from deepseekeyes.wiring.app import App


def usage_deps(app: App) -> UsageDeps:
    """The ledger, and the prices of the declared routes."""
    from deepseekeyes.usage.deps import UsageDeps

    limit = app.settings.store.document_max_bytes

    def text(name: str) -> bytes:
        from deepseekeyes.wiring.files import read_text_file

        return app.door.stdin(limit) if name == "-" else read_text_file(name, limit)

    return UsageDeps(
        ledger=app.books.ledger,
        text=text,
        metering=app.settings.ledger.usage,
        note=app.door.note,
        money=_price_list(app),
        persistence=app.books.persistence,
        clock=app.clock,
    )


def _price_list(app: App) -> PriceList:
    """Declared prices; an engine that runs inside this process costs nothing."""
    from deepseekeyes.usage.money import PriceList

    routes = app.routes.catalog.routes
    return PriceList(
        prices={route.id: route.prices for route in routes if route.prices is not None},
        free=frozenset(route.id for route in routes if route.engine == "local"),
    )
