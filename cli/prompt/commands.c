// cli/prompt/commands.c - dot commands; one table (commands.def) gives their dispatch, help and
// completion.
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text/number.h"
#include "base/files/files.h"
#include "base/hash.h"
#include "base/files/output.h"
#include "cli/prompt/names.h"
#include "cli/prompt/table.h"

typedef struct command_row {
    const char *name, *arguments;
    argument_kind takes;
    const char *doc, *more;
    int (*run)(repl *r, const input *in, const char *argument);
} command_row;

#define COMMAND(name, arguments, takes, doc, more)                                                 \
    static int run_##name(repl *r, const input *in, const char *argument);
#include "cli/prompt/commands.def"
#undef COMMAND

static const command_row COMMANDS[] = {
#define COMMAND(name, arguments, takes, doc, more) {#name, arguments, takes, doc, more, run_##name},
#include "cli/prompt/commands.def"
#undef COMMAND
};
#define COMMAND_COUNT (sizeof COMMANDS / sizeof *COMMANDS)

const char *repl_command_name(size_t i) {
    return i < COMMAND_COUNT ? COMMANDS[i].name : NULL;
}

// Returns the command of this name, or the only one that begins so. *several is the number of
// commands that begin so.
static const command_row *find_command(const char *name, size_t length, size_t *several) {
    const command_row *found = NULL;
    *several = 0;
    if (length == 4 && (strncmp(name, "exit", 4) == 0 || strncmp(name, "halt", 4) == 0))
        name = "quit"; // as Prolog and shells have it
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strncmp(COMMANDS[i].name, name, length) != 0)
            continue;
        if (strlen(COMMANDS[i].name) == length) {
            *several = 1;
            return &COMMANDS[i];
        }
        ++*several;
        found = &COMMANDS[i];
    }
    return *several == 1 ? found : NULL;
}

argument_kind repl_command_takes(const char *name, size_t length) {
    size_t several;
    const command_row *c = find_command(name, length, &several);
    return c ? c->takes : ARGUMENT_NONE;
}

static int report_unknown(repl *r, const input *in, const char *name, size_t several) {
    char list[256] = "";
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = COMMANDS[i].name;
        size_t n = strlen(list);
        if (several > 1 && strncmp(names[i], name, strlen(name)) == 0)
            snprintf(list + n, sizeof list - n, "%s.%s", n ? ", " : "", names[i]);
    }
    if (several > 1)
        return repl_wrong(r, in, "'.%s' could be %s", name, list);
    const char *near = nearest_name(name, names, COMMAND_COUNT);
    if (near)
        return repl_wrong(r, in, "unknown command '.%s'; did you mean '.%s'?", name, near);
    return repl_wrong(r, in, "unknown command '.%s'; .help lists the commands", name);
}

int repl_command(repl *r, const input *in) {
    const char *name = in->text + in->body, *end = in->text + in->length, *c = name;
    while (c < end && !isspace((unsigned char)*c))
        c++;
    size_t length = (size_t)(c - name), several;
    while (c < end && isspace((unsigned char)*c))
        c++;
    if (length > 1 && name[length - 1] == '.' && c == end) // `.help.`: people type the '.' by habit
        length--;
    const command_row *row =
        length == 1 && *name == '?' ? &COMMANDS[0] : find_command(name, length, &several);
    char *text = repl_copy(row ? c : name, row ? (size_t)(end - c) : length);
    int result;
    if (!row)
        result = report_unknown(r, in, text, several);
    else if (row->takes == ARGUMENT_NONE && *text)
        result = repl_wrong(r, in, ".%s takes nothing behind it", row->name);
    else
        result = row->run(r, in, text);
    free(text);
    return result;
}

static char *file_name(const char *argument);

static int report_missing(repl *r, const input *in, const char *command) {
    size_t several;
    const command_row *row = find_command(command, strlen(command), &several);
    return repl_wrong(r, in, ".%s needs %s: .help %s", row->name, row->arguments, row->name);
}

// ---- Help

static int help_of(repl *r, const input *in, const char *name) {
    size_t several;
    name += *name == '.';
    const command_row *row = find_command(name, strlen(name), &several);
    if (!row)
        return report_unknown(r, in, name, several);
    text_buffer usage = {0};
    text_add(&usage, ".%s%s%s", row->name, *row->arguments ? " " : "", row->arguments);
    text_pair pair = {text_string(&usage), row->doc};
    pairs_show(r, &pair, 1);
    if (*row->more) {
        text_pair more = {"", row->more};
        pairs_show(r, &more, 1);
    }
    text_finish(&usage);
    return EXIT_YES;
}

