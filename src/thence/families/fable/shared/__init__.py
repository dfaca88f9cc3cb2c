"""The parts of FABLE that its three domains share."""
