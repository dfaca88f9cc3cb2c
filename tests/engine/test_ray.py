"""Work on a Ray cluster of two nodes of this machine, one of which is lost in the middle."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, samples, settle, thence
from tests.models.stand_in import FOLDER, install_vllm
from tests.models.test_hf import write_tiny
from tests.models.tiny_gguf import write_tiny_model
from thence.errors import ParameterError, Transient, WorkerError
from thence.models.base import Model, Reply, Request

SMALL = {"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False}


PATIENCE = {"RAY_agent_register_timeout_ms": "600000", "RAY_worker_register_timeout_seconds": "600"}
UNUSED = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster whose head has one core."""
    pytest.importorskip("ray")
    from thence.system import ray_cluster

    ray_cluster._imported()
    from ray._private.node import Node
    from ray.cluster_utils import Cluster

    start = Node.start_raylet

    def started(self: Any, *given: Any) -> Any:
        # As an agent says that has no such service. Ray gives a node up whose agents are not as
        # far within 15 s, which a busy machine needs to import them.
        for name in UNUSED:
            Path(self.get_session_dir_path(), f"{name}_{self.node_id}").write_text("-1")
        return start(self, *given)

    with pytest.MonkeyPatch.context() as patched:
        for name, value in PATIENCE.items():
            patched.setenv(name, value)
        patched.setenv("PYTHONPATH", str(FOLDER), prepend=os.pathsep)  # of its workers
        patched.setattr(Node, "start_raylet", started)
        made = Cluster()
        added(made)
        yield made
        made.shutdown()


