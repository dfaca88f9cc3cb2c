"""The package as a user gets it: built, installed, on other systems."""