static int run_help(repl *r, const input *in, const char *argument) {
    if (*argument)
        return help_of(r, in, argument);
    static const text_pair clauses[] = {
        {"holds_w(on(X, Y), at(end)).",
         "a query: the body of a rule, over any lines, up to its '.'"},
        {"flaw(F), flaw_time(F, S, E).", "variables are columns; those that begin with _ are not"},
        {"why GOAL.   why not GOAL.", "reasons"},
        {"cup(X) :- object(X, body, cup).", "a rule, which can be asked at once"},
        {"+liked(plate_1).", "a fact"},
    };
    static const text_pair keys[] = {
        {"", ""},
        {"Tab", "completes: names, arguments, commands, files"},
        {"Up, Ctrl-R", "what was typed before"},
        {"Ctrl-C", "stops a query, or clears the line"},
    };
    text_pair
        pairs[sizeof clauses / sizeof *clauses + COMMAND_COUNT + sizeof keys / sizeof *keys + 1];
    size_t count = 0;
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        pairs[count++] = clauses[i];
    pairs[count++] = (text_pair){"", ""};
    arena *a = arena_create();
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const command_row *row = &COMMANDS[i];
        pairs[count++] = (text_pair){
            arena_format(a, ".%s%s%s", row->name, *row->arguments ? " " : "", row->arguments),
            row->doc};
    }
    for (size_t i = 0; r->terminal && i < sizeof keys / sizeof *keys; i++)
        pairs[count++] = keys[i];
    pairs_show(r, pairs, count);
    arena_destroy(a);
    return EXIT_YES;
}

// ---- Beside asking

static int run_output(repl *r, const input *in, const char *argument) {
    char *path = file_name(argument);
    int result = repl_output(r, in, path);
    free(path);
    return result;
}

static int run_sql(repl *r, const input *in, const char *argument) {
    return *argument ? repl_sql(r, in, argument) : report_missing(r, in, "sql");
}

static int run_shell(repl *r, const input *in, const char *argument) {
    return *argument ? repl_shell(r, in, argument) : report_missing(r, in, "shell");
}

static int run_quit(repl *r, const input *in, const char *argument) {
    (void)in;
    (void)argument;
    r->leaving = true;
    return EXIT_YES;
}

// ---- What can be asked

// Returns the group that a predicate is listed in.
static const char *group_of(const known_predicate *p) {
    static const char *const wholes[][2] = {{"holds_w", "occasions"},  {"holds_b", "occasions"},
                                            {"believes", "occasions"}, {"occurs_w", "events"},
                                            {"occurs_b", "events"},    {"flaw", "flaws"}};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (strcmp(p->outer, wholes[i][0]) == 0)
            return wholes[i][1];
    return strcmp(p->kind, "fact") == 0      ? "facts"
           : strcmp(p->kind, "builtin") == 0 ? "builtins"
           : strcmp(p->kind, "signal") == 0  ? "signals"
           : *p->file                        ? repl_base_name(p->file)
                                             : "typed";
}

// How a pattern of .predicates is meant: as a group, as a part of names, or as words of the
// documentation.
typedef enum pattern_kind { PATTERN_GROUP, PATTERN_NAME, PATTERN_DOC } pattern_kind;

static bool matches_pattern(const known_predicate *p, const char *pattern, pattern_kind kind) {
    if (kind == PATTERN_GROUP)
        return strcmp(group_of(p), pattern) == 0;
    if (kind == PATTERN_DOC)
        return strcasestr(p->doc, pattern);
    if (!*pattern)
        return true;
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, p->inner ? p->inner : p->outer, 0) == 0 ||
               fnmatch(pattern, p->outer, 0) == 0;
    return strcasestr(p->outer, pattern) || (p->inner && strcasestr(p->inner, pattern));
}

