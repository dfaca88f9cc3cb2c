"""Models of Hugging Face's format, whichever engine runs them: their places and their prompts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import TemplateError

from thence.errors import ParameterError, Rejected
from thence.models.base import Message
from thence.models.replies import one_line
from thence.models.secrets import Secrets


def check_place(name: str, path: str) -> None:
    """Refuse what is neither a folder nor of the form of a name at the Hub.

    Args:
        name: ``PROVIDER/PATH``, for the error.
        path: the folder, or the name at the Hub.

    Raises:
        ParameterError: it is neither.
    """
    if not Path(path).is_dir() and (path.count("/") != 1 or path.startswith((".", "/"))):
        raise ParameterError("model", name, "no such folder, and no NAME/NAME of the Hub")


def prompt_tokens(tokenizer: Any, messages: Sequence[Message]) -> list[int]:
    """Return the tokens of a prompt, in the model's own template where it has one.

    Raises:
        Rejected: the template takes no such messages, such as none of a system.
    """
    if tokenizer.chat_template is None:
        text = "\n\n".join(each["content"] for each in messages)
        return list(tokenizer(text)["input_ids"])
    try:
        text = tokenizer.apply_chat_template(
            list(messages), add_generation_prompt=True, tokenize=False
        )
    except TemplateError as error:
        said = one_line(str(error), Secrets())
        raise Rejected(
            "bad_request", f"the model's chat template takes no such chat: {said}"
        ) from error
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])
