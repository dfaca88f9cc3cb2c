"""Summaries and comparisons of scores, and validation of tasks."""