// Lists the groups with how many predicates each has: what is asked most first, then the rule files
// in their order.
static int list_groups(repl *r) {
    static const char *const first[] = {"occasions", "events",  "flaws",
                                        "facts",     "signals", "builtins"};
    enum { FIRST = sizeof first / sizeof *first };
    static const char *const about[FIRST] = {
        "what holds: holds_w(on(X, Y), at(T))",       "what happens: occurs_w(pick_up(X), T)",
        "what went wrong: flaw(slipped(O, H, T, E))", "the tables of the log: .schema",
        "numbers over time: value(speed(X), T, V)",   "terms, numbers, texts, intervals"};
    const known_names *k = repl_predicates(r);
    typedef struct group {
        const char *name, *about;
        size_t count;
    } group;
    ARRAY(group) groups = {0};
    for (size_t i = 0; i < FIRST; i++)
        array_push(&groups, ((group){first[i], about[i], 0}));
    for (size_t i = 0; i < k->predicates.count; i++) {
        const char *name = group_of(&k->predicates.items[i]);
        size_t at = 0;
        while (at < groups.count && strcmp(groups.items[at].name, name) != 0)
            at++;
        if (at == groups.count)
            array_push(&groups, ((group){name, "", 0}));
        groups.items[at].count++;
    }
    arena *a = arena_create();
    ARRAY(text_pair) pairs = {0};
    for (size_t i = 0; i < groups.count; i++) {
        const group *g = &groups.items[i];
        if (g->count)
            array_push(&pairs, ((text_pair){arena_format(a, ".predicates %s", g->name),
                                            arena_format(a, "%zu%s%s", g->count,
                                                         *g->about ? ", " : " more", g->about)}));
    }
    pairs_show(r, pairs.items, pairs.count);
    array_finish(&pairs);
    array_finish(&groups);
    arena_destroy(a);
    return EXIT_YES;
}

static bool is_named(const known_predicate *p, const char *name) {
    return strcmp(p->inner ? p->inner : p->outer, name) == 0;
}

// Lists the predicates of a kind (NULL: of any) that match; if some have exactly this name, those
// alone. Returns how many match.
static size_t list_predicates(repl *r, const char *pattern, const char *kind, pattern_kind meant) {
    const known_names *k = repl_predicates(r);
    size_t named = 0, others = 0;
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *p = &k->predicates.items[i];
        if ((kind && strcmp(p->kind, kind) != 0) || !matches_pattern(p, pattern, meant))
            continue;
        if (is_named(p, pattern))
            named++;
        else
            others++;
    }
    ARRAY(text_pair) pairs = {0};
    arena *a = arena_create();
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *p = &k->predicates.items[i];
        if ((kind && strcmp(p->kind, kind) != 0) || !matches_pattern(p, pattern, meant) ||
            (named > 0 && !is_named(p, pattern)))
            continue;
        const char *doc = p->doc, *where = *p->file ? p->file : kind ? "" : p->kind;
        if (named > 0 && *where)
            doc = arena_format(a, "%s%s(%s)", doc, *doc ? " " : "", repl_base_name(where));
        array_push(&pairs, (text_pair){p->label, doc});
    }
    pairs_show(r, pairs.items, pairs.count);
    array_finish(&pairs);
    arena_destroy(a);
    if (named > 0 && others > 0 && r->terminal)
        repl_note(r, "%zu more have this in their names: .%s *%s*", others,
                  kind ? "schema" : "predicates", pattern);
    return named + others;
}

static int none_named(repl *r, const input *in, const char *what, const char *name,
                      const char *kind) {
    const known_names *k = repl_predicates(r);
    ARRAY(const char *) names = {0};
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *p = &k->predicates.items[i];
        if (kind && strcmp(p->kind, kind) != 0)
            continue;
        array_push(&names, p->outer);
        if (p->inner)
            array_push(&names, p->inner);
    }
    const char *near = strlen(name) > 1 ? nearest_name(name, names.items, names.count) : NULL;
    if (near)
        repl_wrong(r, in, "no %s '%s'; did you mean '%s'?", what, name, near);
    else
        repl_wrong(r, in, "no %s '%s'", what, name);
    array_finish(&names);
    return EXIT_WRONG;
}

static int run_predicates(repl *r, const input *in, const char *argument) {
    if (!*argument)
        return list_groups(r);
    for (pattern_kind meant = PATTERN_GROUP; meant <= PATTERN_DOC; meant++)
        if (list_predicates(r, argument, NULL, meant) > 0)
            return EXIT_YES;
    return none_named(r, in, "predicate has the text", argument, NULL);
}

static int run_schema(repl *r, const input *in, const char *argument) {
    if (list_predicates(r, argument, "fact", PATTERN_NAME) > 0)
        return EXIT_YES;
    return none_named(r, in, "table has the text", argument, "fact");
}

// ---- Rules

static int list_typed(repl *r) {
    if (r->typed.count == 0) {
        repl_note(r, "no clause was typed; .rules NAME shows those of a predicate");
        return EXIT_YES;
    }
    text_buffer out = {0};
    for (size_t i = 0; i < r->typed.count; i++)
        text_add(&out, "%2u  %s\n", r->typed.items[i].unit, r->typed.items[i].text);
    text_show(r, text_string(&out));
    text_finish(&out);
    return EXIT_YES;
}

