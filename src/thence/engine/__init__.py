"""Running a model over samples: fast, resumable, with nothing lost."""
