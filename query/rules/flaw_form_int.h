// query/rules/flaw_form_int.h - what finding the sentences of flaws and reading their clauses
// share.
#ifndef FORESEE_QUERY_FLAW_FORM_INT_H
#define FORESEE_QUERY_FLAW_FORM_INT_H

#include "query/rules/flaw_form.h"

// ABOUT_FLAW: of each flaw. ABOUT_NAME: of the flaw's name, which is the first argument of its
// predicate; ABOUT_LAST: the second.
typedef enum flaw_sentence_about { ABOUT_FLAW, ABOUT_NAME, ABOUT_LAST } flaw_sentence_about;
typedef struct flaw_sentence_info {
    const char *word, *predicate;
    flaw_sentence_about about;
    bool many; // items, which commas part
    const char *form;
} flaw_sentence_info;
extern const flaw_sentence_info flaw_sentences[SENTENCE_COUNT];

// Returns whether this is the word `from` bytes ahead.
bool flaw_word_is(const reader *r, size_t from, const char *word);
void flaw_step_over(reader *r, size_t bytes);
void flaw_skip_blanks(reader *r); // and comments

#endif
