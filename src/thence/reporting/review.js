"use strict";
(() => {
  const ROLES = { u: "uses", d: "defines", x: "kills", a: "after", w: "when", t: "duration", c: "choices", s: "start", r: "results" };
  const WHOLE = ["choices", "start", "results"];  // of the procedure
  const at = (id) => document.getElementById(id);
  let held = null, now = 0, editing = null, draft = null, busy = false;

  const made = (name, text, kind) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };
  const steps = () => held.procedure.steps;
  const tell = (text) => { at("told").textContent = text; };

  async function ask(path, body) {
    const reply = await fetch(path, body && { method: "POST", body: JSON.stringify(body) });
    const value = await reply.json().catch(() => ({ error: "the server gave no answer" }));
    if (!reply.ok) throw new Error(value.error || "the server refused it");
    return value;
  }

  async function load(number, step) {
    held = await ask(`procedure/${number}`);
    editing = draft = null;
    tell(held.problem ? held.problem + (held.count > 1 ? " (n or p: another procedure)" : "") : "");
    const open = held.problem ? 0 : steps().findIndex((each) => !each.reviewed);
    now = step ?? Math.max(0, open);
    show();
  }

  let saving = Promise.resolve(true);
  const mend = (step, change) => (saving = saving.then(() => write(step, change)));

  async function write(step, change) {
    busy = true;
    let saved = true;
    try {
      held = await ask(`procedure/${held.number}`, { version: held.version, step, ...change });
      tell(held.problem || "");
    } catch (error) {
      saved = false;
      tell(error.message);
      if (error.message.includes("changed elsewhere")) held = await ask(`procedure/${held.number}`).catch(() => held);
    }
    busy = false;
    return saved;
  }

  function marks(spans) {
    const found = [];
    for (const role of ["uses", "defines", "kills"])
      for (const [entry, [start, end]] of Object.entries((spans || {})[role] || {})) found.push({ role, entry, start, end });
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  function part(step, number, [start, end]) {
    const letters = held.letters, node = made("span", undefined, "part");
    node.classList.toggle("done", Boolean(step.reviewed));
    node.classList.toggle("now", number === now);
    node.dataset.step = number;
    let place = start, last = null;
    for (const each of marks(step.spans)) {
      if (last && each.start === last.start && each.end === last.end) {  // one word tells both
        last.mark.classList.add(each.role);
        last.mark.title += `, ${each.role} ${each.entry}`;
        continue;
      }
      if (each.start < place || each.end > end) continue;
      node.append(letters.slice(place, each.start).join(""));
      const mark = made("mark", letters.slice(each.start, each.end).join(""), each.role);
      mark.title = `${each.role} ${each.entry}`;
      node.append(mark);
      last = { mark, start: each.start, end: each.end };
      place = each.end;
    }
    node.append(letters.slice(place, end).join(""));
    node.addEventListener("click", () => { now = number; show(); });
    return node;
  }

  function drawText() {
    const box = at("text");
    held.letters = [...held.text];
    box.replaceChildren();
    let place = 0;
    const order = steps().map((step, number) => [step, number]).filter(([step]) => step.spans && step.spans.text)
      .sort((a, b) => a[0].spans.text[0] - b[0].spans.text[0]);
    for (const [step, number] of order) {
      const [start, end] = step.spans.text;
      if (start < place) continue;
      box.append(held.letters.slice(place, start).join(""), part(step, number, [start, end]));
      place = end;
    }
    box.append(held.letters.slice(place).join(""));
    drawLinks(box);
  }

  function drawLinks(box) {
    const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
    svg.id = "links";
    box.append(svg);
    const top = box.getBoundingClientRect().top, middle = {};
    for (const node of box.querySelectorAll(".part")) {
      const around = node.getClientRects()[0];
      if (around) middle[node.dataset.step] = around.top - top + around.height / 2;
    }
    for (const link of [...held.links].sort((a, b) => touches(a) - touches(b))) {
      const from = middle[link.from], to = middle[link.to];
      if (from === undefined || to === undefined) continue;
      const wide = Math.max(2, 40 - 6 * Math.abs(link.to - link.from));
      const path = document.createElementNS(space, "path");
      path.setAttribute("d", `M46 ${from} C${wide} ${from} ${wide} ${to} 46 ${to}`);
      if (touches(link)) path.setAttribute("class", "now");
      const title = document.createElementNS(space, "title");
      title.textContent = `${link.from + 1} to ${link.to + 1}: ${link.facts.join(", ")}`;
      path.append(title);
      svg.append(path);
    }
  }
  const touches = (link) => Number(link.from === now || link.to === now);

  function entries(step, role) {
    if (role === "choices") return pairs(held.procedure.choices);
    if (role === "when") return pairs(step.when);
    if (role === "duration" && step.seconds !== undefined) return [`${[].concat(step.seconds).join("-")} s`];
    return [].concat((WHOLE.includes(role) ? held.procedure : step)[role] || []);
  }
  const pairs = (held) => Object.entries(held || {}).map(([name, value]) => `${name}: ${[].concat(value).join(", ")}`);

  function drawStep() {
    const box = at("step"), step = steps()[now];
    box.replaceChildren(made("h2", `Step ${now + 1} of ${steps().length}${step.reviewed ? ", confirmed" : ""}`));
    box.append(made("p", step.text || step.name));
    const doubts = step.unsure || [];
    for (const [key, role] of Object.entries(ROLES)) {
      const value = entries(step, role), list = made("dl", undefined, role), body = made("dd");
      list.append(made("dt", `${role}${WHOLE.includes(role) ? " of the procedure" : ""} (${key})`), body);
      if (editing === role) body.append(editor(role, value));
      else if (value.length) {
        const items = made("ul");
        for (const each of value) {
          const name = role === "after" && steps()[each - 1] ? `step ${each}: ${steps()[each - 1].text}` : each;
          items.append(made("li", name, doubts.includes(`${role} ${each}`) ? "doubt" : ""));
        }
        body.append(items);
      }
      box.append(list);
    }
    const button = made("button", step.reviewed ? "Take back (Space)" : "Confirm (Space)");
    button.addEventListener("click", confirm);
    box.append(button);
    const found = held.findings.filter((each) => each.step === now || each.step === null);
    const marked = ["uses", "defines", "kills", "after"].flatMap((role) => (step[role] || []).map((each) => `${role} ${each}`));
    const others = doubts.filter((each) => !marked.includes(each)).map((each) => `unsure: ${each}`);
    const told = [...others, ...(held.procedure.unsure || []), ...found.map((each) => `${each.message}: ${each.cause}. ${each.suggestion}`)];
    if (told.length) {
      const list = made("ul", undefined, "findings");
      for (const each of new Set([].concat(told))) list.append(made("li", each));
      box.append(list);
    }
  }

  function editor(role, value) {
    const area = made("textarea");
    area.id = "editor";
    area.setAttribute("aria-label", `${role}, one a line; Enter saves, Shift+Enter begins a line, Escape leaves it`);
    area.value = draft ?? value.join("\n");
    area.addEventListener("input", () => { draft = area.value; });
    area.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { open(null); }
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        save(role, area.value);
      }
    });
    return area;
  }

  function open(role, text = null) {
    editing = role;
    draft = text;
    tell("");
    show();
  }

  async function save(role, text) {
    const step = now;
    open(null);
    const saved = await mend(step, { [role]: text.split("\n").filter((each) => each.trim()) });
    if (!saved && !editing && step === now && !held.problem) {  // so that nothing typed is lost
      const why = at("told").textContent;
      open(role, text);
      tell(why);
    }
    else show();
  }

  async function confirm() {
    if (busy) return;
    const step = now, reviewed = !steps()[step].reviewed;
    if ((await mend(step, { reviewed })) && !held.problem && reviewed && now === step) now = Math.min(now + 1, steps().length - 1);
    show();
  }

  function show() {
    if (held.problem) {
      at("goal").textContent = held.file;
      at("state").textContent = `${held.file}, ${held.number + 1} of ${held.count}: cannot be shown`;
      at("text").replaceChildren();
      at("step").replaceChildren();
      return;
    }
    const done = steps().filter((each) => each.reviewed).length;
    at("goal").textContent = held.procedure.goal;
    at("state").textContent = `${held.file}, ${held.number + 1} of ${held.count}: ${done} of ${steps().length} steps confirmed` +
      (held.reviewed ? "; the procedure is stamped as reviewed" : "") +
      (held.error ? `; not stamped, for it has an error: ${held.error}` : "");
    drawText();
    drawStep();
    const area = at("editor");
    if (area) {
      area.focus();
      area.setSelectionRange(area.value.length, area.value.length);
    }
    const node = document.querySelector(".part.now");
    if (node && !editing) node.scrollIntoView({ block: "nearest" });
    document.body.dataset.step = now;
    document.body.dataset.done = done;
  }

  const move = (by) => { now = Math.min(Math.max(now + by, 0), steps().length - 1); show(); };
  const turn = (by) => { if (held.number + by >= 0 && held.number + by < held.count) saving.then(() => load(held.number + by)).catch((error) => tell(error.message)); };

  document.addEventListener("keydown", (event) => {
    if (!held || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "TEXTAREA") return;
    const does = {
      j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1), " ": confirm,
      n: () => turn(1), p: () => turn(-1),
      q: () => saving.then(() => ask("end", {})).then(() => { tell("The review has ended; all is saved."); held = null; }),
    }[event.key] || (ROLES[event.key] && (() => open(ROLES[event.key])));
    if (!does || (held.problem && !"npq".includes(event.key))) return;
    event.preventDefault();
    does();
  });
  addEventListener("resize", () => held && !held.problem && drawText());
  load(0).catch((error) => tell(error.message)).finally(() => { document.body.dataset.ready = "true"; });
})();
