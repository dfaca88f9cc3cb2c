"use strict";
// Everything that came from a model or a file is set as text, never as markup.
const at = (id) => document.getElementById(id);
const make = (tag, text, kind) => {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// State in the address ---------------------------------------------------------------------------
// Pairs such as #at=fails&outcome=wrong&sample=ID; a plain #fails is a place alone.
const state = (() => {
  const read = () => {
    const text = location.hash.slice(1);
    return text.includes("=") ? new URLSearchParams(text) : new URLSearchParams(text ? { at: decodeURIComponent(text) } : {});
  };
  let held = read();
  const write = () => {
    const text = held.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };
  return {
    get: (name) => held.get(name) || "",
    set(values) {
      for (const [name, value] of Object.entries(values)) if (value) held.set(name, value); else held.delete(name);
      write();
    },
    again() { held = read(); },
    link(values) {
      const made = new URLSearchParams(held);
      for (const [name, value] of Object.entries(values)) made.set(name, value);
      return location.href.split("#")[0] + "#" + made.toString();
    },
  };
})();

function copy(text, button) {
  const done = () => { const before = button.textContent; button.textContent = "copied"; setTimeout(() => { button.textContent = before; }, 1200); };
  const aside = () => {
    const box = make("textarea", text);
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
    done();
  };
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, aside); else aside();
}

function button(words, title, action) {
  const made = make("button", words, "tiny");
  made.type = "button";
  made.title = title;
  made.addEventListener("click", () => action(made));
  return made;
}

// Switches -----------------------------------------------------------------------------------------
const BESIDE = [["w-base", "no-base", "tr.baseline"], ["w-paper", "no-paper", "tr.paper"]];

function dress() {
  const theme = state.get("theme");
  if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme;
  at("w-theme").value = theme;
  for (const [id, name, rows] of BESIDE) {
    at(id).closest("label").hidden = !document.querySelector(rows);
    at(id).checked = state.get(name) === "";
    document.body.classList.toggle(name, state.get(name) !== "");
  }
  const hidden = new Set(state.get("hide").split(".").filter(Boolean));
  for (const box of all("input.model")) box.checked = !hidden.has(box.value);
  for (const node of all("[data-m]")) node.hidden = hidden.has(node.dataset.m);
}

function switches() {
  at("w-theme").addEventListener("change", (event) => { state.set({ theme: event.target.value }); dress(); });
  for (const [id, name] of BESIDE)
    at(id).addEventListener("change", (event) => { state.set({ [name]: event.target.checked ? "" : "1" }); dress(); });
  for (const box of all("input.model")) box.addEventListener("change", () => {
    state.set({ hide: all("input.model").filter((each) => !each.checked).map((each) => each.value).join(".") });
    dress();
    document.dispatchEvent(new Event("models"));
  });
}

