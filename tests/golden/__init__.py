"""Golden files: outputs of the command that a change must keep, or change on purpose."""
