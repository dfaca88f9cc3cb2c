"""The 24 tasks of FABLE, eight analyses of plans, routes and recipes, and eight of runbooks."""

from __future__ import annotations

from thence.families.fable.plans.domain import TASKS as PLANS
from thence.families.fable.recipes.domain import TASKS as RECIPES
from thence.families.fable.routes.domain import TASKS as ROUTES
from thence.families.fable.runbooks.domain import TASKS as RUNBOOKS

TASKS = (*PLANS, *ROUTES, *RECIPES, *RUNBOOKS)
