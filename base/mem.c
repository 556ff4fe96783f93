// base/mem.c - funds, arenas and growable arrays.
#include "base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// Under the address sanitizer every piece gets a block of its own, so that a step over its end
// shows.
#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_FIRST 0
#define BLOCK_MAX 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_FIRST 0
#define BLOCK_MAX 0
#endif
#endif
#ifndef BLOCK_FIRST
#define BLOCK_FIRST 4096
#define BLOCK_MAX (1u << 20)
#endif

// The heap goes on in large pages, with room that costs nothing until it is used. Pieces that are
// larger than PIECE_MOST, which mostly are room for reading that is not used, stand elsewhere.
#define LARGE_PAGE ((uintptr_t)2 << 20)
#define HEAP_ROOM (64 << 20)
#define PIECE_MOST (4 << 20)
// Before the first large page stands what malloc writes when it gets the room: a large page of
// which a part was touched before it was asked for is made of small ones. The piece is larger than
// the heap that a process begins with.
#define PIECE_FIRST ((uintptr_t)140 << 10)
#define BEFORE_LARGE (PIECE_FIRST + 4096)

void mem_ask_large(void) {
    uintptr_t end = (uintptr_t)sbrk(0),
              first = (end + BEFORE_LARGE + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
    if (sbrk((intptr_t)(first - BEFORE_LARGE - end)) == (void *)-1)
        return;
    mallopt(M_TOP_PAD, HEAP_ROOM);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_ROOM);
    mallopt(M_MMAP_THRESHOLD, PIECE_MOST);
    void *volatile piece = malloc(PIECE_FIRST); // volatile: else nothing would be asked for
    free(piece);
    mallopt(M_TOP_PAD, PIECE_MOST);
    uintptr_t last = (uintptr_t)sbrk(0);
    if (last > first)
        madvise((void *)first, last - first, MADV_HUGEPAGE); // only advice
}

static _Thread_local mem_fund *innermost;

// Adds a block in front of those of the fund. No block is given back for a larger one: that might
// not be had, and then neither might the first.
static bool fund_grow(mem_fund *f, size_t bytes) {
    void **block = malloc(bytes < sizeof *block ? sizeof *block : bytes);
    if (!block)
        return false;
    *block = f->block;
    f->block = block;
    return true;
}

static void fund_spend(mem_fund *f) {
    while (f->block) {
        void *next = *(void **)f->block;
        free(f->block);
        f->block = next;
    }
}

bool mem_fund_open(mem_fund *f, size_t bytes) {
    *f = (mem_fund){.outer = innermost};
    if (!fund_grow(f, bytes))
        return false;
    innermost = f;
    return true;
}

bool mem_fund_add(size_t bytes) {
    mem_fund *f = innermost;
    return !f || (f->block && fund_grow(f, bytes));
}

void mem_fund_close(mem_fund *f) {
    fund_spend(f);
    innermost = f->outer;
}

bool mem_fund_spend(void) {
    mem_fund *f = innermost;
    while (f && !f->block)
        f = f->outer;
    if (f)
        fund_spend(f);
    return f != NULL;
}

// The process has one answer to it, which libraries cannot know.
static void (*_Atomic when_exhausted)(void);

void mem_on_exhausted(void (*what)(void)) {
    when_exhausted = what;
}

void mem_exhausted(void) {
    if (mem_fund_spend())
        return;
    void (*what)(void) = when_exhausted;
    if (what) {
        what();
        return;
    }
    fputs("no memory is left\n", stderr);
    abort();
}

void *mem_must(size_t count, size_t size) {
    if (count == 0 || size == 0)
        count = size = 1;
    void *piece = calloc(count, size);
    while (!piece) {
        mem_exhausted();
        piece = calloc(count, size);
    }
    return piece;
}

char *mem_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_must(size, 1), text, size);
}

typedef struct block block;
struct block {
    block *next; // older
    size_t size, used;
    _Alignas(16) unsigned char bytes[];
};

struct arena {
    block *newest;
    size_t next_size, first_size;
};

static block *block_create(size_t size, block *next) {
    if (size > SIZE_MAX - sizeof(block))
        return NULL;
    block *b = malloc(sizeof(block) + size);
    if (!b)
        return NULL;
    b->next = next;
    b->size = size;
    b->used = 0;
    return b;
}

