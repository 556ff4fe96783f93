// cli/commands/tree.c - foresee tree: the tasks of an episode.
#include "report/tree.h"
#include "cli/commands/commands.h"

int command_tree(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    if (a->operands.count != 1)
        return cli_usage(a, "tree needs one log, %zu were given", a->operands.count);
    int64_t episode = 0, depth = 0;
    int format = 0;
    error err = {0};
    if (option_episode(a, false, &episode, &err) != OK ||
        option_choice(a, "format", formats, &format, &err) != OK ||
        option_integer(a, "depth", 1, 10000, &depth, &err) != OK)
        return cli_error(&err);
    bool json = format == 1;
    tree_choice choice = {(int)depth, arguments_given(a, "failed"), arguments_value(a, "robot")};
    if (json && (choice.depth || choice.failed || choice.robot))
        return cli_usage(a, "--depth, --failed and --robot are for text; JSON has all tasks");
    text_buffer out = {0}, shown = {0};
    size_t tasks = 0;
    const char *log = a->operands.items[0];
    status st = json ? tree_json(log, episode, &out, &tasks, &err)
                     : tree_text(log, episode, choice, &out, &tasks, &err);
    if (st == OK) {
        text_put_folded(&shown, text_string(&out), out.count, json ? 0 : cli_columns(stdout), true);
        cli_show(stdout, text_string(&shown), shown.count);
    }
    text_finish(&out);
    text_finish(&shown);
    return st != OK ? cli_error(&err) : tasks > 0 ? EXIT_YES : EXIT_NO;
}
