"""Base of every family: tasks, samples, scores, seeds, statistics, the registry."""
