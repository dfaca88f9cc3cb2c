"""Base of every family: samples, scores, seeds, templates, statistics, the registry."""
