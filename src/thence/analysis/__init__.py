"""Comparisons and summaries of scores."""
