"""Optimal plans as procedures, solved by a planner in processes of its own."""

from thence.domains.plans.generate import Plan, Recipe, draw, procedures

__all__ = ["Plan", "Recipe", "draw", "procedures"]
