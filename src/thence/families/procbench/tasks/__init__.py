"""The 23 tasks of ProcBench, one module each."""
