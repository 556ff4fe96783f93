// cli/command.c - the tables of flags.def; parsing arguments, help screens and manual pages by
// them.
#include "cli/command.h"

#include <ctype.h>
#include <string.h>

// Each kind of entry has one array; the entries of a command stand side by side, as in flags.def.

#define COMMAND(name, operands, summary, doc)
#define EXAMPLE(command, line, doc)
#define EXIT(command, status, doc)
#define FLAG(command, letter, name, argument, many, doc)                                           \
    {#command, letter, name, argument, many, doc},
static const command_flag all_flags[] = {
#include "cli/flags.def"
};
#undef FLAG
#undef EXAMPLE
#define FLAG(command, letter, name, argument, many, doc)
#define EXAMPLE(command, line, doc) {#command, line, doc},
static const command_example all_examples[] = {
#include "cli/flags.def"
};
#undef EXAMPLE
#undef EXIT
#define EXAMPLE(command, line, doc)
#define EXIT(command, status, doc) {#command, status, doc},
static const command_exit all_exits[] = {
#include "cli/flags.def"
};
#undef EXIT
#undef COMMAND
#define EXIT(command, status, doc)
#define COMMAND(name, operands, summary, doc) {#name, operands, summary, doc},
typedef struct command_head {
    const char *name, *operands, *summary, *doc;
} command_head;
static const command_head heads[] = {
#include "cli/flags.def"
};
#undef COMMAND

#define COUNT(array) (sizeof(array) / sizeof *(array))

size_t command_count(void) {
    return COUNT(heads);
}

command_info command_at(size_t i) {
    command_info c = {.name = heads[i].name,
                      .operands = heads[i].operands,
                      .summary = heads[i].summary,
                      .doc = heads[i].doc};
    for (size_t k = 0; k < COUNT(all_flags); k++)
        if (strcmp(all_flags[k].command, c.name) == 0 && c.flag_count++ == 0)
            c.flags = &all_flags[k];
    for (size_t k = 0; k < COUNT(all_examples); k++)
        if (strcmp(all_examples[k].command, c.name) == 0 && c.example_count++ == 0)
            c.examples = &all_examples[k];
    for (size_t k = 0; k < COUNT(all_exits); k++)
        if (strcmp(all_exits[k].command, c.name) == 0 && c.exit_count++ == 0)
            c.exits = &all_exits[k];
    return c;
}

bool command_find(const char *name, command_info *out) {
    for (size_t i = 0; i < COUNT(heads); i++) {
        if (strcmp(heads[i].name, name) == 0) {
            *out = command_at(i);
            return true;
        }
    }
    return false;
}

const char *command_nearest(const char *name) {
    const char *names[COUNT(heads)];
    for (size_t i = 0; i < COUNT(heads); i++)
        names[i] = heads[i].name;
    return nearest_name(name, names, COUNT(heads));
}

static const command_flag *flag_by_name(const command_info *c, const char *name, size_t length) {
    for (size_t i = 0; i < c->flag_count; i++)
        if (strlen(c->flags[i].name) == length && memcmp(c->flags[i].name, name, length) == 0)
            return &c->flags[i];
    return NULL;
}

static const command_flag *flag_by_letter(const command_info *c, char letter) {
    for (size_t i = 0; i < c->flag_count; i++)
        if (c->flags[i].letter == letter)
            return &c->flags[i];
    return NULL;
}

static status unknown_option(const command_info *c, const char *given, error *err) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given + 2, "="), given + 2);
    const char *names[32];
    size_t count = 0;
    for (size_t i = 0; i < c->flag_count && count < COUNT(names); i++)
        names[count++] = c->flags[i].name;
    const char *near = given[1] == '-' ? nearest_name(name, names, count) : NULL;
    if (near)
        return error_set(err, E_USAGE, "unknown option '--%s'; did you mean '--%s'?", name, near);
    return error_set(err, E_USAGE, "unknown option '%s'; 'foresee %s --help' lists the options",
                     given, c->name);
}

