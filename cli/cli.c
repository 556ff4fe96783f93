// cli/cli.c - printing, errors, progress and options of the subcommands.
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files/excerpt.h"
#include "base/text/number.h"
#include "base/utf8.h"

int cli_flush(void) {
    static int fault = 0;
    if (fault == 0 && (ferror(stdout) || fflush(stdout) != 0))
        fault = errno ? errno : EIO;
    return fault;
}

int cli_unfinished(int code) {
    if (code == FORESEE_INTERRUPTED)
        return EXIT_INTERRUPTED;
    fputs("foresee: error: no memory is left\n", stderr);
    return EXIT_NONE;
}

size_t cli_columns(FILE *to) {
    struct winsize size;
    if (!isatty(fileno(to)) || ioctl(fileno(to), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col >= 40 ? size.ws_col : 0;
}

void cli_show(FILE *to, const char *text, size_t length) {
    char block[1024]; // standard error has no buffer of its own
    size_t count = 0;
    for (size_t taken; length > 0; text += taken, length -= taken) {
        utf8_written shown;
        taken = utf8_show(text, length, &shown);
        if (count + shown.count > sizeof block) {
            fwrite(block, 1, count, to);
            count = 0;
        }
        memcpy(block + count, shown.bytes, shown.count);
        count += shown.count;
    }
    fwrite(block, 1, count, to);
}

void cli_vprint(FILE *to, const char *format, va_list values) {
    char few[2048], *text = few; // a longer text is cut where there is no memory for it
    va_list again;
    va_copy(again, values);
    int n = vsnprintf(few, sizeof few, format, values);
    size_t length = n > 0 ? (size_t)n : 0;
    if (length >= sizeof few && (text = malloc(length + 1)) != NULL)
        vsnprintf(text, length + 1, format, again);
    else if (length >= sizeof few)
        length = sizeof few - 1;
    va_end(again);
    cli_show(to, text ? text : few, length);
    if (text != few)
        free(text);
}

void cli_print(FILE *to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    cli_vprint(to, format, values);
    va_end(values);
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

static const file_set *excerpts_from; // NULL: the disk

void cli_excerpts(const file_set *files) {
    excerpts_from = files;
}

int cli_error(const error *err) {
    char *shown = error_excerpt(err, NULL, excerpts_from);
    // Without memory for the excerpt, the error is told bare.
    if (shown)
        cli_print(stderr, "%s%s", err->file[0] ? "" : "foresee: ", shown);
    else
        cli_print(stderr, "foresee: error: %s\n", err->text);
    free(shown);
    return cli_exit_status(err->code);
}

void cli_remark(const error *err, const char *word) {
    char *shown = error_excerpt(err, NULL, excerpts_from);
    const char *at = shown ? strstr(shown, "error: ") : NULL;
    if (at)
        cli_print(stderr, "%s%.*s%s%s", err->file[0] ? "" : "foresee: ", (int)(at - shown), shown,
                  word, at + strlen("error"));
    free(shown);
}

int cli_errors(errors *list) {
    // An error that could not be put on the list for want of memory leaves the list empty.
    int result = list->count ? EXIT_WRONG : cli_unfinished(FORESEE_MEMORY);
    errors_settle(list);
    errors_merge(list);
    for (size_t i = 0; i < list->count; i++) {
        int one = cli_error(&list->items[i]);
        if (one != EXIT_WRONG)
            result = one;
    }
    errors_finish(list);
    return result;
}

int cli_usage(const arguments *a, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("foresee: error: ", stderr);
    cli_vprint(stderr, format, values);
    cli_print(stderr, "; see 'foresee %s --help'\n", a->command.name);
    va_end(values);
    return EXIT_WRONG;
}

// ---- Progress

progress progress_begin(bool quiet) {
    return (progress){.shown = !quiet && isatty(STDERR_FILENO)};
}

void progress_line(progress *p, const char *format, ...) {
    if (!p->shown)
        return;
    va_list values;
    va_start(values, format);
    fputs("\r\033[K", stderr);
    cli_vprint(stderr, format, values);
    fflush(stderr);
    va_end(values);
}

void progress_end(progress *p) {
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

// ---- Options

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
        return error_set(err, E_USAGE,
                         "--%s needs a number of seconds greater than 0, up to 10000000, not '%s'",
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
