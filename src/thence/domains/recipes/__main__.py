"""What the parser reads in a file of recipes, step by step, and how sure it is of it.

    python -m thence.domains.recipes FILE [--json] [--spacy PIPELINE]

Ends with 1 where something could not be read or placed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from thence.domains.recipes.parser import Parsed, load_phrases, parse
from thence.domains.recipes.reading import read
from thence.errors import UsageError


def shown(parsed: Parsed) -> str:
    """A recipe with its facts, for people."""
    found = parsed.to_json()
    lines = [f"{found['title'] or 'Recipe'} ({found['sure']:.2f} sure)"]
    for number, step in enumerate(found["steps"], 1):
        lines.append(f"  {number}. {step['text']}")
        lines += [f"     uses {use['name']} of step {use['of_step']}: {use['sure']:.2f} sure, "
                  f"{use['rule']}" for use in step["uses"]]  # fmt: skip
        if step["brings"]:
            names = ", ".join(f"{each['name']} {each['sure']:.2f}" for each in step["brings"])
            lines.append(f"     brings in {names}")
        lines += [f"     cannot place: {words}" for words in step["unplaced"]]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what a file holds; returns the exit status."""
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m thence.domains.recipes", description=about)
    parser.add_argument("file", type=Path, help="JSON lines or plain text")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each recipe")
    parser.add_argument(
        "--spacy", metavar="PIPELINE", help="names noun phrases in place of the rules"
    )
    options = parser.parse_args(arguments)
    try:
        phrases = load_phrases(options.spacy) if options.spacy else None
        texts = read(options.file)
    except UsageError as error:
        print(f"thence: {error}", file=sys.stderr)
        return error.exit_status
    for problem in texts.problems:
        print(problem, file=sys.stderr)
    unplaced = False
    for text in texts.recipes:
        parsed = parse(text.title, text.steps, phrases)
        unplaced = unplaced or bool(parsed.unplaced)
        print(json.dumps(parsed.to_json(), ensure_ascii=False) if options.json else shown(parsed))
    return int(unplaced or bool(texts.problems))


if __name__ == "__main__":
    sys.exit(main())
