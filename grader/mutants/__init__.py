"""Mutants: right programs with one change each, which prove a spec.

Theory of operation. A rule changes one instruction (``asm``) or one node of the syntax tree (``syntax``). The mutants of a
program stand in an order that only their text decides (``drawing``). A mutant is *visible* if it prints or ends otherwise than
its original in one of the games of the original (``scenes``). Each visible mutant is graded twice (``proving``):
*cold*, as any submission, and *warm*, with the words of its original as corrections. The smaller loss of both grades decides the outcome. ``record`` keeps the results and holds them to the file that explains the accepted ones, and ``table`` writes the figures.
"""
