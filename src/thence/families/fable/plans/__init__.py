"""FABLE over plans."""
