// query/why/proof_text.h - text that grows, for writing proofs and denials.
#ifndef FORESEE_QUERY_PROOF_TEXT_H
#define FORESEE_QUERY_PROOF_TEXT_H

#include "query/why/proof.h"

// Start from {0}; page_give or array_finish ends it.
typedef struct page {
    char *items;
    size_t count, capacity;
    bool failed; // no memory was left
} page;

void page_add(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_term(page *p, const term *t);        // NULL: nothing
void page_string(page *p, const char *text);   // as JSON; NULL: null
void page_term_string(page *p, const term *t); // as a JSON string
status page_give(page *p, char **out);         // the caller frees *out

#endif
