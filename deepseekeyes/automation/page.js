"use strict";
(() => {
  const steps = [...document.querySelectorAll(".step")];
  const links = new Map([...document.querySelectorAll(".line a")].map((a) => [a.hash.slice(1), a]));
  const filters = [...document.querySelectorAll(".filters button")];
  const lens = document.getElementById("lens");
  const stack = lens.querySelector(".stack");
  const range = lens.querySelector("input");
  const header = document.querySelector("header");
  const measure = () => document.documentElement.style.setProperty("--head", `${header.offsetHeight}px`);
  measure();
  addEventListener("resize", measure);
  const shown = () => steps.filter((step) => !step.hidden);

  document.querySelectorAll(".needs-script").forEach((node) => { node.hidden = false; });

  function filter(kind) {
    for (const button of filters) button.setAttribute("aria-pressed", String(button.dataset.filter === kind));
    for (const step of steps) {
      step.hidden = kind !== "all" && !step.dataset.kinds.split(" ").includes(kind);
      links.get(step.id).parentElement.hidden = step.hidden;
    }
  }
  for (const button of filters) button.addEventListener("click", () => filter(button.dataset.filter));

  let here = null;
  function arrive(step) {
    if (here) links.get(here.id).classList.remove("here");
    here = step;
    const link = links.get(step.id);
    link.classList.add("here");
    link.scrollIntoView({ block: "nearest" });
  }
  const watcher = new IntersectionObserver(() => {
    const first = shown().find((step) => step.getBoundingClientRect().bottom > header.offsetHeight + 40);
    if (first) arrive(first);
  }, { rootMargin: "-80px 0px -60% 0px" });
  steps.forEach((step) => watcher.observe(step));

  function walk(by) {
    const all = shown();
    if (!all.length) return;
    const at = here ? all.indexOf(here) : -1;
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    next.scrollIntoView({ block: "start" });
    arrive(next);
  }

  function cut(value) {
    range.value = String(value);
    stack.style.setProperty("--cut", `${value}%`);
  }
  function open(figure) {
    const step = figure.closest(".step");
    const pair = [...step.querySelectorAll("svg.shot")];
    lens.querySelector("strong").textContent = step.querySelector("h2").textContent;
    stack.replaceChildren(...pair.map((svg) => svg.cloneNode(true)));
    stack.classList.toggle("pair", pair.length > 1);
    for (const node of [range, ...lens.querySelectorAll("span")]) node.hidden = pair.length < 2;
    cut(pair.length > 1 && figure === pair[0].closest("figure") ? 100 : 0);
    if (!lens.open) lens.showModal();
  }
  document.querySelectorAll(".shots figure").forEach((figure) => {
    const svg = figure.querySelector("svg.shot");
    if (svg) svg.addEventListener("click", () => open(figure));
  });
  range.addEventListener("input", () => cut(Number(range.value)));
  lens.querySelector("button").addEventListener("click", () => lens.close());
  lens.addEventListener("click", (event) => { if (event.target === lens) lens.close(); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (lens.open) {
      if (event.key === " ") { event.preventDefault(); cut(Number(range.value) > 50 ? 0 : 100); }
      return;
    }
    if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "Enter" && here && document.activeElement === document.body) {
      const figure = [...here.querySelectorAll(".shots figure")].pop();
      if (figure && figure.querySelector("svg.shot")) open(figure);
    }
  });
})();
