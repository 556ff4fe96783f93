// cli/editors/highlighting.c - foresee highlighting: how editors colour rule files, made from the
// tables by which rules are read.
#include <ctype.h>
#include <string.h>

#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/editors/editors.h"

typedef struct word_group {
    const char *scope;    // as TextMate calls it
    const char *vim, *as; // the group in Vim, and the standard group that it looks like
    const char *follows;  // what stands before each word, as a regular expression; "" for nothing
    const char *precedes; // what stands behind it
    const char *const *words;
} word_group;

#define DIRECTIVE(word) word,
#define AGGREGATE(word) word,
#define BUILTIN(name, modes, function, doc) name,
#define ARITHMETIC(op, text, arity) text,
#define TYPE(name, classes, noun) #name,
#define SENTENCE(id, word, predicate, about, many, form, doc) word,
static const char *const directives[] = {
#include "query/rules/directives.def"
    NULL};
static const char *const aggregates[] = {
#include "query/lower/aggregates.def"
    NULL};
static const char *const builtins[] = {
#include "query/builtins/builtins.def"
    NULL};
static const char *const arithmetic[] = {
#include "query/rules/arithmetic.def"
    NULL};
static const char *const types[] = {
#include "query/rules/types.def"
    NULL};
static const char *const sentences[] = {
#include "query/rules/flaw_form.def"
    NULL};
static const char *const connectives[] = {"not", "is", NULL};

// Earlier groups win where two fit.
static const word_group GROUPS[] = {
    {"keyword.control.directive", "foreseeDirective", "PreProc", ":-\\s*", "", directives},
    {"keyword.control.sentence", "foreseeSentence", "Statement", "^\\s*", "\\s", sentences},
    {"keyword.operator.word", "foreseeConnective", "Operator", "", "", connectives},
    {"storage.type", "foreseeType", "Type", ":\\s*", "", types},
    {"support.function.aggregate", "foreseeAggregate", "Special", "", "\\s*\\{", aggregates},
    {"support.function.builtin", "foreseeBuiltin", "Function", "", "\\s*\\(", builtins},
    {"support.function.arithmetic", "foreseeArithmetic", "Function", "", "\\s*\\(", arithmetic},
};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };

// Puts those that are words, each once, with a text between two.
static void put_words(text_buffer *b, const char *const *words, const char *between) {
    size_t count = 0;
    for (size_t i = 0; words[i]; i++) {
        bool again = !isalpha((unsigned char)*words[i]);
        for (size_t k = 0; k < i && !again; k++)
            again = strcmp(words[i], words[k]) == 0;
        if (!again)
            text_add(b, "%s%s", count++ ? between : "", words[i]);
    }
}

static void put_vim(text_buffer *b) {
    text_put(b, "\" Rule files of foresee; made by `foresee highlighting vim`.\n"
                "if exists('b:current_syntax') | finish | endif\n"
                "syntax match foreseeNumber /\\v<\\d+(\\.\\d+)?([eE][-+]?\\d+)?>/\n"
                "syntax match foreseeVariable /\\v<[A-Z_]\\w*>/\n");
    // Where several match at one place, the last that was defined wins.
    for (size_t i = GROUP_COUNT; i-- > 0;) {
        const word_group *g = &GROUPS[i];
        text_add(b, "syntax match %s /\\v%s", g->vim, *g->follows ? "(" : "");
        text_put(b, g->follows);
        text_add(b, "%s<(", *g->follows ? ")@<=" : "");
        put_words(b, g->words, "|");
        text_add(b, ")>%s%s%s/\n", *g->precedes ? "(" : "", g->precedes, *g->precedes ? ")@=" : "");
    }
    text_put(b, "syntax region foreseeString start=/\"/ skip=/\\\\./ end=/\"/\n"
                "syntax region foreseeSymbol start=/'/ skip=/\\\\./ end=/'/ oneline\n"
                "syntax match foreseeComment /%.*/\n"
                "highlight default link foreseeNumber Number\n"
                "highlight default link foreseeVariable Identifier\n"
                "highlight default link foreseeString String\n"
                "highlight default link foreseeSymbol Constant\n"
                "highlight default link foreseeComment Comment\n");
    for (size_t i = 0; i < GROUP_COUNT; i++)
        text_add(b, "highlight default link %s %s\n", GROUPS[i].vim, GROUPS[i].as);
    text_put(b, "setlocal commentstring=%\\ %s\nlet b:current_syntax = 'foresee'\n");
}

static void put_rule(text_buffer *b, const char *scope, const char *pattern) {
    text_put(b, ",\n    { \"name\": ");
    text_buffer name = {0};
    text_add(&name, "%s.foresee", scope);
    json_string(b, text_string(&name));
    text_put(b, ", \"match\": ");
    json_string(b, pattern);
    text_put(b, " }");
    text_finish(&name);
}

static void put_textmate(text_buffer *b) {
    text_put(b, "{\n  \"name\": \"foresee rules\",\n  \"scopeName\": \"source.foresee\",\n"
                "  \"fileTypes\": [\"dl\"],\n  \"patterns\": [\n"
                "    { \"name\": \"comment.line.percentage.foresee\", \"match\": \"%.*$\" },\n"
                "    { \"name\": \"string.quoted.double.foresee\", \"begin\": \"\\\"\", "
                "\"end\": \"\\\"\", \"patterns\": [ { \"name\": "
                "\"constant.character.escape.foresee\", \"match\": \"\\\\\\\\.\" } ] },\n"
                "    { \"name\": \"constant.other.symbol.foresee\", \"match\": "
                "\"'(?:[^'\\\\\\\\]|\\\\\\\\.)*'\" }");
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        const word_group *g = &GROUPS[i];
        // What stands before a word may be of any length, which a grammar cannot look back at.
        text_buffer pattern = {0};
        text_add(&pattern, "%s\\b(?:", g->follows);
        put_words(&pattern, g->words, "|");
        text_add(&pattern, ")\\b%s%s%s", *g->precedes ? "(?=" : "", g->precedes,
                 *g->precedes ? ")" : "");
        put_rule(b, g->scope, text_string(&pattern));
        text_finish(&pattern);
    }
    put_rule(b, "constant.numeric", "\\b\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b");
    put_rule(b, "variable.other", "\\b[A-Z_]\\w*\\b");
    text_put(b, "\n  ]\n}\n");
}

int command_highlighting(const arguments *a) {
    const char *editor = a->operands.count == 1 ? a->operands.items[0] : "";
    bool vim = strcmp(editor, "vim") == 0;
    if (!vim && strcmp(editor, "textmate") != 0)
        return cli_usage(a, "highlighting needs a kind of editor: vim or textmate");
    text_buffer out = {0};
    if (vim)
        put_vim(&out);
    else
        put_textmate(&out);
    fwrite(out.items, 1, out.count, stdout);
    text_finish(&out);
    return EXIT_YES;
}
