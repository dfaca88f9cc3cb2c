"""FABLE over recipes."""
