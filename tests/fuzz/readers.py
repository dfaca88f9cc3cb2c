"""The readers that are fuzzed: valid inputs of each, and a call that reads a mutant."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.fake_endpoint import FORMS, Answer
from tests.fuzz import mutations
from thence import cli, families
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ThenceError, UsageError, printable

DATA = Path(__file__).parents[1]
GOLDEN = DATA / "golden"
READ, REFUSED = "read", "refused"
SLOW = 100  # effort of a task whose generator starts other programs


@dataclass(frozen=True)
class Reader:
    """One reader with its inputs.

    Attributes:
        mutants: draws what is read.
        read: reads it, in an empty working folder.
        weight: its share of the time.
    """

    mutants: Callable[[], st.SearchStrategy[Any]]
    read: Callable[[Any], object]
    weight: int = 1


# What all of them use ----------------------------------------------------------------------------


@cache
def samples() -> list[dict[str, Any]]:
    """One sample of every task."""
    lines = (GOLDEN / "samples.jsonl").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row.pop("case")
    return rows


@cache
def replies() -> Mapping[str, list[tuple[Sample, list[str]]]]:
    """Samples by task, with right and wrong replies and the prompt itself."""
    found: dict[str, list[tuple[Sample, list[str]]]] = {}
    for row in samples():
        sample = Sample.from_json(row)
        task = families.task(sample.task)
        right = task.format.write(sample.target)
        wrong = task.format.write(task.checks.perturb(sample, Random(1)))
        kinds = [right, wrong, f"{sample.input}\n\n{right}", f"<think>{wrong}</think>\n{right}"]
        answer = json.dumps({"answer": task.format.part(right), "explanation": "So."})
        found.setdefault(sample.task, []).append((sample, [*kinds, answer, f"**Answer:** {right}"]))
    return found


def write(name: str, held: bytes) -> Path:
    """Writes a file in the working folder."""
    path = Path(name)
    path.write_bytes(held)
    return path


def command(*arguments: str) -> str:
    """Runs the command in this process; checks how it ends, and returns what became of it."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        ended = cli.run(arguments)
    assert ended in (0, 1, 2, 3), f"ended with {ended}: {err.getvalue()}"
    if ended >= 2:  # 3: the system refuses a name; a fault of ours is raised
        lines = err.getvalue().splitlines()
        assert lines, "nothing was said"
        check_line(lines[-1])
    return REFUSED if ended >= 2 else READ


def check_line(text: str) -> None:
    """Asserts that a text is one line that a terminal only shows."""
    assert text.strip(), "an error without a text"
    assert "\n" not in text, f"more than one line: {text!r}"
    assert printable(text) == text, f"not printable: {text!r}"


# Replies -----------------------------------------------------------------------------------------


def _reply_mutants() -> st.SearchStrategy[Any]:
    held = [pair for pairs in replies().values() for pair in pairs]
    return st.sampled_from(held).flatmap(
        lambda pair: st.tuples(st.just(pair[0]), mutations.texts(pair[1]), st.integers(0, 5))
    )


def _read_reply(drawn: tuple[Sample, str, int]) -> None:
    from thence.prompts.catalog import protocol
    from thence.scoring.judge import Response, judge

    sample, text, which = drawn
    names = ("direct", "direct", "chain_of_thought", "answer_then_explain", "explain_then_answer")
    task = families.task(sample.task)
    finish = "length" if which == 5 else "stop"
    response = Response(sample.id, response=text, finish_reason=finish)
    score = judge(response, sample, task, protocol((*names, "direct")[which]))
    if score.answer is not None:
        task.format.vote(score.answer)
        task.format.common(score.answer, task.question(sample))


def _completion(text: Any) -> dict[str, Any]:
    return {
        "id": "x",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "reasoning_content": "r"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    }


def _response_mutants() -> st.SearchStrategy[Any]:
    bodies = [
        _completion("yes"),
        _completion([{"type": "thinking", "thinking": [{"text": "a"}]}, {"text": "b"}]),
        {"error": {"message": "limit", "code": 429, "type": "insufficient_quota"}},
        {"choices": [{"error": {"code": "500"}, "message": {"refusal": "no"}}]},
        *(Answer("yes", message={"reasoning_content": "r"}).in_form(form) for form in FORMS),
    ]
    body = st.one_of(
        mutations.values(bodies).map(mutations.dumped),
        mutations.blobs([mutations.dumped(each) for each in bodies]),
    )
    headers = mutations.values(
        [{"Retry-After": "3"}, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, {"location": "/x"}]
    )
    status = st.sampled_from([200, 204, 302, 400, 401, 429, 500, 503])
    return st.tuples(body, status, headers, st.integers(0, 3))


