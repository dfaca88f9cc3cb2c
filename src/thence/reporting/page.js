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
  const line = getComputedStyle(document.documentElement).getPropertyValue("--line").trim();
  for (const holder of document.querySelectorAll("[data-figure]")) {
    const room = holder.clientWidth;
    const narrow = room < 560;
    const config = {
      background: "transparent",
      axis: { labelColor: ink, titleColor: ink, domainColor: ink, tickColor: ink, gridColor: line, gridOpacity: 1,
        ...(narrow ? { labelLimit: 110 } : {}) },
      legend: { labelColor: ink, titleColor: ink, orient: "top", gradientDirection: "horizontal",
        columns: narrow ? 1 : 3, labelLimit: narrow ? 280 : 240 },
      title: { color: ink, subtitleColor: ink },
      text: { color: ink }, rule: { color: ink },
      header: { labelColor: ink, titleColor: ink },
    };
    const spec = JSON.parse(at(holder.dataset.figure).textContent);
    fit(spec, room);
    if (narrow) { // what a specification says itself goes before what is given beside it
      spec.config.axis.labelLimit = config.axis.labelLimit;
      for (const name of ["x", "y"]) {
        const place = spec.encoding && spec.encoding[name];
        if (place && place.field === "model")
          place.axis = { ...place.axis, labelExpr: "slice(datum.label, lastindexof(datum.label, '/') + 1)" };
      }
      if (spec.mark && spec.mark.type === "boxplot") spec.mark.size = Math.max(2, spec.mark.size * room / 640);
    }
    if (spec.encoding && spec.encoding.facet) config.header.labelLimit = spec.width;
    window.vegaEmbed(holder, spec, { actions: false, renderer: "svg", config });
  }
}

// A figure as wide as the page has room for; panels of one stand below each other on a phone.
function fit(spec, room) {
  const facet = spec.encoding && spec.encoding.facet;
  const polar = spec.layer && spec.layer.some((layer) => layer.data);
  if (facet) {
    if (room < 700) { facet.columns = 1; spec.width = Math.min(spec.width, room - 130); }
  } else if (polar) {
    const scale = Math.min(1, (room - 10) / spec.width);
    spec.width *= scale;
    spec.height *= scale;
  } else {
    spec.width = "container";
    spec.autosize = { type: "fit-x", contains: "padding" };
  }
}
dark.addEventListener("change", drawFigures);
// A link to a heading, and printing, open what they need.
window.addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("article details")) if (each.querySelectorAll("tr").length < 60) each.open = true; });

// Reading single samples ------------------------------------------------------------------------
let held = { runs: [], samples: [], replies: [] };
let shown = [];
const PAGE = 100;
let limit = PAGE;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const [names, ...lines] = (await new Response(stream).text()).trimEnd().split("\n");
  const made = { runs: JSON.parse(names), samples: [], replies: [] };
  for (const line of lines) {
    const object = JSON.parse(line);
    if ("s" in object) made.replies.push(object); else made.samples.push(object);
  }
  made.replies.sort((a, b) => a.n - b.n);
  return made;
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
    row.title = sample.task + " " + sample.id + (held.runs.length > 1 ? ", " + held.runs[reply.r] : "");
    const text = make("span", sample.task.replace(/^[^/]*\//, "") + (sample.group ? " " + sample.group : ""));
    const more = [held.runs.length > 1 ? held.runs[reply.r] : "", reply.t ? "turn " + (reply.t + 1) : "",
      reply.e ? "epoch " + (reply.e + 1) : ""].filter(Boolean).join(", ");
    text.append(make("small", more || sample.id.slice(0, 10)));
    row.append(text);
    row.addEventListener("click", () => { open(reply); mark(row); });
    return row;
  });
  at("list").replaceChildren(...rows);
  rows.forEach((row, place) => row.addEventListener("keydown", (event) => {
    const next = rows[place + (event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : NaN)];
    if (next) { event.preventDefault(); next.focus(); next.click(); }
  }));
  at("count").textContent = shown.length.toLocaleString("en") + " of " + held.replies.length.toLocaleString("en");
  at("more").hidden = shown.length <= limit;
  if (rows.length) rows[0].click(); else at("detail").replaceChildren(make("p", "No reply fits."));
}

function mark(row) {
  for (const other of document.querySelectorAll(".row[aria-current]")) other.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
}

