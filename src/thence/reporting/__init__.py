"""What people look at: tables in the terminal and a page."""
