// cli/gen_man.c - writes a manual page: gen_man VERSION [COMMAND].
#include "cli/command.h"

int main(int argc, char **argv) {
    command_info c;
    if (argc == 2) {
        command_manual_top(argv[1], stdout);
    } else if (argc == 3 && command_find(argv[2], &c)) {
        command_manual(c, argv[1], stdout);
    } else {
        fputs("gen_man: usage: gen_man VERSION [COMMAND]\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
