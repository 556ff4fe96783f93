// tests/fuzz/hostile.h - the log of a small episode (scene/), made hostile line by line.
//
//   set TABLE COLUMN ROW VALUE    ROW counts from 0; all
//   copy TABLE ROW ID             the row once more, under another id
//   delete TABLE ROW
//   drop TABLE                    a table
//   lose TABLE COLUMN             a column
//   file KIND LINE TEXT           line LINE, from 1, of the plan, world or robot that the log holds
//   sql STATEMENT                 anything but what reaches other files
//   bytes OFFSET BYTE ...         of the file, when all else is done
//   with FLAG [VALUE]             an option of the command
//
// A name that nothing has stands for any, so that most lines do something. VALUE is a number, a
// word of hostile.def, or text. All other lines say nothing.
#ifndef FORESEE_TESTS_FUZZ_HOSTILE_H
#define FORESEE_TESTS_FUZZ_HOSTILE_H

#include "tests/fuzz/program.h"
#include "tests/fuzz/words.h"

// Makes the log, in the folder of program.h, and adds the options that the input gives, of those
// in `flags` (ended by NULL), to argv from *count on, up to `most`. They live in `memory`.
const char *hostile_log(const uint8_t *data, size_t size, const char *const *flags, arena *memory,
                        const char **argv, size_t *count, size_t most);

// The same without a change, in the folder, as `name`.
const char *hostile_plain(const char *name);

// Lines and words for mutations.
const words *hostile_words(void);

#endif
