from __future__ import annotations

from tests.extra import offered
from thence import families
from thence.core.gbnf import choice, grammar, literal, of_schema
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.prompts.template_loader import templates


def test_expressions_by_hand() -> None:
    assert literal('say "a"\n') == r'"say \"a\"\n"'
    assert grammar(choice(["Yes", "No"])) == 'root ::= ("Yes" | "No")'
    words = {"type": "array", "items": {"enum": ["a"]}}
    assert of_schema(words) == r'("[" (("\"a\"") (", " ("\"a\""))*)? "]")'
    assert of_schema({"type": "object", "properties": {"k": {"enum": [1]}}}) == (
        r'("{\"k\": " ("1") "}")'
    )
    assert of_schema({"anyOf": []}) is None
    assert of_schema({"type": "array", "items": {}}) is None
    assert of_schema({"type": "object", "properties": {"k": {}}}) is None
    number = of_schema({"type": "integer"})
    few = {"type": "array", "items": {"type": "integer"}, "maxItems": 3}
    assert of_schema(few) == f'("[" ({number} (", " {number}){{0,2}})? "]")'
    assert of_schema({**few, "maxItems": 0}) == '"[]"'
    pair = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    assert of_schema(pair) == f'("[" {number} (", " {number}){{1,1}} "]")'


def test_every_task_has_a_schema_or_a_grammar_under_every_protocol() -> None:
    held = templates()
    for name in offered():
        [sample] = generate(Plan([name], size=1), 1)
        for asked in ("direct", "answer_then_explain", "chain_of_thought", "are_you_sure"):
            conversation = Conversation(sample, families.task(name), protocol(asked), held)
            assert (conversation.schema is None) != (conversation.grammar is None)
        assert conversation.schema == families.task(name).format.schema(
            families.task(name).question(sample)
        )
