"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const LONG = 400;  // characters from which on a part has a box of its own
  let held = null, rater = "", queue = Promise.resolve(), seen = 0, since = null;

  const made = (name, text, kind) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };
  const tell = (text) => { at("told").textContent = text; };

  // Seconds for which an item was on the screen: not those for which the page was hidden.
  const now = () => performance.now() / 1000;
  const stop = () => { if (since !== null) seen += now() - since; since = null; };
  const start = () => { if (since === null && !document.hidden) since = now(); };
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));

  async function ask(path, body) {
    const reply = await fetch(path, { method: "POST", body: JSON.stringify({ rater, ...body }) });
    const value = await reply.json().catch(() => ({ error: "the server gave no answer" }));
    if (!reply.ok) throw new Error(value.error || "the server refused it");
    return value;
  }

  // One request after the other, so that no key is lost; what it holds is told when its turn comes.
  const go = (path, body) => { queue = queue.then(() => send(path, body())); };

  async function send(path, body) {
    if (!body) return;
    try {
      held = await ask(path, body);
      rater = held.rater;
      seen = 0; since = null;
      tell(held.told || "");
      show();
      start();
    } catch (error) {
      tell(error instanceof TypeError ? "The server cannot be reached; nothing was saved. Try again." : error.message);
    }
  }

  function part(each) {
    const box = made("section"), body = made("p");
    box.append(made("h2", each.label), body);
    if (each.text.length > LONG) { box.className = "long"; body.tabIndex = 0; }
    if (each.span) {
      const letters = [...each.text], [from, to] = each.span;
      body.append(letters.slice(0, from).join(""), made("mark", letters.slice(from, to).join("")), letters.slice(to).join(""));
    } else body.textContent = each.text;
    return box;
  }

  function show() {
    document.title = at("title").textContent = held.title;
    const whole = held.done === held.count;
    at("state").textContent = `${rater}: ${held.place + 1} of ${held.count}, ${held.done} answered` + (whole ? "; all is saved, thank you" : "");
    at("state").classList.toggle("done", whole);
    at("bar").max = held.count;
    at("bar").value = held.done;
    at("item").replaceChildren(...held.parts.map(part));
    for (const mark of at("item").querySelectorAll("mark")) mark.scrollIntoView({ block: "nearest" });
    at("statement").textContent = held.statement;
    at("choices").replaceChildren(...held.choices.map((each) => {
      const node = made("button");
      node.type = "button";
      node.append(made("kbd", each.key), ` ${each.label}`);
      if (each.hint) node.append(made("small", each.hint));
      node.setAttribute("aria-pressed", String(each.value === held.value));
      node.addEventListener("click", () => judge(each.value));
      return node;
    }));
    at("digits").replaceChildren(...held.choices.map((each) => made("kbd", each.key)), " answer;");
    const free = held.choices.length === 0;
    at("free").hidden = at("of-reply").hidden = !free;
    at("digits").hidden = free;
    at("noting").hidden = at("of-note").hidden = held.note === undefined;
    at("note").value = held.note || "";
    at("reply").value = (free && held.value) || "";
    for (const id of ["bar", "keys", "moves", "item", "asked"]) at(id).hidden = false;
    at("who").hidden = true;
    if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
    scrollTo(0, 0);
    document.body.dataset.place = held.place;
    document.body.dataset.done = held.done;
  }

  const judge = (value) => go("judge", () => {
    stop();
    return { place: held.place, value, note: at("note").value, seconds: seen };
  });
  const move = (by) => go("show", () => {
    const place = held.place + by;
    return place >= 0 && place < held.count && { place };
  });

  const undo = () => go("undo", () => ({}));
  at("last").addEventListener("click", () => move(-1));
  at("next").addEventListener("click", () => move(1));
  at("undo").addEventListener("click", undo);
  at("who").addEventListener("submit", (event) => {
    event.preventDefault();
    rater = at("name").value;
    go("show", () => ({}));
  });
  at("free").addEventListener("submit", (event) => {
    event.preventDefault();
    judge(at("reply").value);
  });
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "TEXTAREA"].includes(event.target.tagName);
    if (typing && (event.key === "Escape" || (event.key === "Enter" && event.target.id === "note"))) event.target.blur();
    if (event.target.id === "reply" && event.key === "Enter" && event.ctrlKey) {
      event.preventDefault();
      judge(at("reply").value);
    }
    if (!held || typing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = held.choices.find((each) => each.key === event.key);
    const does = choice ? () => judge(choice.value) : {
      j: () => move(1), ArrowRight: () => move(1),
      k: () => move(-1), ArrowLeft: () => move(-1),
      u: undo, o: () => go("show", () => ({})),
      n: () => !at("noting").hidden && at("note").focus(),
      a: () => !at("free").hidden && at("reply").focus(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
  document.body.dataset.ready = "true";
})();
