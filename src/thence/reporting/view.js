// Samples and figures that a server gives ------------------------------------------------------------
const EVERY = 2000; // milliseconds between two looks at the runs
const AT_ONCE = 20000; // replies of which the figures are worked out unasked
let last = null, looking = false;

async function ask(path, body) {
  const reply = await fetch(path, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
  const held = await reply.json().catch(() => ({ error: reply.status === 404 ? "there is no such thing any more" : "the answer cannot be read" }));
  if (!reply.ok) throw new Error(held.error || "refused");
  return held;
}

const percent = (right, n) => (100 * right / n).toFixed(1) + "%";

const served = {
  runs: [], all: 0, choices: { tasks: [], outcomes: [], groups: [] },
  async find(wanted, start, count) {
    const found = await ask("rows", { ...wanted, start, count });
    if (found.shares) {
      const words = found.shares.map((each) => source.runs[each.r] + " " + percent(each.right, each.n) + " of " + each.n.toLocaleString("en"));
      at("shares").textContent = words.length ? "Right of these: " + words.join(" \u00b7 ") : "";
    }
    return found;
  },
  async get(row) { return ask("reply/" + [row.r, row.s, row.e, row.t].join("/")); },
  async locate(sample, n) { return ask("locate", { sample, n }); },
};

async function refill() {
  Object.assign(served, await ask("choices").then(({ runs, all, tasks, outcomes, groups }) => ({ runs, all, choices: { tasks, outcomes, groups } })));
}

// The runs ------------------------------------------------------------------------------------------
function told(held) {
  const going = held.runs.filter((each) => each.state === "ready" && each.done < each.asked).length;
  const ready = held.runs.filter((each) => each.state === "ready").length;
  const parts = [held.reading ? ready + " of " + held.runs.length + " runs are read" : held.runs.length + (held.runs.length === 1 ? " run" : " runs"), going ? going + " not finished" : ""];
  return parts.filter(Boolean).join(", ") + ". Shares are of the replies that are there, without intervals.";
}

function progress(held) {
  if (at("told").textContent !== told(held)) at("told").textContent = told(held);
  held.runs.forEach((each, place) => {
    const cells = at("progress").tBodies[0].rows[place].cells;
    cells[0].title = each.path;
    const words = { ready: each.done < each.asked ? "not finished" : "finished", reading: "being read", failed: "cannot be read" }[each.state];
    cells[1].textContent = [words, each.errors ? each.errors.toLocaleString("en") + " provider errors" : "", each.problem].filter(Boolean).join("; ");
    if (each.state !== "ready") return;
    const bar = make("progress");
    bar.max = each.asked;
    bar.value = each.done;
    bar.setAttribute("aria-label", "done of " + source.runs[place]);
    cells[2].replaceChildren(make("span", each.done.toLocaleString("en") + " of " + each.asked.toLocaleString("en")), bar);
    cells[3].textContent = each.families.map((one) => one.title + " " + (one.n ? percent(one.right, one.n) : "\u2013")).join(" \u00b7 ");
  });
}

async function look() {
  if (looking) return;
  looking = true;
  try {
    const held = await ask("state");
    const grown = !last || held.version !== last.version;
    const ready = held.runs.some((each) => each.state === "ready");
    progress(held);
    if (grown && ready) {
      const first = at("reading").hidden;
      await refill();
      if (first) await beginSamples();
      else { choose(); await again(); }
      document.body.dataset.rows = source.all;
    }
    last = held;
    if (!held.reading && ready && !document.body.dataset.ready) {
      document.body.dataset.ready = "true";
      if (source.all <= AT_ONCE) work();
    }
  } catch (error) {
    if (last) { at("told").textContent = "The server does not answer: " + error.message; last = { version: -1 }; }
  }
  looking = false;
}

// The list goes on to show what it showed, with the rows that came.
async function again() {
  const own = ++asking, found = await source.find(wanted(), 0, Math.max(PAGE, Math.min(500, shown.rows.length)));
  if (own !== asking) return;
  const focused = document.activeElement && document.activeElement.closest(".row"), n = focused && focused.dataset.n;
  shown = found;
  list(Boolean(current));
  if (n) { const row = all(".row").find((each) => each.dataset.n === n); if (row) row.focus({ preventScroll: true }); }
  await othersAgain(current);
}

// Replies that came since the open one was shown stand below it; the rest of it stays as it is.
async function othersAgain(row) {
  const { same } = row ? await source.get(row) : {};
  if (!row || current !== row) return;
  const [made] = others(row, same), before = at("detail").querySelector("details.others");
  if (!made || (before && before.textContent === made.textContent)) return;
  if (!before) { at("detail").append(made); return; }
  made.open = before.open;
  before.replaceWith(made);
}

// Figures -------------------------------------------------------------------------------------------
// Markup of our own templates, in which every text of a model or a file is escaped; scripts in it do not run.
function put(box, html) {
  box.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  enhance(box);
}

async function work() {
  at("work").disabled = true;
  at("working").textContent = "Working out intervals, tests and figures of all runs\u2026";
  try {
    const held = await ask("sections", {});
    put(at("answer"), '<h2 id="h-answer">Answer</h2><div id="sentences"></div>' + held.answer);
    at("sentences").replaceChildren(...held.sentences.map((each, place) => make("p", each, place ? "headline more" : "headline")));
    at("answer").hidden = false;
    put(at("sections"), held.sections.map((each) => each.html).join(""));
    all(".rail li.made").forEach((each) => each.remove());
    const lead = (each, before) => {
      const item = make("li", null, "made"), link = make("a", each.title);
      link.href = "#" + each.name;
      item.append(link);
      before.before(item);
      places(item);
    };
    lead({ name: "answer", title: "Answer" }, all(".rail li")[1]);
    held.sections.forEach((each) => lead(each, at("contents")));
    contents();
    toSamples();
    at("working").textContent = "Below, of the replies that were there.";
    document.body.dataset.worked = held.version;
    if (["answer", ...held.sections.map((each) => each.name)].includes(state.get("at"))) show(state.get("at"));
  } catch (error) {
    at("working").textContent = "That did not work: " + error.message;
  }
  at("work").disabled = false;
}

async function compareTwo() {
  at("compared").replaceChildren(make("p", "Comparing\u2026", "note"));
  state.set({ first: at("c-first").value, second: at("c-second").value });
  try {
    const held = await ask("compare", { first: Number(at("c-first").value), second: Number(at("c-second").value) });
    put(at("compared"), held.html);
    at("compared").prepend(make("h3", held.title));
    document.body.dataset.compared = held.title;
  } catch (error) {
    at("compared").replaceChildren(make("p", error.message, "warn"));
  }
}

function exporting() {
  const out = hiddenRuns(), chosen = served.runs.map((_, place) => place).filter((place) => !out.has(place));
  at("export").href = "report/" + chosen.join(".");
  at("export").hidden = !chosen.length;
}

async function beginView() {
  source = served;
  served.runs = all(".chip").map((each) => each.textContent);
  beginPage();
  exporting();
  document.addEventListener("models", exporting);
  at("reading").querySelector(".filters").append(make("p", null, "note"));
  at("reading").querySelector(".filters .note").id = "shares";
  at("work").addEventListener("click", work);
  if (at("c-go")) {
    for (const name of ["first", "second"]) if (state.get(name)) at("c-" + name).value = state.get(name);
    at("c-go").addEventListener("click", compareTwo);
    at("c-samples").addEventListener("click", () => {
      const [a, b] = ["c-first", "c-second"].map((id) => served.runs[Number(at(id).value)]);
      state.set({ ...Object.fromEntries(FIELDS.map((each) => [each, ""])), differ: "right", a, b, sample: "", n: "", at: "samples" });
      restore();
    });
  }
  await look();
  setInterval(() => { if (!document.hidden) look(); }, EVERY);
}
beginView();
