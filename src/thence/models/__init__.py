"""Whatever can answer: endpoints, local files and the four baselines, behind one interface."""
