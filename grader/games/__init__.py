"""Games: what programs say of them (`hear`), games that are followed (`follow`), what is learned (`learn`), and the families."""
