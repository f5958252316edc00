"""A page on paper: a hand-made surface that draws itself, for tests of the order of gestures and of reports."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, ImageDraw

from deepseekeyes.automation import pixels
from deepseekeyes.automation.refs import ref_key
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Check, Control, Gesture, Identity, Seen, Snapshot, StateCodes, Target
from deepseekeyes.automation.verdict import differs, equal
from deepseekeyes.contracts.automation import Delta, Marker
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.geometry import Box

MISSING = Code("PAPER_STATE_MISSING", "refused-stale", "Observe first.")
STALE = Code("PAPER_STALE", "refused-stale", "Use the new state.")
CHANGED = Code("PAPER_CHANGED", "refused-stale", "Use the new state.")
COVERED = Code("PAPER_COVERED", "refused-stale", "Close what covers it.")
TORN = Code("PAPER_TORN", "unavailable", "Take a new sheet.")


@dataclass
class Node:
    role: str
    name: str
    box: Box
    value: str = ""
    protected: bool = False
    born: int = 0


@dataclass
class Paper:
    """The surface. Tests change `nodes` behind its back, and make parts of it fail."""

    run: Run
    nodes: list[Node] = field(default_factory=list)
    lines: list[str] = field(default_factory=lambda: ["A page on paper"])
    url: str = "https://paper.example/form"
    size: tuple[int, int] = (640, 400)
    calls: list[str] = field(default_factory=list)
    covered_by: str | None = None
    deaf: bool = False
    fail_act: EyesError | None = None
    fail_observe: EyesError | None = None
    bug: bool = False
    clock: Any = None
    codes = StateCodes(MISSING, STALE, CHANGED)
    kind = "browser"
    _born: int = 0

    def add(self, role: str, name: str, box: tuple[float, float, float, float], **more: Any) -> Node:
        self._born += 1
        node = Node(role, name, Box(*box), born=self._born, **more)
        self.nodes.append(node)
        return node

    def ref(self, node: Node) -> str:
        return self.run.refs.ref(f"node:{node.born}")

    async def observe(self, gesture: Gesture | None) -> Snapshot:
        self.calls.append("observe")
        if self.fail_observe is not None:
            raise self.fail_observe
        return Snapshot(
            scope="page-1",
            tail=self.url,
            facts={"url": self.url, "title": "Paper"},
            text="\n".join(self.lines),
            elements=tuple(self._control(node) for node in self.nodes),
            shot=pixels.take(self._drawn(), self.run.keys, masks=[node.box for node in self.nodes if node.protected]),
        )

    async def resolve(self, gesture: Gesture, seen: Seen | None) -> Target:
        self.calls.append("resolve")
        wanted = (gesture.request or {}).get("ref")
        if wanted is None:
            return Target()
        assert seen is not None
        control = seen.snapshot.control(wanted)
        identity = self.run.refs.identity(wanted)
        if control is None:
            raise EyesError(CHANGED, f"{wanted} is not in the newest state.", details={"dispatched": "no"})
        node = next((one for one in self.nodes if f"node:{one.born}" == identity), None)
        return Target(control=control, handle=node)

    async def identity(self, target: Target) -> Identity | None:
        self.calls.append("identity")
        node = target.handle
        return Identity(node.role, node.name, "sheet") if node in self.nodes else None

    async def reach(self, gesture: Gesture, target: Target) -> Marker | None:
        self.calls.append("reach")
        if self.covered_by is not None:
            raise EyesError(COVERED, f"{self.covered_by} covers it.")
        box = target.handle.box
        return Marker(x=box.x + box.width / 2, y=box.y + box.height / 2, box={**box._asdict()})

    async def act(self, gesture: Gesture, target: Target) -> Mapping[str, Any]:
        self.calls.append("act")
        if self.bug:
            raise RuntimeError("a bug")
        if self.fail_act is not None:
            raise self.fail_act
        if self.deaf:
            return {}
        if gesture.action == "type":
            target.handle.value = gesture.request["text"]
        elif gesture.action == "click":
            self.lines.append(f"{target.handle.name} was pressed")
        return {"pressed": 1}

    async def settle(self, gesture: Gesture) -> None:
        self.calls.append("settle")

    async def checks(
        self, gesture: Gesture, target: Target, before: Seen | None, after: Seen, delta: Delta
    ) -> Sequence[Check]:
        self.calls.append("checks")
        if gesture.action == "type":
            told = self.run.keys.told if target.handle.protected else str
            return [equal("value", told(""), told(target.handle.value), told(gesture.request["text"]))]
        old = before.snapshot.shot.grid if before is not None and before.snapshot.shot is not None else None
        assert after.snapshot.shot is not None
        near = pixels.changed_near(old, after.snapshot.shot.grid, target.control.box or Box(0, 0, 1, 1))
        return [
            differs("text", before.snapshot.text if before else None, after.snapshot.text),
            differs("pixels near the target", False, near),
        ]

    async def pause(self, seconds: float) -> None:
        self.calls.append("pause")

    def _control(self, node: Node) -> Control:
        fields = {} if node.protected else {"value": node.value}
        return Control(
            ref=self.ref(node),
            key=ref_key("pa", node.role, node.name, self.url),
            role=node.role,
            name=node.name,
            document="sheet",
            protected=node.protected,
            box=node.box,
            fields=fields,
        )

    def _drawn(self) -> bytes:
        picture = Image.new("RGB", self.size, "#fbfaf6")
        pen = ImageDraw.Draw(picture)
        for number, line in enumerate(self.lines):
            pen.text((20, 16 + 20 * number), line, fill="#333")
        for node in self.nodes:
            fill = {"button": "#2f6fed"}.get(node.role, "white")
            pen.rounded_rectangle(
                (node.box.x, node.box.y, node.box.right, node.box.bottom), 6, fill=fill, outline="#999"
            )
            shown = node.value or node.name
            pen.text(
                (node.box.x + 10, node.box.y + node.box.height / 2 - 6),
                shown,
                fill="white" if fill[0] == "#" else "#222",
            )
        out = io.BytesIO()
        picture.save(out, "PNG", compress_level=1)
        return out.getvalue()
