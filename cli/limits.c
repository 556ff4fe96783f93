// cli/limits.c - ends a command by signals, time and memory; what does not end in time is ended
// by the handler.
#include "cli/limits.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

// Signal handlers have no context: they reach these globals and nothing else.

enum { PROCESSES_MAX = 1024, PATHS_MAX = 8, PATH_SIZE = 4096 };

enum { RESERVE = 16 }; // one part in so many of the memory limit is kept to end in order

static const long GRACE = 700000000; // ns between a stop and the end by the handler
static const long GRACE_OF_CHILD =
    400000000; // shorter, so that the parent can still take the results of its children

typedef enum stop_reason { NOT_STOPPED, BY_SIGNAL, BY_TIME, BY_MEMORY } stop_reason;

volatile sig_atomic_t cli_stopped = 0;
static volatile sig_atomic_t reason = NOT_STOPPED, ending = 0;
static foresee *volatile asked = NULL;
static ask *volatile diagnosed = NULL;
static timer_t timer;
static volatile sig_atomic_t have_timer = 0;
static bool child = false;
static rlim_t most = 0; // bytes including the reserve; 0: no limit, or the reserve is in use
static int64_t memory_limit = 0; // MB; 0: none was given
static int64_t time_limit = 0;   // ms
static volatile pid_t processes[PROCESSES_MAX];
static char paths[PATHS_MAX][PATH_SIZE];

// ---- Sentences

typedef struct line {
    char text[256];
    size_t length;
} line;

static void line_put(line *l, const char *text) {
    for (; *text && l->length + 1 < sizeof l->text; text++)
        l->text[l->length++] = *text;
}

static void line_put_number(line *l, int64_t n) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    line_put(l, digits + at);
}

// Writes which limit ended the command, with calls that a handler may make.
static void say_why(void) {
    line l = {.length = 0};
    if (reason == BY_TIME) {
        line_put(&l, "foresee: error: the command took longer than --time ");
        line_put_number(&l, time_limit / 1000);
        if (time_limit % 1000) {
            line_put(&l, ".");
            for (int64_t rest = time_limit % 1000, unit = 100; rest > 0; rest %= unit, unit /= 10)
                line_put_number(&l, rest / unit);
        }
        line_put(&l, " allows\n");
    } else if (reason == BY_MEMORY && memory_limit) {
        line_put(&l, "foresee: error: no memory is left: the command needs more than --memory ");
        line_put_number(&l, memory_limit);
        line_put(&l, " allows\n");
    } else if (reason == BY_MEMORY) {
        line_put(&l, "foresee: error: no memory is left\n");
    }
    ssize_t written = write(STDERR_FILENO, l.text, l.length);
    (void)written;
}

// ---- The end

struct entry { // a directory entry as the kernel gives it
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char kind;
    char name[];
};

// Removes a file, or a folder and the files in it, with system calls alone.
static void remove_path(const char *path) {
    if (unlink(path) == 0 || errno == ENOENT)
        return;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder < 0)
        return;
    _Alignas(struct entry) char room[4096];
    long n;
    while ((n = syscall(SYS_getdents64, folder, room, sizeof room)) > 0)
        for (long at = 0; at < n;) {
            struct entry *e = (struct entry *)(void *)(room + at);
            unlinkat(folder, e->name, 0);
            at += e->length;
        }
    close(folder);
    rmdir(path);
}

static _Noreturn void end_now(void) {
    ending = 1;
    say_why();
    for (size_t i = 0; !child && i < PROCESSES_MAX; i++)
        if (processes[i])
            kill(processes[i], SIGKILL);
    for (size_t i = 0; !child && i < PROCESSES_MAX; i++)
        if (processes[i])
            waitpid(processes[i], NULL, 0);
    for (size_t i = 0; !child && i < PATHS_MAX; i++)
        if (paths[i][0])
            remove_path(paths[i]);
    _exit(reason == BY_SIGNAL ? EXIT_INTERRUPTED : EXIT_NONE);
}

static void wait_for_end(long nanoseconds, time_t whole) {
    struct itimerspec once = {.it_value = {whole, nanoseconds}};
    if (have_timer)
        timer_settime(timer, 0, &once, NULL);
}

static void stop_command(stop_reason why) {
    if (reason == NOT_STOPPED)
        reason = (sig_atomic_t)why;
    cli_stopped = 1;
    wait_for_end(child ? GRACE_OF_CHILD : GRACE, 0);
    if (asked)
        foresee_interrupt(asked);
    if (diagnosed)
        ask_interrupt(diagnosed);
}

static void on_stop(int signal_number) {
    (void)signal_number;
    int kept = errno;
    if (cli_stopped)
        end_now();
    stop_command(BY_SIGNAL);
    errno = kept;
}

static void on_timer(int signal_number) {
    (void)signal_number;
    int kept = errno;
    if (cli_stopped)
        end_now();
    stop_command(BY_TIME);
    errno = kept;
}