// Places: contents, links to headings ----------------------------------------------------------------
function show(id) {
  const node = at(id);
  if (!node) return;
  for (let each = node; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  node.scrollIntoView();
}

function places(within) {
  for (const link of all('a[href^="#"]', within)) link.addEventListener("click", (event) => {
    event.preventDefault();
    const id = link.getAttribute("href").slice(1);
    state.set({ at: id });
    show(id);
    at(id).setAttribute("tabindex", "-1");
    at(id).focus({ preventScroll: true });
  });
}

const rail = { watch: null };
function contents() {
  if (rail.watch) rail.watch.disconnect();
  const links = new Map(all(".rail a").map((link) => [link.getAttribute("href").slice(1), link]));
  if (!window.IntersectionObserver) return;
  const seen = new Set();
  rail.watch = new IntersectionObserver((entries) => {
    for (const each of entries) if (each.isIntersecting) seen.add(each.target.id); else seen.delete(each.target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) if (id === first) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }, { rootMargin: "-80px 0px -50% 0px" });
  for (const id of links.keys()) if (at(id)) rail.watch.observe(at(id));
}

// Downloads ------------------------------------------------------------------------------------------
function save(name, type, text) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// No cell is run as a formula where the file is opened.
const quoted = (text) => {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text;
  return /[",\n\r]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
};

// Value and interval of a cell are columns of their own.
function rowsOf(table) {
  const heads = all("thead th", table).map((each) => each.textContent.trim());
  const body = all("tbody tr", table).map((row) => [...row.cells]);
  const spread = heads.map((_, place) => body.some((row) => row[place] && (row[place].dataset.v || "").includes(" ")));
  const names = heads.flatMap((name, place) => spread[place] ? [name, name + " (low)", name + " (high)"] : [name]);
  const rows = body.map((row) => row.flatMap((cell, place) => {
    const held = cell.dataset.v === undefined ? [cell.textContent.trim()] : cell.dataset.v.split(" ");
    return spread[place] ? [held[0] || "", held[1] || "", held[2] || ""] : [held[0]];
  }));
  return [names, ...rows];
}

function saveTable(table) {
  const text = rowsOf(table).map((row) => row.map(quoted).join(",")).join("\r\n");
  save((table.dataset.name || "table").replace(/[^\w-]+/g, "-") + ".csv", "text/csv;charset=utf-8", "\ufeff" + text + "\r\n");
}

const SVG = "http://www.w3.org/2000/svg";

// The panels of a figure as one file, in the colours that the page has now.
function saveFigure(box, name) {
  const panels = all(".panel svg", box).filter((each) => each.getClientRects().length);
  const whole = document.createElementNS(SVG, "svg");
  let x = 0, y = 0, tallest = 0, width = 0, row = null;
  for (const panel of panels) {
    const [w, h] = [panel.width.baseVal.value, panel.height.baseVal.value];
    if (x && (x + w > 1100 || panel.closest(".panels") !== row)) { x = 0; y += tallest + 12; tallest = 0; }
    row = panel.closest(".panels");
    const made = panel.cloneNode(true);
    made.setAttribute("x", x);
    made.setAttribute("y", y);
    whole.append(made);
    x += w + 16;
    tallest = Math.max(tallest, h);
    width = Math.max(width, x);
  }
  const originals = panels.flatMap((panel) => [panel, ...all("*", panel)]);
  const copies = [...whole.children].flatMap((panel) => [panel, ...all("*", panel)]);
  copies.forEach((node, place) => {
    if (node.tagName === "title") return;
    const held = getComputedStyle(originals[place]);
    for (const key of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"]) {
      const value = held.getPropertyValue(key);
      if (value && value !== "none" || key === "fill") node.setAttribute(key, value);
    }
    node.removeAttribute("class");
  });
  const paper = document.createElementNS(SVG, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  whole.prepend(paper);
  for (const [key, value] of Object.entries({ xmlns: SVG, width, height: y + tallest, viewBox: `0 0 ${width} ${y + tallest}` })) whole.setAttribute(key, value);
  save(name + ".svg", "image/svg+xml", new XMLSerializer().serializeToString(whole));
}

function downloads(within) {
  for (const box of all("article.exhibit", within)) {
    const bar = make("div", null, "bar-tools");
    if (box.querySelector(".panel svg")) bar.append(button("SVG", "Download the figure", () => saveFigure(box, box.id)));
    if (box.querySelector("table.data")) bar.append(button("CSV", "Download the data", () => saveTable(box.querySelector("table.data"))));
    bar.append(button("link", "Copy a link to this place", (own) => copy(state.link({ at: box.id }), own)));
    box.append(bar);
  }
  for (const table of all("table.data", within)) {
    if (table.closest("article.exhibit")) continue;
    const bar = make("div", null, "bar-tools");
    bar.append(button("CSV", "Download the table", () => saveTable(table)));
    table.parentElement.after(bar);
  }
}

// Tables: sorting and filtering ----------------------------------------------------------------------
const valueOf = (row, place) => {
  const cell = row.cells[place];
  if (!cell) return "";
  const text = cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v.split(" ")[0];
  const number = Number(text.replace(/,/g, "").replace("\u2212", "-"));
  return text === "" || Number.isNaN(number) ? text.toLowerCase() : number;
};

function sortable(table) {
  all("thead th", table).forEach((head, place) => {
    const made = make("button");
    made.append(...head.childNodes);
    made.type = "button";
    head.replaceChildren(made);
    made.addEventListener("click", () => {
      const words = table.tBodies[0].rows.length && typeof valueOf(table.tBodies[0].rows[0], place) === "string";
      const down = head.hasAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : !words;
      for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row, order) => ({ row, order, value: valueOf(row, place) }));
      const rank = (value) => value === "" || value === "\u2013" ? 2 : typeof value === "string" ? 1 : 0;
      rows.sort((a, b) => rank(a.value) - rank(b.value)
        || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (down ? -1 : 1) || a.order - b.order);
      table.tBodies[0].append(...rows.map((each) => each.row));
    });
  });
  if (table.tBodies[0].rows.length < 9) return;
  const box = make("input");
  box.type = "search";
  box.placeholder = "filter rows";
  box.setAttribute("aria-label", "Filter the rows of this table");
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.classList.toggle("out", !row.textContent.toLowerCase().includes(words));
    for (const row of table.tBodies[0].rows) row.style.display = row.classList.contains("out") ? "none" : "";
  });
  const bar = make("div", null, "bar-tools");
  bar.append(box);
  table.parentElement.before(bar);
}

