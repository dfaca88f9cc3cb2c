"""What every family shares: samples, scores, seeds, templates, statistics, the registry."""
