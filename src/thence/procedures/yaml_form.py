"""The YAML form of a user's procedure, defined once: for reading, and as a JSON schema.

    goal: Make crepes
    start: [eggs, flour, pan]
    results: [crepe]
    steps:
      - name: whisk
        text: Whisk the eggs and the flour
        uses: [eggs, flour]
        defines: [batter]
        kills: [eggs, flour]
        duration: 5 min

The models take values that know their place (`yaml_source`), so that each fault is found there.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import PydanticCustomError

from thence.core import amounts
from thence.core.registry import nearest
from thence.procedures.yaml_source import (
    Items,
    Mark,
    SourceError,
    Value,
    YamlMapping,
    YamlText,
    kind,
)

BY_TEXT, BY_CONFLICT = "text", "conflicts"
Bounds = tuple[float, float]


def _fault(at: Value | Mark, message: str) -> PydanticCustomError:
    mark = at if isinstance(at, Mark) else at.mark
    context = {"message": message, "mark": mark}
    return PydanticCustomError("procedure", "{message}", context)


# Scalars and lists -------------------------------------------------------------------------------


def _text(value: Value, info: ValidationInfo) -> YamlText:
    if not isinstance(value, YamlText) or not value.strip():
        found = "nothing" if isinstance(value, YamlText) else kind(value)
        raise _fault(value, f"{info.field_name} takes text, not {found}")
    return YamlText(" ".join(value.split()), value.mark)


def _number(value: Value, info: ValidationInfo) -> float:
    text = _text(value, info)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise _fault(value, f"{info.field_name} takes a number of 0 or more, not '{text}'")
    return number


def _as_list(value: Value) -> Items:
    """Return a list; one member alone may do without brackets."""
    if isinstance(value, Items):
        return value
    return Items([value] if value else [], value.mark)


def _texts(value: Value, info: ValidationInfo) -> list[YamlText]:
    return [_text(each, info) for each in _as_list(value)]


def _facts(value: Value, info: ValidationInfo) -> list[YamlText]:
    seen: dict[str, YamlText] = {}
    for fact in _texts(value, info):
        if fact in seen:
            raise _fault(fact, f"fact '{fact}' stands twice in {info.field_name}; take one out")
        seen[fact] = fact
    return list(seen.values())


def _not_empty(value: Value) -> Items:
    if not isinstance(value, Items):
        raise _fault(value, f"steps is a list, not {kind(value)}")
    if not value:
        raise _fault(value, "no steps; a procedure has at least one")
    return value


_Text = Annotated[YamlText, PlainValidator(_text, json_schema_input_type=str)]
_TextOrNone = Annotated[YamlText | None, PlainValidator(_text, json_schema_input_type=str)]
_Number = Annotated[float, PlainValidator(_number, json_schema_input_type=float)]
_Distinct = Annotated[list[str], Field(json_schema_extra={"uniqueItems": True})]
_Facts = Annotated[list[YamlText], PlainValidator(_facts, json_schema_input_type=str | _Distinct)]
_StepNames = Annotated[
    list[YamlText], PlainValidator(_texts, json_schema_input_type=str | int | list[str | int])
]


# Durations and amounts ---------------------------------------------------------------------------


def _bounds(value: Value, info: ValidationInfo) -> Bounds:
    """Return the least and the most seconds of one or two durations."""
    if info.field_name == "seconds":
        ends = [(number, number) for number in (_number(each, info) for each in _as_list(value))]
    else:
        texts = _texts(value, info)
        try:
            ends = [amounts.duration(text) for text in texts]
        except ValueError as error:
            raise _fault(value, str(error)) from None
    if not 1 <= len(ends) <= 2:
        raise _fault(value, f"{len(ends)} durations; give one, or the least and the most")
    low, high = ends[0][0], ends[-1][1]
    if high < low:
        raise _fault(value, "the longest duration is less than the shortest; exchange them")
    if high > amounts.CENTURY:
        raise _fault(value, "longer than a hundred years; give a shorter duration")
    return low, high


def _as_quantities(value: Value, info: ValidationInfo) -> Items:
    """Return a list of quantities; ``{flour: 200 g}`` is the short form of one."""
    if not isinstance(value, YamlMapping):
        return _as_list(value)
    found: list[Value] = []
    for of, amount in value.items():
        text = _text(amount, info)
        try:
            low, high, unit = amounts.quantity(text)
        except ValueError as error:
            raise _fault(amount, str(error)) from None
        row = {"of": of, "low": str(low), "high": str(high), "unit": unit}
        values: dict[str, Value] = {key: YamlText(row[key], amount.mark) for key in row}
        found.append(YamlMapping(values, amount.mark, dict.fromkeys(row, amount.mark)))
    return Items(found, value.mark)


_Pair = Field(min_length=1, max_length=2)
_Duration = Annotated[
    Bounds | None,
    PlainValidator(_bounds, json_schema_input_type=str | Annotated[list[str], _Pair]),
]
_Seconds = Annotated[
    Bounds | None,
    PlainValidator(_bounds, json_schema_input_type=float | Annotated[list[float], _Pair]),
]


# Choices -----------------------------------------------------------------------------------------


def _choices(value: Value, info: ValidationInfo) -> dict[YamlText, list[YamlText]]:
    if not isinstance(value, YamlMapping):
        raise _fault(value, f"choices is a mapping of names to lists of options, not {kind(value)}")
    found: dict[YamlText, list[YamlText]] = {}
    for key, given in value.items():
        name = _text(YamlText(key, value.key_marks[key]), info)
        if name in found:
            raise _fault(name, f"choice '{name}' stands twice; give each its own name")
        options: dict[YamlText, YamlText] = {}
        for option in _as_list(given):
            text = _text(option, info)
            if text in options:
                raise _fault(text, f"option '{text}' stands twice in '{name}'; take one out")
            options[text] = text
        if not options:
            raise _fault(name, f"choice '{name}' has no options; list them, such as [yes, no]")
        found[name] = list(options)
    return found


def _when(value: Value, info: ValidationInfo) -> list[tuple[YamlText, YamlText]]:
    """Return the options of a mapping, or of a list of pairs as samples hold it."""
    if isinstance(value, YamlMapping):
        return [
            (_text(YamlText(choice, value.key_marks[choice]), info), _text(option, info))
            for choice, option in value.items()
        ]
    pairs = [each for each in _as_list(value) if isinstance(each, Items) and len(each) == 2]
    if len(pairs) < len(_as_list(value)):
        raise _fault(value, "when is a mapping of choices to options, such as {bridge: open}")
    return [(_text(choice, info), _text(option, info)) for choice, option in pairs]


_Scalar = str | float | bool  # as YAML reads an option; here it stays the text that it is
_Options = Annotated[list[_Scalar], Field(min_length=1, json_schema_extra={"uniqueItems": True})]
_Choices = Annotated[
    dict[YamlText, list[YamlText]],
    PlainValidator(_choices, json_schema_input_type=dict[str, _Scalar | _Options]),
]
_OptionPair = Annotated[list[_Scalar], Field(min_length=2, max_length=2)]
_When = Annotated[
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
    raise _fault(
        value,
        f"order {shown} is not known; write '{BY_TEXT}', '{BY_CONFLICT}' or a list of steps that "
        "follow each other, such as [[first, second]]",
    )


def _chain(value: Value, info: ValidationInfo) -> list[YamlText]:
    links = _as_list(value)
    if isinstance(value, YamlText):
        links = Items(
            [YamlText(part.strip(), value.mark) for part in value.split("->")], value.mark
        )
    if len(links) < 2:
        raise _fault(value, "a chain of one step; write at least two, such as [first, second]")
    return [_text(link, info) for link in links]


_Chain = Annotated[list[str | int], Field(min_length=2)]
_Order = Annotated[
    str | list[list[YamlText]],
    PlainValidator(
        _order, json_schema_input_type=Literal["text", "conflicts"] | list[str | _Chain]
    ),
]


# The three mappings ------------------------------------------------------------------------------


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")
    noun: ClassVar[str]
    needs: ClassVar[str]

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, value: Value) -> YamlMapping:
        """Refuse a value that is no mapping, an unknown key and a missing one."""
        if not isinstance(value, YamlMapping):
            raise _fault(value, f"{cls.noun} is a mapping of keys to values, not {kind(value)}")
        known = list(cls.model_fields)
        for key, mark in value.key_marks.items():
            if key not in known:
                hint = nearest(key[:50], known) or f" (known: {', '.join(known)})"
                raise _fault(mark, f"unknown key '{key}' of {cls.noun}{hint}")
        for name, field in cls.model_fields.items():
            if field.is_required() and name not in value:
                raise _fault(value, f"no {name}; {cls.noun} has {cls.needs}")
        return value


class QuantityForm(_Form):
    """A measured amount, as samples hold it."""

    noun, needs = "a quantity", "of, low and high"

    of: _Text
    low: _Number
    high: _Number
    unit: Annotated[str, PlainValidator(str, json_schema_input_type=str)] = ""


class StepForm(_Form):
    """One step, and what it does to facts."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["text"]}, {"required": ["name"]}]}
    )
    noun, needs = "a step", "text or a name"

    name: _TextOrNone = Field(None, description="What other places call the step.")
    text: _TextOrNone = Field(None, description="What is done, as a reader sees it.")
    uses: _Facts = Field([], description="Facts that must hold before the step.")
    defines: _Facts = Field([], description="Facts that hold after it.")
    kills: _Facts = Field([], description="Facts that no longer hold after it.")
    after: _StepNames = Field(
        [], description="Steps that come before it, by name or by number from 1."
    )
    when: _When = Field(
        [],
        description="Options on which the step depends, such as {bridge: open}; it is carried out "
        "where all of them are taken.",
    )
    duration: _Duration = Field(
        None, description="Such as '5 min', '1 h 30 min' or '8-10 min'; a unit is needed."
    )
    seconds: _Seconds = Field(
        None, description="The same in seconds: one number, or the least and the most."
    )
    quantities: Annotated[
        list[QuantityForm],
        BeforeValidator(
            _as_quantities, json_schema_input_type=dict[str, str | float] | list[QuantityForm]
        ),
    ] = Field([], description="What is measured, and how much of it, such as oven: 180-200 °C.")


