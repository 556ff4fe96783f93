// scene/robot/urdf.c - reads a URDF file as XML, and keeps it as a source.
#include "scene/robot/urdf_int.h"

xml_node *urdf_read(loading *l, const char *path, const char *kind) {
    static const xml_limits limits = {
        .depth = 64, .elements = 200000, .bytes = 16 << 20, .file_is = "a robot's XML"};
    error err = {0};
    char *text = NULL;
    size_t length = 0;
    if (files_read(l->files, path, &text, &length, &err) != OK) {
        errors_append(l->list, &err);
        return NULL;
    }
    xml_node *root = xml_read(l->arena, path, text, length, &limits, l->list);
    if (root) // kept as text: bytes that XML does not allow are none of its
        loading_source(l, kind, path, arena_copy(l->arena, text, length), length);
    free(text);
    return root;
}
