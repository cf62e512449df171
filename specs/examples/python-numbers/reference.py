"""A checker for outputs, if many are right."""


def are_primes(typed: str, printed: str) -> str:
    """Two primes must be printed, with twice the number that was typed as their sum."""
    words = printed.split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        return "it should print two numbers and nothing else"
    one, other = map(int, words)
    for number in (one, other):
        if number < 2 or any(number % divisor == 0 for divisor in range(2, number)):
            return f"{number} is no prime"
    wanted = 2 * int(typed or "0")
    return "" if one + other == wanted else f"{one} + {other} is {one + other}, and not {wanted}"
