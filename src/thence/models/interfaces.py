"""Choice of the interface by which a provider's models are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thence.errors import ParameterError
from thence.models.anthropic import AnthropicMessages
from thence.models.gemini import GenerateContent
from thence.models.openai import ChatCompletions
from thence.models.openai_responses import OpenAIResponses
from thence.models.providers import is_own_host

if TYPE_CHECKING:
    from thence.models.base import Model, Sampling
    from thence.models.batches import BatchService
    from thence.models.interface import Interface

_KEY = "api-key"  # Azure's header
_IGNORED = ("structured", "seed", "reasoning")  # by Anthropic's chat completions, as documented


def api_of(provider: str, sampling: Sampling, base_url: str | None) -> str:
    """Return ``chat``, ``responses`` or ``native``: what was asked for, or the provider's best.

    Raises:
        ParameterError: the provider has no such interface.
    """
    asked = sampling.api
    if asked == "native" and provider == "openai":
        return "responses"
    if provider == "vertex":
        if asked in (None, "native"):
            return "native"
        raise ParameterError("api", asked, "vertex/ is asked by native; leave it out")
    if asked == "native" and provider not in _NATIVE:
        names = ", ".join(sorted({*_NATIVE, "openai"}))
        raise ParameterError("api", asked, f"{provider}/ has none that is known: {names} have")
    if asked == "responses" and provider in _NATIVE:
        raise ParameterError("api", asked, f"{provider}/ has none; give chat or native")
    if asked is not None:
        return asked
    if base_url is not None:
        return "chat"
    if provider in _NATIVE:
        return "native"
    return "responses" if provider == "openai" and sampling.reasoning is not None else "chat"


def interface_of(provider: str, model: str, api: str, base_url: str | None) -> Interface:
    """Return the interface by which a model is asked; see `api_of`."""
    key = _KEY if provider == "azure" else None
    if provider == "vertex":
        return _vertex(model)
    if api == "responses":
        return OpenAIResponses(key)
    return _NATIVE[provider]() if api == "native" else _chat(provider, base_url, key)


def _vertex(model: str) -> Interface:
    publisher = model.partition("/")[0] if "/" in model else "google"
    if publisher == "anthropic":
        return AnthropicMessages(vertex=True)
    if publisher != "google":
        reason = "must be vertex/NAME, or vertex/anthropic/NAME"
        raise ParameterError("model", f"vertex/{model}", reason)
    return GenerateContent(vertex=True)


def _chat(provider: str, base_url: str | None, key: str | None) -> ChatCompletions:
    own = base_url is None or bool(is_own_host(provider, base_url))
    if provider == "azure" or (provider == "openai" and own):
        return ChatCompletions("max_completion_tokens", key)
    if provider == "anthropic" and own:
        return ChatCompletions(ignored=_IGNORED, owner="Anthropic")
    return ChatCompletions()


def batches_of(model: Model) -> BatchService:
    """Return the batches by which a model can be asked.

    Raises:
        ParameterError: it has none.
    """
    from thence.models.anthropic_batches import AnthropicBatches
    from thence.models.gemini_batches import GeminiBatches
    from thence.models.hosted import HostedModel
    from thence.models.openai_batches import OpenAIBatches

    if isinstance(model, HostedModel) and not model.name.startswith("vertex/"):
        if isinstance(model.interface, AnthropicMessages):
            return AnthropicBatches(model)
        if isinstance(model.interface, GenerateContent):
            return GeminiBatches(model)
        return OpenAIBatches(model)
    raise ParameterError("batch", None, f"{model.name} takes no batches; leave it out")


_NATIVE: dict[str, type[AnthropicMessages | GenerateContent]] = {
    "anthropic": AnthropicMessages,
    "gemini": GenerateContent,
}
