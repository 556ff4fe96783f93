// base/symtab.h - a set of strings, each kept once.
//
// Owns:      its strings; pointers to them live as long as the table.
#ifndef FORESEE_BASE_SYMTAB_H
#define FORESEE_BASE_SYMTAB_H

#include "base/mem.h"

typedef struct symtab symtab;
symtab *symtab_create(void);
void symtab_destroy(symtab *t);
const char *symtab_intern(symtab *t, const char *text, size_t length);
// The index (from 0, in order of first interning), or -1 when `text` was never interned.
int64_t symtab_find(const symtab *t, const char *text, size_t length);
const char *symtab_name(const symtab *t, uint32_t index);
uint32_t symtab_add(symtab *t, const char *text, size_t length);
size_t symtab_count(const symtab *t);

#endif
