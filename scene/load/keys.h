// scene/load/keys.h - the mappings of world and robot files and their keys (keys.def).
#ifndef FORESEE_SCENE_LOAD_KEYS_H
#define FORESEE_SCENE_LOAD_KEYS_H

#include "base/text/text.h"
#include "base/yaml/yaml_read.h"

typedef enum file_map {
#define MAP(id, doc) MAP_##id,
#define KEY(map, name, form, doc)
#define NEED(map, name, form, doc)
#define ALSO(map, other)
#include "scene/load/keys.def"
    MAP_COUNT
} file_map;

// Reports every key of the mapping `n` that `map` does not have, with the nearest that it has.
void keys_check(const ynode *n, file_map map, errors *list);

// Append the JSON Schema (draft 7) of world files, and of robot files.
void schema_world(text_buffer *out);
void schema_robot(text_buffer *out);

#endif
