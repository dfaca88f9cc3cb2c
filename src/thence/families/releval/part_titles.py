"""Titles of the parts of a plan's accuracy: of each, higher is better."""

TITLES = {
    "consistency": "plan consistent",
    "duplicates": "plan without duplicates",
    "object_numbers": "plan of asked objects",
    "relation_numbers": "plan of asked relations",
}
