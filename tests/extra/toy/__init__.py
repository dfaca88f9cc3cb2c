"""A family that lies outside the package: what a fifth benchmark costs."""

from thence.core.family import Family

FAMILY = Family(name="toy", title="Toy", paper="none", summary="a few questions, for tests")
