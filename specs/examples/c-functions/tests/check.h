/* Lines of TAP, each written at once: whatever comes after it, a result that was told is kept. */
#include <math.h>
#include <stdio.h>

static int checks;

static void check(int right, const char *name)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++checks, name);
    fflush(stdout);
}

/* Right to nine digits, or to 1e-12 where the number is as small. */
static void close_to(double expected, double actual, const char *name)
{
    int right = fabs(expected - actual) <= 1e-9 * fabs(expected) + 1e-12;
    check(right, name);
    if (!right)
        printf("# expected %.9g, and it is %.9g\n", expected, actual);
}
