// scene/xml/xml.h - XML as a tree of elements that know their place.
//
// The file is not trusted: entities may not be declared, nothing else is ever read, and the depth
// and number of elements are limited.
#ifndef FORESEE_SCENE_XML_XML_H
#define FORESEE_SCENE_XML_XML_H

#include "base/yaml/yaml_read.h"

typedef struct xml_node xml_node;
struct xml_node {
    ynode place; // file, line and column, for messages
    const char *name;
    const char **attributes; // name, value, ..., NULL
    const char *text;        // directly in the element; NULL: none, or not asked for
    size_t text_length;
    xml_node *child, *last, *next;
};

typedef struct xml_limits {
    size_t depth, elements, bytes;
    const char *file_is;  // what the file is, for messages: "a robot's file"
    bool texts;           // whether the elements' texts are kept
    const char *encoding; // NULL: as the file says
} xml_limits;

// Nodes live in the arena. One mistake goes to the list, and NULL is returned.
xml_node *xml_read(arena *a, const char *file, const char *bytes, size_t length,
                   const xml_limits *limits, errors *list);
const char *xml_attribute(const xml_node *n, const char *name); // NULL: none
xml_node *xml_child(const xml_node *n, const char *name);       // the first, or NULL

#endif
