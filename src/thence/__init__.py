"""Thence measures whether language models can follow."""

__version__ = "0.1.0"
