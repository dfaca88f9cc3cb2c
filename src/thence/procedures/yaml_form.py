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

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    model_validator,
)

from thence.procedures.form_values import (
    BY_CONFLICT,
    Choices,
    Duration,
    Facts,
    Flag,
    MappingForm,
    Number,
    Order,
    Seconds,
    Spans,
    StepNames,
    Text,
    TextOrNone,
    Texts,
    When,
    as_quantities,
    fault,
    not_empty,
)
from thence.procedures.yaml_source import Mark, SourceError, Value, YamlMapping, YamlText


class QuantityForm(MappingForm):
    """A measured amount, as samples hold it."""

    noun, needs = "a quantity", "of, low and high"

    of: Text
    low: Number
    high: Number
    unit: Annotated[str, PlainValidator(str, json_schema_input_type=str)] = ""

    @model_validator(mode="after")
    def _is_range(self) -> QuantityForm:
        if self.high < self.low:
            raise fault(self.of, f"the most of '{self.of}' is less than the least; exchange them")
        return self


class StepForm(MappingForm):
    """One step, and what it does to facts."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["text"]}, {"required": ["name"]}]}
    )
    noun, needs = "a step", "text or a name"

    name: TextOrNone = Field(None, description="What other places call the step.")
    text: TextOrNone = Field(None, description="What is done, as a reader sees it.")
    uses: Facts = Field([], description="Facts that must hold before the step.")
    defines: Facts = Field([], description="Facts that hold after it.")
    kills: Facts = Field([], description="Facts that no longer hold after it.")
    after: StepNames = Field(
        [], description="Steps that come before it, by name or by number from 1."
    )
    when: When = Field(
        [],
        description="Options on which the step depends, such as {bridge: open}; it is carried out "
        "where all of them are taken.",
    )
    duration: Duration = Field(
        None, description="Such as '5 min', '1 h 30 min' or '8-10 min'; a unit is needed."
    )
    seconds: Seconds = Field(
        None, description="The same in seconds: one number, or the least and the most."
    )
    quantities: Annotated[
        list[QuantityForm],
        BeforeValidator(
            as_quantities, json_schema_input_type=dict[str, str | float] | list[QuantityForm]
        ),
    ] = Field([], description="What is measured, and how much of it, such as oven: 180-200 °C.")
    spans: Spans = Field(
        {},
        description="Of an extracted step: where its entries stand in the text, in characters, "
        "such as {text: [0, 31], uses: {eggs: [11, 15]}}.",
    )
    unsure: Texts = Field(
        [], description="Of an extracted step: the entries that are unsure, such as 'uses eggs'."
    )

    reviewed: Flag = Field(
        default=False, description="Of an extracted step: whether a person confirmed it."
    )

    @model_validator(mode="after")
    def _check_spans(self) -> Self:
        """Refuse the place of an entry that the step does not have."""
        for role, entries in self.spans.items():
            given: Any = getattr(self, role)
            for entry, span in entries.items():
                held = [each[0] for each in given] if role == "when" else given
                if entry and entry not in held:
                    raise fault(span.mark, f"spans: '{entry}' is not in {role} of this step")
        return self


class ExtractedForm(MappingForm):
    """The stamp of a procedure that was extracted from a text."""

    noun, needs = "extracted", "a model and a source"

    model: Text = Field(description="What read the text: PROVIDER/NAME, or rules.")
    source: Text = Field(description="The file that was read.")
    text: TextOrNone = Field(
        None, description="The text of that file, in which spans count; beside this file."
    )
    sha256: TextOrNone = Field(None, description="The hash of that text.")
    at: TextOrNone = Field(None, description="The date.")


def _as_step(value: Value) -> YamlMapping:
    """Return a step as a mapping that can be called by a name or by its text."""
    if isinstance(value, YamlText) and value:
        return YamlMapping({"text": value}, value.mark, {"text": value.mark})
    if isinstance(value, YamlMapping):
        if "duration" in value and "seconds" in value:
            raise fault(value.key_marks["seconds"], "both duration and seconds; give one")
        if set(value) <= set(StepForm.model_fields) and not {"text", "name"} & set(value):
            raise fault(value, "a step has neither text nor name; give one")
    return value  # type: ignore[return-value]  # the model refuses it


_Step = Annotated[StepForm, BeforeValidator(_as_step, json_schema_input_type=str | StepForm)]


class ProcedureForm(MappingForm):
    """Steps that use, define and kill facts, as `thence analyze` reads them."""

    model_config = ConfigDict(title="Procedure")
    noun, needs = "a procedure", "a goal and steps"

    goal: Text = Field(description="What the steps are for.")
    extracted: ExtractedForm | None = Field(
        None, description="Who extracted the procedure from which text; written by thence extract."
    )
    reviewed: Flag = Field(
        default=False, description="Whether a person confirmed what was extracted; true or false."
    )
    unsure: Texts = Field([], description="What is unsure about an extracted procedure.")
    facts: Facts = Field(
        [], description="All facts there are; a fact that is not listed is refused."
    )
    start: Facts = Field([], description="Facts that hold before the first step.")
    results: Facts = Field(
        [], description="Facts that the procedure is done for; otherwise the last step's."
    )
    choices: Choices = Field(
        {}, description="Choices on which steps depend, each with its options."
    )
    order: Order = Field(
        BY_CONFLICT,
        description="'conflicts' (the default): steps that conflict keep the order of the text, "
        "the others are free. 'text': one after the other. Or a list of chains of steps, such as "
        "[whisk, fry, serve] or 'whisk -> fry -> serve'.",
    )
    steps: Annotated[list[_Step], BeforeValidator(not_empty), Field(min_length=1)]


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
