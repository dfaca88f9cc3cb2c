"""Optional parts: what each extra of the package adds, and whether it is installed."""

from __future__ import annotations

import re
from importlib import metadata

EXTRAS = {
    "plans": "FABLE's plans, and CaT-Bench of plans (Fast Downward)",
    "routes": "FABLE's routes, and CaT-Bench of routes (Valhalla)",
    "gguf": "models in local GGUF files, by llama.cpp, and nano, the model that is shipped",
    "hf": "models of transformers on this machine",
    "ray": "questions, replies and scores made on a cluster of Ray",
    "report": "figures as PDF, and as SVG with outlined words",
    "excel": "sheets as .xlsx",
    "parquet": "questions as Parquet, and folders for the Hugging Face Hub",
    "datasets": "questions as datasets of Hugging Face, and for trainers",
    "inspect": "our tasks in Inspect, and its logs",
    "lm-eval": "our tasks in the lm-evaluation-harness",
    "reasoning-gym": "our tasks in reasoning-gym",
    "verifiers": "our tasks in verifiers",
    "mlflow": "runs logged to MLflow",
    "tensorboard": "runs logged to TensorBoard",
    "trackio": "runs logged to trackio",
    "wandb": "runs logged to Weights & Biases",
    "spacy": "recipes read with spaCy's noun phrases",
}

_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")
_NAME = re.compile(r"[\w.-]+")


def missing(extra: str) -> list[str]:
    """Return the packages of an extra that are not installed."""
    names = [
        name.group()
        for line in metadata.requires("thence") or ()
        if (of := _EXTRA.search(line)) and of[1] == extra and (name := _NAME.match(line))
    ]
    return [name for name in names if not _installed(name)]


def _installed(name: str) -> bool:
    """Return whether a distribution is installed."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True
