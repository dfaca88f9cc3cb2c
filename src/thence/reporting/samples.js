// Single samples -----------------------------------------------------------------------------------
// A source gives the runs, the choices of the filters, pages of rows that fit, and a reply whole.
let source = { runs: [], all: 0, choices: { tasks: [], outcomes: [], groups: [] } };
let shown = { rows: [], count: 0 }, current = null, asking = 0;
const PAGE = 100;
const OUTCOMES = ["correct", "wrong", "no_answer", "truncated", "refused", "provider_error"];
const CHOICES = ["run", "task", "outcome", "group", "differ", "a", "b", "sort"];
const FIELDS = [...CHOICES, "least", "most", "text"];

function fill(id, values) {
  const select = at(id), before = select.value;
  for (const option of all("option", select)) if (option.value) option.remove();
  for (const [value, words] of values) {
    const option = make("option", words);
    option.value = value;
    select.append(option);
  }
  select.value = before;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}

// A family stands before its tasks, for all of them.
function families(tasks) {
  const found = [];
  for (const task of tasks) {
    const family = task.split("/")[0];
    if (!found.some(([value]) => value === family) && tasks.filter((each) => each.startsWith(family + "/")).length > 1) found.push([family, "all of " + family]);
    found.push([task, task]);
  }
  return found;
}

function choose() {
  const plain = (values) => values.map((each) => [each, each]);
  fill("f-run", plain(source.runs));
  fill("f-task", families(source.choices.tasks));
  fill("f-outcome", source.choices.outcomes.map((each) => [each, each.replace("_", " ")]));
  fill("f-group", plain(source.choices.groups));
  fill("f-a", plain(source.runs));
  fill("f-b", plain(source.runs));
  at("f-differ").closest("label").hidden = source.runs.length < 2;
  at("f-group").closest("label").hidden = source.choices.groups.length < 2;
}

const hiddenRuns = () => new Set(all("input.model").filter((box) => !box.checked).map((box) => Number(box.value)));
const number = (id) => at(id).value.trim() === "" || Number.isNaN(Number(at(id).value)) ? null : Number(at(id).value);

// Two runs that differ: those chosen, or the first two.
function pair() {
  const found = ["f-a", "f-b"].map((id) => source.runs.indexOf(at(id).value));
  if (found[0] < 0) found[0] = found[1] === 0 ? 1 : 0;
  if (found[1] < 0) found[1] = found[0] === 0 ? 1 : 0;
  return found;
}

function wanted() {
  const out = hiddenRuns(), run = source.runs.indexOf(at("f-run").value), differ = at("f-differ").value;
  return { runs: run >= 0 ? (out.has(run) ? [] : [run]) : source.runs.map((_, place) => place).filter((place) => !out.has(place)),
    task: at("f-task").value, outcome: at("f-outcome").value, group: at("f-group").value, least: number("f-least"), most: number("f-most"),
    text: at("f-text").value.toLowerCase(), differ, pair: differ ? pair() : null, sort: at("f-sort").value };
}

async function filter(keep) {
  for (const name of ["a", "b"]) at("f-" + name).closest("label").hidden = source.runs.length < 2 || !at("f-differ").value;
  const own = ++asking, found = await source.find(wanted(), 0, PAGE);
  if (own !== asking) return;
  shown = found;
  list(keep);
}

async function further() {
  const own = asking, found = await source.find(wanted(), shown.rows.length, PAGE);
  if (own !== asking) return;
  shown.rows.push(...found.rows);
  list(true);
}

const brief = (text) => text === undefined || text === null ? "none" : text.length > 24 ? text.slice(0, 23) + "\u2026" : text.replace(/\s+/g, " ");

