// report/shell.h - words of a shell, for command lines that a report shows.
#ifndef FORESEE_REPORT_SHELL_H
#define FORESEE_REPORT_SHELL_H

#include "base/text/text.h"

// A name as one word of a POSIX shell that means a file: quoted where it needs it.
void shell_word(text_buffer *b, const char *word);

#endif
