// cli/program/gen_man.c - writes a manual page: gen_man VERSION DATA [COMMAND]. DATA: where the
// rules, routines and examples are installed.
#include "cli/command.h"

int main(int argc, char **argv) {
    command_info c;
    if (argc == 3) {
        command_manual_top(argv[1], argv[2], stdout);
    } else if (argc == 4 && command_find(argv[3], &c)) {
        command_manual(c, argv[1], stdout);
    } else {
        fputs("gen_man: usage: gen_man VERSION DATA [COMMAND]\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
