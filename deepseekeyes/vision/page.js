"use strict";
(() => {
  const list = document.getElementById("entries");
  const entries = [...list.children];
  const boxes = new Map([...document.querySelectorAll("rect[data-of]")].map((box) => [box.dataset.of, box]));
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const hint = document.getElementById("hint");
  const kinds = [...document.querySelectorAll(".legend button[data-kind]")];
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const searchable = entries.map((entry) => plain(entry.textContent));
  let chosen = null;

  for (const box of boxes.values()) box.querySelector("title")?.remove();
  const visible = () => entries.filter((entry) => !entry.hidden);

  function refresh() {
    const words = plain(filter.value).split(/\s+/).filter(Boolean);
    const off = new Set(kinds.filter((kind) => kind.ariaPressed === "false").map((kind) => kind.dataset.kind));
    entries.forEach((entry, index) => {
      const shown = !off.has(entry.dataset.kind) && words.every((word) => searchable[index].includes(word));
      entry.hidden = !shown;
      const box = boxes.get(entry.id);
      if (box) box.toggleAttribute("hidden", !shown);
    });
    if (chosen?.hidden) choose(null);
    count.textContent = `${visible().length} of ${entries.length} shown`;
  }

  function heat(entry, on) {
    if (!entry) return;
    entry.classList.toggle("hot", on);
    boxes.get(entry.id)?.classList.toggle("hot", on);
    document.body.classList.toggle("hovering", on && boxes.has(entry.id));
  }

  function choose(entry) {
    if (chosen) { chosen.classList.remove("chosen"); chosen.ariaSelected = "false"; heat(chosen, false); }
    chosen = entry;
    list.removeAttribute("aria-activedescendant");
    if (!entry) return;
    entry.classList.add("chosen");
    entry.ariaSelected = "true";
    list.setAttribute("aria-activedescendant", entry.id);
    heat(entry, true);
    entry.scrollIntoView({ block: "nearest" });
    boxes.get(entry.id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function tell(entry, box) {
    const note = document.createElement("small");
    const score = entry.querySelector(".score")?.textContent;
    note.textContent = [entry.dataset.title, entry.querySelector(".tag").textContent, score].filter(Boolean).join(" · ");
    hint.replaceChildren(note, entry.querySelector(".text").textContent);
    hint.hidden = false;
    const at = box.getBoundingClientRect();
    const size = hint.getBoundingClientRect();
    const below = at.bottom + 8 + size.height < innerHeight;
    hint.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
    hint.style.top = `${below ? at.bottom + 8 : Math.max(8, at.top - size.height - 8)}px`;
  }

  for (const [id, box] of boxes) {
    const entry = document.getElementById(id);
    box.addEventListener("pointerenter", () => { heat(entry, true); tell(entry, box); });
    box.addEventListener("pointerleave", () => { if (entry !== chosen) heat(entry, false); hint.hidden = true; });
    box.addEventListener("click", () => choose(entry));
  }
  list.addEventListener("pointerover", (event) => heat(event.target.closest("li"), true));
  list.addEventListener("pointerout", (event) => {
    const entry = event.target.closest("li");
    if (entry !== chosen) heat(entry, false);
  });
  list.addEventListener("click", (event) => { const entry = event.target.closest("li"); if (entry) choose(entry); });

  function step(by) {
    const open = visible();
    if (!open.length) return;
    const at = open.indexOf(chosen);
    choose(open[at < 0 ? (by > 0 ? 0 : open.length - 1) : Math.max(0, Math.min(open.length - 1, at + by))]);
  }

  const actions = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
    Home: () => choose(visible()[0] ?? null), End: () => choose(visible().at(-1) ?? null),
    "/": () => filter.focus(),
    Escape: () => { choose(null); hint.hidden = true; if (filter.value) { filter.value = ""; refresh(); } },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target === filter && !["ArrowDown", "ArrowUp", "Escape"].includes(event.key);
    if (typing || event.target.closest?.("summary") || !(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  });

  filter.addEventListener("input", refresh);
  for (const kind of kinds) {
    kind.addEventListener("click", () => { kind.ariaPressed = String(kind.ariaPressed === "false"); refresh(); });
  }
  for (const view of document.querySelectorAll(".view button")) {
    view.addEventListener("click", () => {
      const on = view.ariaPressed === "false";
      view.ariaPressed = String(on);
      document.body.classList.toggle(view.dataset.view, on);
    });
  }
  for (const tool of document.querySelectorAll(".needs-script")) tool.hidden = false;
  refresh();
})();
