"""Model of Hugging Face's format, which transformers runs in this process: no server, CPU or GPU.

Requests that wait go together, those of like length in one batch, so that little of a batch is
padding. A request is answered as soon as its batch is done.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from thence.errors import MissingExtra, ParameterError, ProviderError, Rejected
from thence.models.base import Model, Reply, Request, Sampling, Usage
from thence.models.open_weights import check_place, prompt_tokens
from thence.models.replies import one_line
from thence.models.secrets import Secrets

_LONGEST = 4096  # tokens of a reply where none are asked for
_OWN = frozenset(("input_ids", "attention_mask", "max_new_tokens", "do_sample", "stop"))


@dataclass
class _Waiting:
    """A request whose reply is awaited, with the tokens of its prompt."""

    tokens: list[int]
    reply: asyncio.Future[Reply]


class TransformersModel(Model):
    """Model of a folder or of the Hub's cache, run by transformers inside the context.

    Args:
        name: ``hf/PATH``.
        path: the folder, or a name at the Hub.
        sampling: parameters of every request; its extra body goes to ``generate``.
        batch: most requests in one batch.

    Raises:
        ParameterError: a parameter that would be ignored, or no such folder.
        MissingExtra: the extra ``hf`` is not installed.
    """

    def __init__(self, name: str, path: str, sampling: Sampling, batch: int) -> None:
        _check(name, path, sampling)
        try:
            import torch  # noqa: F401
            import transformers  # noqa: F401
        except ImportError as error:
            raise MissingExtra("hf/ models", "hf") from error
        self.name = name
        self._path = path
        self._sampling = sampling
        self._most = batch
        self._waiting: list[_Waiting] = []
        self._come = asyncio.Event()
        self._stop = threading.Event()
        self._model: Any = None

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._load)
        self._serving = asyncio.create_task(self._serve())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()  # the thread ends with its next token
        self._serving.cancel()
        await asyncio.gather(self._serving, return_exceptions=True)
        self._model = None

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt.

        Raises:
            Rejected: the prompt is too long (``context_length``), too much for the memory
                (``out_of_memory``), or the model cannot answer it (``bad_request``).
        """
        tokens = prompt_tokens(self._tokenizer, request.messages)
        if len(tokens) >= self._context:
            text = f"the prompt has {len(tokens):,} tokens, the model takes {self._context:,}"
            raise Rejected("context_length", text)
        waiting = _Waiting(tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._come.set()
        return await waiting.reply

    def _load(self) -> None:
        """Load weights and tokenizer.

        Raises:
            ParameterError: they are no model.
        """
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(self._path, padding_side="left")
            loaded = AutoModelForCausalLM.from_pretrained(self._path, dtype="auto")
            self._model = loaded.to(device).eval()
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            said = one_line(str(error), Secrets())
            raise ParameterError("model", self.name, f"cannot be loaded: {said}") from error
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        ends = self._model.generation_config.eos_token_id
        ends = self._tokenizer.eos_token_id if ends is None else ends
        self._ends = frozenset(ends if isinstance(ends, list) else [ends])
        most = getattr(self._model.config, "max_position_embeddings", None)
        self._context = most or self._tokenizer.model_max_length

    async def _serve(self) -> None:
        """Answer what waits, batch by batch, until this is cancelled."""
        while True:
            await self._come.wait()
            self._come.clear()
            await asyncio.sleep(0)  # all that is asked at once goes together
            while self._waiting:
                self._waiting.sort(key=lambda each: len(each.tokens))
                batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._answer([each for each in batch if not each.reply.done()])

    async def _answer(self, batch: Sequence[_Waiting]) -> None:
        """Answer a batch; in halves where it is too much for the memory."""
        if not batch:
            return
        try:
            replies = await asyncio.to_thread(self._generate, [each.tokens for each in batch])
        except Exception as error:  # noqa: BLE001 - who waits would wait for ever
            full = isinstance(error, MemoryError) or "out of memory" in str(error).lower()
            if full and len(batch) > 1:
                half = len(batch) // 2
                self._most = min(self._most, half)
                await self._answer(batch[:half])
                await self._answer(batch[half:])
                return
            kind = "out_of_memory" if full else "bad_request"
            self._fail(batch, Rejected(kind, one_line(str(error), Secrets())))
            return
        for each, reply in zip(batch, replies, strict=True):
            if not each.reply.done():
                each.reply.set_result(reply)

    def _fail(self, batch: Sequence[_Waiting], error: ProviderError) -> None:
        for each in batch:
            if not each.reply.done():
                each.reply.set_exception(error)

    def _generate(self, prompts: list[list[int]]) -> list[Reply]:
        """Return the replies to some prompts."""
        import torch

        held = self._tokenizer.pad({"input_ids": prompts}, return_tensors="pt")
        held = held.to(self._model.device)
        length = held["input_ids"].shape[1]
        room = max(1, self._context - length)
        settings: dict[str, Any] = {
            "max_new_tokens": min(self._sampling.max_tokens or _LONGEST, room),
            "pad_token_id": self._tokenizer.pad_token_id,
            "stopping_criteria": [self._stopped],
            **self._chance(),
        }
        with torch.inference_mode():
            made = self._model.generate(**held, **settings)[:, length:].tolist()
        return [self._reply(len(prompt), row) for prompt, row in zip(prompts, made, strict=True)]

    def _chance(self) -> dict[str, Any]:
        """Return the settings of sampling, and those of the extra body."""
        wanted, found = self._sampling, dict[str, Any]()
        if wanted.temperature == 0:
            found = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        elif wanted.temperature is not None or wanted.top_p is not None:
            found = {"do_sample": True, "temperature": wanted.temperature, "top_p": wanted.top_p}
            found = {name: value for name, value in found.items() if value is not None}
        if (stop := wanted.extra_body.get("stop")) is not None:
            found |= {"stop_strings": stop, "tokenizer": self._tokenizer}
        return found | {k: v for k, v in wanted.extra_body.items() if k not in _OWN}

    def _stopped(self, tokens: Any, scores: Any, **_: Any) -> Any:
        """Return whether each reply ends now, as nobody waits for it any longer."""
        import torch

        return torch.full((tokens.shape[0],), self._stop.is_set(), device=tokens.device)

    def _reply(self, asked: int, row: list[int]) -> Reply:
        """Return the reply in the tokens of one row, which may be padded behind its end."""
        end = next((place for place, token in enumerate(row) if token in self._ends), None)
        told = len(row) if end is None else end + 1
        text = self._tokenizer.decode(row[:told], skip_special_tokens=True)
        stops = self._sampling.extra_body.get("stop") or ()
        stops = [stops] if isinstance(stops, str) else stops
        cut = min((place for stop in stops if (place := text.find(stop)) >= 0), default=None)
        finish = "length" if end is None and cut is None else "stop"
        return Reply(text if cut is None else text[:cut], None, finish, Usage(asked, told))


def _check(name: str, path: str, sampling: Sampling) -> None:
    """Refuse a parameter that would be ignored, and a folder that is not there.

    Raises:
        ParameterError: naming it.
    """
    if sampling.structured:
        raise ParameterError("structured", None, f"{name} is not held to a schema; leave it out")
    if sampling.seed is not None:
        reason = "the replies of a batch share their chance; leave it out"
        raise ParameterError("seed", sampling.seed, reason)
    check_place(name, path)
