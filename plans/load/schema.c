// plans/load/schema.c - the JSON Schemas of plans and of edits.
#include "base/text/json.h"
#include "base/yaml/schema.h"
#include "plans/check/check_int.h"

static const struct {
    const char *map, *name, *form, *doc;
    bool needed;
} FILE_KEYS[] = {
#define KEY(map, name, form, doc) {#map, name, #form, doc, false},
#define NEED(map, name, form, doc) {#map, name, #form, doc, true},
#include "plans/files.def"
};

static const struct {
    construct of;
    const char *key;
} NEEDED[] = {
#define NEEDS(id, key) {CONSTRUCT_##id, key},
#include "plans/constructs.def"
};

static const struct {
    const char *key, *beside, *doc;
} EDITS[] = {
#define EDIT(id, key, beside, doc) {key, beside, doc},
#include "plans/edits.def"
#undef EDIT
};

// Keys of constructs and of edits under which steps stand, and those with other forms; under all
// others there are terms.
static const char *form_of(const char *key) {
    static const char *const forms[][2] = {{"do", "body"},
                                           {"then", "body"},
                                           {"else", "body"},
                                           {"in", "body"},
                                           {"clean_up", "body"},
                                           {"init", "body"},
                                           {"check", "body"},
                                           {"recover", "body"},
                                           {"step", "body"},
                                           {"steps", "list"},
                                           {"handle", "clauses"},
                                           {"with", "terms"},
                                           {"doc", "text"},
                                           {"tag", "text"},
                                           {"as", "text"},
                                           {"reason", "text"},
                                           {"verify", "yes_no"},
                                           {"skip_when_true", "yes_no"},
                                           {"alternatives", "yes_no"},
                                           {"value", "anything"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i][0], key) == 0)
            return forms[i][1];
    return "term";
}

static void put_property(text_buffer *b, size_t *count, const char *name, const char *form,
                         const char *doc) {
    text_put(b, (*count)++ ? ", " : "");
    json_string(b, name);
    text_put(b, ": {");
    if (doc) {
        json_member(b, "", "description", doc);
        text_put(b, ", ");
    }
    text_put(b, "\"allOf\": [");
    schema_refer(b, form);
    text_put(b, "]}");
}

static void put_name(text_buffer *b, size_t *count, const char *name) {
    text_put(b, (*count)++ ? ", " : "");
    json_string(b, name);
}

// A mapping of files.def.
static void put_file_map(text_buffer *b, const char *name, const char *map) {
    size_t count = 0;
    text_add(b,
             ",\n    \"%s\": {\"type\": \"object\", \"additionalProperties\": false, "
             "\"properties\": {",
             name);
    for (size_t i = 0; i < sizeof FILE_KEYS / sizeof *FILE_KEYS; i++)
        if (strcmp(FILE_KEYS[i].map, map) == 0)
            put_property(b, &count, FILE_KEYS[i].name, FILE_KEYS[i].form, FILE_KEYS[i].doc);
    text_put(b, "}, \"required\": [");
    count = 0;
    for (size_t i = 0; i < sizeof FILE_KEYS / sizeof *FILE_KEYS; i++)
        if (strcmp(FILE_KEYS[i].map, map) == 0 && FILE_KEYS[i].needed)
            put_name(b, &count, FILE_KEYS[i].name);
    text_put(b, "]}");
}

