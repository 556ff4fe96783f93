// base/text/json.h - values as JSON. Whatever the bytes of a text are, what is written is UTF-8.
#ifndef FORESEE_BASE_TEXT_JSON_H
#define FORESEE_BASE_TEXT_JSON_H

#include "base/text/text.h"
#include "base/time/times.h"

// Each appends one value.
void json_string(text_buffer *b, const char *text); // in quotes; NULL: null
// A member of an object: `lead` (what stands between this member and the one before it), the name
// in quotes, a colon, and the text as json_string writes it.
void json_member(text_buffer *b, const char *lead, const char *name, const char *text);
// The shortest form that reads back the same; null for infinities and for what is no number.
void json_number(text_buffer *b, double value);
// A time in seconds, exact to the nanosecond.
void json_seconds(text_buffer *b, nanos t);

// A JSON string that YAML 1.1 takes for the same text: the line breaks that only YAML knows, and
// the byte order mark, are escaped, too.
void yaml_string(text_buffer *b, const char *text, size_t length);

#endif
