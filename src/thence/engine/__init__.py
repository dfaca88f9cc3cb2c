"""Runs of a model over samples: many requests at once, resumable, with nothing lost."""
