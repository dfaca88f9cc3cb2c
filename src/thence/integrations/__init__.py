"""Adapters for other programs: each stands on `thence` and `thence.api`, and needs its extra."""
