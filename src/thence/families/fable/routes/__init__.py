"""FABLE over travel routes."""
