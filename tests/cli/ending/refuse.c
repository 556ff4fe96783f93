// tests/cli/ending/refuse.c - preloaded into a program: its n-th allocation fails (REFUSE_AT,
// counted from 1), with REFUSE_ON all that follow, too. REFUSE_COUNT names a file that the number
// of them is written to. With REFUSE_EACH a fork of the program has it at each so many, once and
// for good in turn, and REFUSE_COUNT holds the forks that ended as they must not, too; that is for
// programs that write no database.
//
// What counts are allocations for this program and for the libraries that answer for having no
// memory: SQLite, libyaml, expat, and what is written in C++, whose `new` asks the program
// (limits.c). ODE asks the program, too (sim.c). Those of other libraries are not refused: libc's
// own (a stream's buffer, the tables of locales) end in ways that only libc knows, readline exits,
// and cairo with fontconfig, freetype and X11 reads what it could not allocate.
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

enum { RANGES_MOST = 64 };
static struct range { uintptr_t from, to; } ranges[RANGES_MOST];
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
            range_count < RANGES_MOST)
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

// Whether a fork that was refused ended as it may: with what it would have said anyway, or with 3
// and a sentence.
static void look_at(int how, int said) {
    char text[512];
    ssize_t n = pread(said, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    // A fork that had what it wanted wrote the file that all of them write.
    bool changed = strstr(text, "the file changed meanwhile") != NULL;
    bool fine = WIFEXITED(how) && strstr(text, "bug:") == NULL &&
                (WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == 1 || changed ||
                 (WEXITSTATUS(how) == 3 && n > 0));
    if (!fine && wrong++ == 0)
        snprintf(first_wrong, sizeof first_wrong, "allocation %llu, status %d: %s",
                 (unsigned long long)counted, how, text);
}

// True in the fork.
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
