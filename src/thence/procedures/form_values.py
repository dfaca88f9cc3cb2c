"""The values of the YAML form: text, numbers, lists, durations, choices and chains of steps.

Each value knows its place in the file (`yaml_source`), so that each fault is found there.
"""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationInfo,
    model_validator,
)
from pydantic_core import PydanticCustomError

from thence.core import amounts
from thence.core.registry import nearest
from thence.procedures.yaml_source import (
    Items,
    Mark,
    Value,
    YamlMapping,
    YamlText,
    kind,
)

BY_TEXT, BY_CONFLICT = "text", "conflicts"
Bounds = tuple[float, float]


def fault(at: Value | Mark, message: str) -> PydanticCustomError:
    """Return the error of a value at a place of the file."""
    mark = at if isinstance(at, Mark) else at.mark
    context = {"message": message, "mark": mark}
    return PydanticCustomError("procedure", "{message}", context)


# Scalars and lists -------------------------------------------------------------------------------


def _text(value: Value, info: ValidationInfo) -> YamlText:
    if not isinstance(value, YamlText) or not value.strip():
        found = "nothing" if isinstance(value, YamlText) else kind(value)
        raise fault(value, f"{info.field_name} takes text, not {found}")
    return YamlText(" ".join(value.split()), value.mark)


def _number(value: Value, info: ValidationInfo) -> float:
    text = _text(value, info)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise fault(value, f"{info.field_name} takes a number of 0 or more, not '{text}'")
    return number


def as_list(value: Value) -> Items:
    """Return a list; one member alone may do without brackets."""
    if isinstance(value, Items):
        return value
    return Items([value] if value else [], value.mark)


def _texts(value: Value, info: ValidationInfo) -> list[YamlText]:
    return [_text(each, info) for each in as_list(value)]


def _facts(value: Value, info: ValidationInfo) -> list[YamlText]:
    seen: dict[str, YamlText] = {}
    for fact in _texts(value, info):
        if fact in seen:
            raise fault(fact, f"fact '{fact}' stands twice in {info.field_name}; take one out")
        seen[fact] = fact
    return list(seen.values())


def not_empty(value: Value) -> Items:
    """Return the steps, a list that is not empty."""
    if not isinstance(value, Items):
        raise fault(value, f"steps is a list, not {kind(value)}")
    if not value:
        raise fault(value, "no steps; a procedure has at least one")
    return value


Text = Annotated[YamlText, PlainValidator(_text, json_schema_input_type=str)]
TextOrNone = Annotated[YamlText | None, PlainValidator(_text, json_schema_input_type=str)]
Number = Annotated[float, PlainValidator(_number, json_schema_input_type=float)]
_Distinct = Annotated[list[str], Field(json_schema_extra={"uniqueItems": True})]
Facts = Annotated[list[YamlText], PlainValidator(_facts, json_schema_input_type=str | _Distinct)]
StepNames = Annotated[
    list[YamlText], PlainValidator(_texts, json_schema_input_type=str | int | list[str | int])
]


# Durations and amounts ---------------------------------------------------------------------------


def _bounds(value: Value, info: ValidationInfo) -> Bounds:
    """Return the least and the most seconds of one or two durations."""
    if info.field_name == "seconds":
        ends = [(number, number) for number in (_number(each, info) for each in as_list(value))]
    else:
        texts = _texts(value, info)
        try:
            ends = [amounts.duration(text) for text in texts]
        except ValueError as error:
            raise fault(value, str(error)) from None
    if not 1 <= len(ends) <= 2:
        raise fault(value, f"{len(ends)} durations; give one, or the least and the most")
    low, high = ends[0][0], ends[-1][1]
    if high < low:
        raise fault(value, "the longest duration is less than the shortest; exchange them")
    if high > amounts.CENTURY:
        raise fault(value, "longer than a hundred years; give a shorter duration")
    return low, high


