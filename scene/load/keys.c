// scene/load/keys.c - the keys of world and robot files: checked, and as JSON Schemas.
#include "scene/load/keys.h"
#include "base/text/json.h"
#include "base/yaml/schema.h"
#include "scene/load/loading.h"

enum { KEYS_MAX = 48 };

typedef enum key_form {
    FORM_TEXT,
    FORM_YES_NO,
    FORM_WHOLE,
    FORM_NUMBER,
    FORM_NUMBERS,
    FORM_ONE_OR_THREE,
    FORM_POSE,
    FORM_PLACE_OR_SPOT,
    FORM_WORDS,
    FORM_COLOR,
    FORM_INERTIA,
    FORM_POSITIONS,
    FORM_MAP,
    FORM_NAMED,
    FORM_LIST,
    FORM_TEXT_OR_MAP,
    FORM_TEXTS,
    FORM_VALUES,
    FORM_PARAMETERS,
    FORM_ANYTHING
} key_form;

typedef struct file_key {
    file_map of;
    const char *name;
    bool needed;
    struct key_value {
        key_form form;
        int low, high; // of a whole number; low: how many numbers
        quantity q;
        file_map map;
        const char *words;
    } value;
    const char *doc;
} file_key;

#define TEXT                                                                                       \
    { .form = FORM_TEXT }
#define YES_NO                                                                                     \
    { .form = FORM_YES_NO }
#define WHOLE(least, most)                                                                         \
    { .form = FORM_WHOLE, .low = least, .high = most }
