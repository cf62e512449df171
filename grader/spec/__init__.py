"""What a course writes: the model of a spec, what it expects of a program, and the loader that reads it."""
