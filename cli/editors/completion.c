// cli/editors/completion.c - foresee completion: what bash and zsh need to complete a command
// line, made from flags.def.
#include <ctype.h>
#include <string.h>

#include "base/text/text.h"
#include "cli/editors/editors.h"

enum { EXTENSIONS_MAX = 8, EXTENSION_SIZE = 12 };

// The endings of the files that the name of a value or operand speaks of, as `PLAN.yaml | LOG.db`.
static size_t find_extensions(const char *text, char out[EXTENSIONS_MAX][EXTENSION_SIZE]) {
    size_t count = 0;
    for (const char *p = strchr(text, '.'); p && count < EXTENSIONS_MAX; p = strchr(p + 1, '.')) {
        size_t length = 0;
        while (islower((unsigned char)p[1 + length]) && length < EXTENSION_SIZE - 1)
            length++;
        snprintf(out[count], EXTENSION_SIZE, "%.*s", (int)length, p + 1);
        bool again = length == 0;
        for (size_t i = 0; i < count; i++)
            again = again || strcmp(out[i], out[count]) == 0;
        count += !again;
    }
    return count;
}

// Puts the words of a choice such as `N|all`, which are written small.
static void put_choices(text_buffer *b, const char *text) {
    size_t count = 0;
    for (const char *p = text; strchr(text, '|') && *p;) {
        size_t length = strcspn(p, "|");
        if (islower((unsigned char)*p) && !memchr(p, '.', length))
            text_add(b, "%s%.*s", count++ ? " " : "", (int)length, p);
        p += length + (p[length] == '|');
    }
}

// ---- bash ---------------------------------------------------------------------------------------

// A line that offers what the value or operand may be; none where nothing is known of it.
static void put_bash_value(text_buffer *b, const char *text) {
    char endings[EXTENSIONS_MAX][EXTENSION_SIZE];
    size_t count = find_extensions(text, endings);
    text_buffer words = {0};
    put_choices(&words, text);
    if (words.count > 0)
        text_add(b, " _foresee_words \"%s\";", text_string(&words));
    if (count > 0 || strstr(text, "FILE") || strstr(text, "FOLDER")) {
        text_put(b, " _foresee_files");
        for (size_t i = 0; i < count; i++)
            text_add(b, " %s", endings[i]);
        text_put(b, ";");
    }
    text_finish(&words);
}

static void put_bash_command(text_buffer *b, command_info c) {
    text_add(b, "    %s)\n        case $before in\n", c.name);
    for (size_t i = 0; i < c.flag_count; i++) {
        const command_flag *f = &c.flags[i];
        if (!f->argument)
            continue;
        text_put(b, "        ");
        if (f->letter)
            text_add(b, "-%c%s", f->letter, f->name ? " | " : "");
        if (f->name)
            text_add(b, "--%s", f->name);
        text_put(b, ")");
        put_bash_value(b, f->argument);
        text_put(b, " return ;;\n");
    }
    text_put(b, "        esac\n        case $word in\n        -*) _foresee_words \"");
    for (size_t i = 0; i < c.flag_count; i++) {
        if (c.flags[i].letter)
            text_add(b, "-%c ", c.flags[i].letter);
        if (c.flags[i].name)
            text_add(b, "--%s ", c.flags[i].name);
    }
    text_put(b, "--help\" ;;\n        *)");
    if (strcmp(c.name, "help") == 0)
        text_put(b, " _foresee_words \"$commands\" ;;\n");
    else {
        put_bash_value(b, c.operands);
        text_put(b, " ;;\n");
    }
    text_put(b, "        esac ;;\n");
}

