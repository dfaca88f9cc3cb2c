"""Models with one interface: endpoints, local files and baselines."""