def as_quantities(value: Value, info: ValidationInfo) -> Items:
    """Return a list of quantities; ``{flour: 200 g}`` is the short form of one."""
    if not isinstance(value, YamlMapping):
        return as_list(value)
    found: list[Value] = []
    for of, amount in value.items():
        text = _text(amount, info)
        try:
            low, high, unit = amounts.quantity(text)
        except ValueError as error:
            raise fault(amount, str(error)) from None
        row = {"of": of, "low": str(low), "high": str(high), "unit": unit}
        values: dict[str, Value] = {key: YamlText(row[key], amount.mark) for key in row}
        found.append(YamlMapping(values, amount.mark, dict.fromkeys(row, amount.mark)))
    return Items(found, value.mark)


_Pair = Field(min_length=1, max_length=2)
Duration = Annotated[
    Bounds | None,
    PlainValidator(_bounds, json_schema_input_type=str | Annotated[list[str], _Pair]),
]
Seconds = Annotated[
    Bounds | None,
    PlainValidator(_bounds, json_schema_input_type=float | Annotated[list[float], _Pair]),
]


# Choices -----------------------------------------------------------------------------------------


def _choices(value: Value, info: ValidationInfo) -> dict[YamlText, list[YamlText]]:
    if not isinstance(value, YamlMapping):
        raise fault(value, f"choices is a mapping of names to lists of options, not {kind(value)}")
    found: dict[YamlText, list[YamlText]] = {}
    for key, given in value.items():
        name = _text(YamlText(key, value.key_marks[key]), info)
        if name in found:
            raise fault(name, f"choice '{name}' stands twice; give each its own name")
        options: dict[YamlText, YamlText] = {}
        for option in as_list(given):
            text = _text(option, info)
            if text in options:
                raise fault(text, f"option '{text}' stands twice in '{name}'; take one out")
            options[text] = text
        if not options:
            raise fault(name, f"choice '{name}' has no options; list them, such as [yes, no]")
        found[name] = list(options)
    return found


def _when(value: Value, info: ValidationInfo) -> list[tuple[YamlText, YamlText]]:
    """Return the options of a mapping, or of a list of pairs as samples hold it."""
    if isinstance(value, YamlMapping):
        return [
            (_text(YamlText(choice, value.key_marks[choice]), info), _text(option, info))
            for choice, option in value.items()
        ]
    pairs = [each for each in as_list(value) if isinstance(each, Items) and len(each) == 2]
    if len(pairs) < len(as_list(value)):
        raise fault(value, "when is a mapping of choices to options, such as {bridge: open}")
    return [(_text(choice, info), _text(option, info)) for choice, option in pairs]


_Scalar = str | float | bool  # as YAML reads an option; here it stays the text that it is
_Options = Annotated[list[_Scalar], Field(min_length=1, json_schema_extra={"uniqueItems": True})]
Choices = Annotated[
    dict[YamlText, list[YamlText]],
    PlainValidator(_choices, json_schema_input_type=dict[str, _Scalar | _Options]),
]
_OptionPair = Annotated[list[_Scalar], Field(min_length=2, max_length=2)]
When = Annotated[
    list[tuple[YamlText, YamlText]],
    PlainValidator(_when, json_schema_input_type=dict[str, _Scalar] | list[_OptionPair]),
]


# Order -------------------------------------------------------------------------------------------


def _order(value: Value, info: ValidationInfo) -> str | list[list[YamlText]]:
    if isinstance(value, Items):
        return [_chain(each, info) for each in value]
    if not value:
        return BY_CONFLICT
    if value in (BY_TEXT, BY_CONFLICT):
        return str(value)
    shown = f"'{value}'" if isinstance(value, YamlText) else kind(value)
    raise fault(
        value,
        f"order {shown} is not known; write '{BY_TEXT}', '{BY_CONFLICT}' or a list of steps that "
        "follow each other, such as [[first, second]]",
    )