status arguments_parse(command_info c, int count, char **values, arguments *out, error *err) {
    arguments a = {.command = c};
    bool only_operands = false;
    status s = OK;
    for (int i = 0; i < count; i++) {
        const char *given = values[i];
        if (only_operands || given[0] != '-' || given[1] == 0) {
            array_push(&a.operands, given);
            continue;
        }
        if (strcmp(given, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(given, "--help") == 0 || strcmp(given, "-h") == 0) {
            a.help = true;
            continue;
        }
        const command_flag *f;
        const char *value = NULL;
        if (given[1] == '-') {
            size_t length = strcspn(given + 2, "=");
            f = flag_by_name(&c, given + 2, length);
            if (f && given[2 + length] == '=')
                value = given + 2 + length + 1;
        } else {
            f = flag_by_letter(&c, given[1]);
            if (f && given[2])
                value = given + 2;
        }
        if (!f) {
            s = unknown_option(&c, given, err);
            goto done;
        }
        if (!f->argument && value) {
            s = error_set(err, E_USAGE, "option '--%s' takes no value", f->name);
            goto done;
        }
        if (f->argument && !value) {
            if (i + 1 >= count) {
                s = error_set(err, E_USAGE, "option '%s' needs a value: %s", given, f->argument);
                goto done;
            }
            value = values[++i];
        }
        for (size_t k = 0; k < a.options.count && !f->many; k++) {
            if (a.options.items[k].flag == f) {
                s = error_set(err, E_USAGE, "option '--%s' was given twice", f->name);
                goto done;
            }
        }
        array_push(&a.options, (command_option){f, value});
    }
    *out = a;
    return OK;
done:
    arguments_finish(&a);
    return s;
}

void arguments_finish(arguments *a) {
    array_finish(&a->options);
    array_finish(&a->operands);
}

static const command_option *option_find(const arguments *a, const char *name) {
    const command_flag *f = flag_by_name(&a->command, name, strlen(name));
    ASSERT(f != NULL);
    for (size_t i = 0; i < a->options.count; i++)
        if (a->options.items[i].flag == f)
            return &a->options.items[i];
    return NULL;
}

const char *arguments_value(const arguments *a, const char *name) {
    const command_option *o = option_find(a, name);
    return o ? o->value : NULL;
}

bool arguments_given(const arguments *a, const char *name) {
    return option_find(a, name) != NULL;
}

const char *arguments_first(const arguments *a, const char *const *names) {
    for (; *names; names++)
        if (arguments_given(a, *names))
            return *names;
    return NULL;
}

// ---- Help

// Prints words and breaks lines before column 80; lines after the first are indented.
static void print_wrapped(FILE *out, const char *text, int column, int indent) {
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + (int)word > 79) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)word, text);
        column += (int)word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static int flag_label(const command_flag *f, char *buffer, size_t size) {
    char letter[8] = "   ";
    if (f->letter)
        snprintf(letter, sizeof letter, "-%c,", f->letter);
    return snprintf(buffer, size, "%s --%s%s%s", letter, f->name, f->argument ? " " : "",
                    f->argument ? f->argument : "");
}

void command_help(command_info c, FILE *out) {
    fprintf(out, "foresee %s %s%s\n", c.name, c.operands, c.flag_count ? " [options]" : "");
    print_wrapped(out, c.doc, 0, 0);
    if (c.flag_count)
        fputs("\nOptions\n", out);
    for (size_t i = 0; i < c.flag_count; i++) {
        char label[96];
        flag_label(&c.flags[i], label, sizeof label);
        int width = fprintf(out, "  %-26s ", label);
        if (width > 29) {
            fputs("\n                             ", out);
        }
        print_wrapped(out, c.flags[i].doc, 29, 29);
    }
    fputs("\nExamples\n", out);
    for (size_t i = 0; i < c.example_count; i++) {
        int width = fprintf(out, "  %s", c.examples[i].line);
        if (width + 2 + (int)strlen(c.examples[i].doc) <= 79) {
            fprintf(out, "  %s\n", c.examples[i].doc);
        } else {
            fputs("\n      ", out);
            print_wrapped(out, c.examples[i].doc, 6, 6);
        }
    }
    fputs("\nExit status\n", out);
    for (size_t i = 0; i < c.exit_count; i++) {
        fprintf(out, "  %-4d ", c.exits[i].status);
        print_wrapped(out, c.exits[i].doc, 7, 7);
    }
}

