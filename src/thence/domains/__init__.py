"""Domains lower texts and structures to procedures; they know nothing of any benchmark."""
