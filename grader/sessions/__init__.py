"""Anything that talks: a simulated machine or the course's reference, driven by the same few verbs."""
