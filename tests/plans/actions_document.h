// tests/plans/actions_document.h - the reference of the primitive actions, as docs/actions.md has
// it.
#ifndef FORESEE_TESTS_PLANS_ACTIONS_DOCUMENT_H
#define FORESEE_TESTS_PLANS_ACTIONS_DOCUMENT_H

#include "base/text/text.h"

// Appends the reference in Markdown: each action of projector/robot/actions.def with its deadline,
// arguments, the forms of its target and the failures that it signals.
void actions_document(text_buffer *out);

#endif
