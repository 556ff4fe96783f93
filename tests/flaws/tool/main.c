// tests/flaws/tool/main.c - what a seed draws, and the label of its episode.
//
//   flaw_label draw  CASE.yaml SCENE SEED           the arguments for foresee run, one a line
//   flaw_label label CASE.yaml SCENE SEED LOG.db    its label as JSON
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "case.h"
#include "base/files/files.h"
#include "checks.h"

typedef struct check {
    const char *name;
    check_function *ask;
} check;
static const check checks[] = {
#define CHECK(name) {#name, check_##name},
#include "checks.def"
#undef CHECK
};

// ---- JSON
static void print_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_list(const ynode *list) {
    putchar('[');
    for (size_t i = 0; list && i < list->count; i++) {
        if (i)
            fputs(", ", stdout);
        print_string(list->items[i]->scalar);
    }
    putchar(']');
}

static void print_times(const marks *times) {
    putchar('[');
    for (size_t i = 0; i < times->count; i++)
        printf("%s%.3f", i ? ", " : "", times->items[i]);
    putchar(']');
}

static void print_label(const flaw_case *c, const char *scene, unsigned long long seed,
                        const char *why_not, const marks *starts) {
    const ynode *flaws = ynode_get(c->scene, "flaws");
    printf("{\"episode\": \"%s-%s-%llu\", \"case\": \"%s\", \"scene\": \"%s\", \"seed\": %llu, "
           "\"clean\": %s, \"shown\": %s, "
           "\"why_not\": ",
           c->name, scene, seed, c->name, scene, seed, c->clean ? "true" : "false",
           why_not ? "false" : "true");
    if (why_not)
        print_string(why_not);
    else
        fputs("null", stdout);
    fputs(", \"draws\": {", stdout);
    for (size_t i = 0; i < c->draws.count; i++) {
        const draw *d = &c->draws.items[i];
        printf("%s\"%s\": ", i ? ", " : "", d->name);
        if (d->number)
            fputs(d->value, stdout);
        else
            print_string(d->value);
    }
    fputs("}, \"flaws\": [", stdout);
    for (size_t i = 0; flaws && i < flaws->count; i++) {
        fputs(i ? ", {\"names\": " : "{\"names\": ", stdout);
        print_list(ynode_get(flaws->items[i], "names"));
        fputs(", \"paths\": ", stdout);
        print_list(ynode_get(flaws->items[i], "paths"));
        fputs(", \"bodies\": ", stdout);
        print_list(ynode_get(flaws->items[i], "bodies"));
        fputs(", \"starts\": ", stdout);
        print_times(starts);
        putchar('}');
    }
    fputs("], \"consequences\": ", stdout);
    print_list(ynode_get(c->scene, "consequences"));
    puts("}");
}

// ---- The monitor's checks, each an entry { NAME: { ... }, start: true, optional: true }
static bool ask(const monitor *m, const ynode *entry, marks *times, const char **name) {
    *name = NULL;
    for (size_t k = 0; k < entry->count; k++)
        if (strcmp(entry->keys[k]->scalar, "start") != 0 &&
            strcmp(entry->keys[k]->scalar, "optional") != 0)
            for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
                if (strcmp(checks[i].name, entry->keys[k]->scalar) == 0) {
                    *name = checks[i].name;
                    return checks[i].ask(m, entry->items[k], times);
                }
    ynode_error(entry, m->errors, "no check of the monitor has this name");
    return false;
}

static bool says(const monitor *m, const ynode *entry, const char *key) {
    bool value = false;
    const ynode *n = ynode_get(entry, key);
    if (n)
        (void)ynode_bool(n, key, &value, m->errors);
    return value;
}

static const char *watch(const monitor *m, const flaw_case *c, marks *starts) {
    const ynode *list = ynode_get(c->scene, "monitor");
    if (!list)
        ynode_error(c->scene, m->errors, "a scene has monitor:");
    for (size_t i = 0; list && i < list->count; i++) {
        const char *name;
        marks times = {0};
        bool holds = ask(m, list->items[i], &times, &name);
        bool starts_here = says(m, list->items[i], "start"),
             must = !says(m, list->items[i], "optional");
        for (size_t k = 0; starts_here && k < times.count; k++)
            array_push(starts, times.items[k]);
        array_finish(&times);
        if ((must && !holds) || m->errors->count)
            return name ? name : "?";
    }
    return NULL;
}

static int tell(const errors *list) {
    for (size_t i = 0; i < list->count; i++) {
        char text[1100];
        error_format(&list->items[i], text, sizeof text);
        fprintf(stderr, "flaw_label: %s\n", text);
    }
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 5 ||
        (strcmp(argv[1], "draw") == 0 ? argc != 5 : strcmp(argv[1], "label") != 0 || argc != 6)) {
        fputs("flaw_label draw CASE.yaml SCENE SEED | label CASE.yaml SCENE SEED LOG.db\n", stderr);
        return 2;
    }
    arena *a = arena_create();
    errors list = {0};
    error err = {0};
    flaw_case c;
    char *text = NULL;
    size_t length;
    unsigned long long seed = strtoull(argv[4], NULL, 10);
    if (file_read(argv[2], &text, &length, &err) != OK)
        errors_append(&list, &err);
    else if (case_read(a, argv[2], text, length, argv[3], seed, &c, &list)) {
        if (argc == 5) {
            for (size_t i = 0; i < c.draws.count; i++)
                if (c.draws.items[i].set)
                    printf("--set\n%s=%s\n", c.draws.items[i].set, c.draws.items[i].value);
        } else {
            monitor m;
            marks starts = {0};
            if (monitor_open(argv[5], a, &list, &m)) {
                const char *why_not = watch(&m, &c, &starts);
                if (list.count == 0)
                    print_label(&c, argv[3], seed, why_not, &starts);
            }
            monitor_close(&m);
            array_finish(&starts);
        }
        array_finish(&c.draws);
    }
    int answer = list.count ? tell(&list) : 0;
    errors_finish(&list);
    free(text);
    arena_destroy(a);
    return answer;
}