// Code that cannot go on without more memory gets the reserve, once, so that the command can end in
// order.
static void on_exhausted(void) {
    struct rlimit data;
    if (!cli_stopped || reason != BY_MEMORY)
        stop_command(BY_MEMORY);
    reason = BY_MEMORY;
    if (most && getrlimit(RLIMIT_DATA, &data) == 0) {
        data.rlim_cur = most;
        most = 0;
        if (setrlimit(RLIMIT_DATA, &data) == 0)
            return;
    }
    end_now();
}

// ---- Setting up

static void make_timer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    if (!have_timer)
        have_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
}

static void mask_signals(int how) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(how, &set, NULL);
}

void limits_hold(void) {
    mask_signals(SIG_BLOCK);
}

void limits_release(void) {
    mask_signals(SIG_UNBLOCK);
}

bool cli_is_stopped(void) {
    return cli_stopped;
}

void limits_begin(void) {
    struct sigaction signalled = {.sa_handler = on_stop}, timed = {.sa_handler = on_timer};
    sigaction(SIGINT, &signalled, NULL);
    sigaction(SIGTERM, &signalled, NULL);
    sigaction(SIGRTMIN, &timed, NULL);
    // SIGHUP: the terminal closes. A command that was started with nohup ignores it.
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &signalled, NULL);
    // A closed pipe and a full file are errors of the write, not signals.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    make_timer();
    mem_on_exhausted(on_exhausted);
    // This is std::set_new_handler, where a library in C++ is linked: `new` without memory would
    // end the program by an exception that nothing catches.
    void *(*set)(void (*)(void)) = NULL;
    *(void **)(void *)&set = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    if (set)
        set(mem_exhausted);
    limits_release();
}

void limits_child(void) {
    child = true;
    have_timer = 0; // a fork does not inherit the timer
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    make_timer();
}

#if defined(__SANITIZE_ADDRESS__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOWED 1
#endif
#endif

// The kernel counts all allocated memory (RLIMIT_DATA), but not the pages of programs and
// libraries, which are subtracted.
static void cap_memory(rlim_t bytes) {
#ifndef SHADOWED // the shadow memory of the sanitizer would count
    long pages = 0, resident = 0, shared = 0;
    struct rlimit data;
    char text[128] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0 &&
        sscanf(text, "%ld %ld %ld", &pages, &resident, &shared) != 3)
        shared = 0;
    if (file >= 0)
        close(file);
    rlim_t ours = (rlim_t)shared * (rlim_t)sysconf(_SC_PAGESIZE);
    bytes = bytes > 2 * ours ? bytes - ours : bytes / 2;
    malloc_trim(0); // room that is not used would count
    most = bytes + bytes / RESERVE;
    if (getrlimit(RLIMIT_DATA, &data) != 0)
        return;
    if (data.rlim_max < most)
        most = data.rlim_max;
    data.rlim_cur = data.rlim_cur < bytes ? data.rlim_cur : bytes;
    setrlimit(RLIMIT_DATA, &data);
#else
    (void)bytes;
#endif
}

status limits_set(const arguments *a, error *err) {
    nanos longest = 0;
    int64_t megabytes = 0;
    status st = option_integer(a, "memory", 1, 1 << 20, &megabytes, err);
    if (st == OK)
        st = option_seconds(a, "time", &longest, err);
    if (st != OK)
        return st;
    memory_limit = megabytes;
    if (megabytes)
        cap_memory((rlim_t)megabytes << 20);
    if (longest) {
        time_limit = longest / 1000000 > 0 ? longest / 1000000 : 1;
        wait_for_end((long)(longest % NANOS_PER_SECOND), (time_t)(longest / NANOS_PER_SECOND));
    }
    return OK;
}

void limits_calm(void) {
    wait_for_end(0, 0);
    cli_stopped = 0;
    reason = NOT_STOPPED;
}

int limits_end(int result) {
    if (reason == NOT_STOPPED || result == EXIT_YES || result == EXIT_NO)
        return result;
    // The error came from the stop, which is therefore what is reported.
    say_why();
    return reason == BY_SIGNAL ? EXIT_INTERRUPTED : EXIT_NONE;
}

// ---- Processes and files that must not outlive the process

void limits_add_process(pid_t process) {
    size_t i = 0;
    while (i + 1 < PROCESSES_MAX && processes[i])
        i++;
    processes[i] = process;
}

void limits_drop_process(pid_t process) {
    for (size_t i = 0; i < PROCESSES_MAX; i++)
        if (processes[i] == process)
            processes[i] = 0;
}

void limits_add_path(const char *path) {
    size_t i = 0;
    while (i < PATHS_MAX && paths[i][0])
        i++;
    if (i == PATHS_MAX || strlen(path) >= PATH_SIZE)
        return;
    // The first byte is written last, so that a handler sees the whole path or none.
    strcpy(paths[i] + 1, path + 1);
    *(volatile char *)&paths[i][0] = path[0];
}

void limits_drop_path(const char *path) {
    for (size_t i = 0; i < PATHS_MAX; i++)
        if (strcmp(paths[i], path) == 0)
            *(volatile char *)&paths[i][0] = 0;
}

void cli_interrupts(foresee *f) {
    asked = f;
}

void cli_interrupts_ask(ask *a) {
    diagnosed = a;
}
