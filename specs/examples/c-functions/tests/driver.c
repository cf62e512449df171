#include "check.h"
#include "samples.h"

int main(void)
{
    double one[] = {3.5}, four[] = {2, 4, 4, 6}, equal[] = {7, 7, 7};
    close_to(4, root(16), "root of 16");
    close_to(1.4142135623730951, root(2), "root of 2");
    close_to(1000, root(1e6), "root of 1e6");
    close_to(0, root(0), "root of 0");

    close_to(3.5, mean(one, 1), "mean of one");
    close_to(4, mean(four, 4), "mean of four");
    close_to(1.4142135623730951, deviation(four, 4), "deviation of four");
    close_to(0, deviation(equal, 3), "deviation of equal samples");

    double samples[] = {1, 2, 3, 4}, none[] = {5, 6}, middle[] = {9, 1, 2, 3, 9};
    rotate(samples, 4, 1);
    check(samples[0] == 4 && samples[1] == 1 && samples[2] == 2 && samples[3] == 3, "rotate by one");
    rotate(none, 2, 0);
    check(none[0] == 5 && none[1] == 6, "rotate by none");
    rotate(middle + 1, 3, 2);
    check(middle[0] == 9 && middle[1] == 2 && middle[2] == 3 && middle[3] == 1 && middle[4] == 9, "rotate leaves its neighbours");
    return 0;
}
