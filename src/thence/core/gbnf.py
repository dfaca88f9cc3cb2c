"""Grammars in GBNF, the notation of llama.cpp, for replies that no JSON schema describes.

An expression is the right side of a rule; `grammar` makes it the root. Repetitions and character
classes are written as GBNF: ``*``, ``?``, ``[0-9]``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

ANYTHING = r"[^\x00]*"
NUMBER = '("0" | [1-9] [0-9]{0,8})'
_STRING = r'"\"" ([^"\\\x00-\x1f] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""'
_SIMPLE = {
    "string": _STRING,
    "integer": f'("-"? {NUMBER})',
    "number": f'("-"? {NUMBER} ("." [0-9]{{1,9}})?)',
}


def grammar(expression: str) -> str:
    """Return the grammar of the replies that an expression describes."""
    return f"root ::= {expression}"


def literal(text: str) -> str:
    """Return an expression for exactly this text."""
    return json.dumps(text, ensure_ascii=False)


def choice(texts: Iterable[str]) -> str:
    """Return an expression for one of several texts."""
    return f"({' | '.join(map(literal, texts))})"


def of_schema(schema: Mapping[str, Any]) -> str | None:
    """Return an expression for the compact JSON values of a schema of the kinds that tasks have.

    Returns:
        None for a schema of another kind.
    """
    if "enum" in schema:
        return choice(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _object(schema)
    return _SIMPLE.get(str(kind))


def _array(schema: Mapping[str, Any]) -> str | None:
    item = of_schema(schema["items"])
    if item is None:
        return None
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if least == 0:
        if most == 0:
            return '"[]"'
        more = "*" if most is None else f"{{0,{most - 1}}}"
        return f'("[" ({item} (", " {item}){more})? "]")'
    times = f"{{{least - 1},{'' if most is None else most - 1}}}"
    return f'("[" {item} (", " {item}){times} "]")'


def _object(schema: Mapping[str, Any]) -> str | None:
    """Return an expression for an object with all keys, in their order."""
    parts = []
    for index, (key, value) in enumerate(schema["properties"].items()):
        expression = of_schema(value)
        if expression is None:
            return None
        parts.append(literal(f"{', ' if index else '{'}{json.dumps(key)}: ") + f" {expression}")
    return f'({" ".join(parts)} "}}")'