def _chain(value: Value, info: ValidationInfo) -> list[YamlText]:
    links = as_list(value)
    if isinstance(value, YamlText):
        links = Items(
            [YamlText(part.strip(), value.mark) for part in value.split("->")], value.mark
        )
    if len(links) < 2:
        raise fault(value, "a chain of one step; write at least two, such as [first, second]")
    return [_text(link, info) for link in links]


_Chain = Annotated[list[str | int], Field(min_length=2)]
Order = Annotated[
    str | list[list[YamlText]],
    PlainValidator(
        _order, json_schema_input_type=Literal["text", "conflicts"] | list[str | _Chain]
    ),
]


# Places in a text that was extracted, and its marks ----------------------------------------------


class Span(NamedTuple):
    """A range of characters of a text.

    Attributes:
        start: of the first character, from 0.
        end: behind the last one.
        mark: where the file says so.
    """

    start: int
    end: int
    mark: Mark


ROLES = ("uses", "defines", "kills", "after", "when")  # whose entries have spans
WHOLE = ("text", "duration", "seconds")  # that are one entry


def _span(value: Value) -> Span:
    ends = [str(each) for each in value] if isinstance(value, Items) else []
    if len(ends) == 2 and all(each.isascii() and each.isdigit() for each in ends):
        start, end = (int(each[:10]) for each in ends)
        if start < end:
            return Span(start, end, value.mark)
    raise fault(value, "a span is two whole numbers, the first less, such as [0, 31]")


def _spans(value: Value, info: ValidationInfo) -> dict[str, dict[str, Span]]:
    if not isinstance(value, YamlMapping):
        raise fault(value, f"spans is a mapping, not {kind(value)}")
    found: dict[str, dict[str, Span]] = {}
    for role, held in value.items():
        if role in WHOLE:
            found[role] = {"": _span(held)}
        elif role not in ROLES:
            raise fault(
                value.key_marks[role],
                f"spans has no '{role}' (known: {', '.join((*WHOLE, *ROLES))})",
            )
        elif not isinstance(held, YamlMapping):
            raise fault(held, f"spans: {role} is a mapping of entries to spans, not {kind(held)}")
        else:
            found[role] = {entry: _span(span) for entry, span in held.items()}
    return found


def _flag(value: Value, info: ValidationInfo) -> bool:
    if value not in ("true", "false"):
        said = f"'{value}'" if value and isinstance(value, YamlText) else kind(value)
        raise fault(value, f"{info.field_name} takes true or false, not {said}")
    return value == "true"


_SpanEnds = Annotated[list[int], Field(min_length=2, max_length=2)]
Spans = Annotated[
    dict[str, dict[str, Span]],
    PlainValidator(_spans, json_schema_input_type=dict[str, _SpanEnds | dict[str, _SpanEnds]]),
]
Flag = Annotated[bool, PlainValidator(_flag, json_schema_input_type=bool)]
Texts = Annotated[list[YamlText], PlainValidator(_texts, json_schema_input_type=str | list[str])]


# Mappings ----------------------------------------------------------------------------------------


class MappingForm(BaseModel):
    """A mapping of the form, whose keys are checked."""

    model_config = ConfigDict(extra="forbid")
    noun: ClassVar[str]
    needs: ClassVar[str]

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, value: Value) -> YamlMapping:
        """Refuse a value that is no mapping, an unknown key and a missing one."""
        if not isinstance(value, YamlMapping):
            raise fault(value, f"{cls.noun} is a mapping of keys to values, not {kind(value)}")
        known = list(cls.model_fields)
        for key, mark in value.key_marks.items():
            if key not in known:
                hint = nearest(key[:50], known) or f" (known: {', '.join(known)})"
                raise fault(mark, f"unknown key '{key}' of {cls.noun}{hint}")
        for name, field in cls.model_fields.items():
            if field.is_required() and name not in value:
                raise fault(value, f"no {name}; {cls.noun} has {cls.needs}")
        return value
