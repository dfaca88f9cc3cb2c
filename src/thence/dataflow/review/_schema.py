"""The form of a procedure's file as a JSON schema, for editors that check while one types."""

from __future__ import annotations

from typing import Any

_NAME: dict[str, Any] = {"type": ["string", "number"]}
_RANGE: dict[str, Any] = {"type": "array", "items": _NAME, "minItems": 1, "maxItems": 2}


def _facts(about: str) -> dict[str, Any]:
    return {
        "description": about,
        "oneOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        ],
    }


def _either(about: str, *kinds: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "anyOf": list(kinds)}


_STEP: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "anyOf": [{"required": ["text"]}, {"required": ["name"]}],
    "properties": {
        "name": {"type": "string", "description": "What other places call the step."},
        "text": {"type": "string", "description": "What is done, as a reader sees it."},
        "uses": _facts("Facts that must hold before the step."),
        "defines": _facts("Facts that hold after it."),
        "kills": _facts("Facts that no longer hold after it."),
        "after": _either(
            "Steps that come before it, by name or by number from 1.",
            _NAME,
            {"type": "array", "items": _NAME},
        ),
        "duration": _either("Such as '5 min', '1 h 30 min' or '8-10 min'.", _NAME, _RANGE),
        "seconds": _either("The same in seconds: one number, or the least and the most.",
                           _NAME, _RANGE),
        "quantities": _either(
            "What is measured, and how much of it, such as oven: 180-200 °C.",
            {"type": "object", "additionalProperties": _NAME},
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["of", "low", "high"],
                    "properties": {
                        "of": {"type": "string"},
                        "low": {"type": "number"},
                        "high": {"type": "number"},
                        "unit": {"type": "string"},
                    },
                },
            },
        ),
    },
}  # fmt: skip

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Procedure",
    "description": "Steps that use, define and kill facts, as `thence analyze` reads them.",
    "type": "object",
    "additionalProperties": False,
    "required": ["goal", "steps"],
    "properties": {
        "goal": {"type": "string", "description": "What the steps are for."},
        "facts": _facts("All facts there are; a fact that is not listed is refused."),
        "start": _facts("Facts that hold before the first step."),
        "results": _facts("Facts that the procedure is done for; otherwise the last step's."),
        "order": {
            "description": "'conflicts' (the default): steps that conflict keep the order of the "
            "text, the others are free. 'text': one after the other. Or a list of chains of steps.",
            "oneOf": [
                {"enum": ["text", "conflicts"]},
                {
                    "type": "array",
                    "items": {
                        "oneOf": [
                            {"type": "string", "description": "Such as 'whisk -> fry -> serve'."},
                            {"type": "array", "items": _NAME, "minItems": 2},
                        ]
                    },
                },
            ],
        },
        "steps": {
            "type": "array",
            "minItems": 1,
            "items": {"oneOf": [{"type": "string"}, _STEP]},
        },
    },
}
