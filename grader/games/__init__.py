"""Games followed with their rules: sampled by a seed, and the smallest one that shows a defect."""