// What scrolls can be reached, and so scrolled, by the keyboard.
function reachable(within) {
  for (const each of all(".panel, pre", within)) {
    if (each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth) each.tabIndex = 0; else each.removeAttribute("tabindex");
  }
}

// Tables, figures and links of a part of the page.
function enhance(within) {
  reachable(within);
  dress();
  places(within);
  for (const table of all("table.data", within)) sortable(table);
  downloads(within);
}

// Of many pairs, the one of two chosen runs is shown.
function pairing() {
  const pairs = all("details.pair"), box = at("choose-pair"), names = all(".chip").map((each) => each.textContent.trim());
  if (!box || pairs.length < 2) return;
  const used = new Set(pairs.flatMap((each) => [each.dataset.first, each.dataset.second]));
  const selects = ["first", "second"].map((name) => {
    const label = make("label", name + " "), select = make("select");
    select.id = "p-" + name;
    for (const [place, words] of names.entries()) if (used.has(String(place))) { const option = make("option", words); option.value = place; select.append(option); }
    label.append(select);
    box.append(label);
    return select;
  });
  const none = make("p", "These two are not compared by task here.", "note");
  box.className = "filters";
  box.after(none);
  const choose = () => {
    const wanted = selects.map((each) => each.value);
    const fits = (each) => wanted.includes(each.dataset.first) && wanted.includes(each.dataset.second) && wanted[0] !== wanted[1];
    for (const each of pairs) { each.hidden = !fits(each); each.open = fits(each); }
    none.hidden = pairs.some(fits);
  };
  [selects[0].value, selects[1].value] = [pairs[0].dataset.first, pairs[0].dataset.second];
  for (const name of ["first", "second"]) if (state.get("pair-" + name)) at("p-" + name).value = state.get("pair-" + name);
  for (const [place, each] of selects.entries()) each.addEventListener("change", () => { state.set({ ["pair-" + ["first", "second"][place]]: each.value }); choose(); });
  choose();
}

function beginPage() {
  document.body.dataset.script = "true";
  switches();
  enhance(document);
  pairing();
  contents();
  document.addEventListener("toggle", (event) => reachable(event.target), true);
  window.addEventListener("resize", () => reachable(document));
  window.addEventListener("beforeprint", () => { for (const each of all("#answer details, #breaks details, #pairs details")) each.open = false; });
  if (state.get("at")) show(state.get("at"));
  window.addEventListener("hashchange", () => { state.again(); dress(); if (state.get("at")) show(state.get("at")); document.dispatchEvent(new Event("state")); });
}
