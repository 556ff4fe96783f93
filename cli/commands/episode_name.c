// cli/commands/episode_name.c - reads LOG.db:EPISODE.
#include "cli/commands/episode_name.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/number.h"

char *episode_name_read(const char *text, int64_t *episode) {
    const char *colon = strrchr(text, ':');
    char *path = mem_strdup(text);
    *episode = 0;
    if (colon && access(text, F_OK) != 0 &&
        number_parse_integer(colon + 1, strlen(colon + 1), episode) && *episode > 0)
        path[colon - text] = 0;
    else
        *episode = 0;
    return path;
}
