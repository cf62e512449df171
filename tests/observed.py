"""Lines of a source by what an observed run executed of them."""

from grader.machines.image import Content


def lines_run(seen):
    """The source lines with an instruction that ran."""
    return {seen.image.origins[address].span.line for address in seen.executed & seen.image.origins.keys()}


def lines_never_run(seen):
    """The source lines with instructions that never ran."""
    return {o.span.line for o in seen.image.origins.values() if o.content is Content.CODE} - lines_run(seen)
