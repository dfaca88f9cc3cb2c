import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.models.tiny_gguf import write_tiny_model
from thence.errors import FileError, MissingExtra, UsageError
from thence.models import gguf
from thence.models.gguf import LocalServer, check_file

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["Yes", "No"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_tiny_model(tmp_path / "tiny.gguf")


async def chat(
    session: aiohttp.ClientSession, url: str, content: str, **fields: Any
) -> dict[str, Any]:
    body = {"model": "any", "messages": [{"role": "user", "content": content}], **fields}
    async with session.post(f"{url}/chat/completions", json=body) as response:
        reply: dict[str, Any] = await response.json()
        assert response.status == 200, reply
    return reply


def text_of(reply: dict[str, Any]) -> str:
    text: str = reply["choices"][0]["message"]["content"]
    return text


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended but was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid: int, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def pid_of(server: LocalServer) -> int:
    assert server._process is not None
    return server._process.pid


async def test_it_answers_requests(model: Path) -> None:
    async with LocalServer(model, slots=8) as server, aiohttp.ClientSession() as session:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", server.url)
        assert await server.start() == server.url  # a second start changes nothing
        assert server.failure() is None
        pid = pid_of(server)

        reply = await chat(session, server.url, "Hi there", max_tokens=8, temperature=0)
        assert text_of(reply)
        assert reply["model"] == "tiny"
        assert reply["usage"]["completion_tokens"] <= 8
        # one token per byte of "user: Hi there\nassistant: ", and the one that begins a text
        assert reply["usage"]["prompt_tokens"] == 27

        many = [
            chat(session, server.url, f"Question {number}", max_tokens=12, temperature=0)
            for number in range(8)
        ]
        replies = await asyncio.gather(*many)
        assert len({text_of(reply) for reply in replies}) > 1  # the prompt matters
        assert all(reply["usage"]["completion_tokens"] <= 12 for reply in replies)
    assert not alive(pid)
    assert server.url == ""
    assert server.failure() is None


async def test_a_schema_shapes_the_reply(model: Path) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
    async with LocalServer(model, slots=8) as server, aiohttp.ClientSession() as session:
        many = [
            chat(
                session,
                server.url,
                f"Is {number} even?",
                response_format=form,
                max_tokens=300,
                temperature=0,
            )
            for number in range(8)
        ]
        for reply in await asyncio.gather(*many):
            if reply["choices"][0]["finish_reason"] == "stop":
                assert json.loads(text_of(reply))["answer"] in ("Yes", "No")
            else:
                assert text_of(reply).startswith("{")


async def test_any_text_can_be_read_and_any_context_is_a_slot_s_own(model: Path) -> None:
    async with (
        LocalServer(model, slots=3, context=1024) as server,
        aiohttp.ClientSession(server.url.removesuffix("v1")) as session,
    ):
        text = "naïve Ω 日本 \t\n🙂 <0x41> \x00 end"
        async with session.post("tokenize", json={"content": text}) as response:
            tokens = (await response.json())["tokens"]
        async with session.post("detokenize", json={"tokens": tokens}) as response:
            assert (await response.json())["content"] == text

        async with session.get("v1/models") as response:
            assert (await response.json())["data"][0]["meta"]["n_ctx"] == 1024
        # fits in three slots' context together, but not in one's
        body = {"messages": [{"role": "user", "content": "x" * 2000}], "max_tokens": 4}
        async with session.post("v1/chat/completions", json=body) as response:
            assert response.status == 400
            assert (await response.json())["error"]["type"] == "exceed_context_size_error"


async def test_any_bytes_in_a_reply_are_json(model: Path) -> None:
    # So hot, most tokens are bytes that form no character.
    async with LocalServer(model, slots=2) as server, aiohttp.ClientSession() as session:
        hot = {"temperature": 100, "top_k": 0, "top_p": 1, "min_p": 0, "seed": 1}
        reply = await chat(session, server.url, "Hi", max_tokens=200, **hot)
        assert text_of(reply).encode()


async def test_pages_of_other_sites_may_not_ask(model: Path) -> None:
    async with (
        LocalServer(model, slots=1) as server,
        aiohttp.ClientSession(headers={"Origin": "http://elsewhere.example"}) as session,
        session.get(f"{server.url}/models") as response,
    ):
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.fixture(params=["odd 'name' ü.gguf", "-v.gguf"])
def oddly_named(
    request: pytest.FixtureRequest, model: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A relative path, in a folder that holds a module with the name of one of ours."""
    monkeypatch.chdir(model.parent)
    Path("xllamacpp.py").write_text("raise RuntimeError")
    model.rename(request.param)
    return Path(request.param)


async def test_odd_and_relative_names_are_served(oddly_named: Path) -> None:
    async with LocalServer(oddly_named, slots=1) as server:
        assert server.url


def test_what_is_no_gguf_file_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    with pytest.raises(FileError, match=r"m\.gguf does not exist$"):
        check_file(path)
    with pytest.raises(FileError, match=r"is a folder: name a \.gguf file in it$"):
        check_file(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match=r"is not a regular file$"):
        check_file(tmp_path / "pipe")
    for begin in (b"", b"GG", b"PK\x03\x04 and more"):
        path.write_bytes(begin)
        with pytest.raises(FileError, match=r"is not a GGUF file: it begins with b'") as caught:
            check_file(path)
        assert repr(begin[:4]) in str(caught.value)
    with pytest.raises(FileError, match=r"cannot be read: Not a directory$"):
        check_file(path / "below")


async def test_the_file_is_checked_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    with pytest.raises(FileError, match="does not exist"):
        await LocalServer(tmp_path / "m.gguf", slots=1).start()


async def test_a_missing_extra_is_named(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"serving a GGUF file .*thence\[gguf\]"):
        await LocalServer(model, slots=1).start()


@pytest.mark.parametrize(("slots", "context"), [(0, 1), (257, 1), (1, 0), (2, 2**30)])
def test_numbers_that_llama_cpp_does_not_take(slots: int, context: int) -> None:
    with pytest.raises(UsageError, match=rf"not {slots}"):
        LocalServer(Path("m.gguf"), slots, context)


def swap(model: Path, old: bytes, new: bytes) -> None:
    data = model.read_bytes()
    assert old in data
    model.write_bytes(data.replace(old, new, 1))


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda model: os.truncate(model, 300_000), "is corrupted or incomplete"),
        (lambda model: os.truncate(model, 3_000), "failed to read"),
        (lambda model: os.truncate(model, 4), "failed to read header"),
        (
            lambda model: swap(model, b"\5\0\0\0\0\0\0\0llama", b"\5\0\0\0\0\0\0\0a\x1b[1m"),
            "unknown model architecture: 'a?[1m'",
        ),
        (
            lambda model: swap(model, b"blk.1.ffn_up.", b"blk.1.ffn_uq."),
            "tensor 'blk.1.ffn_up.weight' not found",
        ),
    ],
)
async def test_why_a_file_cannot_be_loaded_is_told(
    model: Path, damage: Callable[[Path], None], cause: str
) -> None:
    damage(model)
    server = LocalServer(model, slots=1)
    with pytest.raises(FileError) as caught:
        await server.start()
    assert str(caught.value).startswith(f"llama.cpp cannot serve {model}: ")
    assert cause in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert server._process is None


async def test_a_failed_start_can_be_repeated(model: Path) -> None:
    server = LocalServer(model, slots=1)
    swap(model, b"blk.1.ffn_up.", b"blk.1.ffn_uq.")
    with pytest.raises(FileError):
        await server.start()
    swap(model, b"blk.1.ffn_uq.", b"blk.1.ffn_up.")
    assert await server.start()
    await server.stop()
    await server.stop()
    assert await server.start()
    await server.stop()


class Script(LocalServer):
    """Runs some Python where llama.cpp would be."""

    def __init__(self, path: Path, script: str, ready_within: float = 10.0) -> None:
        super().__init__(path, slots=1, ready_within=ready_within)
        self.script = textwrap.dedent(script)
        self.pid = 0

    def _command(self) -> list[str]:
        return [sys.executable, "-c", self.script]

    async def _wait_until_ready(self, process: Process) -> str:
        self.pid = process.pid
        return await super()._wait_until_ready(process)


async def test_a_model_that_is_not_ready_in_time(model: Path) -> None:
    server = Script(model, "import time; time.sleep(60)", ready_within=0.3)
    with pytest.raises(UsageError, match=r"did not load .*tiny\.gguf within 0\.3 s$"):
        await server.start()
    assert not alive(server.pid)


async def test_a_start_that_is_cancelled_leaves_nothing_behind(model: Path) -> None:
    server = Script(model, "import time; time.sleep(60)")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await server.start()
    assert server.pid
    assert not alive(server.pid)


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL (too little memory?)"),
        ("import os; os.abort()", "its process was ended by SIGABRT"),
        ("import os; os.kill(os.getpid(), 40)", "its process was ended by signal 40"),
        ("pass", "its process ended with status 0"),
        ("raise ImportError('no libc')", "ImportError: no libc"),
        (
            r"import os; os.write(2, b'a.c:1: GGML_ASSERT(x) failed\n[new thread]\n'); os.abort()",
            "a.c:1: GGML_ASSERT(x) failed",
        ),
    ],
)
async def test_how_a_process_ended_is_told(model: Path, script: str, cause: str) -> None:
    with pytest.raises(FileError) as caught:
        await Script(model, script).start()
    assert str(caught.value).endswith(cause)


async def test_a_process_that_will_not_end_is_killed(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gguf, "_GRACE", 0.3)
    script = """
        import signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print('{"url": "http://127.0.0.1:1/v1"}', flush=True)
        while True:
            time.sleep(60)
    """
    server = Script(model, script)
    await server.start()
    await server.stop()
    assert not alive(server.pid)


async def test_a_server_that_dies_is_noticed(model: Path) -> None:
    async with LocalServer(model, slots=1) as server:
        os.kill(pid_of(server), signal.SIGKILL)
        assert server._process is not None
        await server._process.wait()
        assert server.failure() == (
            f"llama.cpp's server for {model} was ended by SIGKILL (too little memory?)"
        )
    assert server.failure() is None


async def test_the_last_words_of_a_server_are_told(model: Path) -> None:
    script = """
        import os, sys, time
        print("0.00.001.000 E before it was ready", file=sys.stderr, flush=True)
        print('{"url": "http://127.0.0.1:1/v1"}', flush=True)
        sys.stdin.read()
        print("0.00.002.000 E one", "0.00.003.000 E two", sep="\\n", file=sys.stderr, flush=True)
        os.abort()
    """
    async with Script(model, script) as server:
        assert server._process is not None
        assert server._process.stdin is not None
        server._process.stdin.close()
        await server._process.wait()
        failure = server.failure()
        assert failure is not None
        assert failure.endswith("was ended by SIGABRT; its log ends in: two")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_server_ends_when_its_parent_is_killed(model: Path) -> None:
    parent = """
        import asyncio, sys
        from pathlib import Path
        from thence.models.gguf import LocalServer

        async def main():
            server = LocalServer(Path(sys.argv[1]), slots=1)
            await server.start()
            print(server._process.pid, flush=True)
            await asyncio.sleep(60)

        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(parent), str(model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert alive(pid)
        process.kill()
    assert wait_until_gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only there does the kernel tell")
@pytest.mark.parametrize("closed_before", [False, True])
def test_a_process_ends_even_while_its_interpreter_is_locked(*, closed_before: bool) -> None:
    # Functions of a PyDLL hold the interpreter's lock, as llama.cpp does while it loads a model.
    script = """
        import ctypes, sys, time
        from thence.models.gguf_worker import exit_at_end_of
        time.sleep(float(sys.argv[1]))
        exit_at_end_of(0)
        print("armed", flush=True)
        ctypes.PyDLL(None).sleep(60)
    """
    wait = "0.5" if closed_before else "0"
    command = [sys.executable, "-c", textwrap.dedent(script), wait]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    with process, process.stdin, process.stdout:
        if not closed_before:
            assert process.stdout.readline() == b"armed\n"
        process.stdin.close()
        assert process.wait(timeout=5) in (0, -signal.SIGIO)