static int no_rules(repl *r, const input *in, const char *name) {
    const known_names *k = repl_predicates(r);
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *p = &k->predicates.items[i];
        if (strcmp(p->outer, name) == 0 || (p->inner && strcmp(p->inner, name) == 0))
            return repl_wrong(r, in, "'%s' has no rules: it is a %s", name,
                              strcmp(p->kind, "rule") == 0 ? "declared predicate" : p->kind);
    }
    return none_named(r, in, "predicate", name, NULL);
}

static int run_rules(repl *r, const input *in, const char *argument) {
    if (!*argument)
        return list_typed(r);
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "(/. "), argument);
    char *text = NULL;
    int code = foresee_rules(r->s->logs[0], name, &text), result = EXIT_YES;
    if (code == FORESEE_OK)
        text_show(r, text);
    else if (code == FORESEE_DONE)
        result = no_rules(r, in, name);
    else
        result = repl_wrong(r, in, "%s", foresee_errmsg(r->s->logs[0]));
    foresee_free(text);
    return result;
}

static int run_forget(repl *r, const input *in, const char *argument) {
    if (!*argument)
        return report_missing(r, in, "forget");
    return repl_forget(r, argument, in);
}

// Returns the path of an argument, in which `~` is the home folder. The caller frees it.
static char *file_name(const char *argument) {
    const char *home = getenv("HOME");
    size_t n = strlen(argument);
    if (n >= 2 && (*argument == '"' || *argument == '\'') && argument[n - 1] == *argument)
        return repl_copy(argument + 1, n - 2);
    if (strncmp(argument, "~/", 2) != 0 || !home)
        return repl_copy(argument, n);
    size_t before = strlen(home);
    char *path = mem_must(before + n, 1);
    memcpy(path, home, before);
    memcpy(path + before, argument + 1, n - 1);
    return path;
}

// Returns whether the file holds what was saved last, so that it may be overwritten.
static bool is_saved(const void *context, const char *path) {
    const repl *r = context;
    char *text = NULL;
    size_t length;
    bool same =
        file_read(path, &text, &length, NULL) == OK && hash_bytes(text, length) == r->saved_hash;
    free(text);
    return same;
}

static int run_save(repl *r, const input *in, const char *argument) {
    if (!*argument)
        return report_missing(r, in, "save");
    if (r->typed.count == 0)
        return repl_wrong(r, in, "no clause was typed that could be saved");
    char *path = file_name(argument);
    bool own = r->saved && strcmp(r->saved, path) == 0;
    const output_policy over = {
        .what = "clauses as they were saved", .replaces = own ? is_saved : NULL, .context = r};
    text_buffer out = {0};
    for (size_t i = 0; i < r->typed.count; i++)
        text_add(&out, "%s\n", r->typed.items[i].text);
    const output_file file = {path, out.items, out.count, &over};
    error err = {0};
    int result = cli_exit_status(output_write(&file, 1, true, &err));
    if (result != EXIT_YES) {
        repl_wrong(r, in, "%s: %s", path, err.text);
    } else {
        if (r->terminal)
            repl_note(r, "%zu clause%s saved to %s", r->typed.count, r->typed.count == 1 ? "" : "s",
                      path);
        free(r->saved);
        r->saved = repl_copy(path, strlen(path));
        r->saved_hash = hash_bytes(out.items, out.count);
    }
    text_finish(&out);
    free(path);
    return result;
}

static int run_read(repl *r, const input *in, const char *argument) {
    if (!*argument) {
        size_t count = 0;
        for (size_t i = 0; i < r->watched.count; i++) {
            const watched_file *w = &r->watched.items[i];
            if (!w->shipped)
                cli_print(stdout, "%s%s\n", w->path, w->gone ? " (gone)" : "");
            count += !w->shipped;
        }
        if (count == 0)
            repl_note(r, "no file was read but the program's own; .read FILE reads one");
        return EXIT_YES;
    }
    char *path = file_name(argument);
    int result = repl_load_file(r, path, in);
    free(path);
    return result;
}

static int explain_goal(repl *r, const input *in, const char *argument, input_kind kind,
                        const char *name) {
    if (!*argument)
        return report_missing(r, in, name);
    repl_follow_files(r);
    input goal = *in;
    goal.kind = kind;
    goal.body = in->length - strlen(argument);
    return repl_why(r, &goal);
}

static int run_why(repl *r, const input *in, const char *argument) {
    return explain_goal(r, in, argument, INPUT_WHY, "why");
}

