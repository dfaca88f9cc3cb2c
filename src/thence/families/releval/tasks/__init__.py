"""The three tasks of RELEVAL, one module each."""
