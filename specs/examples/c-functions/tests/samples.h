/* The functions that samples.c must define. */
double root(double x);
double mean(const double *samples, int count);
double deviation(const double *samples, int count);
void rotate(double *samples, int count, int by);
