"use strict";
(() => { // a scope of its own: the figures' bundle has names too
// Everything that came from a model or a file is set as text, never as markup.
const at = (id) => document.getElementById(id);
const make = (tag, text, kind) => {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const OUTCOMES = ["correct", "wrong", "no_answer", "truncated", "refused", "provider_error"];

// Figures -------------------------------------------------------------------------------------
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function drawFigures() {
  if (!window.vegaEmbed) return;
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const config = {
    background: "transparent",
    axis: { labelColor: ink, titleColor: ink, domainColor: ink, tickColor: ink },
    legend: { labelColor: ink, titleColor: ink },
    title: { color: ink, subtitleColor: ink },
    text: { color: ink }, rule: { color: ink },
    header: { labelColor: ink, titleColor: ink },
  };
  for (const holder of document.querySelectorAll("[data-figure]")) {
    const spec = JSON.parse(at(holder.dataset.figure).textContent);
    window.vegaEmbed(holder, spec, { actions: false, renderer: "svg", config });
  }
}
dark.addEventListener("change", drawFigures);

// Reading single samples ------------------------------------------------------------------------
let held = { runs: [], samples: [], replies: [] };
let shown = [];
const PAGE = 100;
let limit = PAGE;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function fill(id, values) {
  const select = at(id);
  for (const value of values) {
    const option = make("option", value);
    option.value = value;
    select.append(option);
  }
  select.addEventListener("change", () => filter());
}

function filter() {
  const [run, task, outcome, group] = ["run", "task", "outcome", "group"].map((n) => at("f-" + n).value);
  const words = at("f-text").value.toLowerCase();
  shown = held.replies.filter((reply) => {
    const sample = held.samples[reply.s];
    if (run && held.runs[reply.r] !== run) return false;
    if (task && sample.task !== task) return false;
    if (outcome && reply.o !== outcome) return false;
    if (group && sample.group !== group) return false;
    if (!words) return true;
    return [sample.id, sample.prompt, sample.truth, reply.reply, reply.read].some(
      (text) => text && text.toLowerCase().includes(words));
  });
  limit = PAGE;
  list();
}

function list() {
  const rows = shown.slice(0, limit).map((reply) => {
    const sample = held.samples[reply.s];
    const row = make("button", null, "row");
    row.type = "button";
    row.append(make("i", null, "dot " + reply.o));
    row.append(make("span", sample.task + (sample.group ? " " + sample.group : "")));
    const more = [held.runs.length > 1 ? held.runs[reply.r] : "", reply.t ? "turn " + (reply.t + 1) : "",
      reply.e ? "epoch " + (reply.e + 1) : ""].filter(Boolean).join(", ");
    row.append(make("small", more || sample.id.slice(0, 10)));
    row.addEventListener("click", () => { open(reply); mark(row); });
    return row;
  });
  at("list").replaceChildren(...rows);
  at("count").textContent = shown.length.toLocaleString("en") + " of " + held.replies.length.toLocaleString("en");
  at("more").hidden = shown.length <= limit;
  if (rows.length) rows[0].click(); else at("detail").replaceChildren(make("p", "No reply fits."));
}

function mark(row) {
  for (const other of document.querySelectorAll(".row[aria-current]")) other.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
}

function part(title, text, open) {
  if (text === undefined || text === null || text === "") return [];
  const box = make("details");
  box.open = open;
  box.append(make("summary", title), make("pre", text));
  return [box];
}

function open(reply) {
  const sample = held.samples[reply.s];
  const head = make("p", null, "verdict");
  head.append(make("i", null, "dot " + reply.o), make("b", reply.o.replace("_", " ")));
  head.append(make("span", reply.rule ? " read by the rule " + reply.rule : " nothing was read"));
  const parts = [make("h4", sample.task + " " + sample.id), head,
    ...part("prompt", sample.prompt, true), ...part("reply", reply.reply, true),
    ...part("reasoning", reply.thought, false), ...part("error", reply.error, true),
    ...part("what was read", reply.read, true), ...part("its explanation", reply.why, true),
    ...part("truth", sample.truth, true), ...part("why it is so", sample.because, false),
    ...part("witness", sample.witness, true)];
  if (sample.graph) parts.push(picture(sample.graph));
  at("detail").replaceChildren(...parts);
}

// The procedure as a column of steps, its order as arcs beside them.
function picture(graph) {
  const SVG = "http://www.w3.org/2000/svg";
  const node = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const step = 24, left = 150, rows = graph.nodes.length;
  const wide = 760, high = rows * step + 20;
  const svg = node("svg", { viewBox: `0 0 ${wide} ${high}`, class: "graph", role: "img" });
  svg.append(node("title", {}, "The order of the steps; those asked about are marked"));
  const y = (place) => 20 + place * step;
  const onPath = new Set(graph.path.slice(1).map((to, k) => graph.path[k] + ">" + to));
  for (const [i, j] of graph.edges) {
    const reach = Math.min(left - 20, 14 + 9 * Math.abs(j - i));
    const kind = onPath.has(i + ">" + j) ? "edge path" : "edge";
    svg.append(node("path", { d: `M${left} ${y(i)} C${left - reach} ${y(i)} ${left - reach} ${y(j)} ${left} ${y(j)}`, class: kind }));
    svg.append(node("path", { d: `M${left} ${y(j)} l-7 -3.5 l0 7 z`, class: kind.includes("path") ? "tip path" : "tip" }));
  }
  graph.nodes.forEach((label, place) => {
    const asked = graph.marked.includes(place);
    const kind = asked ? "step asked" : graph.path.includes(place) ? "step path" : "step";
    svg.append(node("circle", { cx: left, cy: y(place), r: asked ? 6 : 4, class: kind }));
    svg.append(node("text", { x: left + 12, y: y(place) + 4, class: kind }, label.length > 92 ? label.slice(0, 91) + "…" : label));
  });
  const box = make("figure");
  box.append(svg, make("figcaption", "Arcs lead from what comes before to what depends on it; what the question names is marked, and so is the witness."));
  return box;
}

async function begin() {
  drawFigures();
  const packed = at("samples");
  if (!packed) return;
  held = await unpack(packed.textContent.trim());
  fill("f-run", held.runs);
  fill("f-task", [...new Set(held.samples.map((each) => each.task))]);
  fill("f-outcome", OUTCOMES.filter((name) => held.replies.some((each) => each.o === name)));
  fill("f-group", [...new Set(held.samples.map((each) => each.group).filter(Boolean))]);
  let waiting;
  at("f-text").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 200); });
  at("more").addEventListener("click", () => {
    const before = limit;
    limit += PAGE;
    list();
    const rows = document.querySelectorAll(".row");
    if (rows[before]) rows[before].focus();
  });
  filter();
  document.body.dataset.ready = "true";
}
begin();
})();
