// tests/fuzz/program.c - whole commands, run in this process.
#include "tests/fuzz/program.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include "base/utf8.h"

// ---- The folder

static char folder[256];

static void remove_folder(void) {
    program_clean();
    rmdir(folder);
}

static void make_folder(void) {
    const char *places[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
    for (size_t i = 0; !folder[0] && i < 3; i++) {
        if (!places[i] || !places[i][0])
            continue;
        snprintf(folder, sizeof folder, "%s/foresee_fuzz_XXXXXX", places[i]);
        if (!mkdtemp(folder))
            folder[0] = 0;
    }
    ASSERT(folder[0]);
    atexit(remove_folder);
}

const char *program_path(const char *name) {
    static char paths[4][512];
    static int next;
    if (!folder[0])
        make_folder();
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void program_write(const char *name, const void *bytes, size_t length) {
    int fd = open(program_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT(fd >= 0 && write(fd, bytes, length) == (ssize_t)length && close(fd) == 0);
}

void program_clean(void) {
    DIR *all = folder[0] ? opendir(folder) : NULL;
    for (struct dirent *e; all && (e = readdir(all)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(program_path(e->d_name));
    if (all)
        closedir(all);
}

// ---- Time

// The program's own handler of signals, which a timer of processor time calls: one that a fuzzer
// has for its own ends is put back.
static void interrupt_after(int seconds) {
    struct sigaction kept[4], stop;
    const int signals[4] = {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], NULL, &kept[i]);
    limits_begin();
    // The sanitizers are slow: a command that is told to stop may take longer than its grace, and
    // the fuzzer's own timeout judges it. Blocked in this thread alone, the end by the handler
    // would come in the fuzzer's thread that watches memory.
    signal(SIGRTMIN, SIG_IGN);
    sigaction(SIGTERM, NULL, &stop);
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &kept[i], NULL);
    signal(SIGPIPE, SIG_IGN);
    sigaction(SIGPROF, &stop, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

// ---- What is printed

static bool is_utf8(const char *text, size_t length) {
    size_t n = 1;
    for (size_t i = 0; i < length && n > 0; i += n)
        n = utf8_character(text + i, length - i);
    return n > 0;
}

static bool is_calm(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

// ---- JSON

static const char *skip_blank(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at) {
    ASSERT(*at == '"');
    for (at++; *at != '"'; at++) {
        ASSERT((unsigned char)*at >= ' ');
        if (*at != '\\')
            continue;
        at++;
        ASSERT(*at && strchr("\"\\/bfnrtu", *at));
        for (int i = 0; *at == 'u' && i < 4; i++)
            ASSERT(at[1 + i] && strchr("0123456789abcdefABCDEF", at[1 + i]));
    }
    return at + 1;
}

static const char *skip_number(const char *at) {
    at += *at == '-';
    ASSERT(*at >= '0' && *at <= '9');
    at += *at == '0' ? 1 : strspn(at, "0123456789");
    if (*at == '.') {
        ASSERT(at[1] >= '0' && at[1] <= '9');
        at += 1 + strspn(at + 1, "0123456789");
    }
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        ASSERT(*at >= '0' && *at <= '9');
        at += strspn(at, "0123456789");
    }
    return at;
}

static const char *skip_value(const char *at, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    ASSERT(depth < 1000);
    at = skip_blank(at);
    if (*at == '"')
        return skip_string(at);
    if (*at == '{' || *at == '[') {
        bool object = *at == '{';
        char end = object ? '}' : ']';
        at = skip_blank(at + 1);
        for (bool first = true; *at != end; first = false) {
            if (!first) {
                ASSERT(*at == ',');
                at = skip_blank(at + 1);
            }
            if (object) {
                at = skip_blank(skip_string(at));
                ASSERT(*at == ':');
                at++;
            }
            at = skip_blank(skip_value(at, depth + 1));
        }
        return at + 1;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return skip_number(at);
}

void program_check_json(const char *text, size_t length) {
    ASSERT(strlen(text) == length);
    ASSERT(*skip_blank(skip_value(text, 0)) == 0);
}

// ---- Running

static FILE *input_of(const char *text) {
    int fd = memfd_create("in", MFD_CLOEXEC);
    size_t length = text ? strlen(text) : 0;
    ASSERT(fd >= 0 && write(fd, text ? text : "", length) == (ssize_t)length);
    ASSERT(lseek(fd, 0, SEEK_SET) == 0);
    FILE *in = fdopen(fd, "r");
    ASSERT(in != NULL);
    return in;
}

static int run_command(const command_entry *entry, const char *const *argv) {
    command_info info;
    arguments a;
    error err = {0};
    int count = 0;
    while (argv[count + 1])
        count++;
    ASSERT(command_find(argv[0], &info));
    if (arguments_parse(info, count, (char **)(uintptr_t)(argv + 1), &a, &err) != OK)
        return cli_error(&err);
    int result = entry->run(&a);
    arguments_finish(&a);
    return result;
}

program_result program_run(const char *const *argv, const char *in, int seconds) {
    program_result r = {0};
    char *said = NULL;
    size_t said_length = 0;
    const command_entry *entry = COMMANDS;
    while (entry->name && strcmp(entry->name, argv[0]) != 0)
        entry++;
    ASSERT(entry->name);
    // Whether a terminal is at hand must change nothing; a sanitizer writes to the descriptor.
    static bool ready;
    if (!ready && isatty(STDIN_FILENO))
        ASSERT(freopen("/dev/null", "r", stdin));
    ready = true;
    FILE *kept_in = stdin, *kept_out = stdout, *kept_err = stderr;
    FILE *from = input_of(in), *out = open_memstream(&r.out, &r.length),
         *errors_to = open_memstream(&said, &said_length);
    ASSERT(out && errors_to);
    stdin = from;
    stdout = out;
    stderr = errors_to;
    mem_fund fund;
    ASSERT(mem_fund_open(&fund, CLI_FUND));
    limits_calm();
    interrupt_after(seconds);
    r.status = run_command(entry, argv);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    limits_calm();
    mem_fund_close(&fund);
    stdin = kept_in;
    stdout = kept_out;
    stderr = kept_err;
    fclose(from);
    ASSERT(fclose(out) == 0 && fclose(errors_to) == 0);
    if (getenv("FORESEE_FUZZ_SHOW"))
        fprintf(stderr, "%s%sexit status %d\n", r.out, said, r.status);
    ASSERT(r.status == EXIT_YES || r.status == EXIT_NO || r.status == EXIT_WRONG ||
           r.status == EXIT_NONE || r.status == EXIT_INTERRUPTED);
    ASSERT(r.status != EXIT_WRONG || said_length > 0);
    ASSERT(is_utf8(r.out, r.length) && is_calm(r.out, r.length));
    ASSERT(is_utf8(said, said_length) && is_calm(said, said_length));
    free(said);
    return r;
}