static void put_bash(text_buffer *b) {
    text_put(
        b,
        "# Completion of foresee in bash; made by `foresee completion bash`.\n"
        "_foresee_words() { COMPREPLY+=($(compgen -W \"$1\" -- \"$word\")); }\n"
        "# Folders, and files with one of the endings; without any, all files.\n"
        "_foresee_files() {\n"
        "    local ending IFS=$'\\n'\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    [ $# -gt 0 ] || { COMPREPLY+=($(compgen -f -- \"$word\")); return; }\n"
        "    COMPREPLY+=($(compgen -d -- \"$word\"))\n"
        "    for ending; do COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$word\")); done\n"
        "}\n"
        "_foresee() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} commands=\"");
    for (size_t i = 0; i < command_count(); i++)
        text_add(b, "%s%s", i ? " " : "", command_at(i).name);
    text_put(b, "\"\n    COMPREPLY=()\n"
                "    [ \"$COMP_CWORD\" -gt 1 ] || { _foresee_words \"$commands --help --version\"; "
                "return; }\n"
                "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < command_count(); i++)
        put_bash_command(b, command_at(i));
    text_put(b, "    esac\n}\ncomplete -F _foresee foresee\n");
}

// ---- zsh ----------------------------------------------------------------------------------------

// A text within a specification of _arguments that stands in single quotes.
static void put_zsh_text(text_buffer *b, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            text_put(b, "'\\''");
        else if (strchr("[]:\\", *text))
            text_add(b, "\\%c", *text);
        else
            text_put_bytes(b, text, 1);
    }
}

// The message and the action of a value or operand.
static void put_zsh_value(text_buffer *b, const char *text) {
    char endings[EXTENSIONS_MAX][EXTENSION_SIZE];
    size_t count = find_extensions(text, endings);
    text_buffer words = {0};
    put_choices(&words, text);
    text_put(b, ":");
    put_zsh_text(b, text);
    text_put(b, ":");
    if (count > 0) {
        text_put(b, "_files -g \"*.(");
        for (size_t i = 0; i < count; i++)
            text_add(b, "%s%s", i ? "|" : "", endings[i]);
        text_put(b, ")\"");
    } else if (words.count > 0) {
        text_add(b, "(%s)", text_string(&words));
    } else if (strstr(text, "FILE") || strstr(text, "FOLDER")) {
        text_put(b, "_files");
    } else {
        text_put(b, " ");
    }
    text_finish(&words);
}

static void put_zsh_flag(text_buffer *b, const command_flag *f, const char *dashes,
                         const char *name) {
    text_add(b, " \\\n            '%s%s%s%s[", f->many ? "*" : "", dashes, name,
             !f->argument        ? ""
             : *name && !name[1] ? "+"
                                 : "=");
    put_zsh_text(b, f->doc);
    text_put(b, "]");
    if (f->argument)
        put_zsh_value(b, f->argument);
    text_put(b, "'");
}

static void put_zsh_command(text_buffer *b, command_info c) {
    text_add(b, "    %s)\n        _arguments '--help[explain the command]'", c.name);
    for (size_t i = 0; i < c.flag_count; i++) {
        char letter[2] = {c.flags[i].letter, 0};
        if (c.flags[i].letter)
            put_zsh_flag(b, &c.flags[i], "-", letter);
        if (c.flags[i].name)
            put_zsh_flag(b, &c.flags[i], "--", c.flags[i].name);
    }
    text_put(b, " \\\n            '*");
    if (strcmp(c.name, "help") == 0)
        text_put(b, ":command:($commands)' ;;\n");
    else {
        put_zsh_value(b, c.operands);
        text_put(b, "' ;;\n");
    }
}

static void put_zsh(text_buffer *b) {
    text_put(b,
             "#compdef foresee\n# Completion of foresee in zsh; made by `foresee completion zsh`.\n"
             "_foresee() {\n    local -a described commands\n    described=(");
    for (size_t i = 0; i < command_count(); i++) {
        text_add(b, "\n        '%s:", command_at(i).name);
        put_zsh_text(b, command_at(i).summary);
        text_put(b, "'");
    }
    text_put(
        b,
        ")\n    commands=(${described%%:*})\n"
        "    if ((CURRENT == 2)); then\n        _describe command described\n        return\n    "
        "fi\n"
        "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n");
    for (size_t i = 0; i < command_count(); i++)
        put_zsh_command(b, command_at(i));
    text_put(b, "    esac\n}\nif [ \"$funcstack[1]\" = _foresee ]; then _foresee \"$@\"; else "
                "compdef _foresee foresee; fi\n");
}

int command_completion(const arguments *a) {
    const char *shell = a->operands.count == 1 ? a->operands.items[0] : "";
    bool bash = strcmp(shell, "bash") == 0;
    if (!bash && strcmp(shell, "zsh") != 0)
        return cli_usage(a, "completion needs a shell: bash or zsh");
    text_buffer out = {0};
    if (bash)
        put_bash(&out);
    else
        put_zsh(&out);
    fwrite(out.items, 1, out.count, stdout);
    text_finish(&out);
    return EXIT_YES;
}
