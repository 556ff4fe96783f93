// report/tree.h - the tasks of an episode: status, start, duration, failure.
#ifndef FORESEE_REPORT_TREE_H
#define FORESEE_REPORT_TREE_H

#include "base/status.h"
#include "base/text/text.h"

// Which tasks of a tree are told.
typedef struct tree_choice {
    int depth;         // how deep below the top; those below are counted. 0: all
    bool failed;       // those alone that failed, or below which one failed
    const char *robot; // those of this robot alone, E_INPUT where the episode has none of the name;
                       // NULL: of all
} tree_choice;

// Write the tree of an episode (0: the last) of the log at `path`; *tasks is the number of tasks.
// JSON has all tasks, each with its robot where the episode has several.
status tree_text(const char *path, int64_t episode, tree_choice choice, text_buffer *out,
                 size_t *tasks, error *err);
status tree_json(const char *path, int64_t episode, text_buffer *out, size_t *tasks, error *err);

#endif
