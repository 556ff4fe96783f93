// tests/cli/ending/watch.c - runs a program, may send it a signal, and says how it ended:
// `watch [-s SIGNAL -a MILLISECONDS] PROGRAM...` prints its exit status (negative: ended by that
// signal), the milliseconds from the signal, or its start, to its end, and its largest
// resident memory in MB.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int number = 0, option;
    long after = 0;
    while ((option = getopt(argc, argv, "+s:a:")) != -1) {
        if (option == 's')
            number = atoi(optarg);
        else if (option == 'a')
            after = atol(optarg);
        else
            return 2;
    }
    if (optind >= argc)
        return 2;
    // Handlers of a shell that runs tests in the background would be inherited as ignored.
    signal(SIGINT, SIG_DFL);
    double from = now();
    pid_t child = fork();
    if (child < 0)
        return 2;
    if (child == 0) {
        execv(argv[optind], argv + optind);
        _exit(127);
    }
    if (number) {
        struct timespec wait = {after / 1000, after % 1000 * 1000000};
        nanosleep(&wait, NULL);
        from = now();
        kill(child, number);
    }
    int how = 0;
    struct rusage used;
    while (wait4(child, &how, 0, &used) < 0 && errno == EINTR)
        ;
    printf("%d %.0f %ld\n", WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how), now() - from,
           used.ru_maxrss / 1024);
    return 0;
}
