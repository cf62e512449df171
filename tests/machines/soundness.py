"""The proof that an instruction table can be trusted.

Each pattern has the table's width, and each field is contiguous. No word matches two rows. Each field can be written and is
understood, and decoding what was encoded gives it back.
"""

from itertools import combinations


def encoded(row, values):
    """The word with these field values, negative ones in two's complement; ValueError when one does not fit."""
    word = row.fixed_bits
    for letter, place in row.fields.items():
        value = values[letter]
        if not -(1 << place.width - 1) <= value <= place.mask:
            raise ValueError(f"{row.name}: {value} does not fit field {letter} of {place.width} bits")
        word |= (value & place.mask) << place.shift
    return word


def unsound(table):
    """Every reason why ``table`` cannot be trusted, as sentences; empty for a sound one."""
    shapes = tuple(_shape_problems(table))
    if shapes:
        return shapes
    return (*_overlaps(table), *_alias_problems(table), *_round_trip_problems(table))


def _shape_problems(table):
    for row in table.rows:
        if len(row.bits) != table.width:
            yield f"{row.name}: {len(row.bits)} bits, not {table.width}"
        for letter, place in row.fields.items():
            if row.bits.count(letter) != place.width:
                yield f"{row.name}: the bits of field {letter} are not contiguous"
            if letter not in table.operands:
                yield f"{row.name}: nothing says what field {letter} means"
        if sorted(row.letters) != sorted(row.fields):
            yield f"{row.name}: written with {sorted(row.letters)}, encoded with {sorted(row.fields)}"


def _overlaps(table):
    for one, other in combinations(table.rows, 2):
        if not (one.fixed_bits ^ other.fixed_bits) & one.fixed_mask & other.fixed_mask:
            yield f"some word matches both {one.name} ({one.pattern}) and {other.name} ({other.pattern})"


def _alias_problems(table):
    for alias in table.aliases:
        rows = [row for row in table.rows if row.name == alias.of]
        if not rows:
            yield f"{alias.name}: there is no row {alias.of}"
        for row in rows:
            for letter, value in alias.given.items():
                if letter not in row.fields:
                    yield f"{alias.name}: {alias.of} has no field {letter}"
                elif not (bounds := table.bounds(row.fields[letter]))[0] <= value <= bounds[1]:
                    yield f"{alias.name}: {value} does not fit field {letter} of {alias.of}"


def _round_trip_problems(table):
    """Each field at its least and greatest value, and at 0, the others at their least: encode, then decode."""
    for row in table.rows:
        least = {letter: table.bounds(place)[0] for letter, place in row.fields.items()}
        trials = [least]
        for letter, place in row.fields.items():
            trials += [{**least, letter: 0}, {**least, letter: table.bounds(place)[1]}]
        for values in trials:
            if table.decode(encoded(row, values)) != (row, values):
                yield f"{row.name}: {values} is not what comes back from decoding it"
