"""From replies to scores."""
