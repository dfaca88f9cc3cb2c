"""Dishes that the generator can cook: each a grammar of techniques with parts that vary.

A module of this package holds ``DISHES``: functions from a random generator to a `Dish`.
"""
