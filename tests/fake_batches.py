"""A local server of batches in the formats of OpenAI, Anthropic and Gemini, beside live requests.

A batch passes through the states of its vendor: at each look it comes one further. What becomes of
each request is decided by ``outcome(body, times)``: an `Answer`, or a word such as ``expired``.
Results come in reverse.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from tests.fake_endpoint import Answer, FakeEndpoint, Fault, as_chat, form_of

Outcome = Callable[[dict[str, Any], int], Answer | str]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class FakeBatches(FakeEndpoint):
    """The server.

    Attributes:
        outcome: what becomes of a request, by its body as a chat and how often it came before.
        made: the batches that were made, each with its requests.
        silent: whether a batch is made without a word, as if the connection had been lost.
        looks: how often a batch is looked at before it ends.
        lists: whether it lists batches.
        faults: what the next requests to a handler, or of POST, meet; None: an answer.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome
        self.made: list[dict[str, Any]] = []
        self.files: dict[str, bytes] = {}
        self.silent = False
        self.looks = 2
        self.lists = True
        self.end = ""
        self.faults: dict[str, list[Fault | None]] = {}
        self.seen: Counter[str] = Counter()

    def routes(self, router: web.UrlDispatcher) -> None:
        reached = self._reached
        router.add_post("/v1/files", reached(self._upload))
        router.add_get("/v1/files/{id}/content", reached(self._content))
        for base in ("/v1/batches", "/v1/messages/batches"):
            router.add_post(base, reached(self._create))
            router.add_get(base, self._list)
            router.add_get(base + "/{id}", reached(self._look))
        router.add_get("/v1/messages/batches/{id}/results", reached(self._results))
        router.add_post("/v1/models/{model}:batchGenerateContent", reached(self._create))

    def _reached(self, handler: Handler) -> Handler:
        """The handler, behind the faults that its requests are to meet."""

        async def handle(request: web.Request) -> web.StreamResponse:
            kind = handler.__name__ if request.method == "GET" else "POST"
            left = self.faults.get(kind)
            fault = left.pop(0) if left else None
            return await (fault.respond(request) if fault else handler(request))

        return handle

    # The three formats of a batch -----------------------------------------------------------------

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert form["purpose"] == "batch"
        name = f"file-{len(self.files)}"
        self.files[name] = form["file"].file.read()  # type: ignore[union-attr]
        return web.json_response({"id": name})

    async def _content(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["id"]])

    async def _create(self, request: web.Request) -> web.Response:
        body = await request.json()
        held: dict[str, Any] = {"vendor": _vendor(request.path), "looks": 0, "answered": None}
        if held["vendor"] == "openai":
            lines = self.files[body["input_file_id"]].decode().splitlines()
            rows = [json.loads(line) for line in lines]
            assert {row["url"] for row in rows} == {body["endpoint"]}
            form = form_of(body["endpoint"])
            held |= {"rows": [(row["custom_id"], as_chat(form, row["body"])) for row in rows]}
            held |= {"token": body["metadata"]["thence"], "form": form}
        elif held["vendor"] == "anthropic":
            rows = body["requests"]
            held["rows"] = [(row["custom_id"], as_chat("messages", row["params"])) for row in rows]
        else:
            rows = body["batch"]["inputConfig"]["requests"]["requests"]
            held["rows"] = [
                (row["metadata"]["key"], as_chat("generate", row["request"])) for row in rows
            ]
            held["token"] = body["batch"]["displayName"]
        held["id"] = (
            f"batches/b{len(self.made)}" if held["vendor"] == "gemini" else f"b{len(self.made)}"
        )
        self.made.append(held)
        if self.silent:
            await asyncio.sleep(60)
        return web.json_response(self._shown(held))

    async def _list(self, request: web.Request) -> web.Response:
        if not self.lists:
            return web.json_response({"error": {"message": "no such path"}}, status=404)
        shown = [self._shown(each) for each in reversed(self.made)]
        name = "operations" if request.query.get("pageSize") else "data"
        return web.json_response({name: shown, "has_more": False})

    async def _look(self, request: web.Request) -> web.Response:
        name = request.match_info["id"]
        [held] = [each for each in self.made if each["id"].removeprefix("batches/") == name]
        held["looks"] += 1
        if held["looks"] >= self.looks and held["answered"] is None:
            self._answer(held)
        return web.json_response(self._shown(held))

    async def _results(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[f"results-{request.match_info['id']}"])

    # What becomes of a batch ----------------------------------------------------------------------

    def _answer(self, held: dict[str, Any]) -> None:
        good, bad = [], []
        for name, body in reversed(held["rows"]):
            times = self.seen[name]
            self.seen[name] += 1
            outcome = self.outcome(body, times)
            if self.end in ("cancelled", "failed"):
                outcome = self.end
            shown = getattr(self, f"_{held['vendor']}")(name, outcome, held.get("form", ""))
            (good if isinstance(outcome, Answer) else bad).append(shown)
        held["answered"] = good + bad
        text = {True: _lines(good), False: _lines(bad)}
        if held["vendor"] == "anthropic":
            self.files[f"results-{held['id']}"] = _lines(good + bad)
        if held["vendor"] == "openai" and self.end != "failed":
            for kind, name in ((True, "output_file_id"), (False, "error_file_id")):
                if text[kind]:
                    self.files[f"{name}-{held['id']}"] = text[kind]
                    held[name] = f"{name}-{held['id']}"

    def _openai(self, name: str, outcome: Answer | str, form: str) -> dict[str, Any]:
        row: dict[str, Any] = {"id": "x", "custom_id": name, "response": None, "error": None}
        if isinstance(outcome, Answer):
            row["response"] = {"status_code": 200, "body": outcome.in_form(form)}
        elif outcome == "bad":
            row["response"] = {"status_code": 400, "body": {"error": {"message": "too long"}}}
        else:
            row["error"] = {"code": f"batch_{outcome}", "message": f"This request was {outcome}."}
        return row

    def _anthropic(self, name: str, outcome: Answer | str, form: str) -> dict[str, Any]:
        result: dict[str, Any] = {"type": outcome}
        if isinstance(outcome, Answer):
            result = {"type": "succeeded", "message": outcome.in_form("messages")}
        elif outcome == "bad":
            error = {"type": "invalid_request_error", "message": "too long"}
            result = {"type": "errored", "error": {"type": "error", "error": error}}
        elif outcome == "cancelled":
            result = {"type": "canceled"}
        return {"custom_id": name, "result": result}

    def _gemini(self, name: str, outcome: Answer | str, form: str) -> dict[str, Any]:
        row: dict[str, Any] = {"metadata": {"key": name}}
        if isinstance(outcome, Answer):
            return row | {"response": outcome.in_form("generate")}
        code = {"bad": 3, "expired": 4, "cancelled": 1, "failed": 13}[outcome]
        return row | {"error": {"code": code, "message": f"This request was {outcome}, too long."}}

    def _shown(self, held: dict[str, Any]) -> dict[str, Any]:
        """A batch as its vendor shows it."""
        ended, total = held["answered"] is not None, len(held["rows"])
        if held["vendor"] == "openai":
            word = (self.end or "completed") if ended else "in_progress"
            shown = {"id": held["id"], "status": word, "created_at": datetime.now(UTC).timestamp()}
            shown |= {"metadata": {"thence": held["token"]}, "request_counts": {"total": total}}
            if self.end == "failed" and ended:
                shown["errors"] = {"data": [{"message": "Enqueued token limit reached."}]}
            return shown | {name: held[name] for name in held if name.endswith("_file_id")}
        if held["vendor"] == "anthropic":
            counts = dict.fromkeys(("succeeded", "errored", "canceled", "expired"), 0)
            counts["succeeded" if ended else "processing"] = total
            cancelled = self.end == "cancelled" or None
            return {
                "id": held["id"],
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": counts,
                "created_at": datetime.now(UTC).isoformat(),
                "cancel_initiated_at": cancelled and datetime.now(UTC).isoformat(),
                "results_url": f"{self.url}/results" if ended else None,
            }
        word = (self.end.upper() or "SUCCEEDED") if ended else "RUNNING"
        metadata = {"displayName": held["token"], "state": f"BATCH_STATE_{word}"}
        shown = {"name": held["id"], "metadata": metadata, "done": ended}
        if ended and self.end == "failed":
            return shown | {"error": {"message": "Enqueued token limit reached."}}
        if ended:
            rows = {"inlinedResponses": held["answered"]}
            shown["response"] = {"inlinedResponses": rows}
        return shown


def _vendor(path: str) -> str:
    if path.endswith(":batchGenerateContent"):
        return "gemini"
    return "anthropic" if "/messages/" in path else "openai"


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
