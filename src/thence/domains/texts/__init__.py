"""Texts with steps: recipes, runbooks, protocols and checklists as people write them."""
