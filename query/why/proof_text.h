// query/why/proof_text.h - what writing proofs and writing denials share.
#ifndef FORESEE_QUERY_PROOF_TEXT_H
#define FORESEE_QUERY_PROOF_TEXT_H

#include "base/text/json.h"
#include "query/why/proof.h"

// Buffers are opened with .may_fail.
void proof_put_term(text_buffer *b, const term *t);      // NULL: nothing
void proof_put_json_term(text_buffer *b, const term *t); // as a JSON string; NULL: null
status proof_give_text(text_buffer *b, char **out);      // the caller frees *out

#endif