def _read_response(drawn: tuple[bytes, int, Any, int]) -> None:
    from thence.models.anthropic import AnthropicMessages
    from thence.models.gemini import GenerateContent
    from thence.models.openai import ChatCompletions
    from thence.models.openai_responses import OpenAIResponses
    from thence.models.replies import Received, read_reply
    from thence.models.secrets import Secrets

    body, status, headers, which = drawn
    every = (ChatCompletions(), OpenAIResponses(), AnthropicMessages(), GenerateContent())
    named = {str(k): str(v) for k, v in headers.items()} if isinstance(headers, dict) else {}
    key = "sk-0123456789abcdef"
    reply = read_reply(Received("http://x/v1", status, named, body), Secrets.of(key), every[which])
    json.dumps(reply.text)


# Samples -----------------------------------------------------------------------------------------


def _use_sample(sample: Sample) -> None:
    """Does with a sample that passed the check what commands do with it."""
    from thence.core.digest import compact_json
    from thence.engine.baseline_scores import baselines
    from thence.engine.event_loop import run_blocking
    from thence.models.base import Request
    from thence.models.baselines import baseline
    from thence.prompts.catalog import protocol
    from thence.prompts.conversation import Conversation
    from thence.prompts.template_loader import templates
    from thence.scoring.judge import Response, judge

    task = families.task(sample.task)
    for name in ("direct", "answer_then_explain"):
        with suppress(UsageError):
            Conversation(sample, task, protocol(name), templates())
    compact_json(sample.to_json())
    for name in _baselines(task):
        with suppress(UsageError):
            run_blocking(baseline(name, 0).about(sample, str).complete(Request(())))
    baselines([sample])
    judge(Response(sample.id, response="x"), sample, task, protocol("direct"))
    sample.light()


def _baselines(task: Task) -> Iterator[str]:
    yield "oracle"
    yield "heuristic"
    if task.generator.effort < SLOW:
        yield "random"
    if task.generator.effort <= 1:
        yield "majority"


def _read_samples(held: bytes, name: str = "samples.jsonl") -> None:
    from thence.generation.sources import checked_samples

    for sample in checked_samples(write(name, held)):
        _use_sample(sample)


def _sample_mutants() -> st.SearchStrategy[Any]:
    return st.one_of(
        mutations.values(samples()).map(lambda row: mutations.dumped(row) + b"\n"),
        mutations.values(samples()).map(lambda row: mutations.dumped(row) + b"\n"),
        mutations.blobs([mutations.dumped(row) for row in samples()]),
    )


@cache
def _parquet() -> bytes:
    from thence.generation.sample_files import write_samples

    path = Path("seed.parquet")
    write_samples(path, map(Sample.from_json, samples()[:3]))
    return path.read_bytes()


def _parquet_mutants() -> st.SearchStrategy[Any]:
    return mutations.blobs([_parquet()])


# Runs --------------------------------------------------------------------------------------------


@cache
def _run_files() -> Mapping[str, bytes]:
    """The files of a small run."""
    folder = Path("seed-run")
    rows = [row for row in samples() if row["task"] in _RUN_TASKS]
    write("run-samples.jsonl", b"\n".join(map(mutations.dumped, rows)) + b"\n")
    command(*_RUN, "-o", str(folder))
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    found.pop("scores.jsonl")
    shutil.rmtree(folder)
    return found


_RUN = ("run", "run-samples.jsonl", "--model", "baseline/random", "--epochs", "2", "-q")
_RUN_TASKS = ("procbench/sort", "releval/consistency", "catbench/order")


def _run_mutants(name: str) -> st.SearchStrategy[Any]:
    held = _run_files()[name]
    if name == "run.json":
        seed = json.loads(held)
        mutants = mutations.values([seed]).map(mutations.dumped)
        return st.one_of(mutants, mutants, mutations.blobs([held]))
    return mutations.lines([json.loads(line) for line in held.splitlines()])


