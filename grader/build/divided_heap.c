/* A heap for the two processes of divided.c: that of the C library keeps its books in variables that belong to each process alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "grader_divided.h"

struct block {
    uint64_t room;              /* bytes behind this head */
    uint32_t mark, ahead;       /* how far behind the beginning of the room a pointer that was aligned lies */
};

enum mark { TAKEN = 0x7a6b5c4d, FREED = 0x13243546 };

#define CLASSES 17              /* 32 bytes to 1 MiB, in powers of two; what is larger is kept in one list, by its size */

static struct heap {
    volatile int lock;
    char *next, *end;
    struct block *free[CLASSES];
} *heap;

void grader_makes_heap(void) {
    if (heap)
        return;
    const char *wanted = getenv("GRADER_HEAP");
    size_t size = ((wanted ? strtoul(wanted, NULL, 10) : 64ul << 20) + PIECE - 1) / PIECE * PIECE;
    char *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        grader_dies("making a heap");
    grader_shares(place, place + size);
    heap = (struct heap *)place;
    heap->next = place + PAGE;
    heap->end = place + size;
}

static void lock(void) {
    grader_makes_heap();
    while (__atomic_exchange_n(&heap->lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void unlock(void) {
    __atomic_store_n(&heap->lock, 0, __ATOMIC_RELEASE);
}

static struct block *fitting(struct block **list, size_t room) {
    for (struct block **at = list; *at; at = (struct block **)(*at + 1))
        if ((*at)->room >= room && (*at)->room <= 2 * room) {
            struct block *block = *at;
            *at = *(struct block **)(block + 1);
            return block;
        }
    return NULL;
}

static int class_of(size_t room) {
    int class = 0;
    while (class < CLASSES - 1 && 32ul << class < room)
        class++;
    return class;
}

void *malloc(size_t size) {
    if (size > PTRDIFF_MAX)
        return errno = ENOMEM, NULL;
    int class = class_of(size);
    size_t room = class < CLASSES - 1 ? 32ul << class : (size + PAGE - 1) / PAGE * PAGE;
    lock();
    struct block *block = fitting(&heap->free[class], room);
    if (!block && room + sizeof *block <= (size_t)(heap->end - heap->next)) {
        block = (struct block *)heap->next;
        block->room = room;
        heap->next += room + sizeof *block;
    }
    unlock();
    if (!block)
        return errno = ENOMEM, NULL;
    block->mark = TAKEN;
    block->ahead = 0;
    return block + 1;
}

static struct block *block_of(void *pointer) {
    struct block *block = (struct block *)pointer - 1;
    return (struct block *)((char *)block - block->ahead);
}

void free(void *pointer) {
    if (!pointer)
        return;
    struct block *head = (struct block *)pointer - 1;
    int inside = (uintptr_t)pointer % 16 == 0 && (char *)pointer > (char *)heap && (char *)pointer < heap->end;
    if (!inside || head->mark != TAKEN) {       /* as the C library does */
        dprintf(2, "free(): %s\n", inside && head->mark == FREED ? "double free detected" : "invalid pointer");
        abort();
    }
    struct block *block = block_of(pointer);
    head->mark = block->mark = FREED;
    lock();
    struct block **list = &heap->free[class_of(block->room)];
    *(struct block **)(block + 1) = *list;
    *list = block;
    unlock();
}

void *calloc(size_t count, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(count, size, &all))
        return errno = ENOMEM, NULL;
    void *made = malloc(all);
    return made ? memset(made, 0, all) : NULL;
}

size_t malloc_usable_size(void *pointer) {
    return pointer ? block_of(pointer)->room - ((struct block *)pointer - 1)->ahead : 0;
}

void *realloc(void *old, size_t size) {
    if (old && size && malloc_usable_size(old) >= size)
        return old;
    void *made = size || !old ? malloc(size) : NULL;
    if (made && old)
        memcpy(made, old, malloc_usable_size(old));
    if (made || !size)
        free(old);
    return made;
}

void *memalign(size_t alignment, size_t size) {
    if (alignment <= 16)
        return malloc(size);
    char *made = malloc(size + alignment);
    if (!made)
        return NULL;
    char *there = (char *)(((uintptr_t)made + alignment - 1) & -alignment);
    if (there > made)
        ((struct block *)there)[-1] = (struct block){.mark = TAKEN, .ahead = (uint32_t)(there - made)};
    return there;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    void *made = memalign(alignment, size);
    if (made)
        *place = made;
    return made ? 0 : ENOMEM;
}
