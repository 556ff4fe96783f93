// cli/program/main.c - the program: finds the subcommand and runs it, or hands over to the other
// program.
#include <errno.h>
#include <string.h>

#include <unistd.h>

#include "base/files/data.h"
#include "cli/program/program.h"
#include "base/text/text.h"
#include "report/shell.h"

// Becomes foresee-project, the program beside this one that runs the other commands. A process
// keeps its number when it becomes another program. If it has handed over before, its
// foresee-project is a copy of foresee, or a link to it, and would hand over for ever.
static int hand_over(char **argv) {
    static const char name[] = "/foresee-project", mark[] = "FORESEE_HANDED_OVER";
    char path[4096], process[32];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    const char *before = getenv(mark);
    if (before && strcmp(before, process) == 0) {
        fprintf(stderr,
                "foresee: error: '%s' needs the program foresee-project beside foresee, and what "
                "stands there under this name is foresee itself\n",
                argv[1]);
        return EXIT_NONE;
    }
    setenv(mark, process, 1);
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    char *slash = NULL;
    if (n > 0 && (size_t)n < sizeof path) {
        path[n] = 0;
        slash = strrchr(path, '/');
    }
    if (slash && (size_t)(slash - path) + sizeof name <= sizeof path) {
        strcpy(slash, name);
        limits_hold();
        execv(path, argv);
        limits_release();
    }
    cli_print(stderr, "foresee: error: '%s' needs the program foresee-project beside foresee: %s\n",
              argv[1], strerror(errno));
    return EXIT_NONE;
}

// Returns whether an option asks for more than a log can answer: for pictures or projections.
static bool asks_more(const arguments *a) {
    for (size_t i = 0; i < a->options.count; i++) {
        const char *name = a->options.items[i].flag->name, *value = a->options.items[i].value;
        if (strcmp(name, "verify") == 0 || strcmp(name, "try") == 0 ||
            (strcmp(name, "format") == 0 && strcmp(value, "html") == 0))
            return true;
    }
    return false;
}

static int unknown_command(const char *name) {
    const char *near = command_nearest(name);
    if (near)
        cli_print(stderr, "foresee: error: unknown command '%s'; did you mean '%s'?\n", name, near);
    else
        cli_print(stderr,
                  "foresee: error: unknown command '%s'; 'foresee help' lists the commands\n",
                  name);
    return EXIT_WRONG;
}

static void list_commands(FILE *out) {
    fputs("foresee projects robot plans in simulation and explains what happens.\n\n", out);
    for (size_t i = 0; i < command_count(); i++) {
        command_info c = command_at(i);
        fprintf(out, "  %-9s %s\n", c.name, c.summary);
    }
    char path[4096 + 40];
    if (data_folder("examples", path, 4096, NULL) == OK) {
        text_buffer line = {0};
        strcat(path, "/table_setting/default.yaml");
        text_put(&line, "\nTry\n  foresee run ");
        shell_word(&line, path);
        text_put(&line, "\n  foresee diagnose default-1.db\n");
        cli_show(out, line.items, line.count);
        text_finish(&line);
    }
    fputs("\n'foresee help COMMAND' explains one, 'foresee --version' prints the version.\n", out);
}

static int run_help(int count, char **names) {
    if (count == 0 || strcmp(names[0], "--help") == 0 || strcmp(names[0], "-h") == 0) {
        list_commands(stdout);
        return EXIT_YES;
    }
    command_info c;
    if (!command_find(names[0], &c))
        return unknown_command(names[0]);
    command_help(c, stdout);
    return EXIT_YES;
}

static int run_named_command(int argc, char **argv) {
    if (argc < 2) {
        list_commands(stderr);
        return EXIT_WRONG;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("foresee " FORESEE_VERSION);
        return EXIT_YES;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return run_help(argc - 2, argv + 2);
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
        const command_entry *entry = COMMANDS;
        while (entry->name && strcmp(entry->name, name) != 0)
            entry++;
        bool here = entry->name && !(entry->asks_only && asks_more(&a));
        if (!here)
            result = hand_over(argv);
        else if (limits_set(&a, &err) != OK)
            result = cli_error(&err);
        else
            result = entry->run(&a);
    }
    arguments_finish(&a);
    return result;
}

int main(int argc, char **argv) {
    mem_ask_large();
    limits_begin();
    mem_fund fund;
    bool enough = mem_fund_open(&fund, CLI_FUND);
    int result = enough ? run_named_command(argc, argv) : cli_unfinished(FORESEE_MEMORY);
    if (enough)
        mem_fund_close(&fund);
    // A reader that has closed the pipe is no failure; a full disk is one.
    int fault = cli_flush();
    if (fault && fault != EPIPE && !cli_stopped) {
        cli_print(stderr, "foresee: error: standard output cannot be written: %s\n",
                  strerror(fault));
        if (result == EXIT_YES || result == EXIT_NO)
            result = EXIT_NONE;
    }
    return limits_end(result);
}
