"""Travel routes as procedures: turn-by-turn directions on a real or a made-up map."""

NODES = 20_000  # points of the made-up map, by default
