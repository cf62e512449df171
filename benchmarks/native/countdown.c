#include <stdio.h>

/* Twenty exchanges: a prompt, an answer, a line about it. */
int main(void)
{
    int left = 40, answer;
    while (left > 0) {
        printf("%d left. Take one or two? ", left);
        if (scanf("%d", &answer) != 1)
            return 1;
        if (answer < 1 || answer > 2) {
            printf("No.\n");
            answer = 2;
        }
        printf("You took %d.\n", answer);
        left -= 2;
    }
    printf("Done.\n");
    return 0;
}
