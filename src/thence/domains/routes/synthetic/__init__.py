"""Drawing of a plausible map of one state from a seed: towns, roads between them, named places."""
