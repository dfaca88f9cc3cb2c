"""Ways to put a question to a model: templates, protocols, conversations."""
