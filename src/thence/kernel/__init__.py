"""What every family shares: samples, answers, scores, seeds, templates, statistics, the registry."""