static int run_whynot(repl *r, const input *in, const char *argument) {
    return explain_goal(r, in, argument, INPUT_WHY_NOT, "whynot");
}

// ---- Episodes

static bool is_asked(const repl *r, int64_t episode) {
    for (size_t i = 0; i < r->s->count; i++)
        if (r->s->episodes[i] == episode)
            return true;
    return false;
}

static int run_episodes(repl *r, const input *in, const char *argument) {
    (void)in;
    (void)argument;
    foresee_episode e;
    size_t widest = 4;
    for (size_t i = 0; foresee_episode_at(r->s->logs[0], i, &e); i++)
        if (e.plan && text_columns(e.plan) > widest)
            widest = text_columns(e.plan);
    text_buffer out = {0};
    text_add(&out, "   id  plan%*s  seed  outcome     end, s\n", (int)widest - 4, "");
    for (size_t i = 0; foresee_episode_at(r->s->logs[0], i, &e); i++) {
        const char *plan = e.plan ? e.plan : "";
        text_add(&out, "%c %3lld  %s%*s  %4llu  %-10s  %6.6g%s\n", is_asked(r, e.id) ? '*' : ' ',
                 (long long)e.id, plan, (int)(widest - text_columns(plan)), "",
                 (unsigned long long)e.seed, e.outcome ? e.outcome : "", 1e-9 * (double)e.end,
                 e.complete || strcmp(e.outcome ? e.outcome : "", "unjudged") == 0 ? ""
                                                                                   : "  cut off");
    }
    text_show(r, text_string(&out));
    text_finish(&out);
    return EXIT_YES;
}

static int run_episode(repl *r, const input *in, const char *argument) {
    int64_t number = 0;
    int result = EXIT_YES;
    if (strcmp(argument, "all") == 0)
        result = repl_choose_episode(r, -1, in);
    else if (strcmp(argument, "last") == 0)
        result = repl_choose_episode(r, 0, in);
    else if (*argument &&
             (!number_parse_integer(argument, strlen(argument), &number) || number < 1))
        return repl_wrong(r, in, "an episode is a number, 'last' or 'all', not '%s'", argument);
    else if (*argument)
        result = repl_choose_episode(r, number, in);
    if (result == EXIT_YES && (r->terminal || !*argument)) {
        if (r->s->many)
            cli_print(stdout, "all %zu episodes\n", r->s->count);
        else
            cli_print(stdout, "episode %lld\n", (long long)foresee_episode_chosen(r->s->logs[0]));
    }
    return result;
}

// ---- Forms

static int run_format(repl *r, const input *in, const char *argument) {
    if (!*argument) {
        puts(answer_forms[r->s->form]);
        return EXIT_YES;
    }
    size_t count = 0;
    for (; answer_forms[count]; count++) {
        if (strcmp(answer_forms[count], argument) == 0) {
            r->s->form = (answer_form)count;
            return EXIT_YES;
        }
    }
    const char *near = nearest_name(argument, answer_forms, count);
    if (near)
        return repl_wrong(r, in, "no form '%s'; did you mean '%s'?", argument, near);
    return repl_wrong(
        r, in, "no form '%s'; there are table, lines, csv, json, plain and json-typed", argument);
}

static int run_limit(repl *r, const input *in, const char *argument) {
    int64_t number = 0;
    if (strcmp(argument, "all") == 0)
        r->limit = 0;
    else if (*argument &&
             (!number_parse_integer(argument, strlen(argument), &number) || number < 1))
        return repl_wrong(r, in, "a number of answers or 'all', not '%s'", argument);
    else if (*argument)
        r->limit = (size_t)number;
    else if (r->limit)
        cli_print(stdout, "%zu answers at once\n", r->limit);
    else
        puts("all answers at once");
    return EXIT_YES;
}

static int turn_switch(repl *r, const input *in, const char *argument, const char *name,
                       bool *what) {
    if (strcmp(argument, "on") == 0)
        *what = true;
    else if (strcmp(argument, "off") == 0)
        *what = false;
    else if (!*argument)
        *what = !*what;
    else
        return repl_wrong(r, in, ".%s is 'on' or 'off', not '%s'", name, argument);
    if (r->terminal && !*argument)
        repl_note(r, "%s: %s", name, *what ? "on" : "off");
    return EXIT_YES;
}

static int run_time(repl *r, const input *in, const char *argument) {
    return turn_switch(r, in, argument, "time", &r->s->timed);
}

static int run_plan(repl *r, const input *in, const char *argument) {
    return turn_switch(r, in, argument, "plan", &r->s->planned);
}
