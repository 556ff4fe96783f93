// base/mem.h - arenas and growable arrays.
//
// Out of memory: the `_try` forms return NULL or false, and their callers answer E_MEMORY. The
// other forms call mem_exhausted, which first frees the funds that are open, so that a call that
// set enough memory aside ends in order; then the program decides. Records that were logged are
// committed, and survive.
#ifndef FORESEE_BASE_MEM_H
#define FORESEE_BASE_MEM_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

// Memory that a call sets aside before it begins, for what it cannot do without until it ends. One
// thread's funds are its own; the innermost goes first.
typedef struct mem_fund mem_fund;
struct mem_fund {
    void *block; // begins with the address of the block that was added before it; NULL: spent
    mem_fund *outer;
};
bool mem_fund_open(mem_fund *f, size_t bytes); // false: memory is out already; nothing is open
// Adds bytes to the innermost fund, where one is open. False: the fund stays as it was.
bool mem_fund_add(size_t bytes);
void mem_fund_close(mem_fund *f);
bool mem_fund_spend(void); // gives one back to the heap; false: there is none
// Sets what the process does when no memory is left, nor any fund: the function returns when it has
// given memory back, and does not return otherwise. NULL: the process says so and aborts.
void mem_on_exhausted(void (*what)(void));
// Returns when memory was freed, so that the caller can try again.
void mem_exhausted(void);
// Asks for the first memory of the process in large pages, before anything else asks for memory: a
// command that lives for a moment would spend a third of it on being given one small page after the
// other. Where the system has none, small pages come as before.
void mem_ask_large(void);
// Zeroed; at least one byte. Where there is no memory it does not return. free() frees it.
void *mem_must(size_t count, size_t size);
char *mem_strdup(const char *text);

// Memory that is freed all at once. Blocks are aligned to 16 bytes and zeroed.
typedef struct arena arena;
arena *arena_create(void);
arena *arena_create_small(size_t first); // its first block has this size, at most 4096 bytes
size_t arena_bytes(const arena *a);      // of its blocks
void arena_destroy(arena *a);            // NULL is a no-op
void arena_reset(arena *a);              // frees all but the first block
// The same, but keeps room for as much as the arena held, up to `most` bytes: an arena that is
// filled alike again and again then allocates nothing any more.
void arena_rewind(arena *a, size_t most);
// Marks what the arena holds, and frees what was taken since.
typedef struct arena_mark {
    struct block *newest;
    size_t used, next_size;
} arena_mark;
arena_mark arena_mark_of(const arena *a);
void arena_return_to(arena *a, arena_mark mark);
void *arena_alloc(arena *a, size_t size);
void *arena_try(arena *a, size_t size);                      // NULL when memory is out
char *arena_copy(arena *a, const char *text, size_t length); // ends it with a 0
char *arena_strdup(arena *a, const char *text);
char *arena_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ARRAY(T) is a growable array. Start from {0}; array_finish frees it.
#define ARRAY(T)                                                                                   \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, capacity;                                                                    \
    }
bool array_grow(void **items, size_t *capacity, size_t need, size_t size); // false: out of memory
void array_grow_must(void **items, size_t *capacity, size_t need, size_t size);
#define array_reserve_try(a, n)                                                                    \
    ((n) <= (a)->capacity ||                                                                       \
     array_grow((void **)&(a)->items, &(a)->capacity, (n), sizeof *(a)->items))
#define array_reserve(a, n)                                                                        \
    ((n) <= (a)->capacity                                                                          \
         ? (void)0                                                                                 \
         : array_grow_must((void **)&(a)->items, &(a)->capacity, (n), sizeof *(a)->items))
#define array_push_try(a, ...)                                                                     \
    (array_reserve_try(a, (a)->count + 1) ? ((a)->items[(a)->count++] = (__VA_ARGS__), true)       \
                                          : false)
#define array_push(a, ...)                                                                         \
    ((a)->count < (a)->capacity ? (void)0                                                          \
                                : array_grow_must((void **)&(a)->items, &(a)->capacity,            \
                                                  (a)->count + 1, sizeof *(a)->items),             \
     (void)((a)->items[(a)->count++] = (__VA_ARGS__)))
#define array_remove(a, i) /* the item number i; those behind it move up */                        \
    ((a)->count--, (void)memmove((a)->items + (i), (a)->items + (i) + 1,                           \
                                 ((a)->count - (i)) * sizeof *(a)->items))
#define array_finish(a) (free((a)->items), (void)memset((a), 0, sizeof *(a)))

#endif
