// base/yaml/schema.h - what the JSON Schemas of all our files share.
#ifndef FORESEE_BASE_YAML_SCHEMA_H
#define FORESEE_BASE_YAML_SCHEMA_H

#include "base/text/text.h"

// Appends the beginning of a schema (draft 7) up to its `definitions`, among which there are
// already `text` (a scalar), `yes_no`, `filled` (a scalar with a $NAME in it) and `parameters`. The
// caller appends more definitions, each with a comma before it, and ends with `}` and `}`.
void schema_begin(text_buffer *out, const char *title);
// Appends `{"$ref": "#/definitions/NAME"}`.
void schema_refer(text_buffer *out, const char *name);

#endif