def _as_step(value: Value) -> YamlMapping:
    """Return a step as a mapping that can be called by a name or by its text."""
    if isinstance(value, YamlText) and value:
        return YamlMapping({"text": value}, value.mark, {"text": value.mark})
    if isinstance(value, YamlMapping):
        if "duration" in value and "seconds" in value:
            raise _fault(value.key_marks["seconds"], "both duration and seconds; give one")
        if set(value) <= set(StepForm.model_fields) and not {"text", "name"} & set(value):
            raise _fault(value, "a step has neither text nor name; give one")
    return value  # type: ignore[return-value]  # the model refuses it


_Step = Annotated[StepForm, BeforeValidator(_as_step, json_schema_input_type=str | StepForm)]


class ProcedureForm(_Form):
    """Steps that use, define and kill facts, as `thence analyze` reads them."""

    model_config = ConfigDict(title="Procedure")
    noun, needs = "a procedure", "a goal and steps"

    goal: _Text = Field(description="What the steps are for.")
    facts: _Facts = Field(
        [], description="All facts there are; a fact that is not listed is refused."
    )
    start: _Facts = Field([], description="Facts that hold before the first step.")
    results: _Facts = Field(
        [], description="Facts that the procedure is done for; otherwise the last step's."
    )
    choices: _Choices = Field(
        {}, description="Choices on which steps depend, each with its options."
    )
    order: _Order = Field(
        BY_CONFLICT,
        description="'conflicts' (the default): steps that conflict keep the order of the text, "
        "the others are free. 'text': one after the other. Or a list of chains of steps, such as "
        "[whisk, fry, serve] or 'whisk -> fry -> serve'.",
    )
    steps: Annotated[list[_Step], BeforeValidator(_not_empty), Field(min_length=1)]


def read_form(root: Value, path: Path | str) -> ProcedureForm:
    """Return the form of a YAML document.

    Raises:
        SourceError: it is not a procedure; the message names the first fault.
    """
    try:
        return ProcedureForm.model_validate(root)
    except ValidationError as error:
        faults: list[tuple[Mark, str]] = [
            (each["ctx"]["mark"], each["ctx"]["message"])
            for each in error.errors(include_url=False, include_input=False)
        ]
        raise SourceError(path, *min(faults)) from None


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a procedure's file, for editors that check while one types."""
    from pydantic.json_schema import GenerateJsonSchema

    class PlainSchema(GenerateJsonSchema):
        """A schema without the titles and defaults that say nothing to a reader."""

        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def default_schema(self, schema: Any) -> dict[str, Any]:
            return self.generate_inner(schema["schema"])

    found = ProcedureForm.model_json_schema(schema_generator=PlainSchema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
