"""Ingredients that are unsafe raw, and the reasons."""

from __future__ import annotations

import re

_POULTRY = "chicken|turkey|duck|goose"
_MEAT = "beef|lamb|pork|veal|mince|sausages?|bacon|pancetta|ribs|steak|lardons|chorizo|ham"
_FISH = "cod|salmon|tuna|trout|haddock|fish|prawns?|shrimps?|mussels?|clams?|squid|crab|scallops?"
_NOT_RAW = re.compile(
    r"\b(?:stock|broth|sauce|paste|cooked|smoked|tinned|canned|smoked|boiled|dried|green|cube|"
    r"powder|noodles?|free|plant|vegan|dried fruit|fat)\b"
)
_KINDS = (
    (re.compile(r"\beggs?\b|\begg (?:yolks?|whites?)\b"), "salmonella"),
    (re.compile(rf"\b(?:{_POULTRY})\b"), "salmonella"),
    (re.compile(rf"\b(?:{_MEAT})\b"), "harmful bacteria"),
    (re.compile(rf"\b(?:{_FISH}|sea bass)\b"), "parasites or bacteria"),
)
_BEANS = re.compile(r"\bdried (?:kidney )?(?:beans|white beans|borlotti beans|broad beans)\b")


def hazard(ingredient: str) -> str | None:
    """Return the hazard of a raw ingredient; None if it is safe raw."""
    if _BEANS.search(ingredient):
        return "a natural toxin"
    if _NOT_RAW.search(ingredient) or "eggplant" in ingredient or "bean" in ingredient:
        return None
    return next((kind for form, kind in _KINDS if form.search(ingredient)), None)
