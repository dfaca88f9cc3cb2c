"""The environment as `verifiers` finds it: by the name of a package, with one class of each kind.

``vf-eval thence-verifiers`` imports this; the rest is in `thence.integrations.for_verifiers`.
"""

from thence.integrations.for_verifiers import ThenceEnv, ThenceHarness, ThenceTaskset

__all__ = ["ThenceEnv", "ThenceHarness", "ThenceTaskset"]