function list(keep) {
  const rows = shown.rows.map((head) => {
    const row = make("button", null, "row");
    row.type = "button";
    row.dataset.n = head.n;
    const mark = make("i", null, "dot-o b-" + head.o);
    mark.title = head.o.replace("_", " ");
    row.append(mark, make("span", mark.title + ", ", "unseen"));
    row.title = head.task + " " + head.id + (source.runs.length > 1 ? ", " + source.runs[head.r] : "");
    const text = make("span", head.task.replace(/^[^/]*\//, "") + (head.group ? " " + head.group : ""));
    const more = [source.runs.length > 1 ? source.runs[head.r] : "", head.long ? (head.stepwise ? head.long + " steps" : "depth " + head.long) : "",
      head.first !== undefined ? "wrong from step " + (head.first + 1) : "",
      head.truth && head.truth.length < 30 && !head.stepwise ? brief(head.truth) + " \u2192 " + brief(head.read) : "",
      head.t ? "turn " + (head.t + 1) : "", head.e ? "epoch " + (head.e + 1) : ""].filter(Boolean).join(" \u00b7 ");
    text.append(make("small", more || head.id.slice(0, 10)));
    row.append(text);
    row.addEventListener("click", () => open(head));
    return row;
  });
  at("list").replaceChildren(...rows);
  at("count").textContent = shown.count.toLocaleString("en") + " of " + source.all.toLocaleString("en");
  at("more").hidden = shown.count <= shown.rows.length;
  if (keep) mark();
  else if (shown.count) open(shown.rows[0], true);
  else at("detail").replaceChildren(make("p", "No reply fits."));
}

// What was searched for stands out in the texts.
function highlight(words) {
  if (!words) return;
  const walk = document.createTreeWalker(at("detail"), NodeFilter.SHOW_TEXT), nodes = [];
  while (walk.nextNode()) if (walk.currentNode.parentElement.closest("pre")) nodes.push(walk.currentNode);
  let left = 200;
  for (let node of nodes) {
    for (let from = node.data.toLowerCase().indexOf(words); from >= 0 && left > 0; from = node.data.toLowerCase().indexOf(words), left--) {
      const found = node.splitText(from);
      node = found.splitText(words.length);
      found.replaceWith(make("mark", found.data, "found"));
    }
  }
}

// A cell of a task and a model leads to its samples.
function toSamples() {
  for (const table of all('table.data[data-name^="tasks-"]')) {
    const family = table.dataset.name.slice(6), heads = all("thead th", table).map((each) => each.textContent.trim());
    for (const cell of all("td.heat", table)) {
      const run = heads[cell.cellIndex], task = family + "/" + cell.parentElement.cells[0].textContent.trim();
      if (!source.runs.includes(run) || !source.choices.tasks.includes(task)) continue;
      cell.classList.add("to-samples");
      cell.tabIndex = 0;
      cell.title = "Show the samples of " + task + " by " + run;
      const lead = () => { state.set({ ...Object.fromEntries(FIELDS.map((each) => [each, ""])), run, task, sample: "", n: "", at: "samples" }); restore(); };
      cell.addEventListener("click", lead);
      cell.addEventListener("keydown", (event) => { if (event.key === "Enter") lead(); });
    }
  }
}

function mark() {
  for (const row of all(".row")) {
    const here = current && row.dataset.n === String(current.n);
    if (here) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    if (here) { const side = row.closest(".side"), y = row.offsetTop - side.scrollTop; if (y < 0 || y > side.clientHeight - 40) side.scrollTop = row.offsetTop - side.clientHeight / 2; }
  }
}

async function go(step) {
  const place = shown.rows.findIndex((each) => current && each.n === current.n) + step;
  if (place < 0 || place >= shown.count) return;
  if (place >= shown.rows.length) await further();
  if (!shown.rows[place]) return;
  await open(shown.rows[place]);
  const row = at("list").children[place];
  if (row) row.focus({ preventScroll: true });
}

function part(title, text, open, place) {
  if (text === undefined || text === null || text === "") return [];
  const box = make("details"), body = make("pre", place ? "" : text);
  box.open = open;
  if (place) body.append(text.slice(0, place[0]), make("mark", text.slice(...place)), text.slice(place[1]));
  box.append(make("summary", title), body);
  return [box];
}

// What two texts share at their ends is plain, what is between is marked.
function differing(a, b) {
  const x = [...a], y = [...b];
  let from = 0, end = 0;
  while (from < x.length && from < y.length && x[from] === y[from]) from++;
  while (end < x.length - from && end < y.length - from && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  const cut = (text, tag) => [text.slice(0, from).join(""), text.length - end > from ? make(tag, text.slice(from, text.length - end).join("")) : "", end ? text.slice(text.length - end).join("") : ""];
  return [cut(x, "ins"), cut(y, "del")];
}

function steps(truth, given) {
  const table = make("table", null, "steps"), head = make("tr"), body = make("tbody");
  for (const name of ["step", "truth", "parsed answer"]) { const cell = make("th", name); cell.scope = "col"; head.append(cell); }
  let pinned = null;
  for (let place = 0; place < Math.max(truth.length, given.length); place++) {
    const row = make("tr"), first = make("th", place === truth.length - 1 ? "final" : String(place + 1));
    first.scope = "row";
    const [a, b] = [truth[place], given[place]];
    const cells = [make("td"), make("td")];
    if (a === undefined || b === undefined) { cells[0].append(a === undefined ? make("i", "no such step") : a); cells[1].append(b === undefined ? make("i", "missing") : make("del", b)); }
    else if (a === b) { cells[0].append(a); cells[1].append(b); }
    else { const [left, right] = differing(a, b); cells[0].append(...left); cells[1].append(...right); }
    if (a !== b && !pinned) { row.className = "pinned"; pinned = row; first.append(" \u2717"); }
    row.append(first, ...cells);
    body.append(row);
  }
  const top = make("thead");
  top.append(head);
  table.append(top, body);
  return table;
}

// The same question across models.
function others(own, every) {
  if (every.length < 2) return [];
  const box = make("details", null, "others"), table = make("table", null, "same");
  box.open = every.length <= 6;
  box.append(make("summary", "The same question: " + every.length + " replies, " + every.filter((each) => each.o === "correct").length + " right"));
  for (const each of every) {
    const row = make("tr"), name = make("th", null, "words"), told = make("td", null, "words");
    name.scope = "row";
    const link = button(source.runs[each.r] + (each.t ? ", turn " + (each.t + 1) : "") + (each.e ? ", epoch " + (each.e + 1) : ""), "Open this reply", () => open(each));
    name.append(make("i", null, "dot-o b-" + each.o), link);
    told.textContent = each.first !== undefined ? "wrong from step " + (each.first + 1) : each.stepwise && each.o === "correct" ? "all steps right" : brief(each.read);
    if (each.n === own.n) row.setAttribute("aria-current", "true");
    row.append(name, told);
    table.append(row);
  }
  box.append(table);
  return [box];
}

// A step of the graph and its words in the prompt light up together.
function linked(text, graph) {
  const body = make("pre");
  if (!graph || !graph.steps) { body.textContent = text; return body; }
  const places = [];
  graph.nodes.forEach((label, number) => {
    const words = label.replace(/^\d+\. /, "").replace(/\u2026$/, "");
    const from = words.length > 3 ? text.lastIndexOf(words) : -1;
    if (from >= 0 && !places.some((each) => from < each.to && each.from < from + words.length)) places.push({ from, to: from + words.length, number });
  });
  places.sort((a, b) => a.from - b.from);
  let last = 0;
  for (const each of places) {
    const node = make("span", text.slice(each.from, each.to), "step");
    node.dataset.step = each.number;
    body.append(text.slice(last, each.from), node);
    last = each.to;
  }
  body.append(text.slice(last));
  return body;
}

function light(box) {
  const set = (event, on) => {
    const node = event.target.closest("[data-step]");
    if (!node) return;
    for (const each of all("[data-step]", box)) if (each.dataset.step === node.dataset.step) each.classList.toggle("lit", on);
  };
  box.onmouseover = box.onfocusin = (event) => set(event, true);
  box.onmouseout = box.onfocusout = (event) => set(event, false);
}

function talk(reply, sample) {
  const box = make("div");
  if (reply.sent && !reply.sent.length) box.append(make("p", "The messages that were sent are not known; this is the question as the protocol direct puts it.", "note"));
  const messages = reply.sent && reply.sent.length ? reply.sent : [["user", sample.prompt || ""]];
  messages.forEach(([role, content], place) => {
    const turn = make("div", null, "turn " + role);
    turn.append(make("h4", role), place === messages.length - 1 || messages.length < 4 ? linked(content, sample.graph) : make("pre", content));
    box.append(turn);
  });
  const answer = make("div", null, "turn assistant"), body = make("pre");
  const text = reply.reply || "";
  if (reply.at) body.append(text.slice(0, reply.at[0]), make("mark", text.slice(...reply.at)), text.slice(reply.at[1]));
  else body.textContent = text;
  answer.append(make("h4", "reply" + (reply.at ? "; marked: the place of the parsed answer" : "")), body);
  box.append(answer);
  return box;
}

async function open(row, quiet) {
  current = row;
  mark();
  const { sample, reply, same } = await source.get(row);
  if (current !== row) return;
  const head = make("p", null, "verdict");
  head.append(make("i", null, "dot-o b-" + reply.o), make("b", reply.o.replace("_", " ")));
  head.append(make("span", reply.rule ? ", read by the rule \u201c" + reply.rule + "\u201d" : ", no answer was parsed"));
  if (source.runs.length > 1) head.append(make("span", ", " + source.runs[row.r]));
  if (reply.end && reply.end !== "stop") head.append(make("span", ", ended by " + reply.end));
  if (reply.took !== undefined) head.append(make("span", ", " + reply.took.toPrecision(2) + " s"));
  const told = [sample.reason ? "reason: " + sample.reason : "", sample.depth !== undefined ? "depth " + sample.depth : "", sample.witness ? "witness: " + sample.witness : ""].filter(Boolean);
  const tools = make("div", null, "bar-tools");
  const whole = () => (reply.sent && reply.sent.length ? reply.sent : [["user", sample.prompt]]).concat([["assistant", reply.reply || ""]]).map(([role, text]) => role + ":\n" + text).join("\n\n");
  tools.append(button("copy", "Copy the conversation", (own) => copy(whole(), own)),
    button("link", "Copy a link to this reply", (own) => copy(state.link({ sample: sample.id, n: row.n, at: "samples" }), own)),
    button("previous", "k", () => go(-1)), button("next", "j", () => go(1)));
  const answers = [];
  if (sample.states && reply.states) answers.push(steps(sample.states, reply.states));
  else {
    const pair = make("div", null, "sides");
    for (const [title, text] of [["truth", sample.truth], ["parsed answer", reply.read]]) {
      const side = make("div");
      side.append(...part(title, text, true));
      pair.append(side);
    }
    answers.push(pair);
  }
  const drawn = sample.graph ? [picture(sample.graph)] : [];
  const both = make("div", null, "sides");
  both.append(talk(reply, sample), ...drawn);
  const title = make("h3", sample.task + (sample.group ? " " + sample.group : "") + " ");
  title.append(make("small", sample.id));
  at("detail").replaceChildren(title, head, tools,
    ...(told.length ? [make("p", told.join("; "), "note")] : []), ...part("error", reply.error, true), ...answers,
    ...part("why the truth is so", sample.because, true), both, ...part("reasoning", reply.thought, false),
    ...part("explanation in the reply", reply.why, true), ...others(row, same));
  reachable(at("detail"));
  if (drawn.length) { join(drawn[0].firstChild, sample.graph); light(both); }
  highlight(at("f-text").value.toLowerCase());
  if (!quiet) { state.set({ sample: sample.id, n: String(row.n) }); document.body.classList.add("picked"); }
}

// The procedure as a column of steps, its order as arcs beside them, drawn where the steps stand.
function picture(graph) {
  const box = make("figure"), frame = make("div", null, "graph"), items = make("ol");
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", "The steps and their order");
  const path = new Set(graph.path);
  graph.nodes.forEach((label, place) => {
    const item = make("li", label, graph.marked.includes(place) ? "asked" : path.has(place) ? "path" : "");
    item.dataset.step = place;
    items.append(item);
  });
  frame.append(items);
  const busy = graph.nodes.length > 20 || graph.edges.length > 40;
  if (busy) frame.classList.add("busy");
  box.append(frame, make("figcaption", "Arcs lead from what comes before to what depends on it, with a tip at its end. "
    + "Large and blue: what the question names, and its arcs; red: the deciding chain."
    + (busy ? " All other arcs are faint." : "")));
  return box;
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function join(frame, graph) {
  const items = all("li", frame);
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

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  const step = { j: 1, k: -1 }[event.key] || (event.target.closest(".side") && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
  if (step) { event.preventDefault(); go(step); }
  if (event.key === "/") { event.preventDefault(); show("samples"); at("f-text").focus(); }
}

async function restore() {
  for (const name of FIELDS) at("f-" + name).value = state.get(name);
  for (const name of CHOICES) if (at("f-" + name).selectedIndex < 0) at("f-" + name).value = "";
  const sample = state.get("sample"), found = sample && await source.locate(sample, state.get("n"));
  await filter(Boolean(found));
  if (found) await open(found);
  if (state.get("at") === "samples") show("samples");
}

function beginSamples() {
  at("reading").hidden = false;
  choose();
  const change = () => {
    state.set(Object.fromEntries(FIELDS.map((name) => [name, at("f-" + name).value])));
    filter();
  };
  for (const name of CHOICES) at("f-" + name).addEventListener("change", change);
  let waiting;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(change, 200); };
  for (const name of ["text", "least", "most"]) at("f-" + name).addEventListener("input", soon);
  at("more").addEventListener("click", async () => {
    const before = shown.rows.length;
    await further();
    const rows = all(".row");
    if (rows[before]) rows[before].focus();
  });
  document.addEventListener("keydown", keys);
  document.addEventListener("models", () => filter());
  document.addEventListener("state", restore);
  toSamples();
  return restore();
}
