// report/tree.h - the tasks of an episode: status, start, duration, failure.
#ifndef FORESEE_REPORT_TREE_H
#define FORESEE_REPORT_TREE_H

#include "base/status.h"
#include "base/text/text.h"

// Write the tree of an episode (0: the last) of the log at `path`; *tasks is the number of tasks.
status tree_text(const char *path, int64_t episode, text_buffer *out, size_t *tasks, error *err);
status tree_json(const char *path, int64_t episode, text_buffer *out, size_t *tasks, error *err);

#endif
