"""Figures that the FABLE paper prints (Pallagani et al. 2025), as data for comparison with ours.

Nothing here is ever copied into a result. `DOUBTS` names printed figures that contradict other
printed figures.
"""

from __future__ import annotations

from collections.abc import Mapping

SOURCE = "Pallagani et al. 2025"

DEEPSEEK, GRANITE, LLAMA = "deepseek-r1:8b", "granite-code:8b", "llama3.1:8b"

MODELS: Mapping[str, str] = {
    "deepseek_r1_8b": DEEPSEEK,
    "granite_code_8b": GRANITE,
    "llama3_1": LLAMA,
}
"""The paper's names of models, by their names in the published files."""

type PerDomain[Value] = Mapping[str, Mapping[str, Value]]
"""Model -> domain -> value."""

ACCURACY: PerDomain[tuple[int, ...]] = {
    DEEPSEEK: {
        "plans": (92, 97, 87, 97, 31, 94, 100, 63),
        "routes": (99, 100, 64, 84, 39, 100, 65, 100),
        "recipes": (81, 80, 75, 93, 96, 86, 80, 80),
    },
    GRANITE: {
        "plans": (55, 84, 89, 52, 16, 47, 27, 62),
        "routes": (48, 35, 85, 48, 0, 69, 52, 59),
        "recipes": (63, 23, 77, 60, 67, 46, 35, 34),
    },
    LLAMA: {
        "plans": (67, 79, 55, 56, 8, 51, 42, 52),
        "routes": (62, 48, 44, 46, 2, 83, 45, 72),
        "recipes": (79, 23, 32, 47, 80, 85, 73, 49),
    },
}
"""Table 6: accuracy in per cent of 100 questions, in the order of `analyses.ANALYSES`."""

SECONDS: PerDomain[tuple[float, float]] = {
    DEEPSEEK: {"plans": (1136.3, 29.6), "routes": (1059.6, 37.6), "recipes": (604.4, 21.4)},
    GRANITE: {"plans": (37.5, 1.0), "routes": (46.2, 1.6), "recipes": (46.2, 1.6)},
    LLAMA: {"plans": (38.3, 1.0), "routes": (28.2, 1.0), "recipes": (28.2, 1.0)},
}
"""Table 5: seconds per 100 prompts, and their ratio to the fastest model's."""

MEANS: PerDomain[tuple[float, float]] = {
    DEEPSEEK: {"plans": (82.6, 23.4), "routes": (81.4, 25.6), "recipes": (83.9, 7.3)},
    GRANITE: {"plans": (54.0, 22.6), "routes": (50.8, 18.1), "recipes": (43.6, 17.6)},
    LLAMA: {"plans": (55.0, 18.2), "routes": (50.3, 25.0), "recipes": (59.1, 22.4)},
}
"""Table 7: mean and deviation of accuracy over the eight analyses, in per cent."""

WELCH: Mapping[str, tuple[tuple[float, float], ...]] = {
    DEEPSEEK: ((0.13, 0.897), (-0.14, 0.890), (-0.26, 0.799)),
    GRANITE: ((0.51, 0.623), (1.08, 0.299), (1.67, 0.123)),
    LLAMA: ((0.33, 0.746), (-0.43, 0.678), (-0.67, 0.514)),
}
"""Table 8: t and p for plans-routes, plans-recipes and routes-recipes."""

GAIN: PerDomain[float] = {
    DEEPSEEK: {"plans": 34.4, "routes": 31.4, "recipes": 37.1},
    GRANITE: {"plans": 5.8, "routes": -0.5, "recipes": 3.9},
    LLAMA: {"plans": 3.0, "routes": 0.2, "recipes": 11.8},
}
"""Figure 2: mean of accuracy minus random over the eight analyses, in points."""

SIZES: Mapping[str, tuple[int, float, int, int, int, int]] = {
    "plans": (1378, 6.77, 1, 15, 11_024, 800),
    "routes": (1500, 17.26, 4, 56, 800, 800),
    "recipes": (1382, 4.15, 3, 17, 1600, 800),
}
"""Table 3: procedures, their steps (mean, least, most), questions made and questions used."""

DOUBTS: Mapping[str, str] = {
    "table 5": (
        "The paper's plans row is the log of travel, and its travel row mixes the logs of plans "
        "and recipes."
    ),
    "table 7": (
        "Of the paper's means, llama's of plans, and granite's and llama's of travel and recipes, "
        "do not follow from its Table 6; most of its deviations differ too."
    ),
    "table 8": "The paper's p values hardly ever follow from its Table 6.",
    "figure 2": "The paper's gains follow from its Table 6, not from its Table 7.",
}


def name(model: str) -> str:
    """Return the paper's name of a model, by that name or by the name in the published files."""
    plain = model.partition(" (")[0].rpartition("/")[2]
    return MODELS.get(plain, plain)
