// report/text.h - text that grows, and JSON written into it.
#ifndef FORESEE_REPORT_TEXT_H
#define FORESEE_REPORT_TEXT_H

#include "base/mem.h"
#include "base/times.h"

// Start from {0}; array_finish frees it. Not ended by a 0.
typedef ARRAY(char) text_buffer;

void text_add(text_buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_put(text_buffer *b, const char *text);

// The length of the UTF-8 sequence that a text of this length begins with; 0: none.
size_t text_sequence(const char *text, size_t length);

// A JSON string in quotes; NULL: null. Bytes that are not UTF-8 become U+FFFD.
void json_string(text_buffer *b, const char *text);
// A number in the shortest form that reads back the same; null where JSON has none for it.
void json_number(text_buffer *b, double value);
// A time in seconds, exact to the nanosecond.
void json_seconds(text_buffer *b, nanos t);

#endif
