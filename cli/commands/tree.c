// cli/commands/tree.c - foresee tree: the tasks of an episode.
#include "report/tree.h"
#include "cli/commands/commands.h"

int command_tree(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    if (a->operands.count != 1)
        return cli_usage(a, "tree needs one log, %zu were given", a->operands.count);
    int64_t episode = 0;
    int format = 0;
    error err = {0};
    if (option_episode(a, false, &episode, &err) != OK ||
        option_choice(a, "format", formats, &format, &err) != OK)
        return cli_error(&err);
    text_buffer out = {0};
    size_t tasks = 0;
    status st =
        (format == 1 ? tree_json : tree_text)(a->operands.items[0], episode, &out, &tasks, &err);
    if (st == OK)
        cli_show(stdout, out.items, out.count);
    text_finish(&out);
    return st != OK ? cli_error(&err) : tasks > 0 ? EXIT_YES : EXIT_NO;
}
