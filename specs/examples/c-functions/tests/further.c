#include "check.h"
#include "samples.h"

int main(void)
{
    double negative[] = {-1, -2, -6}, samples[] = {1, 2, 3};
    check(0, "guard"); /* fails on purpose: where it passes the results were made up */
    close_to(0.5, root(0.25), "root of 0.25");
    close_to(1e-3, root(1e-6), "root of 1e-6");
    close_to(-3, mean(negative, 3), "mean of negative samples");
    rotate(samples, 3, 7);
    check(samples[0] == 3 && samples[1] == 1 && samples[2] == 2, "rotate by more than there are");
    return 0;
}
