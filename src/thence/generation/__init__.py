"""From a seed to samples, and samples in files."""