def added(cluster: Any, **settings: Any) -> Any:
    """A further node, however long its agents take to start."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]  # it is not waited for, as one that an agent chooses is
    return cluster.add_node(**SMALL, runtime_env_agent_port=port, **settings)


@pytest.fixture
def on(nodes: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    settle(monkeypatch, tmp_path)
    return f"ray://{nodes.address}"


@pytest.fixture
def second(nodes: Any, on: str) -> Iterator[Any]:
    """A second node of one core, which a test may kill."""
    node = added(nodes)
    yield node
    if node in nodes.list_all_nodes():
        nodes.remove_node(node, allow_graceful=False)


@pytest.mark.parametrize("text", ["roy", "ray:1", "ray://", "ray://host", "ray://host:port"])
def test_what_is_no_cluster_is_refused(text: str) -> None:
    refused("generate", "procbench", "--on", text, "-o", "x.jsonl", says=(f"--on {text}: must be",))


def test_a_cluster_or_processes() -> None:
    pytest.importorskip("ray")
    command = ("generate", "procbench", "--on", "ray", "--workers", 2, "-o", "x.jsonl")
    refused(*command, says=("--workers 2: is for one machine; leave it or --on ray out",))


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    says = ("--on ray needs the extra 'ray'", "thence[ray]")
    refused("generate", "procbench", "--on", "ray", "-o", "x.jsonl", says=says)


@pytest.mark.long
def test_a_cluster_that_is_not_there_is_said(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        place = f"ray://127.0.0.1:{nobody.getsockname()[1]}"
        says = (f"--on {place}: cannot be reached",)
        refused("generate", "procbench/sort", "--on", place, "-o", "x.jsonl", says=says)


@pytest.mark.long
class TestGenerate:
    tasks = ("procbench/sort", "releval/comparison", "catbench/order", "fable/recipes/taint")

    def test_the_bytes_are_those_of_one_process(self, on: str, second: Any) -> None:
        command = ("generate", *self.tasks, "--size", 120, "--seed", 3)
        thence(*command, "--workers", 1, "-o", "alone.jsonl")
        done = thence(*command, "--on", on, "-o", "there.jsonl")
        # Nothing of Ray's; where it takes long, its progress.
        assert all(line.startswith("thence: generate") for line in done.err.splitlines())
        assert Path("there.jsonl").read_bytes() == Path("alone.jsonl").read_bytes()

    def test_what_a_lost_node_had_to_do_is_done_elsewhere(
        self, on: str, second: Any, nodes: Any
    ) -> None:
        from thence.generation.plan import Plan
        from thence.generation.suite import generate_lines

        plan = Plan(["procbench/sort", "procbench/rhythm"], size=20_000)
        made = generate_lines(plan, on)
        first = next(made)
        nodes.remove_node(second, allow_graceful=False)
        assert [first, *made] == list(generate_lines(plan, 1))

    def test_an_error_of_a_worker_is_one_line(self, on: str) -> None:
        from thence.generation.shards import Shard
        from thence.system.workers import pool

        with pytest.raises(ParameterError, match="shard=9/2: must be"), pool(on) as workers:
            workers.submit(Shard.of, "9/2").result()
        with pytest.raises(WorkerError, match="failed: ValueError: inv"), pool(on) as workers:
            workers.submit(int, "x").result()
        with pytest.raises(WorkerError, match="ended in the middle"), pool(on) as workers:
            workers.submit(os.abort).result()

    def test_a_node_that_starts_no_worker_is_said(
        self, on: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from thence.system import ray_cluster

        monkeypatch.setattr(ray_cluster, "_FIRST_WORKER", 0)
        with (
            pytest.raises(WorkerError, match="started no worker within 0 s"),
            ray_cluster.cluster(on),
        ):
            pass

    def test_workers_run_in_what_a_machine_has(self, on: str) -> None:
        from thence.system import ray_cluster

        with ray_cluster.cluster(on) as ray:
            found = ray.get(ray.remote(num_cpus=0)(lambda: __import__("sys").executable).remote())
        assert found == sys.executable

    def test_other_versions_are_named(self, on: str, nodes: Any, tmp_path: Path) -> None:
        package = tmp_path / "other" / "thence" / "system"
        package.mkdir(parents=True)
        for folder in (package, package.parent):
            (folder / "__init__.py").touch()
        (package / "version.py").write_text("VERSION = '9.9.9'\n")
        path = f"{tmp_path / 'other'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        node = added(nodes, env_vars={"PYTHONPATH": path})
        try:
            says = ("has Python", "thence 9.9.9, this machine", "install the same on all nodes")
            refused("generate", "procbench/sort", "--on", on, "-o", "x.jsonl", says=says)
        finally:
            nodes.remove_node(node, allow_graceful=False)

    def test_another_python_is_named(self, on: str, monkeypatch: pytest.MonkeyPatch) -> None:
        import ray

        from thence.system import ray_cluster

        own = ray_cluster.versions()
        command = ("generate", "procbench/sort", "--on", on, "-o", "x.jsonl")
        with monkeypatch.context() as patched:
            patched.setattr(ray_cluster, "versions", lambda: ("3.11.9", own[1]))
            says = (f"has Python {own[0]} and", "this machine has Python 3.11.9", "the same")
            refused(*command, says=says)
        monkeypatch.setattr(ray, "__version__", "2.0.0")
        refused(*command, says=("Version mismatch", "install the same on all nodes"))


Weights = Callable[[str], str]


@pytest.fixture
def weights(on: str, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """Writes a small model for a provider; returns its name. vLLM's engine is a stand-in."""

    def write(provider: str) -> str:
        if provider == "vllm-offline":
            install_vllm(monkeypatch)
            Path("tiny").mkdir()
            return "vllm-offline/./tiny"
        if provider == "gguf":
            pytest.importorskip("gguf")
            pytest.importorskip("xllamacpp")
            return f"gguf/{write_tiny_model(Path('tiny.gguf'))}"
        Path("tiny").mkdir()
        return f"{provider}/{write_tiny(Path('tiny'))}"

    return write


@pytest.fixture
def tiny(on: str) -> Path:
    pytest.importorskip("gguf")
    pytest.importorskip("xllamacpp")
    return write_tiny_model(Path("tiny.gguf"))


