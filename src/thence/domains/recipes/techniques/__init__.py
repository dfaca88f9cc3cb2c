"""Dishes of the generator: each is a grammar of cooking techniques with variable parts.

A module of this package holds ``DISHES``: functions from a random generator to a `Dish`.
"""
