// report/shell.h - words of a shell, for command lines that a report shows.
#ifndef FORESEE_REPORT_SHELL_H
#define FORESEE_REPORT_SHELL_H

#include "base/text/text.h"

// Writes the name of a file as one word of a POSIX shell, quoted where that is needed.
void shell_word(text_buffer *b, const char *word);

#endif