arena *arena_create_small(size_t first) {
    arena *a = mem_must(1, sizeof *a);
    a->next_size = a->first_size = first < BLOCK_FIRST ? first : BLOCK_FIRST;
    return a;
}

arena *arena_create(void) {
    return arena_create_small(BLOCK_FIRST);
}

size_t arena_bytes(const arena *a) {
    size_t all = 0;
    for (const block *b = a->newest; b; b = b->next)
        all += sizeof *b + b->size;
    return all;
}

void arena_destroy(arena *a) {
    if (!a)
        return;
    for (block *b = a->newest, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

void arena_reset(arena *a) {
    block *b = a->newest;
    while (b && b->next) {
        block *next = b->next;
        free(b);
        b = next;
    }
    // A first block made for one large piece is not worth keeping.
    if (b && b->size > a->first_size) {
        free(b);
        b = NULL;
    }
    if (b)
        b->used = 0;
    a->newest = b;
    a->next_size = a->first_size;
}

void arena_rewind(arena *a, size_t most) {
    block *b = a->newest;
    if (!b || BLOCK_MAX == 0 || (!b->next && b->size > most)) {
        arena_reset(a);
        return;
    }
    if (!b->next) {
        b->used = 0;
        return;
    }
    // One block in place of several, made when it is needed.
    size_t all = 0;
    for (block *next; b; b = next) {
        next = b->next;
        all += b->size;
        free(b);
    }
    a->newest = NULL;
    a->next_size = all < most ? all : most;
    if (a->next_size < a->first_size)
        a->next_size = a->first_size;
}

arena_mark arena_mark_of(const arena *a) {
    return (arena_mark){a->newest, a->newest ? a->newest->used : 0, a->next_size};
}

void arena_return_to(arena *a, arena_mark mark) {
    // Large pieces that lie behind the marked block stay until the arena is freed.
    block *b = a->newest;
    while (b != mark.newest) {
        block *next = b->next;
        free(b);
        b = next;
    }
    a->newest = b;
    a->next_size = mark.next_size;
    if (b)
        b->used = mark.used;
}

void *arena_try(arena *a, size_t size) {
    if (size > SIZE_MAX - 16)
        return NULL;
    size_t need = size == 0 ? 16 : (size + 15) & ~(size_t)15;
    block *b = a->newest;
    if (!b || b->size - b->used < need) {
        if (need > a->next_size / 2 && b && BLOCK_MAX > 0) {
            // A large piece lies behind the newest block, which stays in use.
            block *own = block_create(need, b->next);
            if (!own)
                return NULL;
            own->used = need;
            b->next = own;
            return memset(own->bytes, 0, need);
        }
        size_t wanted = need > a->next_size ? need : a->next_size;
        // The sanitizer can only see the true end when the block ends there too.
        b = block_create(BLOCK_MAX > 0 ? wanted : size, a->newest);
        if (!b && wanted > need)
            b = block_create(BLOCK_MAX > 0 ? need : size, a->newest);
        if (!b)
            return NULL;
        a->newest = b;
        if (BLOCK_MAX == 0) {
            b->used = b->size;
            return memset(b->bytes, 0, size);
        }
        if (a->next_size < BLOCK_MAX)
            a->next_size *= 2;
    }
    // Pieces are zeroed as they are given, so that nothing touches what is never given.
    void *piece = b->bytes + b->used;
    b->used += need;
    return memset(piece, 0, need);
}

void *arena_alloc(arena *a, size_t size) {
    void *piece = arena_try(a, size);
    while (!piece) {
        mem_exhausted();
        piece = arena_try(a, size);
    }
    return piece;
}

char *arena_copy(arena *a, const char *text, size_t length) {
    ASSERT(length < SIZE_MAX);
    char *copy = arena_alloc(a, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(arena *a, const char *text) {
    return arena_copy(a, text, strlen(text));
}

char *arena_format(arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    ASSERT(length >= 0);
    char *text = arena_alloc(a, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

bool array_grow(void **items, size_t *capacity, size_t need, size_t size) {
    size_t wanted = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;
    if (size > 0 && wanted > SIZE_MAX / size)
        return false;
    // Read and written as bytes: `items` is a pointer to some other type of pointer.
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = realloc(old, wanted * size);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

void array_grow_must(void **items, size_t *capacity, size_t need, size_t size) {
    while (!array_grow(items, capacity, need, size))
        mem_exhausted();
}
