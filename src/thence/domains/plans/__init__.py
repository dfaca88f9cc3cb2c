"""Optimal plans as procedures, solved by a planner in processes of its own."""

from thence.domains.plans.generate import Plan, PlanParameters, procedures, random_plan

__all__ = ["Plan", "PlanParameters", "procedures", "random_plan"]
