"""Self-check kits: folders that a course gives out, with what a student may see of an assignment and nothing else."""
