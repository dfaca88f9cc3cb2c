"""Optimal plans as procedures, solved by a planner in processes of its own."""

from thence.domains.plans.generate import PlanParameters, SolvedPlan, random_plan

__all__ = ["PlanParameters", "SolvedPlan", "random_plan"]
