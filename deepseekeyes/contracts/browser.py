"""Documents of the browser: what a page shows, and what came of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer

from deepseekeyes.contracts.automation import (
    AssertionBody,
    Compared,
    Delta,
    Marker,
    PixelBox,
    ScriptRun,
    TargetRow,
    Verdict,
)
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Element(Contract):
    """One control.

    Attributes:
        ref: names this very node for as long as it lives; never another one.
        ref_key: finds the same control in another observation or run.
        document: id of the document it belongs to.
        bbox: in pixels of the screenshot.
        value: absent when protected.

    The one row of our documents from which null is left out: of fifteen fields that only some kinds of control have, a
    page's rows would otherwise spend half their bytes, and what a model reads, on saying so. What is not null is there.
    """

    ref: str
    ref_key: str
    role: str
    name: str
    tag: str
    frame: str
    document: str
    protected: bool = False
    in_viewport: bool = True
    bbox: PixelBox
    type: str | None = None
    href: str | None = None
    value: str | None = None
    checked: bool | None = None
    mixed: bool | None = None
    expanded: bool | None = None
    selected: bool | None = None
    pressed: bool | None = None
    enabled: bool = True
    editable: bool | None = None
    required: bool | None = None
    invalid: bool | None = None
    focused: bool | None = None
    files: tuple[str, ...] | None = None
    options: tuple[str, ...] | None = None
    options_omitted: int | None = None

    @model_serializer(mode="wrap")
    def _lean(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in handler(self).items() if value is not None}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the fields; what is null is not there, and what is there is not null."""
        made = handler({name: value for name, value in core_schema.items() if name != "serialization"})
        for field in handler.resolve_ref_schema(made)["properties"].values():
            kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
            if len(kinds) == 1:
                del field["anyOf"], field["default"]
                field.update(kinds[0])
        return made


class Frame(Contract):
    """One frame; `opaque` when it could not be looked into."""

    path: str
    url: str
    document: str | None
    ref: str | None
    opaque: bool = False


class PageRow(Contract):
    """One page of the session."""

    id: str
    url: str
    opener: str | None
    active: bool
    dialog: bool


class DialogRow(Contract):
    """A dialog that waits for an answer."""

    page: str
    type: str
    message: str
    default: str = ""


class DownloadRow(Contract):
    """A download; `path` is inside the run folder and absent when runs are kept in memory."""

    id: str
    page: str
    url: str
    suggested_name: str
    state: Literal["started", "done", "failed"]
    sha256: str | None
    bytes: int | None
    path: str | None
    error: str | None


class Viewport(Contract):
    """Size of the page's viewport in CSS pixels, which are pixels of the screenshot."""

    width: int
    height: int
    device_pixel_ratio: float


class Scroll(Contract):
    """Where the page is scrolled to, and how large it is."""

    x: float
    y: float
    document_width: int
    document_height: int


class Omitted(Contract):
    """What was left out of an observation, and what to type to get it.

    Attributes:
        roles: how many of the controls that were left out have each role.
    """

    elements: int = 0
    roles: dict[str, int] = Field(default_factory=dict)
    text_chars: int = 0
    how: tuple[str, ...] = ()


class Diagnostics(Contract):
    """The latest complaints: console warnings and errors, page errors, failed requests, refused addresses."""

    console: tuple[dict[str, Any], ...] = ()
    errors: tuple[dict[str, Any], ...] = ()
    requests: tuple[dict[str, Any], ...] = ()
    refused: tuple[dict[str, Any], ...] = ()


class BrowserObservation(Document):
    """`deepseekeyes.browser-observation.v1`.

    Attributes:
        blocked: a dialog keeps the page from being looked at; elements, text and screenshot are absent until then.
        tokens: estimate for the text form, four characters a token.
    """

    schema_: Literal["deepseekeyes.browser-observation.v1"] = Field(
        default="deepseekeyes.browser-observation.v1", alias="schema"
    )
    session: str
    run_id: str
    state_id: str
    sequence: int
    observed_at: str
    page: str
    url: str
    title: str
    viewport: Viewport
    scroll: Scroll
    text: str
    elements: tuple[Element, ...]
    elements_total: int
    truncated: bool = False
    omitted: Omitted = Omitted()
    frames: tuple[Frame, ...] = ()
    pages: tuple[PageRow, ...] = ()
    dialog: DialogRow | None = None
    downloads: tuple[DownloadRow, ...] = ()
    diagnostics: Diagnostics = Diagnostics()
    warnings: tuple[str, ...] = ()
    blocked: bool = False
    tokens: int = 0
    screenshot: BlobRef | None = None
    masks: tuple[PixelBox, ...] = ()

    def images(self) -> tuple[BlobRef, ...]:
        return () if self.screenshot is None else (self.screenshot,)


class BrowserAction(Document):
    """`deepseekeyes.browser-action.v1`: what an action did, and the state after it."""

    schema_: Literal["deepseekeyes.browser-action.v1"] = Field(default="deepseekeyes.browser-action.v1", alias="schema")
    session: str
    run_id: str
    action: str
    verdict: Verdict | None
    compared: tuple[Compared, ...] = ()
    target: TargetRow | None = None
    marker: Marker | None = None
    facts: dict[str, Any] = Field(default_factory=dict)
    state_id: str | None
    state: BrowserObservation | None
    delta: Delta | None
    step: int
    error: ErrorBody | None = None
    require_verified: bool = False

    def images(self) -> tuple[BlobRef, ...]:
        return () if self.state is None else self.state.images()

    def outcome(self) -> Outcome | None:
        return "verdict" if self.require_verified and self.verdict != "verified" else None

    def failure(self) -> ErrorBody | None:
        return self.error


class BrowserAssertion(AssertionBody):
    """`deepseekeyes.browser-assertion.v1`: whether something holds."""

    schema_: Literal["deepseekeyes.browser-assertion.v1"] = Field(
        default="deepseekeyes.browser-assertion.v1", alias="schema"
    )


class BrowserPageList(Document):
    """`deepseekeyes.browser-page-list.v1`: the pages of a session."""

    schema_: Literal["deepseekeyes.browser-page-list.v1"] = Field(
        default="deepseekeyes.browser-page-list.v1", alias="schema"
    )
    session: str
    items: tuple[PageRow, ...]
    truncated: bool = False
    omitted: int = 0


class BrowserScreenshot(Document):
    """`deepseekeyes.browser-screenshot.v1`: the pixels of the newest state, protected fields painted over."""

    schema_: Literal["deepseekeyes.browser-screenshot.v1"] = Field(
        default="deepseekeyes.browser-screenshot.v1", alias="schema"
    )
    session: str
    state_id: str
    url: str
    screenshot: BlobRef
    masks: tuple[PixelBox, ...] = ()
    path: str | None = None

    def images(self) -> tuple[BlobRef, ...]:
        return (self.screenshot,)


class BrowserClosed(Document):
    """`deepseekeyes.browser-closed.v1`: a session has ended."""

    schema_: Literal["deepseekeyes.browser-closed.v1"] = Field(default="deepseekeyes.browser-closed.v1", alias="schema")
    session: str
    run_id: str | None
    closed_at: str
    steps: int
    folder: str | None


class BrowserScriptRun(ScriptRun):
    """`deepseekeyes.browser-script.v1`."""

    schema_: Literal["deepseekeyes.browser-script.v1"] = Field(default="deepseekeyes.browser-script.v1", alias="schema")