def _read_run(name: str, held: bytes) -> str:
    shutil.rmtree("run", ignore_errors=True)
    Path("run").mkdir()
    for each, content in _run_files().items():
        write(f"run/{each}", held if each == name else content)
    write("run-samples.jsonl", _run_files()["samples.jsonl"])
    read = command("score", "run")
    command("errors", "run")
    command("compare", "run", "run")
    command(*_RUN, "-o", "run")
    return read


def _page(held: bytes) -> str:
    shutil.rmtree("run", ignore_errors=True)
    Path("run").mkdir()
    for each, content in _run_files().items():
        write(f"run/{each}", held if each == "run.json" else content)
    return command("report", "run", "-o", "page.html", "--overwrite")


# Files of users ----------------------------------------------------------------------------------


@cache
def _texts(*paths: str) -> list[bytes]:
    return [path.read_bytes() for pattern in paths for path in sorted(DATA.parent.glob(pattern))]


def _read_yaml(held: bytes) -> str:
    path = write("procedure.yaml", held)
    command("analyze", str(path), "--json")
    return command("analyze", str(path), "--dot")


def _ask_yaml(held: bytes) -> str:
    write("procedure.yaml", held)
    return command("generate", "catbench/order", "--set", "source=procedure.yaml", "--size", "2",
            "--overwrite", "-o", "x.jsonl")  # fmt: skip


def _read_pddl(drawn: tuple[str, bytes]) -> None:
    from thence.domains.plans.generate import read_domain, read_problem

    which, held = drawn
    files = {"cups.pddl": b"", "tea.pddl": b""}
    for name in files:
        write(name, held if name == which else (GOLDEN / "data" / name).read_bytes())
    read_problem(Path("cups.pddl"), read_domain(Path("tea.pddl")))


def _pddl_mutants() -> st.SearchStrategy[Any]:
    return st.sampled_from(["cups.pddl", "tea.pddl"]).flatmap(
        lambda name: st.tuples(
            st.just(name), mutations.blobs([(GOLDEN / "data" / name).read_bytes()])
        )
    )


@cache
def _map() -> bytes:
    from thence.domains.routes import osm_files
    from thence.domains.routes.synthetic.draft import MapDraft, Way

    draft = MapDraft(("Ohio", "OH"), [(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)])
    draft.ways.append(Way([0, 1, 2], {"highway": "residential", "name": "Main Street"}))
    draft.landmarks.append((1, "Hospital", "Town", "hospital"))
    draft.towns.append(("Town", (5.0, 5.0)))
    path = Path("seed.osm.pbf")
    osm_files.write(draft, path)
    return path.read_bytes()


def _read_map(held: bytes) -> None:
    from thence.domains.routes import osm_files, tiles

    path = write("map.osm.pbf", held)
    tiles.check_extract(path)
    osm_files.landmarks(path)


def _recipe_texts() -> st.SearchStrategy[Any]:
    return mutations.blobs(
        _texts("tests/golden/data/recipes.txt", "docs/examples/*.txt") or [b"Cake\n1. Mix flour.\n"]
    )


def _read_recipes(held: bytes) -> None:
    from thence.domains.recipes import reading
    from thence.domains.recipes.parser import parse

    found = reading.read(write("recipes.txt", held))
    for text in found.recipes:
        parse(text.title, text.steps)


def _flow_mutants() -> st.SearchStrategy[Any]:
    from tests.families.catbench.corpora import write_recipe

    steps = ["chop onions .", "boil water .", "mix flour .", "heat oil .", "rest ."]
    path = write_recipe(Path("seed-corpus"), "a", steps, [(0, 1), (1, 3), (2, 4)])
    names = [path.name, path.with_suffix(".flow").name]
    titles = json.dumps({"A": "a.list", "B": "b.list"}).encode()
    files = {name: (path.parent / name).read_bytes() for name in names} | {"titles.json": titles}
    return st.sampled_from(sorted(files)).flatmap(
        lambda name: st.tuples(st.just(files), st.just(name), mutations.blobs([files[name]]))
    )


def _read_flow(drawn: tuple[Mapping[str, bytes], str, bytes]) -> None:
    from thence.domains.flow_graphs.corpus import read_corpus

    files, which, held = drawn
    Path("corpus").mkdir(exist_ok=True)
    for name, content in files.items():
        place = name if name == "titles.json" else f"corpus/{name}"
        write(place, held if name == which else content)
    corpus = read_corpus(Path("corpus"), Path("titles.json"))
    for recipe in corpus.listed:
        recipe.graph.topological_order()


