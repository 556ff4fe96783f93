// report/text.h - words of a shell. What grows and JSON are of base/text/.
#ifndef FORESEE_REPORT_TEXT_H
#define FORESEE_REPORT_TEXT_H

#include "base/text/json.h"

// A name as one word of a POSIX shell that means a file: quoted where it needs it.
void shell_word(text_buffer *b, const char *word);

#endif
