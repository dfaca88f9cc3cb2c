"""Model of Hugging Face's format that vLLM's engine runs in this process, without a server.

The engine batches by itself: each request goes to it as it comes.
"""

from __future__ import annotations

from itertools import count
from types import TracebackType
from typing import Any, Self

from thence.errors import ParameterError, Rejected, Unreachable
from thence.models.base import Model, Reply, Request, Sampling, Usage
from thence.models.open_weights import check_place, prompt_tokens
from thence.models.replies import one_line
from thence.models.secrets import Secrets

_OWN = ("max_tokens", "temperature", "top_p", "seed")
_ENGINE = (
    "tensor_parallel_size",
    "max_model_len",
    "gpu_memory_utilization",
    "dtype",
    "quantization",
)


class VllmModel(Model):
    """Model of a folder or of the Hub, run by vLLM inside the context.

    Args:
        name: ``vllm-offline/PATH``.
        path: the folder, or a name at the Hub.
        sampling: parameters of every request; its extra body goes to ``SamplingParams``, and what
            is the engine's own, such as ``tensor_parallel_size``, to the engine.
        batch: most requests that it answers at a time.

    Raises:
        ParameterError: a parameter that would be ignored, no such folder, or no vLLM. It is no
            extra, as it asks for an older numpy than others take.
    """

    def __init__(self, name: str, path: str, sampling: Sampling, batch: int) -> None:
        if sampling.structured:
            reason = f"{name} is not held to a schema; leave it out, or serve it as vllm/"
            raise ParameterError("structured", None, reason)
        check_place(name, path)
        try:
            import vllm  # noqa: F401
        except ImportError as error:
            reason = "needs the package vllm (pip install vllm), or serve it and name it vllm/"
            raise ParameterError("model", name, reason) from error
        self.name = name
        self._path = path
        self._sampling = sampling
        self._batch = batch
        self._numbers = count()
        self._engine: Any = None

    async def __aenter__(self) -> Self:
        from vllm import AsyncEngineArgs, AsyncLLMEngine

        body = self._sampling.extra_body
        given = {name: body[name] for name in _ENGINE if name in body}
        try:
            self._engine = AsyncLLMEngine.from_engine_args(
                AsyncEngineArgs(model=self._path, max_num_seqs=self._batch, **given)
            )
            self._tokenizer = self._loaded()
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            self._end()
            said = one_line(str(error), Secrets())
            raise ParameterError("model", self.name, f"cannot be loaded: {said}") from error
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.shutdown()

    def _loaded(self) -> Any:
        from transformers import AutoTokenizer  # vLLM needs it, too

        return AutoTokenizer.from_pretrained(self._path)

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt.

        Raises:
            Rejected: the engine takes no such prompt.
            Unreachable: the engine has died (kind ``engine_died``).
        """
        from vllm import SamplingParams
        from vllm.v1.engine.exceptions import EngineDeadError

        last: Any = None
        try:
            settings = SamplingParams(**self._settings(request))
            prompt = {"prompt_token_ids": prompt_tokens(self._tokenizer, request.messages)}
            made = self._engine.generate(prompt, settings, f"{next(self._numbers)}")
            async for each in made:
                last = each
        except EngineDeadError as error:
            raise Unreachable("engine_died", one_line(str(error), Secrets())) from error
        except (ValueError, TypeError, RuntimeError) as error:
            raise Rejected("bad_request", one_line(str(error), Secrets())) from error
        if last is None:
            raise Rejected("malformed", "vLLM's engine gave no output")
        told = last.outputs[0]
        usage = Usage(len(last.prompt_token_ids), len(told.token_ids))
        return Reply(told.text, None, told.finish_reason, usage)

    def _settings(self, request: Request) -> dict[str, Any]:
        """Return the parameters of sampling; without a number of tokens the context is the end."""
        wanted = self._sampling
        seed = None if wanted.seed is None else wanted.seed + request.epoch
        held = {
            "temperature": wanted.temperature,
            "top_p": wanted.top_p,
            "max_tokens": wanted.max_tokens,
            "seed": seed,
        }
        body = {k: v for k, v in wanted.extra_body.items() if k not in (*_OWN, *_ENGINE)}
        given = {name: value for name, value in held.items() if value is not None}
        return {"max_tokens": None, **given, **body}
