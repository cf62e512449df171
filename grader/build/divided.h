/* What the files of the runtime share; see divided.c. */
#define PAGE 4096ul
#define PIECE (1ul << 20)       /* no cage lets memory that is shared be larger */
#define OURS __attribute__((visibility("hidden")))

/* divided.c */
OURS void grader_dies(const char *why);
OURS void grader_shares(char *from, char *end);        /* makes zeros of it, which both processes have */

/* divided_heap.c */
OURS void grader_makes_heap(void);                      /* unless there is one already */
