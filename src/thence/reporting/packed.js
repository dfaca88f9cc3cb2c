// Samples that are packed in the page --------------------------------------------------------------
// Bytes of base64; a plain loop takes a sixteenth of the time of Uint8Array.from with a function.
function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  return bytes;
}

async function unpack(text) {
  const bytes = decoded(text);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const [names, ...lines] = (await new Response(stream).text()).trimEnd().split("\n");
  const made = { runs: JSON.parse(names), samples: [], replies: [] };
  for (const line of lines) {
    const object = JSON.parse(line);
    if ("s" in object) made.replies.push(object); else made.samples.push(object);
  }
  made.replies.sort((a, b) => a.n - b.n);
  made.of = made.samples.map(() => []);
  for (const reply of made.replies) made.of[reply.s].push(reply);
  return made;
}

// Whether two runs differ on the question of a reply.
function differs(held, reply, wanted) {
  const [a, b] = wanted.pair.map((run) => held.of[reply.s].find((each) => each.r === run && each.e === reply.e && each.t === reply.t));
  if (!a || !b || (reply !== a && reply !== b)) return false;
  const [first, second] = [a.o === "correct", b.o === "correct"];
  return { right: first !== second, first: first && !second, second: second && !first, answers: a.read !== b.read }[wanted.differ];
}

function packedSource(held) {
  const head = (reply) => {
    const sample = held.samples[reply.s];
    return { ...reply, id: sample.id, task: sample.task, group: sample.group, long: sample.long, stepwise: Boolean(sample.states), truth: sample.truth };
  };
  const fits = (reply, wanted, runs) => {
    const sample = held.samples[reply.s];
    if (wanted.differ ? !differs(held, reply, wanted) : !runs.has(reply.r)) return false;
    if (wanted.task && sample.task !== wanted.task && !sample.task.startsWith(wanted.task + "/")) return false;
    if (wanted.outcome && reply.o !== wanted.outcome) return false;
    if (wanted.group && sample.group !== wanted.group) return false;
    if (wanted.least !== null && !(sample.long >= wanted.least)) return false;
    if (wanted.most !== null && !(sample.long <= wanted.most)) return false;
    return !wanted.text || [sample.id, sample.prompt, sample.truth, reply.reply, reply.read].some(
      (text) => text && text.toLowerCase().includes(wanted.text));
  };
  const keys = { task: (r) => held.samples[r.s].task, outcome: (r) => OUTCOMES.indexOf(r.o), long: (r) => held.samples[r.s].long,
    first: (r) => r.first, took: (r) => r.took };
  let last = null, found = [];
  const look = (wanted) => {
    if (last === JSON.stringify(wanted)) return;
    const runs = new Set(wanted.runs), key = keys[wanted.sort];
    last = JSON.stringify(wanted);
    found = held.replies.filter((reply) => fits(reply, wanted, runs));
    if (key) found.sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined) || a.n - b.n;
      return (x < y ? -1 : x > y ? 1 : 0) || a.n - b.n;
    });
  };
  const distinct = (values) => [...new Set(values)].filter(Boolean);
  return {
    runs: held.runs, all: held.replies.length,
    choices: { tasks: distinct(held.samples.map((each) => each.task)), groups: distinct(held.samples.map((each) => each.group)),
      outcomes: OUTCOMES.filter((name) => held.replies.some((each) => each.o === name)) },
    async find(wanted, start, count) { look(wanted); return { count: found.length, rows: found.slice(start, start + count).map(head) }; },
    async get(row) { const reply = held.replies.find((each) => each.n === row.n); return { sample: held.samples[reply.s], reply, same: held.of[reply.s].map(head) }; },
    async locate(sample, n) {
      const number = Number(n), of = (reply) => held.samples[reply.s].id === sample;
      const reply = held.replies.find((each) => each.n === number && of(each)) || held.replies.find(of);
      return reply && head(reply);
    },
  };
}

async function begin() {
  beginPage();
  const packed = at("packed");
  if (packed) {
    source = packedSource(await unpack(packed.textContent.trim()));
    at("plain").hidden = true;
    await beginSamples();
  }
  document.body.dataset.ready = "true";
}
begin();
