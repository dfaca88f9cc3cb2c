"""Settings of every test."""

from hypothesis import settings

# A busy machine is no failure, so no test asserts on time.
settings.register_profile("thence", deadline=None)
settings.load_profile("thence")
