"""Fuzzing of every reader of what others wrote: mutants of valid files and replies.

The invariant: a reader returns, or raises a `ThenceError` whose text is one printable line, within
bounded time and memory.
"""
