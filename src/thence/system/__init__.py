"""Files, worker processes and signals of the operating system."""