// The place from-to of a text, where the answer was read, stands out.
function part(title, text, open, place) {
  if (text === undefined || text === null || text === "") return [];
  const box = make("details"), body = make("pre", place ? "" : text);
  box.open = open;
  if (place) body.append(text.slice(0, place[0]), make("mark", text.slice(...place)), text.slice(place[1]));
  box.append(make("summary", title), body);
  return [box];
}

function open(reply) {
  const sample = held.samples[reply.s];
  const head = make("p", null, "verdict");
  head.append(make("i", null, "dot " + reply.o), make("b", reply.o.replace("_", " ")));
  head.append(make("span", reply.rule ? ", read by the rule \u201c" + reply.rule + "\u201d" : ", nothing was read"));
  if (held.runs.length > 1) head.append(make("span", ", " + held.runs[reply.r]));
  if (reply.end && reply.end !== "stop") head.append(make("span", ", ended by " + reply.end));
  const pair = make("div", null, "pair");
  for (const [title, text] of [["truth", sample.truth], ["what was read", reply.read]]) {
    const side = make("div");
    side.append(...part(title, text, true));
    pair.append(side);
  }
  const drawn = sample.graph ? [picture(sample.graph)] : [];
  at("detail").replaceChildren(make("h4", sample.task + (sample.group ? " " + sample.group : "") + " " + sample.id),
    head, ...part("error", reply.error, true), pair, ...part("prompt", sample.prompt, true),
    ...part("reply", reply.reply, true, reply.at), ...part("reasoning", reply.thought, false),
    ...part("explanation in the reply", reply.why, true), ...part("why the truth is so", sample.because, true),
    ...part("witness", sample.witness, false), ...drawn);
  if (drawn.length) join(drawn[0].firstChild, sample.graph);
}

// The procedure as a column of steps, its order as arcs beside them, drawn where the steps stand.
function picture(graph) {
  const box = make("figure"), frame = make("div", null, "graph"), steps = make("ol");
  frame.tabIndex = 0;
  const path = new Set(graph.path);
  graph.nodes.forEach((label, place) => steps.append(make("li", label,
    graph.marked.includes(place) ? "asked" : path.has(place) ? "path" : "")));
  frame.append(steps);
  const busy = graph.nodes.length > 20 || graph.edges.length > 40;
  if (busy) frame.classList.add("busy");
  box.append(frame, make("figcaption", "Arcs lead from what comes before to what depends on it, with a tip at its end. "
    + "Large and blue: what the question names, and its arcs; orange: the witness."
    + (busy ? " All other arcs are faint." : "")));
  return box;
}

const SVG = "http://www.w3.org/2000/svg";
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function join(frame, graph) {
  const items = [...frame.querySelectorAll("li")];
  const y = items.map((item) => item.offsetTop + Math.min(item.offsetHeight / 2, 13));
  const left = items[0].offsetLeft - 12;
  const svg = shape("svg", { width: left + 12, height: frame.scrollHeight, role: "img" });
  const title = shape("title", {});
  title.textContent = "The order of the steps; those asked about are marked";
  svg.append(title);
  const walked = new Set(graph.path.slice(1).map((to, k) => graph.path[k] + ">" + to));
  const kind = ([i, j]) => walked.has(i + ">" + j) ? "path"
    : graph.marked.includes(i) || graph.marked.includes(j) ? "near" : "";
  const order = ["", "near", "path"];
  const far = Math.max(1, ...graph.edges.map(([i, j]) => Math.abs(j - i)));
  for (const edge of [...graph.edges].sort((a, b) => order.indexOf(kind(a)) - order.indexOf(kind(b)))) {
    const [i, j] = edge;
    // The longer, the farther out; the curve reaches three quarters of what its handles do.
    const reach = Math.min(left, 12) + (left - 18) * 1.3 * Math.sqrt(Math.abs(j - i) / far);
    svg.append(shape("path", { d: `M${left} ${y[i]} C${left - reach} ${y[i]} ${left - reach} ${y[j]} ${left} ${y[j]}`, class: "edge " + kind(edge) }));
    svg.append(shape("path", { d: `M${left - 4} ${y[j]} l-7 -3.5 l0 7 z`, class: "tip " + kind(edge) }));
  }
  items.forEach((item, place) => svg.append(shape("circle", { cx: left, cy: y[place],
    r: item.className === "asked" ? 6 : 4, class: "step " + item.className })));
  frame.append(svg);
  if (graph.marked.length) frame.scrollTop = Math.max(0, y[Math.min(...graph.marked)] - 80);
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
