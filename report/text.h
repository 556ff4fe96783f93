// report/text.h - text that grows: for people, as JSON, as words of a shell.
#ifndef FORESEE_REPORT_TEXT_H
#define FORESEE_REPORT_TEXT_H

#include "base/mem.h"
#include "base/times.h"

// Start from {0}; array_finish frees it. Not ended by a 0.
typedef ARRAY(char) text_buffer;

void text_add(text_buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_put(text_buffer *b, const char *text);

// A JSON string in quotes; NULL: null. Bytes that are not UTF-8 become U+FFFD.
void json_string(text_buffer *b, const char *text);
// A text from elsewhere for a person at a terminal: what would steer that, or is no character, is
// written as \xHH. Newlines and tabs are kept.
void text_put_shown(text_buffer *b, const char *text, size_t length);
// A name as one word of a POSIX shell that means a file: quoted where it needs it.
void shell_word(text_buffer *b, const char *word);
// A number in the shortest form that reads back the same; null where JSON has none for it.
void json_number(text_buffer *b, double value);
// A time in seconds, exact to the nanosecond.
void json_seconds(text_buffer *b, nanos t);

#endif
