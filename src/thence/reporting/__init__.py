"""Tables in the terminal, a page of results, and files of tables and figures."""
