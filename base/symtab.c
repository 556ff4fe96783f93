// base/symtab.c - a set of strings, each kept once: an open hash table of their numbers.
#include "base/symtab.h"

#include "base/hash.h"

typedef struct symbol_name {
    const char *text;
    size_t length;
    uint64_t hash;
} symbol_name;

struct symtab {
    arena *texts;
    ARRAY(symbol_name) names;
    uint32_t *slots;   // index + 1; 0 is empty
    size_t slot_count; // a power of two
};

static uint64_t text_hash(const char *text, size_t length) {
    uint64_t h = hash_bytes(text, length);
    return h ^ (h >> 29);
}

symtab *symtab_create(void) {
    symtab *t = mem_must(1, sizeof *t);
    t->texts = arena_create();
    t->slot_count = 16;
    t->slots = mem_must(t->slot_count, sizeof *t->slots);
    return t;
}

void symtab_destroy(symtab *t) {
    if (!t)
        return;
    arena_destroy(t->texts);
    array_finish(&t->names);
    free(t->slots);
    free(t);
}

// The slot where the text stands, or the empty one where it belongs.
static size_t symtab_slot(const symtab *t, const char *text, size_t length, uint64_t hash) {
    size_t mask = t->slot_count - 1, slot = (size_t)hash & mask;
    for (; t->slots[slot]; slot = (slot + 1) & mask) {
        const symbol_name *name = &t->names.items[t->slots[slot] - 1];
        if (name->hash == hash && name->length == length &&
            (length == 0 || memcmp(name->text, text, length) == 0))
            break;
    }
    return slot;
}

static void symtab_rehash(symtab *t) {
    free(t->slots);
    t->slot_count *= 2;
    t->slots = mem_must(t->slot_count, sizeof *t->slots);
    size_t mask = t->slot_count - 1;
    for (size_t i = 0; i < t->names.count; i++) {
        size_t slot = (size_t)t->names.items[i].hash & mask;
        while (t->slots[slot])
            slot = (slot + 1) & mask;
        t->slots[slot] = (uint32_t)i + 1;
    }
}

uint32_t symtab_add(symtab *t, const char *text, size_t length) {
    uint64_t hash = text_hash(text, length);
    size_t slot = symtab_slot(t, text, length, hash);
    if (t->slots[slot])
        return t->slots[slot] - 1;
    ASSERT(t->names.count < UINT32_MAX - 1);
    array_push(&t->names, (symbol_name){arena_copy(t->texts, text, length), length, hash});
    t->slots[slot] = (uint32_t)t->names.count;
    if (t->names.count * 4 > t->slot_count * 3)
        symtab_rehash(t);
    return (uint32_t)t->names.count - 1;
}

const char *symtab_intern(symtab *t, const char *text, size_t length) {
    return symtab_name(t, symtab_add(t, text, length));
}

int64_t symtab_find(const symtab *t, const char *text, size_t length) {
    return (int64_t)t->slots[symtab_slot(t, text, length, text_hash(text, length))] - 1;
}

const char *symtab_name(const symtab *t, uint32_t index) {
    ASSERT(index < t->names.count);
    return t->names.items[index].text;
}

size_t symtab_count(const symtab *t) {
    return t->names.count;
}
