"""Models behind one interface: endpoints, local files and the baselines."""