_TOML = b"""\
model = "baseline/oracle"
size = 2
[run]
epochs = 2
timeout = 30.5
extra-body = { top_k = 4 }
set = { steps = "3" }
structured = true
reduce = "majority"
templates = "mine"
"""


def _read_toml(held: bytes) -> str:
    Path("mine/procbench").mkdir(parents=True, exist_ok=True)
    write("mine/procbench/sort.jinja", b"Sort {{ string }}.")
    write("thence.toml", held)
    try:
        return command("run", "procbench/sort", "--size", "1", "--limit", "1", "--epochs", "1",
                "--model", "baseline/oracle", "--dry-run")  # fmt: skip
    finally:
        Path("thence.toml").unlink()


_SHEET = b"""\
page,item,model,recipe,split,correct,procedure,question,answer,explanation,statement,rater,rating
1,1,m,Cake,DEP,1,p,q,yes,"So, it is",s,1,5
1,1,m,Cake,DEP,1,p,q,yes,"So, it is",s,2,4
1,2,m,Cake,NONDEP,0,p,q,no,e,s,1,1
1,2,m,Cake,NONDEP,0,p,q,no,e,s,2,
"""


def _read_sheet(held: bytes) -> str:
    return command("ratings", "score", str(write("sheet.csv", held)))


def _read_template(held: bytes) -> None:
    from thence.prompts.template_loader import templates

    Path("mine/procbench").mkdir(parents=True, exist_ok=True)
    write("mine/procbench/sort.jinja", held)
    found = templates(Path("mine"))
    sample = next(row for row in samples() if row["task"] == "procbench/sort")
    task = families.task("procbench/sort")
    values = task.generator.question_values(sample["metadata"])
    found.render(task.question_template, values)
    found.hash(task.question_template)


def _template_seeds() -> list[bytes]:
    seeds = _texts("src/thence/families/*/templates/*.jinja")
    own = b"{% for x in range(3) %}{{ string | upper }}{% if loop.last %}.{% endif %}{% endfor %}"
    return [*seeds, own, b"{% include 'procbench/answer.jinja' %}", b"{{ string[::-1] ~ 2 ** 9 }}"]


def _read_examples(held: bytes) -> str:
    write("pool.jsonl", held)
    return command("show", "procbench/sort", "--protocol", "few_shot", "--set-protocol",
            "pool=pool.jsonl", "--set-protocol", "k=1")  # fmt: skip


def _example_mutants() -> st.SearchStrategy[Any]:
    import thence

    rows = [each.to_json() for each in thence.generate("procbench/sort", size=6, seed=5)]
    return mutations.lines(rows)


def _imported_mutants() -> st.SearchStrategy[Any]:
    rows = [
        {"id": row["id"], "response": "x", "epoch": epoch, "finish_reason": "stop"}
        for row in samples()
        if row["task"] in _RUN_TASKS
        for epoch in (0, 1)
    ]
    return mutations.lines(rows)


def _read_imported(held: bytes) -> str:
    rows = [row for row in samples() if row["task"] in _RUN_TASKS]
    write("asked.jsonl", b"\n".join(map(mutations.dumped, rows)) + b"\n")
    write("replies.jsonl", held)
    return command("score", "replies.jsonl", "--samples", "asked.jsonl")


def _manifest_mutants() -> st.SearchStrategy[Any]:
    import thence

    thence.generate("procbench/sort", size=2).write("made.jsonl", overwrite=True)
    held = Path("made.jsonl.manifest.json").read_bytes()
    return st.one_of(
        mutations.values([json.loads(held)]).map(mutations.dumped), mutations.blobs([held])
    )


def _read_manifest(held: bytes) -> None:
    import thence

    write("made.jsonl.manifest.json", held)
    dataset = thence.read("made.jsonl")
    repr(dataset)
    list(dataset)


def _audit_mutants() -> st.SearchStrategy[Any]:
    prompts = [
        {"prompt": row["input"], "label": row["target"], "task_name": "task01"}
        for row in samples()
        if row["task"].startswith("procbench")
    ]
    return mutations.lines(prompts[:4])


def _read_audit(held: bytes) -> str:
    write("published.jsonl", held)
    return command("audit", "procbench", "published.jsonl")


