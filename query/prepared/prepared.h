// query/prepared/prepared.h - rules that were lowered and checked when foresee was built.
//
// Making the shipped rules takes longer than most questions. So the build makes them once and keeps
// what came of them as a row of bytes, which foresee and libforesee contain (prepared_rules). A
// program whose files are these and no others takes its rules from there; what they say in their
// files (`written`) is not kept, since nothing asks for that once they are checked.
//
// Invariant: a program takes the same rules from there as it would make of its files. Files that
// differ in a byte, or were loaded in another order, are not taken for these.
#ifndef FORESEE_QUERY_PREPARED_H
#define FORESEE_QUERY_PREPARED_H

#include "base/text/text.h"
#include "query/rules/program.h"

typedef struct prepared_bytes {
    const unsigned char *bytes;
    size_t count;
} prepared_bytes;

// The shipped rules, in what is linked with prepared_rules.c, which the build makes; elsewhere none
// (none.c).
extern const prepared_bytes prepared_rules;
// The same files, cut: cut_files.h.
extern const prepared_bytes prepared_files;

// The end of the episode, in a program whose rules are written.
#define PREPARED_END INT64_C(123456789012345678)

// Appends the rules of a program, all of which are made (prepare_all_rules) and whose end is
// PREPARED_END. E_INPUT with a sentence in *err: they have what cannot be kept.
status prepared_write(program *p, text_buffer *out, error *err);
// Returns whether these are the rules of what the program has loaded.
bool prepared_fits(const program *p, const prepared_bytes *from);
// Gives the program, which is indexed and has no rules yet, these rules. They refer to the bytes.
// E_LIMIT, E_MEMORY: its values found no room, and the rules are no good.
status prepared_read(program *p, const prepared_bytes *from);

#endif
