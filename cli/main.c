// cli/main.c - foresee: finds the subcommand and hands over.
#include <errno.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name;
    int (*run)(const arguments *a);
} commands[] = {
    {"run", command_run},           {"batch", command_batch}, {"query", command_query},
    {"diagnose", command_diagnose}, {"tree", command_tree},   {"show", command_show},
    {"check", command_check},       {"edit", command_edit},   {"derive", command_derive},
};

static int unknown_command(const char *name) {
    const char *near = command_nearest(name);
    if (near)
        fprintf(stderr, "foresee: error: unknown command '%s'; did you mean '%s'?\n", name, near);
    else
        fprintf(stderr, "foresee: error: unknown command '%s'; 'foresee help' lists the commands\n",
                name);
    return EXIT_WRONG;
}

static int help(int count, char **names) {
    if (count == 0 || strcmp(names[0], "--help") == 0 || strcmp(names[0], "-h") == 0) {
        command_list(stdout);
        return EXIT_YES;
    }
    command_info c;
    if (!command_find(names[0], &c))
        return unknown_command(names[0]);
    command_help(c, stdout);
    return EXIT_YES;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        command_list(stderr);
        return EXIT_WRONG;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("foresee " FORESEE_VERSION);
        return EXIT_YES;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    command_info c;
    if (!command_find(name, &c))
        return unknown_command(name);
    arguments a;
    error err = {0};
    if (arguments_parse(c, argc - 2, argv + 2, &a, &err) != OK)
        return cli_error(&err);
    int result = EXIT_WRONG;
    if (a.help) {
        command_help(c, stdout);
        result = EXIT_YES;
    } else {
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (strcmp(commands[i].name, name) == 0)
                result = commands[i].run(&a);
    }
    arguments_finish(&a);
    return result;
}

int main(int argc, char **argv) {
    cli_catch_signals();
    int result = dispatch(argc, argv);
    // A reader that has gone is no failure of ours; a disk that is full is.
    if (fflush(stdout) != 0 && errno != EPIPE) {
        fprintf(stderr, "foresee: error: standard output cannot be written: %s\n", strerror(errno));
        if (result == EXIT_YES || result == EXIT_NO)
            result = EXIT_NONE;
    }
    return result;
}
