"""Files and worker processes of the operating system."""
