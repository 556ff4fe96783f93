#include "cli/cli.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"

// A signal handler reaches nothing else: the only globals of the program.
volatile sig_atomic_t cli_stopped = 0;
static ask *volatile asked = NULL;

static void on_stop(int signal_number) {
    if (cli_stopped)
        _exit(128 + signal_number);
    cli_stopped = 1;
    if (asked)
        ask_interrupt(asked);
}

void cli_interrupts(ask *a) {
    asked = a;
}

void cli_catch_signals(void) {
    struct sigaction stop = {.sa_handler = on_stop};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    // A closed pipe and a full file come back as errors of the write.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

int cli_exit_status(status s) {
    switch (s) {
    case OK:
        return EXIT_YES;
    case E_USAGE:
    case E_INPUT:
        return EXIT_WRONG;
    case E_INTERRUPTED:
        return EXIT_INTERRUPTED;
    default:
        return EXIT_NONE;
    }
}

// Puts a '?' over every byte that is no character or would steer the terminal.
static void make_printable(char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const unsigned char *c = (const unsigned char *)text + i;
        size_t more = c[0] < 0x80 ? 0 : c[0] < 0xC2 ? 9 : c[0] < 0xE0 ? 1 : c[0] < 0xF0 ? 2 : 3;
        bool good = more == 0 ? (c[0] >= 0x20 && c[0] != 0x7F) || c[0] == '\t' || c[0] == '\n'
                              : c[0] < 0xF5 && i + more < length;
        for (size_t k = 1; good && k <= more; k++)
            good = (c[k] & 0xC0) == 0x80;
        if (good && c[0] == 0xC2 && c[1] < 0xA0) // control characters of Latin-1
            good = false;
        if (good)
            i += more + 1;
        else
            text[i++] = '?';
    }
}

// The line that the mistake stands in, from `text` where that is given, else from the file, with a
// caret under its place.
static void show_place(const error *err, const char *text) {
    char *read = NULL;
    size_t length;
    if (err->line <= 0 || err->column <= 0)
        return;
    if (!text) {
        if (!err->file[0] || file_read(err->file, &read, &length, NULL) != OK)
            return;
        text = read;
    }
    for (int i = 1; i < err->line && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    size_t width = text ? strcspn(text, "\r\n") : 0;
    if (width > 0 && width <= 200 && (size_t)err->column <= width + 1) {
        char shown[200];
        memcpy(shown, text, width);
        make_printable(shown, width);
        fprintf(stderr, "  %.*s\n  ", (int)width, shown);
        for (int i = 0; i + 1 < err->column; i++)
            if (((unsigned char)shown[i] & 0xC0) != 0x80)
                fputc(shown[i] == '\t' ? '\t' : ' ', stderr);
        fputs("^\n", stderr);
    }
    free(read);
}

static int print_error(const error *err, const char *text) {
    char sentence[1200];
    error_format(err, sentence, sizeof sentence);
    make_printable(sentence, strlen(sentence));
    fprintf(stderr, "%s%s\n", err->file[0] ? "" : "foresee: ", sentence);
    show_place(err, text);
    return cli_exit_status(err->code);
}

int cli_error(const error *err) {
    return print_error(err, NULL);
}

static int print_errors(errors *list, const char *text) {
    int result = EXIT_WRONG;
    for (size_t i = 0; i < list->count; i++) {
        bool in_text = text && strcmp(list->items[i].file, "query") == 0;
        print_error(&list->items[i], in_text ? text : NULL);
        if (list->items[i].code == E_MEMORY || list->items[i].code == E_IO)
            result = EXIT_NONE;
    }
    errors_finish(list);
    return result;
}

int cli_errors(errors *list) {
    return print_errors(list, NULL);
}
int cli_query_errors(errors *list, const char *query) {
    return print_errors(list, query);
}

int cli_usage(const arguments *a, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("foresee: error: ", stderr);
    vfprintf(stderr, format, values);
    fprintf(stderr, "; see 'foresee %s --help'\n", a->command.name);
    va_end(values);
    return EXIT_WRONG;
}

// ---- Data folders
// --------------------------------------------------------------------------------

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

status cli_data_folder(const char *part, char *path, size_t size, error *err) {
    // Who names a folder means that one, and no other in its place.
    const char *own = getenv("FORESEE_DATA");
    const char *places[] = {FORESEE_SOURCE_DIR, FORESEE_DATA_DIR};
    size_t count = sizeof places / sizeof *places;
    if (own && own[0]) {
        places[0] = own;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(path, size, "%s/%s", places[i], part);
        if (n > 0 && (size_t)n < size && is_folder(path))
            return OK;
    }
    if (count == 1)
        return error_set(err, E_USAGE, "FORESEE_DATA names '%s', which holds no folder '%s'", own,
                         part);
    return error_set(
        err, E_USAGE,
        "the folder '%s' is neither in %s nor in %s; set FORESEE_DATA to the folder that holds it",
        part, FORESEE_SOURCE_DIR, FORESEE_DATA_DIR);
}

// ---- Progress
// ------------------------------------------------------------------------------------

progress progress_begin(bool quiet) {
    return (progress){.shown = !quiet && isatty(STDERR_FILENO)};
}

void progress_line(progress *p, const char *format, ...) {
    if (!p->shown)
        return;
    va_list values;
    va_start(values, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, values);
    fflush(stderr);
    va_end(values);
}

void progress_end(progress *p) {
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

// ---- Options
// -------------------------------------------------------------------------------------

status option_integer(const arguments *a, const char *name, int64_t low, int64_t high, int64_t *out,
                      error *err) {
    const char *text = arguments_value(a, name);
    if (!text)
        return OK;
    int64_t value;
    if (!number_parse_integer(text, strlen(text), &value) || value < low || value > high)
        return error_set(err, E_USAGE, "--%s needs a whole number from %lld to %lld, not '%s'",
                         name, (long long)low, (long long)high, text);
    *out = value;
    return OK;
}

status option_seconds(const arguments *a, const char *name, nanos *out, error *err) {
    const char *text = arguments_value(a, name);
    if (!text)
        return OK;
    double value;
    if (!number_parse(text, strlen(text), &value) || value <= 0 || value > 1e7)
        return error_set(err, E_USAGE, "--%s needs a number of seconds greater than 0, not '%s'",
                         name, text);
    *out = nanos_from_seconds(value);
    return OK;
}

status option_choice(const arguments *a, const char *name, const char *const *choices, int *out,
                     error *err) {
    const char *text = arguments_value(a, name);
    if (!text)
        return OK;
    size_t count = 0;
    for (; choices[count]; count++) {
        if (strcmp(choices[count], text) == 0) {
            *out = (int)count;
            return OK;
        }
    }
    char list[256] = "";
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", choices[i]);
    }
    const char *near = nearest_name(text, choices, count);
    if (near)
        return error_set(err, E_USAGE, "--%s is one of %s, not '%s'; did you mean '%s'?", name,
                         list, text, near);
    return error_set(err, E_USAGE, "--%s is one of %s, not '%s'", name, list, text);
}

status option_episode(const arguments *a, bool all_allowed, int64_t *out, error *err) {
    const char *text = arguments_value(a, "episode");
    if (!text)
        return OK;
    if (all_allowed && strcmp(text, "all") == 0) {
        *out = -1;
        return OK;
    }
    int64_t value;
    if (!number_parse_integer(text, strlen(text), &value) || value < 1)
        return error_set(err, E_USAGE, "--episode needs the number of an episode%s, not '%s'",
                         all_allowed ? " or 'all'" : "", text);
    *out = value;
    return OK;
}
