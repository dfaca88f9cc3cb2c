"""Figures that the ProcBench paper prints (Fujisawa et al. 2024), as data for comparison with ours.

Nothing here is ever copied into a result.
"""

from __future__ import annotations

from collections.abc import Mapping

SOURCE = "Fujisawa et al. 2024"

type Pairs = tuple[
    tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]
]

TABLE_2: Mapping[str, Pairs] = {
    "Claude-3.5-Sonnet": ((0.589, 0.455), (0.382, 0.221), (0.255, 0.115), (0.378, 0.230)),
    "Mistral-Large": ((0.495, 0.366), (0.384, 0.239), (0.265, 0.142), (0.362, 0.229)),
    "Gemini-1.5-Pro": ((0.329, 0.167), (0.230, 0.117), (0.159, 0.071), (0.224, 0.110)),
    "GPT-4o": ((0.631, 0.396), (0.437, 0.285), (0.344, 0.204), (0.443, 0.278)),
    "GPT-4o-mini": ((0.408, 0.201), (0.220, 0.089), (0.143, 0.039), (0.230, 0.093)),
    "o1-mini": ((0.801, 0.722), (0.681, 0.484), (0.508, 0.214), (0.641, 0.432)),
    "o1-preview": ((0.799, 0.656), (0.736, 0.563), (0.599, 0.333), (0.698, 0.496)),
}
"""Table 2: PA and SM by model, of short, medium and long samples and overall."""

QUESTIONS = 5520
"""Number of questions that the paper asks."""

ALWAYS_ZERO = 91
"""Number of questions on which PA is 0 for all seven models."""
