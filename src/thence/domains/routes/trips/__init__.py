"""Trips of one or two vehicles with an order sheet: legs by the router, jobs at stops, closures."""