@pytest.mark.long
class TestRun:
    asked = ("run", "samples.jsonl", "--max-tokens", 8, "--temperature", 0, "-o", "run")

    @pytest.mark.parametrize("provider", ["gguf", "hf", "vllm-offline"])
    def test_a_lost_node_loses_nothing(
        self, on: str, weights: Weights, provider: str, second: Any, nodes: Any
    ) -> None:
        import thence as library

        samples(size=60)
        model, lost = weights(provider), list[int]()

        def watch(progress: Any) -> None:
            if not lost and progress.done >= 8:
                lost.append(progress.done)
                nodes.remove_node(second, allow_graceful=False)

        found = library.run(
            library.read("samples.jsonl"),
            model,
            sampling=library.Sampling(max_tokens=8, temperature=0.0),
            limits=library.Limits(max_connections=4, on=on),
            out="run",
            progress=watch,
        )
        assert lost and found.missing == 0 and not found.progress.errors
        kept = rows("run/responses.jsonl")
        assert len({row["id"] for row in kept}) == len(kept) == 60
        # The same command without a cluster goes on with it: there is nothing left to ask.
        done = thence(*self.asked, "--model", model)
        assert rows("run/responses.jsonl") == kept and "60" in done.out

    def test_the_record_is_that_of_a_run_alone(self, on: str, tiny: Path) -> None:
        samples(size=6)
        thence(*self.asked, "--model", f"gguf/{tiny}", "--on", on)
        alone = (*self.asked[:-1], "alone", "--model", f"gguf/{tiny}")
        thence(*alone)
        told = [json.loads(Path(f"{name}/run.json").read_text()) for name in ("run", "alone")]
        for name in ("request", "fingerprint", "samples_sha256", "responses", "usage"):
            assert told[0][name] == told[1][name], name
        said = [{row["id"]: row["response"] for row in rows(f"{n}/responses.jsonl")}
                for n in ("run", "alone")]  # fmt: skip
        assert said[0] == said[1]

    def test_what_a_replica_cannot_load_is_one_line(self, on: str, tiny: Path) -> None:
        samples(size=2)
        Path("torn.gguf").write_bytes(tiny.read_bytes()[:4000])
        run = (*self.asked, "--on", on, "--model")
        refused(*run, "gguf/torn.gguf", says=("cannot serve torn.gguf",))
        refused(*run, "gguf/none.gguf", says=("none.gguf does not exist",))
        says = ("--replica-cores 64: no machine of the cluster has so many; the largest has 1",)
        refused(*run, f"gguf/{tiny}", "--replica-cores", 64, says=says)

    def test_a_replica_that_dies_again_and_again_fails_its_requests(self, on: str) -> None:
        from thence.models.on_ray import ReplicatedModel

        class Deadly(Model):
            name = "hf/x"

            async def complete(self, request: Request) -> Reply:
                os.kill(os.getpid(), signal.SIGKILL)  # as a system does that has no memory left
                raise AssertionError

        async def asked() -> None:
            model = ReplicatedModel(
                "hf/x", on, lambda share: Deadly(), 2, None, gpus=True, grammars=False
            )
            async with model:
                with pytest.raises(Transient, match="replicas ended under the request"):
                    await model.complete(Request(({"role": "user", "content": "x"},)))

        asyncio.run(asked())

    def test_who_kills_its_replica_alone_has_failed(self, on: str) -> None:
        import thence as library
        from thence.models.on_ray import ReplicatedModel

        samples(size=4)
        questions = library.read("samples.jsonl")
        [poison, *_] = [each.input for each in questions]

        class Greedy(Model):
            name = "hf/x"

            async def complete(self, request: Request) -> Reply:
                if request.messages[0]["content"] == poison:
                    os.kill(os.getpid(), signal.SIGKILL)  # as a system does without memory
                return Reply("x")

        class Cured(Greedy):
            async def complete(self, request: Request) -> Reply:
                return Reply("x")

        limits = library.Limits(max_connections=1, max_retries=0)
        for kind, errors in ((Greedy, {"replica_lost": 1}), (Cured, {})):
            model = ReplicatedModel(
                "hf/x", on, lambda share, kind=kind: kind(), 1, None, gpus=True, grammars=False
            )
            found = library.run(questions, model, limits=limits, out="run")
            assert found.progress.errors == errors
            assert found.missing == len(errors)
        kept = [row["id"] for row in rows("run/responses.jsonl") if row["error"] is None]
        assert sorted(kept) == sorted(each.id for each in questions)


@pytest.mark.long
class TestScore:
    def test_the_scores_are_those_of_one_process(self, on: str, second: Any) -> None:
        tasks = ("procbench/sort", "releval/comparison", "fable/recipes/taint")
        thence("generate", *tasks, "--size", 250, "-o", "samples.jsonl")
        thence("run", "samples.jsonl", "--model", "baseline/random", "--epochs", 2, "-o", "run")
        alone, kept = thence("score", "run", "--full").out, Path("run/scores.jsonl").read_bytes()
        Path("run/scores.jsonl").unlink()
        assert thence("score", "run", "--full", "--on", on).out == alone
        assert Path("run/scores.jsonl").read_bytes() == kept


def test_an_endpoint_runs_elsewhere_already() -> None:
    pytest.importorskip("ray")
    samples(size=2)
    says = ("--on ray: is for weights that run here (gguf/, hf/, vllm-offline/)", "baseline/oracle")
    refused("run", "samples.jsonl", "--model", "baseline/oracle", "--on", "ray", says=says)
