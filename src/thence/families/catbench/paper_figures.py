"""Figures printed by Lal et al. 2024, as data; they are shown beside ours and never enter them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

PAPER = "Lal et al. 2024"

A, AE, EA = "A", "A+E", "E+A"

# Model: protocol: P, R, F1 of DEP, of NONDEP, macro.
TABLE_1: Mapping[str, Mapping[str, Sequence[float]]] = {
    "gpt-3.5-turbo": {
        A: (0.62, 0.50, 0.55, 0.58, 0.69, 0.63, 0.60, 0.60, 0.59),
        AE: (0.56, 0.71, 0.63, 0.61, 0.45, 0.52, 0.58, 0.58, 0.57),
    },
    "gpt-4-turbo": {
        A: (0.57, 0.81, 0.67, 0.67, 0.39, 0.49, 0.62, 0.60, 0.58),
        AE: (0.66, 0.79, 0.72, 0.74, 0.59, 0.66, 0.70, 0.69, 0.69),
    },
    "gpt-4o": {
        A: (0.53, 0.92, 0.67, 0.71, 0.19, 0.30, 0.62, 0.55, 0.49),
        AE: (0.66, 0.86, 0.75, 0.80, 0.57, 0.66, 0.73, 0.71, 0.70),
    },
    # The paper prints an F1 of .76 for DEP under A, which does not follow from its P and R.
    "gpt-4o-mini": {
        A: (0.53, 0.88, 0.76, 0.64, 0.22, 0.33, 0.59, 0.55, 0.50),
        AE: (0.62, 0.78, 0.69, 0.70, 0.52, 0.59, 0.66, 0.65, 0.64),
    },
    "llama3-8b": {
        A: (0.52, 0.84, 0.64, 0.59, 0.23, 0.33, 0.56, 0.54, 0.49),
        AE: (0.53, 0.82, 0.64, 0.59, 0.26, 0.36, 0.56, 0.54, 0.50),
    },
    "gemini-1.0-pro": {
        A: (0.57, 0.45, 0.50, 0.55, 0.66, 0.60, 0.56, 0.55, 0.55),
        AE: (0.56, 0.65, 0.60, 0.59, 0.50, 0.54, 0.58, 0.57, 0.57),
    },
    "gemini-1.5-pro": {
        A: (0.55, 0.77, 0.64, 0.61, 0.37, 0.46, 0.58, 0.57, 0.55),
        AE: (0.67, 0.93, 0.78, 0.89, 0.54, 0.67, 0.78, 0.74, 0.73),
    },
    "gemini-1.5-flash": {
        A: (0.55, 0.69, 0.61, 0.58, 0.43, 0.49, 0.56, 0.56, 0.55),
        AE: (0.54, 0.75, 0.63, 0.59, 0.37, 0.46, 0.57, 0.56, 0.54),
    },
    "claude-3.5-sonnet": {
        A: (0.58, 0.76, 0.66, 0.65, 0.46, 0.54, 0.62, 0.61, 0.60),
        AE: (0.63, 0.97, 0.76, 0.93, 0.44, 0.60, 0.78, 0.70, 0.68),
    },
}

# Tables 4 and 5: gpt-4o under E+A, of which P, R and F1 of NONDEP are not printed.
EXPLAINED_FIRST: Mapping[str, Sequence[float | None]] = {
    "gpt-4o": (0.59, 0.98, 0.74, None, None, None, 0.77, 0.65, 0.60),
}

# The text, of o1-preview: F1 of DEP, of NONDEP, macro; TC.
IN_TEXT: Mapping[str, Sequence[float]] = {"o1-preview": (0.83, 0.76, 0.80, 0.85)}

# Tables 6 and 7, gpt-4o under A: way of asking: macro P, R, F1; TC, OCC.
TABLES_6_7: Mapping[str, Sequence[float]] = {
    "zero-shot": (0.62, 0.55, 0.49, 0.7986, 0.4796),
    "self-consistency, k = 3, temperature 0.6": (0.62, 0.55, 0.49, 0.7866, 0.4817),
    "self-consistency, k = 3, temperature 0.8": (0.61, 0.55, 0.48, 0.7958, 0.4725),
    "self-consistency, k = 5, temperature 0.6": (0.61, 0.55, 0.48, 0.7972, 0.4676),
    "self-consistency, k = 5, temperature 0.8": (0.61, 0.55, 0.48, 0.7986, 0.4599),
    "few-shot, k = 5": (0.79, 0.70, 0.68, 0.8148, 0.4556),
}

# Model: protocol: TC, OCC, as shares; Tables 4 and 5 give no OCC for gpt-4o under E+A.
TABLE_3: Mapping[str, Mapping[str, Sequence[float | None]]] = {
    "gpt-3.5-turbo": {A: (0.5239, 0.7042), AE: (0.4923, 0.7331)},
    "gpt-4-turbo": {A: (0.4887, 0.7028), AE: (0.5500, 0.6697)},
    "gpt-4o": {A: (0.7986, 0.4796), AE: (0.6746, 0.5817), EA: (0.8366, None)},
    "gpt-4o-mini": {A: (0.7056, 0.5479), AE: (0.5754, 0.5697)},
    "llama3-8b": {A: (0.6042, 0.8387), AE: (0.5577, 0.8338)},
    "gemini-1.0-pro": {A: (0.5338, 0.7380), AE: (0.4979, 0.6690)},
    "gemini-1.5-pro": {A: (0.5514, 0.5824), AE: (0.7965, 0.6021)},
    "gemini-1.5-flash": {A: (0.4592, 0.7944), AE: (0.4310, 0.7662)},
    "claude-3.5-sonnet": {A: (0.4514, 0.5021), AE: (0.7683, 0.4810)},
}

# Model: AVG, MODAVG of all explanations (Table 2).
TABLE_2: Mapping[str, Sequence[float]] = {
    "llama3-8b": (3.26, 1.87),
    "gpt-4-turbo": (3.85, 2.90),
    "gpt-4o": (3.84, 2.93),
    "gemini-1.5-pro": (3.83, 2.69),
}

# Model: split: AVG, MODAVG, AVGBIN, MAJVOTE in percent (Tables 8 and 9).
TABLES_8_9: Mapping[str, Mapping[str, Sequence[float]]] = {
    "llama3-8b": {"DEP": (3.77, 3.14, 0.70, 75.42), "NONDEP": (2.75, 0.60, 0.40, 35.83)},
    "gpt-4-turbo": {"DEP": (3.95, 3.39, 0.77, 79.58), "NONDEP": (3.74, 2.41, 0.70, 75.83)},
    "gpt-4o": {"DEP": (4.08, 3.58, 0.83, 87.92), "NONDEP": (3.60, 2.29, 0.66, 71.67)},
    "gemini-1.5-pro": {"DEP": (3.98, 3.80, 0.77, 87.08), "NONDEP": (3.69, 1.58, 0.68, 75.42)},
}

# Of all models together: weighted and binarised kappa (Table 11); binarised of all is not printed.
TABLE_11: Mapping[str, Sequence[float | None]] = {
    "overall": (0.76, None),
    "DEP": (0.808, 0.941),
    "NONDEP": (0.705, 0.934),
}

_OTHER_NAMES = {
    "meta-llama-3-8b-instruct": "llama3-8b",
    "llama-3-8b-instruct": "llama3-8b",
    "llama3:8b": "llama3-8b",
    "claude-3-5-sonnet": "claude-3.5-sonnet",
}


def known_as(model: str) -> str | None:
    """Return the paper's name of a model, or None.

    The provider before the name and a date after it are ignored.
    """
    name = model.partition(" (")[0].rpartition("/")[2].lower().replace("_", "-")
    for candidate in (name, *(name[: -len(end)] for end in _dates(name))):
        plain = _OTHER_NAMES.get(candidate, candidate)
        if plain in TABLE_1:
            return plain
    return None


def _dates(name: str) -> list[str]:
    """Return the endings of a name that are a date or another release number."""
    parts = name.split("-")
    endings = ["-" + "-".join(parts[at:]) for at in range(1, len(parts))]
    return [end for end in endings if end.replace("-", "").isdigit() or end == "-latest"]
