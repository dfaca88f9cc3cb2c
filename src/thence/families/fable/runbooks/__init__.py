"""FABLE's written procedures: our collection, and files of a user's own."""
