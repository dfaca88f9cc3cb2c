"""The task of CaT-Bench."""