#define NUMBER(of)                                                                                 \
    { .form = FORM_NUMBER, .q = Q_##of }
#define NUMBERS(count, of)                                                                         \
    { .form = FORM_NUMBERS, .low = count, .q = Q_##of }
#define ONE_OR_THREE(of)                                                                           \
    { .form = FORM_ONE_OR_THREE, .q = Q_##of }
#define POSE(of)                                                                                   \
    { .form = FORM_POSE, .q = Q_##of }
#define PLACE_OR_SPOT                                                                              \
    { .form = FORM_PLACE_OR_SPOT, .q = Q_PLACE }
#define WORDS(all)                                                                                 \
    { .form = FORM_WORDS, .words = all }
#define COLOR                                                                                      \
    { .form = FORM_COLOR }
#define INERTIA                                                                                    \
    { .form = FORM_INERTIA, .q = Q_INERTIA }
#define POSITIONS                                                                                  \
    { .form = FORM_POSITIONS, .q = Q_ANYTHING }
#define MAP_OF(other)                                                                              \
    { .form = FORM_MAP, .map = MAP_##other }
#define NAMED(other)                                                                               \
    { .form = FORM_NAMED, .map = MAP_##other }
#define LIST(other)                                                                                \
    { .form = FORM_LIST, .map = MAP_##other }
#define TEXT_OR(other)                                                                             \
    { .form = FORM_TEXT_OR_MAP, .map = MAP_##other }
#define TEXTS                                                                                      \
    { .form = FORM_TEXTS }
#define VALUES                                                                                     \
    { .form = FORM_VALUES }
#define PARAMETERS                                                                                 \
    { .form = FORM_PARAMETERS }
#define ANYTHING                                                                                   \
    { .form = FORM_ANYTHING }

static const file_key KEYS[] = {
#define MAP(id, doc)
#define ALSO(map, other)
#define KEY(map, name, form, doc) {MAP_##map, name, false, form, doc},
#define NEED(map, name, form, doc) {MAP_##map, name, true, form, doc},
#include "scene/load/keys.def"
};

static const struct {
    file_map of, other;
} ALSOS[] = {
#define MAP(id, doc)
#define KEY(map, name, form, doc)
#define NEED(map, name, form, doc)
#define ALSO(map, other) {MAP_##map, MAP_##other},
#include "scene/load/keys.def"
};

static const struct {
    const char *name, *doc;
} MAPS[] = {
#define MAP(id, doc) {#id, doc},
#define KEY(map, name, form, doc)
#define NEED(map, name, form, doc)
#define ALSO(map, other)
#include "scene/load/keys.def"
};

// The keys of a mapping, its own first; returns how many are in `out` then, with `count` before
// them.
static size_t keys_of(file_map map, const file_key *out[KEYS_MAX], size_t count) {
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (KEYS[i].of == map) {
            ASSERT(count < KEYS_MAX - 1);
            out[count++] = &KEYS[i];
        }
    for (size_t i = 0; i < sizeof ALSOS / sizeof *ALSOS; i++)
        if (ALSOS[i].of == map)
            count = keys_of(ALSOS[i].other, out, count);
    return count;
}

void keys_check(const ynode *n, file_map map, errors *list) {
    const file_key *keys[KEYS_MAX];
    const char *names[KEYS_MAX];
    size_t count = keys_of(map, keys, 0);
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i]->name;
    names[count] = NULL;
    ynode_check_keys(n, names, list);
}

// ---- As JSON Schemas ----------------------------------------------------------------------------

static void put_number(text_buffer *b, quantity q) {
    text_add(b, "{\"$ref\": \"#/definitions/number_%s\"}", quantity_name(q));
}

static void put_numbers(text_buffer *b, quantity q, int least, int most) {
    text_put(b, "{\"type\": \"array\", \"items\": ");
    put_number(b, q);
    if (most > 0)
        text_add(b, ", \"minItems\": %d, \"maxItems\": %d", least, most);
    text_put(b, "}");
}

static void put_words(text_buffer *b, const char *words) {
    text_put(b, "{\"anyOf\": [{\"enum\": [");
    for (const char *w = words; *w;) {
        size_t length = strcspn(w, " ");
        text_add(b, "%s\"%.*s\"", w == words ? "" : ", ", (int)length, w);
        w += length + (w[length] == ' ');
    }
    text_put(b, "]}, {\"$ref\": \"#/definitions/filled\"}]}");
}

static void put_color(text_buffer *b) {
    size_t count;
    const named_color *colors = world_colors(&count);
    text_buffer words = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&words, "%s%s", i ? " " : "", colors[i].name);
    put_words(b, text_string(&words));
    text_finish(&words);
}

static void put_form(text_buffer *b, const struct key_value *v) {
    const char *map = MAPS[v->map].name;
    switch (v->form) {
    case FORM_TEXT:
        schema_refer(b, "text");
        break;
    case FORM_YES_NO:
        schema_refer(b, "yes_no");
        break;
    case FORM_WHOLE:
        text_add(b,
                 "{\"anyOf\": [{\"type\": \"integer\", \"minimum\": %d, \"maximum\": %d}, "
                 "{\"$ref\": \"#/definitions/filled\"}]}",
                 v->low, v->high);
        break;
    case FORM_NUMBER:
        put_number(b, v->q);
        break;
    case FORM_NUMBERS:
        put_numbers(b, v->q, v->low, v->low);
        break;
    case FORM_ONE_OR_THREE:
    case FORM_POSE:
    case FORM_PLACE_OR_SPOT:
        text_put(b, "{\"anyOf\": [");
        if (v->form == FORM_ONE_OR_THREE)
            put_number(b, v->q);
        else
            schema_refer(b, MAPS[MAP_PLACED].name);
        text_put(b, ", ");
        put_numbers(b, v->q, v->form == FORM_PLACE_OR_SPOT ? 2 : 3, 3);
        text_put(b, "]}");
        break;
    case FORM_WORDS:
        put_words(b, v->words);
        break;
    case FORM_COLOR:
        put_color(b);
        break;
    case FORM_INERTIA:
        put_numbers(b, v->q, 3, 6);
        break;
    case FORM_POSITIONS:
        put_numbers(b, v->q, 0, 0);
        break;
    case FORM_MAP:
        schema_refer(b, map);
        break;
    case FORM_NAMED:
        text_put(b, "{\"type\": [\"object\", \"null\"], \"additionalProperties\": ");
        schema_refer(b, map);
        text_put(b, "}");
        break;
    case FORM_LIST:
        text_put(b, "{\"type\": \"array\", \"items\": ");
        schema_refer(b, map);
        text_put(b, "}");
        break;
    case FORM_TEXT_OR_MAP:
        text_put(b, "{\"anyOf\": [");
        schema_refer(b, "text");
        text_put(b, ", ");
        schema_refer(b, map);
        text_put(b, "]}");
        break;
    case FORM_TEXTS:
        text_put(b, "{\"type\": \"array\", \"items\": ");
        schema_refer(b, "text");
        text_put(b, "}");
        break;
    case FORM_VALUES:
        text_put(b, "{\"type\": [\"object\", \"null\"], \"additionalProperties\": ");
        schema_refer(b, "text");
        text_put(b, "}");
        break;
    case FORM_ANYTHING:
        text_put(b, "true");
        break;
    case FORM_PARAMETERS:
        schema_refer(b, "parameters");
        break;
    }
}

static void put_map(text_buffer *b, const char *name, file_map map) {
    const file_key *keys[KEYS_MAX];
    size_t count = keys_of(map, keys, 0), needed = 0;
    text_add(b, ",\n    \"%s\": {\"type\": \"object\", \"additionalProperties\": false, ", name);
    json_member(b, "", "description", MAPS[map].doc);
    text_put(b, ", \"required\": [");
    for (size_t i = 0; i < count; i++)
        if (keys[i]->needed)
            text_add(b, "%s\"%s\"", needed++ ? ", " : "", keys[i]->name);
    text_put(b, "], \"properties\": {");
    for (size_t i = 0; i < count; i++) {
        text_add(b, "%s\n      \"%s\": {", i ? "," : "", keys[i]->name);
        json_member(b, "", "description", keys[i]->doc);
        text_put(b, ", \"allOf\": [");
        put_form(b, &keys[i]->value);
        text_put(b, "]}");
    }
    text_put(b, "}}");
}

// Takes a mapping and those that it leads to.
static void find_maps(file_map map, bool found[MAP_COUNT]) {
    const file_key *keys[KEYS_MAX];
    if (found[map])
        return;
    found[map] = true;
    size_t count = keys_of(map, keys, 0);
    for (size_t i = 0; i < count; i++) {
        const struct key_value *v = &keys[i]->value;
        if (v->form == FORM_MAP || v->form == FORM_NAMED || v->form == FORM_LIST ||
            v->form == FORM_TEXT_OR_MAP)
            find_maps(v->map, found);
    }
}

static void put_definitions(text_buffer *b, const bool found[MAP_COUNT]) {
    for (int q = 0; q < Q_COUNT; q++) {
        text_add(b, ",\n    \"number_%s\": {", quantity_name((quantity)q));
        json_member(b, "", "description", quantity_unit((quantity)q));
        text_put(b, ", \"anyOf\": [{\"type\": \"number\"");
        quantity_put_range(b, (quantity)q);
        text_put(b, "}, {\"$ref\": \"#/definitions/filled\"}]}");
    }
    for (int m = 0; m < MAP_COUNT; m++)
        if (found[m])
            put_map(b, MAPS[m].name, (file_map)m);
}

void schema_world(text_buffer *out) {
    bool found[MAP_COUNT] = {[MAP_PLACED] = true};
    find_maps(MAP_WORLD, found);
    schema_begin(out, MAPS[MAP_WORLD].doc);
    put_definitions(out, found);
    text_put(out, ",\n    \"file\": {\"$ref\": \"#/definitions/WORLD\"}\n  }\n}\n");
}

void schema_robot(text_buffer *out) {
    bool found[MAP_COUNT] = {[MAP_PLACED] = true};
    find_maps(MAP_ROBOT, found);
    find_maps(MAP_URDF_ROBOT, found);
    schema_begin(out, MAPS[MAP_ROBOT].doc);
    put_definitions(out, found);
    text_put(out, ",\n    \"file\": {\"if\": {\"required\": [\"urdf\"]}, \"then\": {\"$ref\": "
                  "\"#/definitions/URDF_ROBOT\"}, \"else\": {\"$ref\": "
                  "\"#/definitions/ROBOT\"}}\n  }\n}\n");
}
