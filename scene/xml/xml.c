// scene/xml/xml.c - reads XML into a tree. The only file that knows expat.
#include "scene/xml/xml.h"

#include <expat.h>

typedef struct reading {
    arena *arena;
    const char *file;
    const xml_limits *limits;
    errors *list;
    XML_Parser parser;
    xml_node *root, *open;
    ARRAY(xml_node *) parents; // of `open`, outermost first
    ARRAY(char) text;          // of `open`, since its last child ended
    size_t elements;
    bool stopped;
} reading;

static ynode place_of(const reading *r) {
    return (ynode){.kind = YNODE_SCALAR,
                   .file = r->file,
                   .line = (int)XML_GetCurrentLineNumber(r->parser),
                   .column = (int)XML_GetCurrentColumnNumber(r->parser) + 1,
                   .scalar = ""};
}

static void reading_stop(reading *r, const char *why) {
    if (r->stopped)
        return;
    ynode at = place_of(r);
    ynode_error(&at, r->list, "%s", why);
    r->stopped = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void on_start(void *context, const char *name, const char **attributes) {
    reading *r = context;
    arena *a = r->arena;
    if (r->stopped)
        return;
    if (r->parents.count >= r->limits->depth) {
        reading_stop(r, arena_format(a, "elements are nested deeper than %zu", r->limits->depth));
        return;
    }
    if (++r->elements > r->limits->elements) {
        reading_stop(r, arena_format(a, "%s has at most %zu elements", r->limits->file_is,
                                     r->limits->elements));
        return;
    }
    size_t count = 0;
    while (attributes[count])
        count++;
    xml_node *n = arena_alloc(a, sizeof *n);
    n->place = place_of(r);
    n->name = arena_strdup(a, name);
    n->attributes = arena_alloc(a, (count + 1) * sizeof *n->attributes);
    for (size_t i = 0; i < count; i++)
        n->attributes[i] = arena_strdup(a, attributes[i]);
    if (!r->open)
        r->root = n;
    else if (r->open->last)
        r->open->last->next = n;
    else
        r->open->child = n;
    if (r->open)
        r->open->last = n;
    array_push(&r->parents, r->open);
    r->open = n;
    r->text.count = 0;
}

static void on_text(void *context, const char *text, int length) {
    reading *r = context;
    for (int i = 0; i < length && !r->stopped; i++)
        array_push(&r->text, text[i]);
}

static void on_end(void *context, const char *name) {
    reading *r = context;
    (void)name;
    if (r->stopped)
        return;
    if (r->text.count > 0) {
        r->open->text = arena_copy(r->arena, r->text.items, r->text.count);
        r->open->text_length = r->text.count;
        r->text.count = 0;
    }
    r->open = r->parents.items[--r->parents.count];
}

// Entities could make a small file expand without bounds or read other files.
static void on_entity(void *context, const char *name, int of_dtd, const char *value, int length,
                      const char *base, const char *system, const char *public,
                      const char *notation) {
    reading *r = context;
    (void)name, (void)of_dtd, (void)value, (void)length, (void)base;
    (void)system, (void)public, (void)notation;
    reading_stop(r, arena_format(r->arena,
                                 "%s may not declare entities: write out what they stand for",
                                 r->limits->file_is));
}

xml_node *xml_read(arena *a, const char *file, const char *bytes, size_t length,
                   const xml_limits *limits, errors *list) {
    reading r = {.arena = a, .file = arena_strdup(a, file), .limits = limits, .list = list};
    r.parser = XML_ParserCreate(limits->encoding);
    ASSERT(r.parser);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    if (limits->texts)
        XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetEntityDeclHandler(r.parser, on_entity);
    XML_SetHashSalt(r.parser, 1);
    if (length > limits->bytes) {
        reading_stop(&r, arena_format(a, "the file is larger than %zu MiB", limits->bytes >> 20));
    } else if (XML_Parse(r.parser, bytes, (int)length, 1) == XML_STATUS_ERROR && !r.stopped) {
        ynode at = place_of(&r);
        ynode_error(&at, list, "this is not valid XML: %s",
                    XML_ErrorString(XML_GetErrorCode(r.parser)));
        r.stopped = true;
    }
    XML_ParserFree(r.parser);
    array_finish(&r.parents);
    array_finish(&r.text);
    return r.stopped ? NULL : r.root;
}

const char *xml_attribute(const xml_node *n, const char *name) {
    for (const char **a = n->attributes; a[0]; a += 2)
        if (strcmp(a[0], name) == 0)
            return a[1];
    return NULL;
}

xml_node *xml_child(const xml_node *n, const char *name) {
    for (xml_node *c = n->child; c; c = c->next)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
