// cli/commands/episode_name.h - an episode of a log as an operand: LOG.db or LOG.db:EPISODE.
#ifndef FORESEE_CLI_EPISODE_NAME_H
#define FORESEE_CLI_EPISODE_NAME_H

#include <stdint.h>

// Returns the log's path, which the caller frees, and the number of the episode, 0 where none is
// given. A file that has the whole text as its name is meant itself.
char *episode_name_read(const char *text, int64_t *episode);

#endif