// The form of what stands under a construct's own key, as JSON.
static void put_own_form(text_buffer *b, construct c) {
    const char *const *inside = construct_keys_inside(c);
    bool steps = c == CONSTRUCT_SEQ || c == CONSTRUCT_PAR || c == CONSTRUCT_PURSUE ||
                 c == CONSTRUCT_TRY_ALL || c == CONSTRUCT_TRY_IN_ORDER ||
                 c == CONSTRUCT_PARTIAL_ORDER;
    if (steps || !*inside) {
        bool terms = c == CONSTRUCT_PERFORM || c == CONSTRUCT_LET || c == CONSTRUCT_SET;
        schema_refer(b, steps ? "list" : terms ? "anything" : c == CONSTRUCT_LOG ? "text" : "term");
        return;
    }
    size_t count = 0;
    text_put(b, c == CONSTRUCT_FAIL ? "{\"anyOf\": [{\"type\": \"string\"}, " : "");
    text_put(b, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (const char *const *k = inside; *k; k++)
        put_property(b, &count, *k, form_of(*k), NULL);
    text_put(b, "}, \"required\": [");
    count = 0;
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
        if (NEEDED[i].of == c)
            put_name(b, &count, NEEDED[i].key);
    text_put(b, c == CONSTRUCT_FAIL ? "]}]}" : "]}");
}

static void put_construct(text_buffer *b, construct c) {
    text_put(b, "{");
    json_member(b, "", "description", construct_doc(c));
    text_put(b, ", \"allOf\": [");
    put_own_form(b, c);
    text_put(b, "]}");
}

// Returns whether an argument's entry, as "!navigate.to", is of the action; *key: its name.
static bool argument_of(const char *entry, const char *action, const char **key) {
    size_t length = strlen(action);
    entry += *entry == '!';
    *key = entry + length + 1;
    return strncmp(entry, action, length) == 0 && entry[length] == '.';
}

// A definition for each argument that is one of some words, or of a list of them: word_KEY. What is
// computed, or filled in, may be any.
static void put_words(text_buffer *b, const plan_names *names) {
    for (const char *const *entry = names->words; *entry; entry++) {
        char key[32], text[128];
        bool list;
        size_t count = 0, several = 0;
        snprintf(key, sizeof key, "%.*s", (int)strcspn(*entry, " "), *entry);
        snprintf(text, sizeof text, "%s", argument_words(names, key, &list));
        bool flag = strcmp(text, "true, false") == 0;
        name_list words = words_of(text);
        text_add(b, ",\n    \"word_%s\": {\"anyOf\": [{\"enum\": [", key);
        text_put(b, flag ? "true, false, " : "");
        for (size_t i = 0; i < words.count; i++)
            put_name(b, &count, words.items[i]);
        text_put(b, "]}, {\"type\": \"string\", \"pattern\": \"[?$(\\\\[]\"}");
        if (list)
            text_put(b, ", {\"type\": \"array\", \"minItems\": 1, \"items\": {\"anyOf\": "
                        "[{\"enum\": [");
        for (size_t i = 0; list && i < words.count; i++)
            if (strcmp(words.items[i], "any") != 0)
                put_name(b, &several, words.items[i]);
        if (list)
            text_put(b, "]}, {\"$ref\": \"#/definitions/filled\"}, {\"type\": \"string\", "
                        "\"pattern\": \"^[?]\"}]}}");
        text_put(b, "]}");
        array_finish(&words);
    }
}

// An argument of an action: a word or a term, and its bounds where it is a number. Those of a list
// of rows are of the numbers after the first of each.
static void put_argument(text_buffer *b, const plan_names *names, const char *action,
                         const char *key) {
    const char *bound = entry_of(names->numbers, key);
    bool rows = entry_of(names->rows, key) != NULL;
    char form[48] = "term";
    if (entry_of(names->words, key))
        snprintf(form, sizeof form, "word_%s", key);
    text_put(b, ": {\"allOf\": [");
    schema_refer(b, form);
    if (bound)
        text_add(b, ", {\"%s\": 0}", bound[1] == '=' ? "minimum" : "exclusiveMinimum");
    for (const plan_limit *l = names->bounds; l && l->action; l++) {
        if (strcmp(l->action, action) != 0 || strcmp(l->key, key) != 0)
            continue;
        text_put(b, rows ? ", {\"items\": {\"items\": [true], \"additionalItems\": " : ", ");
        text_add(b, "{\"minimum\": %g, \"maximum\": %g}%s", l->least, l->most, rows ? "}}" : "");
    }
    text_put(b, "]}");
}

static void put_action(text_buffer *b, const plan_names *names, const char *action) {
    const char *key;
    size_t count = 0;
    text_put(b, "{\"type\": [\"object\", \"null\"], \"additionalProperties\": false, "
                "\"properties\": {");
    for (const char *const *a = names->arguments; *a; a++)
        if (argument_of(*a, action, &key)) {
            put_name(b, &count, key);
            put_argument(b, names, action, key);
        }
    text_put(b, "}, \"required\": [");
    count = 0;
    for (const char *const *a = names->arguments; *a; a++)
        if (**a == '!' && argument_of(*a, action, &key))
            put_name(b, &count, key);
    text_put(b, "]}");
}

// Which keys may stand beside `own` in a step, and which must.
static void put_beside(text_buffer *b, size_t *steps, const char *own, construct c) {
    size_t count = 0;
    text_add(b,
             "%s\n      {\"if\": {\"required\": [\"%s\"]}, \"then\": {\"propertyNames\": {"
             "\"enum\": [",
             (*steps)++ ? "," : "", own);
    put_name(b, &count, own);
    for (const char *const *k = construct_keys_beside(c); *k; k++)
        put_name(b, &count, *k);
    for (size_t i = 0; i < KEYS_COMMON_COUNT; i++)
        put_name(b, &count, step_keys_common()[i]);
    for (int of = 0; of < CONSTRUCT_COUNT; of++)
        for (const char *const *k = construct_keys_of_child((construct)of); *k; k++)
            put_name(b, &count, *k);
    text_put(b, "]}, \"required\": [");
    count = 0;
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
        if (NEEDED[i].of == c && step_key_is_beside(c, NEEDED[i].key))
            put_name(b, &count, NEEDED[i].key);
    text_put(b, "]}}");
}

static void put_step_properties(text_buffer *b, const plan_names *names) {
    size_t count = 0;
    for (size_t i = 0; i < KEYS_COMMON_COUNT; i++)
        put_property(b, &count, step_keys_common()[i], form_of(step_keys_common()[i]), NULL);
    for (int c = 0; c < CONSTRUCT_COUNT; c++) {
        if (construct_key((construct)c)) {
            text_add(b, ",\n      \"%s\": ", construct_key((construct)c));
            put_construct(b, (construct)c);
        }
    }
    for (const char *const *a = names->actions; *a; a++) {
        text_add(b, ",\n      \"%s\": ", *a);
        put_action(b, names, *a);
    }
    // Keys beside several constructs are the same in all of them.
    for (int c = 0; c < CONSTRUCT_COUNT; c++) {
        for (const char *const *k = construct_keys_beside((construct)c); *k; k++) {
            bool before = false;
            for (int d = 0; d < c; d++)
                before = before || step_key_is_beside((construct)d, *k);
            if (!before)
                put_property(b, &count, *k, form_of(*k), NULL);
        }
    }
}

static void put_step(text_buffer *b, const plan_names *names) {
    size_t count = 0;
    text_put(b, ",\n    \"step\": {\"type\": \"object\", \"properties\": {");
    put_step_properties(b, names);
    text_put(b, "}, \"allOf\": [");
    for (int c = 0; c < CONSTRUCT_COUNT; c++)
        if (construct_key((construct)c))
            put_beside(b, &count, construct_key((construct)c), (construct)c);
    for (const char *const *a = names->actions; *a; a++)
        put_beside(b, &count, *a, CONSTRUCT_ACTION);
    text_put(b, "],\n      \"anyOf\": [");
    count = 0;
    for (int c = 0; c < CONSTRUCT_COUNT; c++)
        if (construct_key((construct)c))
            text_add(b, "%s{\"required\": [\"%s\"]}", count++ ? ", " : "",
                     construct_key((construct)c));
    for (const char *const *a = names->actions; *a; a++)
        text_add(b, ", {\"required\": [\"%s\"]}", *a);
    text_put(b, "]}");
}

static void put_steps(text_buffer *b, const plan_names *names) {
    size_t count = 0;
    text_put(b, ",\n    \"anything\": true"
                ",\n    \"term\": {\"type\": [\"string\", \"number\", \"boolean\", \"array\", "
                "\"object\"]}"
                ",\n    \"terms\": {\"type\": \"object\"}"
                ",\n    \"list\": {\"type\": \"array\", \"items\": {\"$ref\": "
                "\"#/definitions/body\"}}"
                ",\n    \"clauses\": {\"type\": \"array\", \"items\": {\"type\": \"object\", "
                "\"additionalProperties\": false, \"properties\": {");
    for (const char *const *k = clause_keys(); *k; k++)
        put_property(b, &count, *k, form_of(*k), NULL);
    text_put(b, "}, \"required\": [\"failure\"], \"anyOf\": [{\"required\": [\"retry\"]}, "
                "{\"required\": [\"then\"]}]}}");
    put_words(b, names);
    put_step(b, names);
    text_put(b, ",\n    \"body\": {\"if\": {\"type\": \"array\"}, \"then\": {\"$ref\": "
                "\"#/definitions/list\"}, \"else\": {\"if\": {\"type\": \"object\"}, \"then\": "
                "{\"$ref\": \"#/definitions/step\"}, \"else\": {\"enum\": [");
    count = 0;
    for (const char *const *a = names->actions; *a; a++)
        put_name(b, &count, *a);
    text_put(b, "]}}}");
}

void schema_plan(const plan_names *names, text_buffer *out) {
    schema_begin(out, "a plan, or a file of routines, for foresee");
    put_steps(out, names);
    text_put(out,
             ",\n    \"settings\": {\"type\": \"object\", \"propertyNames\": {\"pattern\": "
             "\"^(world|robot|log)[.].\"}, \"additionalProperties\": {\"$ref\": "
             "\"#/definitions/text\"}}"
             ",\n    \"own_settings\": {\"type\": \"object\", \"propertyNames\": {\"pattern\": "
             "\"^(plan|robot)[.].\"}, \"additionalProperties\": {\"$ref\": "
             "\"#/definitions/text\"}}"
             ",\n    \"place\": {\"type\": \"array\", \"items\": {\"type\": [\"number\", "
             "\"string\"]}, \"minItems\": 3, \"maxItems\": 3}"
             ",\n    \"robots\": {\"type\": \"object\", \"minProperties\": 1, "
             "\"additionalProperties\": {\"$ref\": \"#/definitions/member\"}}"
             ",\n    \"pair\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
             "\"minItems\": 2, \"maxItems\": 2}"
             ",\n    \"sharing\": {\"anyOf\": [{\"enum\": [\"all\", \"nothing\"]}, "
             "{\"$ref\": \"#/definitions/filled\"}]}"
             ",\n    \"number\": {\"anyOf\": [{\"type\": \"number\"}, "
             "{\"$ref\": \"#/definitions/filled\"}]}"
             ",\n    \"switch\": {\"anyOf\": [{\"type\": \"boolean\"}, {\"enum\": [\"yes\", "
             "\"no\"]}, {\"$ref\": \"#/definitions/filled\"}]}"
             ",\n    \"links\": {\"type\": \"array\", \"items\": {\"$ref\": "
             "\"#/definitions/link\"}}"
             ",\n    \"routines\": {\"type\": \"array\", \"items\": {\"if\": {\"type\": "
             "\"object\"}, \"then\": {\"$ref\": \"#/definitions/routine\"}, \"else\": "
             "{\"type\": \"string\"}}}");
    size_t count = 0;
    text_put(out, ",\n    \"coupling\": {\"anyOf\": [{\"enum\": [");
    for (int k = 0; k < COUPLING_COUNT; k++)
        put_name(out, &count, coupling_name((coupling_kind)k));
    text_put(out, "]}, {\"$ref\": \"#/definitions/filled\"}]}");
    text_put(out, ",\n    \"assist\": {\"anyOf\": [{\"enum\": [\"base_follows_hands\"]}, "
                  "{\"$ref\": \"#/definitions/filled\"}]}");
    put_file_map(out, "projection", "PROJECTION");
    put_file_map(out, "member", "MEMBER");
    put_file_map(out, "link", "LINK");
    put_file_map(out, "teleoperation", "TELEOPERATION");
    put_file_map(out, "wire", "WIRE");
    put_file_map(out, "routine", "ROUTINE");
    put_file_map(out, "plan", "PLAN");
    put_file_map(out, "library", "LIBRARY");
    text_put(out, ",\n    \"file\": {\"if\": {\"required\": [\"library\"]}, \"then\": {\"$ref\": "
                  "\"#/definitions/library\"}, \"else\": {\"$ref\": "
                  "\"#/definitions/plan\"}}\n  }\n}\n");
}

// One kind of edit: its keys, and those that must be there.
static void put_edit(text_buffer *b, size_t i) {
    size_t count = 2;
    text_add(b,
             "%s\n      {\"if\": {\"required\": [\"%s\"]}, \"then\": {\"propertyNames\": {"
             "\"enum\": [\"%s\", \"reason\"",
             i ? "," : "", EDITS[i].key, EDITS[i].key);
    for (int needed = 0; needed < 2; needed++) {
        for (const char *w = EDITS[i].beside; *w;) {
            size_t length = strcspn(w, " "), mark = *w == '!';
            if (!needed || mark)
                text_add(b, "%s\"%.*s\"", count++ ? ", " : "", (int)(length - mark), w + mark);
            w += length + (w[length] == ' ');
        }
        text_put(b, needed ? "]}}" : "]}, \"required\": [");
        count = 0;
    }
}

void schema_edits(const plan_names *names, text_buffer *out) {
    const size_t kinds = sizeof EDITS / sizeof *EDITS;
    size_t count = 0;
    schema_begin(out, "edits of a plan for foresee");
    put_steps(out, names);
    text_put(out, ",\n    \"edit\": {\"type\": \"object\", \"properties\": {");
    for (size_t i = 0; i < kinds; i++)
        put_property(out, &count, EDITS[i].key, "text", EDITS[i].doc);
    put_property(out, &count, "step", "body", NULL);
    put_property(out, &count, "reason", "text", NULL);
    text_put(out, "}, \"allOf\": [");
    for (size_t i = 0; i < kinds; i++)
        put_edit(out, i);
    text_put(out, "],\n      \"anyOf\": [");
    for (size_t i = 0; i < kinds; i++)
        text_add(out, "%s{\"required\": [\"%s\"]}", i ? ", " : "", EDITS[i].key);
    text_put(out, "]}"
                  ",\n    \"edits\": {\"type\": \"array\", \"items\": {\"$ref\": "
                  "\"#/definitions/edit\"}}"
                  ",\n    \"file\": {\"if\": {\"type\": \"array\"}, \"then\": {\"$ref\": "
                  "\"#/definitions/edits\"}, \"else\": {\"if\": {\"required\": [\"edits\"]}, "
                  "\"then\": {\"type\": \"object\", \"additionalProperties\": false, "
                  "\"properties\": {\"reason\": {\"$ref\": \"#/definitions/text\"}, \"edits\": "
                  "{\"$ref\": \"#/definitions/edits\"}}}, \"else\": {\"$ref\": "
                  "\"#/definitions/edit\"}}}\n  }\n}\n");
}
