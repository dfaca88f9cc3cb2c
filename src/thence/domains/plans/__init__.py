"""Plans: grounded actions as steps, solved by a planner in processes of its own."""
