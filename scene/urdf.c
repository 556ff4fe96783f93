// Reads the XML of a URDF file into a tree. The only file that knows expat.
#include "scene/urdf_int.h"

#include <expat.h>

enum { DEPTH_MOST = 64, ELEMENTS_MOST = 200000, BYTES_MOST = 16 << 20 };

typedef struct reading {
    loading *l;
    const char *file;
    XML_Parser parser;
    xml_node *root, *open;
    ARRAY(xml_node *) parents; // of `open`, outermost first
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

static void stop(reading *r, const char *why) {
    if (r->stopped)
        return;
    ynode at = place_of(r);
    ynode_error(&at, r->l->list, "%s", why);
    r->stopped = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void on_start(void *context, const char *name, const char **attributes) {
    reading *r = context;
    arena *a = r->l->arena;
    if (r->stopped)
        return;
    if (r->parents.count >= DEPTH_MOST) {
        stop(r, "elements are nested deeper than 64");
        return;
    }
    if (++r->elements > ELEMENTS_MOST) {
        stop(r, "a robot has at most 200000 elements");
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
}

static void on_end(void *context, const char *name) {
    reading *r = context;
    (void)name;
    if (!r->stopped)
        r->open = r->parents.items[--r->parents.count];
}

// Entities could make a small file expand without bounds or read other files.
static void on_entity(void *context, const char *name, int of_dtd, const char *value, int length,
                      const char *base, const char *system, const char *public,
                      const char *notation) {
    (void)name, (void)of_dtd, (void)value, (void)length, (void)base;
    (void)system, (void)public, (void)notation;
    stop(context, "a robot's XML may not declare entities: write out what they stand for");
}

xml_node *urdf_read(loading *l, const char *path, const char *kind) {
    error err = {0};
    char *text = NULL;
    size_t length = 0;
    if (files_read(l->files, path, &text, &length, &err) != OK) {
        errors_append(l->list, &err);
        return NULL;
    }
    reading r = {.l = l, .file = arena_strdup(l->arena, path)};
    r.parser = XML_ParserCreate(NULL);
    ASSERT(r.parser);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetEntityDeclHandler(r.parser, on_entity);
    XML_SetHashSalt(r.parser, 1);
    if (length > BYTES_MOST) {
        stop(&r, "the file is larger than 16 MiB");
    } else if (XML_Parse(r.parser, text, (int)length, 1) == XML_STATUS_ERROR && !r.stopped) {
        ynode at = place_of(&r);
        ynode_error(&at, l->list, "this is not valid XML: %s",
                    XML_ErrorString(XML_GetErrorCode(r.parser)));
        r.stopped = true;
    }
    XML_ParserFree(r.parser);
    array_finish(&r.parents);
    if (!r.stopped) // kept as text: bytes that XML does not allow are none of its
        loading_source(l, kind, path, arena_copy(l->arena, text, length), length);
    free(text);
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