// ---- Manual pages

// Prints text for troff: backslashes and hyphens as such, no control character at the beginning.
static void print_roff(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
    }
}

static void manual_head(const char *name, const char *summary, const char *version, FILE *out) {
    char upper[64];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof upper; n++)
        upper[n] = (char)toupper((unsigned char)name[n]);
    upper[n] = 0;
    fprintf(out, ".TH %s 1 \"\" \"foresee %s\" \"foresee\"\n.SH NAME\n", upper, version);
    print_roff(out, name);
    fputs(" \\- ", out);
    print_roff(out, summary);
    fputs("\n.SH SYNOPSIS\n", out);
}

void command_manual(command_info c, const char *version, FILE *out) {
    char name[64];
    snprintf(name, sizeof name, "foresee-%s", c.name);
    manual_head(name, c.summary, version, out);
    fprintf(out, ".B foresee %s\n", c.name);
    print_roff(out, c.operands);
    if (c.flag_count)
        fputs(" [options]", out);
    fputs("\n.SH DESCRIPTION\n", out);
    print_roff(out, c.doc);
    fputc('\n', out);
    if (c.flag_count)
        fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < c.flag_count; i++) {
        const command_flag *f = &c.flags[i];
        fputs(".TP\n.B ", out);
        if (f->letter)
            fprintf(out, "\\-%c, ", f->letter);
        fputs("\\-\\-", out);
        print_roff(out, f->name);
        if (f->argument) {
            fputc(' ', out);
            print_roff(out, f->argument);
        }
        fputc('\n', out);
        print_roff(out, f->doc);
        fputs(f->many ? "; may be given several times\n" : "\n", out);
    }
    fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < c.example_count; i++) {
        fputs(".TP\n.B ", out);
        print_roff(out, c.examples[i].line);
        fputc('\n', out);
        print_roff(out, c.examples[i].doc);
        fputc('\n', out);
    }
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; i < c.exit_count; i++) {
        fprintf(out, ".TP\n.B %d\n", c.exits[i].status);
        print_roff(out, c.exits[i].doc);
        fputc('\n', out);
    }
    fputs(".SH SEE ALSO\n.BR foresee (1)\n", out);
}

void command_manual_top(const char *version, const char *data, FILE *out) {
    manual_head("foresee", "project robot plans in simulation and explain what happens", version,
                out);
    fputs(".B foresee\nCOMMAND [options]\n.SH DESCRIPTION\n", out);
    print_roff(
        out, "foresee runs a plan in a physics simulation, logs the truth and the robot's belief "
             "side by side into SQLite, and answers questions about what happened, what the robot "
             "thought happened, and why the plan failed.");
    fputs("\n.SH COMMANDS\n", out);
    for (size_t i = 0; i < command_count(); i++) {
        command_info c = command_at(i);
        fprintf(out, ".TP\n.BR foresee\\-%s (1)\n", c.name);
        print_roff(out, c.summary);
        fputc('\n', out);
    }
    fputs(".SH FILES\n.TP\n.I ", out);
    print_roff(out, data);
    fputs(
        "/examples\nPlans, worlds and robots to begin with. The folder can be copied and changed; "
        "where a text says \\(lqexamples/...\\(rq, it means this folder or a copy of it.\n",
        out);
    fputs(".SH ENVIRONMENT\n.TP\n.B FORESEE_DATA\nThe folder that holds predicates/ and plans/, in "
          "place "
          "of the one that was installed with the program (of a program in the folder where it was "
          "built: its source tree).\n.TP\n.B NO_COLOR\n"
          "Print plain text at a terminal as well.\n.SH EXIT STATUS\n0 yes, 1 no, 2 the request is "
          "wrong, "
          "3 no answer can be given, 130 interrupted.\n",
          out);
}