_PUBLISHED = [
    ("task01", "String: ca", {"intermediate": [], "final": "ac"}),
    ("task03", "Strings: ['a2']", {"intermediate": [["a2", "1", "2", "2"]], "final": 2}),
    ("task09", "String:\nabcd\nIndices:\n(0, 2)", {"intermediate": [], "final": ["ab", "cd"]}),
    ("task21", "N = 4\nOperations: [Add 1, Multiply 5]", {"intermediate": [5], "final": 25}),
    ("task22", "Initial array:\nx--\nOperations: [\n (left, 1)\n]",
     {"intermediate": [], "final": "--x"}),
    ("task23", "String: 5wd\nCommand: ['d', '1']", {"intermediate": [], "final": "5"}),
]  # fmt: skip
_ASKED_CSV = b"""\
title,steps,question_type,step_pair_idx_asked_about,binary_question
tea,"[""Boil."", ""Pour.""]",dependent_real_before,"[0, 1]",Must Step 1 happen before Step 2?
tea,"[""Pour."", ""Boil.""]",nondependent_switched_after,"[0, 1]",Must Step 2 happen after Step 1?
"""


def _published_mutants() -> st.SearchStrategy[Any]:
    held = [
        {"prompt": f"Do.\n\n[Question]\n{asked}", "label": label, "task_name": task}
        for task, asked, label in _PUBLISHED
    ]
    return st.one_of(
        mutations.lines(held).map(lambda rows: ("asked.jsonl", rows)),
        mutations.blobs([_ASKED_CSV]).map(lambda rows: ("asked.csv", rows)),
    )


def _read_published(drawn: tuple[str, bytes]) -> None:
    name, held = drawn
    _read_samples(held, name)


READERS: Mapping[str, Reader] = {
    "replies": Reader(_reply_mutants, _read_reply, 4),
    "provider responses": Reader(_response_mutants, _read_response, 2),
    "samples": Reader(_sample_mutants, _read_samples, 6),
    "samples in Parquet": Reader(_parquet_mutants, partial(_read_samples, name="samples.parquet")),
    "run.json": Reader(partial(_run_mutants, "run.json"), partial(_read_run, "run.json"), 2),
    "responses.jsonl": Reader(
        partial(_run_mutants, "responses.jsonl"), partial(_read_run, "responses.jsonl"), 2
    ),
    "samples.jsonl of a run": Reader(
        partial(_run_mutants, "samples.jsonl"), partial(_read_run, "samples.jsonl"), 2
    ),
    "page of a run": Reader(partial(_run_mutants, "run.json"), _page),
    "manifest": Reader(_manifest_mutants, _read_manifest),
    "imported replies": Reader(_imported_mutants, _read_imported),
    "procedure": Reader(
        lambda: mutations.blobs(_texts("docs/examples/*.yaml", "tests/golden/data/*.yaml")),
        _read_yaml,
        2,
    ),
    "procedure asked about": Reader(
        lambda: mutations.blobs(_texts("docs/examples/*.yaml", "tests/golden/data/*.yaml")),
        _ask_yaml,
    ),
    "PDDL": Reader(_pddl_mutants, _read_pddl),
    "OpenStreetMap": Reader(lambda: mutations.blobs([_map()]), _read_map),
    "recipes": Reader(_recipe_texts, _read_recipes),
    "flow graphs": Reader(_flow_mutants, _read_flow),
    "thence.toml": Reader(lambda: mutations.blobs([_TOML]), _read_toml),
    "rating sheet": Reader(lambda: mutations.blobs([_SHEET]), _read_sheet),
    "template": Reader(lambda: mutations.blobs(_template_seeds()), _read_template),
    "few-shot file": Reader(_example_mutants, _read_examples),
    "published ProcBench": Reader(_audit_mutants, _read_audit),
    "published questions": Reader(_published_mutants, _read_published),
}


def read(name: str, mutant: Any) -> str:
    """Reads a mutant; returns what became of it.

    Raises:
        AssertionError: the error is not one printable line.
    """
    os.environ["THENCE_TRACEBACK"] = "1"  # so that a fault of ours is raised, not said
    try:
        said = READERS[name].read(mutant)
    except ThenceError as error:
        text = str(error)
        check_line(text)
        return REFUSED
    return said if isinstance(said, str) else READ


__all__ = ["READERS", "Reader", "chdir", "read"]
