"""Programs that `peers.py` runs, each by the settings that its documents name.

Each asks the same questions of the same endpoint, with as many requests at once, keeps every reply
on disk, and can go on after a stop.
"""

from __future__ import annotations

import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

INSPECT = """\
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def peers():
    fields = FieldSpec(input="input", target="answer", id="id")
    return Task(json_dataset("{rows}", fields), solver=generate(), scorer=match())
"""
LM_EVAL = """\
task: peers
dataset_path: json
dataset_kwargs: {{data_files: {{test: "{rows}"}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: [], max_gen_toks: 8192}}
metric_list: [{{metric: exact_match, aggregation: mean, higher_is_better: true}}]
"""
VERIFIERS = """\
import json

import verifiers.v1 as vf
from openai import APIConnectionError, APIStatusError, AsyncOpenAI
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

class Data(vf.TaskData):
    answer: str

class Question(vf.Task[Data]):
    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        return float((trace.last_reply or "").strip() == self.data.answer)

class Questions(vf.Taskset[Question, vf.TasksetConfig]):
    def load(self):
        for line in open("{rows}", encoding="utf-8"):
            row = json.loads(line)
            named = dict(id=row["id"], name=row["id"], prompt=row["input"], answer=row["answer"])
            yield Question(Data(**named), self.config.task)

class Plain(vf.Harness[vf.HarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        messages = [dict(role="user", content=data.prompt)]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=messages)
            except APIStatusError as error:
                return vf.ProgramResult(1, "", str(error))
            except APIConnectionError as error:
                return vf.ProgramResult(MODEL_TRANSPORT_ERROR_EXIT_CODE, "", str(error))
        return vf.ProgramResult(0, "", "")

__all__ = ["Questions", "Plain"]
"""


@dataclass(frozen=True)
class Place:
    """Where a run takes its questions from, where it writes, and how many requests it may have."""

    folder: Path
    samples: Path  # our lines
    rows: Path  # the same as id, input and answer
    number: int
    connections: int


def version(programs: Path, package: str) -> str | None:
    """Return the version of a package beside the programs of an environment, or None."""
    asked = f"from importlib.metadata import version; print(version('{package}'))"
    words = [str(programs / "python"), "-c", asked]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


class Peer(ABC):
    """A program that asks a model questions."""

    package: str
    settings: str  # in words
    programs = Path(sys.executable).parent

    def version(self) -> str | None:
        """Return the version that is installed beside its programs, or None."""
        return version(self.programs, self.package)

    @abstractmethod
    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""

    @abstractmethod
    def help(self) -> list[str]:
        """Return the command line that shows help."""

    def again(self, place: Place, url: str) -> list[list[str]]:
        """Return the command lines by which a killed run goes on."""
        return [self.command(place, url)]


class Thence(Peer):
    """This package."""

    package = "thence"
    settings = "`--max-connections`; the same command goes on"

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        given = ["--base-url", f"{url}/v1", "--max-connections", str(place.connections), "-q"]
        words = [str(place.samples), "--model", "x/m", *given, "-o", str(place.folder / "run")]
        return [sys.executable, "-m", "thence", "run", *words]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [sys.executable, "-m", "thence", "--help"]


class LmEval(Peer):
    """A task of lm-eval with its client of chat endpoints."""

    package = "lm-eval"
    settings = (
        "`local-chat-completions` with `num_concurrent`, `--apply_chat_template`, `--log_samples` "
        "and `--use_cache`; the same command goes on; installed as `lm-eval[api]`, without torch"
    )

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        folder = place.folder
        (folder / "peers.yaml").write_text(LM_EVAL.format(rows=place.rows), encoding="utf-8")
        asked = f"base_url={url}/v1/chat/completions,num_concurrent={place.connections}"
        words = ["--model", "local-chat-completions", "--model_args", f"model=m,{asked}"]
        kept = ["--log_samples", "--output_path", "logs", "--use_cache", str(folder / "cache")]
        words += ["--include_path", str(folder), "--tasks", "peers", "--apply_chat_template"]
        return [str(self.programs / "lm_eval"), "run", *words, *kept]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [str(self.programs / "lm_eval"), "--help"]


class Inspect(Peer):
    """Inspect's plain `generate` and `match`."""

    package = "inspect-ai"
    settings = (
        "`openai-api`, `--max-connections`, `--display none`; `inspect log recover`, then "
        "`eval-retry`"
    )

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        program = place.folder / "peers.py"
        program.write_text(INSPECT.format(rows=place.rows), encoding="utf-8")
        given = ["--max-connections", str(place.connections), "--display", "none"]
        words = [program.name, "--model", "openai-api/fake/m", *given]
        kept = ["--log-dir", str(place.folder / "logs")]
        return [str(self.programs / "inspect"), "eval", *words, *kept]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [str(self.programs / "inspect"), "--help"]

    def again(self, place: Place, url: str) -> list[list[str]]:
        """Return the command lines by which a killed run goes on."""
        [log] = (place.folder / "logs").glob("*.eval")
        whole = place.folder / "recovered.eval"
        inspect, shown = str(self.programs / "inspect"), ("--display", "none")
        recover = [inspect, "log", "recover", str(log), "--output", str(whole)]
        retry = [inspect, "eval-retry", str(whole), *shown]
        given = ["--max-connections", str(place.connections)]
        return [recover, [*retry, *given, "--log-dir", str(place.folder / "logs")]]


class Verifiers(Peer):
    """An environment of verifiers with a harness in its own process."""

    package = "verifiers"
    settings = (
        "`vf-eval --max-concurrent`, an environment whose harness asks in the same process (its "
        "own chat program is a process for each question); `--resume`"
    )

    def command(self, place: Place, url: str) -> list[str]:
        """Return the command line of a run."""
        program = place.folder / "peers_questions.py"
        program.write_text(VERIFIERS.replace("{rows}", str(place.rows)), encoding="utf-8")
        asked = ["--client.base-url", f"{url}/v1", "--client.api-key-var", "FAKE_API_KEY"]
        given = ["-m", "m", "-c", str(place.connections), "-n", str(place.number), "--no-push"]
        kept = ["--run.name", "peers", "--output-dir", str(place.folder / "outputs")]
        where = ["--env.agent.runtime.type", "subprocess"]
        words = [str(self.programs / "vf-eval"), "peers-questions"]
        return [*words, *asked, *given, *where, *kept]

    def help(self) -> list[str]:
        """Return the command line that shows help."""
        return [str(self.programs / "vf-eval"), "--help"]

    def again(self, place: Place, url: str) -> list[list[str]]:
        """Return the command lines by which a killed run goes on."""
        return [[*self.command(place, url), "--resume"]]


PEERS = (Thence(), LmEval(), Inspect(), Verifiers())
