// tests/cli/ending/refuse.c - is preloaded into a program and makes allocations fail.
//
// REFUSE_AT=N: the N-th allocation fails, counted from 1; with REFUSE_ON all later ones fail as
// well. REFUSE_COUNT names a file that gets the number of allocations. REFUSE_EACH=N: at every N-th
// allocation the program forks, and the allocation fails in the fork, alternately once and for
// good; REFUSE_COUNT then also gets the forks that ended as they must not. This is for programs
// that write no database.
//
// Allocations count where this program or one of the libraries makes them that report a lack of
// memory: SQLite, libyaml, expat, and libraries in C++, whose `new` asks the program (limits.c), as
// ODE does (sim.c). Other libraries are not refused: within libc (the buffer of a stream, the
// tables of locales) only libc knows what happens, readline exits, and cairo with fontconfig,
// freetype and X11 uses what it could not allocate.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

enum { RANGES_MAX = 64 };
static struct range { uintptr_t from, to; } ranges[RANGES_MAX];
static size_t range_count;
static uint64_t counted, refused_at, each, wrong;
static bool on, in_child;
static char first_wrong[1024];

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
    static const char *const answering[] = {"libsqlite3", "libyaml", "libexpat", "libode",
                                            "libstdc++"};
    (void)size, (void)data;
    bool answers = info->dlpi_name[0] == 0; // the program
    for (size_t i = 0; i < sizeof answering / sizeof *answering; i++)
        answers = answers || strstr(info->dlpi_name, answering[i]) != NULL;
    for (int i = 0; answers && i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) &&
            range_count < RANGES_MAX)
            ranges[range_count++] = (struct range){from, from + info->dlpi_phdr[i].p_memsz};
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("REFUSE_AT");
    const char *every = getenv("REFUSE_EACH");
    refused_at = at ? strtoull(at, NULL, 10) : 0;
    each = every ? strtoull(every, NULL, 10) : 0;
    on = getenv("REFUSE_ON") != NULL;
    dl_iterate_phdr(add_module, NULL);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("REFUSE_COUNT");
    uint64_t total = counted;
    FILE *f = path && !in_child ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "%llu %llu %s\n", (unsigned long long)total, (unsigned long long)wrong,
                first_wrong);
        fclose(f);
    }
}

// Returns whether a fork with a refused allocation ended as it may: with its usual result, or with
// 3 and a sentence.
static void look_at(int how, int said) {
    char text[512];
    ssize_t n = pread(said, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    // A fork without an error has written the file that all forks write.
    bool changed = strstr(text, "the file changed meanwhile") != NULL;
    bool fine = WIFEXITED(how) && strstr(text, "bug:") == NULL &&
                (WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == 1 || changed ||
                 (WEXITSTATUS(how) == 3 && n > 0));
    if (!fine && wrong++ == 0)
        snprintf(first_wrong, sizeof first_wrong, "allocation %llu, status %d: %s",
                 (unsigned long long)counted, how, text);
}

// Returns true in the fork.
static bool try_here(void) {
    char name[] = "/tmp/foresee-refuse-XXXXXX";
    int said = mkstemp(name);
    unlink(name);
    pid_t child = fork();
    if (child == 0) {
        in_child = true;
        refused_at = counted;
        on = counted / each % 2;
        each = 0;
        dup2(said, STDERR_FILENO);
        return true;
    }
    int how = 0;
    if (child > 0 && waitpid(child, &how, 0) == child)
        look_at(how, said);
    close(said);
    return false;
}

static bool refuse(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    for (size_t i = 0; i < range_count; i++)
        if (at >= ranges[i].from && at < ranges[i].to)
            return ++counted == refused_at || (on && refused_at && counted > refused_at) ||
                   (each && counted % each == 0 && try_here());
    return false;
}

void *malloc(size_t size) {
    return refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    return refuse(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
