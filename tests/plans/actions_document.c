// tests/plans/actions_document.c - see actions_document.h.
#include "tests/plans/actions_document.h"

#include <string.h>

typedef enum line_kind { LINE_ACTION, LINE_ARGUMENT, LINE_TARGET, LINE_FAILS } line_kind;

// A line of actions.def, in the order of that file.
typedef struct def_line {
    line_kind kind;
    const char *action, *name, *doc;
    double deadline; // s, of an action
    bool required;   // of an argument
} def_line;

static const def_line LINES[] = {
#define ACTION(name, deadline_s, doc) {LINE_ACTION, #name, #name, doc, deadline_s, false},
#define ARGUMENT(action, key, required, doc) {LINE_ARGUMENT, #action, #key, doc, 0, required},
#define TARGET(action, form, doc) {LINE_TARGET, #action, form, doc, 0, false},
#define FAILS(action, class) {LINE_FAILS, #action, #class, "", 0, false},
#include "projector/robot/actions.def"
};

static const struct {
    const char *key, *bound;
} NUMBERS[] = {
#define NUMBER(key, bound) {#key, bound},
#include "projector/robot/actions.def"
};

// Appends a cell of a Markdown table, with bars escaped.
static void put_cell(text_buffer *out, const char *text) {
    for (; *text; text++)
        text_add(out, *text == '|' ? "\\%c" : "%c", *text);
}

static const char *bound_of(const char *key) {
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (strcmp(NUMBERS[i].key, key) == 0)
            return NUMBERS[i].bound;
    return NULL;
}

// Appends a row of a table for each line of this kind of an action, under a heading.
static void put_table(text_buffer *out, const char *action, line_kind kind, const char *heading) {
    bool any = false;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        const def_line *l = &LINES[i];
        if (l->kind != kind || strcmp(l->action, action) != 0)
            continue;
        if (!any)
            text_put(out, heading);
        any = true;
        text_put(out, "| `");
        put_cell(out, l->name);
        text_put(out, "` | ");
        if (kind == LINE_ARGUMENT) {
            const char *bound = bound_of(l->name);
            text_put(out, l->required ? "yes" : "no");
            text_add(out, " | %s%s%s", bound ? "a number " : "", bound ? bound : "",
                     bound && l->doc[0] ? ": " : "");
        }
        put_cell(out, l->doc);
        text_put(out, " |\n");
    }
}

void actions_document(text_buffer *out) {
    text_put(
        out,
        "# Primitive actions\n\n"
        "<!-- Generated from projector/robot/actions.def. Do not edit. -->\n\n"
        "What a step such as `navigate: { to: \"reach(?cup)\", speed: 0.3 }` may say; "
        "[plans.md](plans.md#primitive-actions) says how actions are executed. An *Arm* is one of "
        "the "
        "robot's arms, `left` or `right` of a robot that has two. An *Object* is something that "
        "the robot "
        "believes in, as a variable holds it, or a body that it knows from the start. A *Region* "
        "is a "
        "named region of the world, a *Location* a description of a place such as `on(table_1)` or "
        "`within(place_1)` ([plans.md](plans.md#descriptions-of-places)), and a *Joint* that of a "
        "door or "
        "drawer. Lengths are in metres, angles in degrees, times in seconds and forces in newtons, "
        "where "
        "nothing else is said.\n");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        const def_line *l = &LINES[i];
        if (l->kind == LINE_ACTION) {
            text_add(out, "\n## %s\n\n%s", l->name, l->doc);
            if (l->deadline < 1e5)
                text_add(out, " Its deadline is %g s.", l->deadline);
            text_put(out, "\n");
            put_table(out, l->name, LINE_ARGUMENT,
                      "\n| argument | needed | what it is |\n|---|---|---|\n");
            put_table(out, l->name, LINE_TARGET, "\n| target | where that is |\n|---|---|\n");
            text_put(out, "\nIt signals ");
        } else if (l->kind == LINE_FAILS) {
            // The failures of an action stand behind its other lines, without a gap.
            bool first = LINES[i - 1].kind != LINE_FAILS;
            bool last = i + 1 == sizeof LINES / sizeof *LINES || LINES[i + 1].kind != LINE_FAILS;
            text_add(out, "%s`%s`%s",
                     first  ? ""
                     : last ? " and "
                            : ", ",
                     l->name, last ? ".\n" : "");
        }
    }
}
