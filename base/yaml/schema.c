// base/yaml/schema.c - what the JSON Schemas of all our files share.
#include "base/yaml/schema.h"
#include "base/text/json.h"

void schema_refer(text_buffer *out, const char *name) {
    text_add(out, "{\"$ref\": \"#/definitions/%s\"}", name);
}

void schema_begin(text_buffer *out, const char *title) {
    text_put(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n");
    json_member(out, "  ", "title", title);
    text_put(out, ",\n  \"$ref\": \"#/definitions/file\",\n  \"definitions\": {\n"
                  "    \"text\": {\"type\": [\"string\", \"number\", \"boolean\"]},\n"
                  "    \"filled\": {\"type\": \"string\", \"pattern\": \"\\\\$[A-Za-z_]\"},\n"
                  "    \"yes_no\": {\"anyOf\": [{\"enum\": [true, false, \"yes\", \"no\"]}, "
                  "{\"$ref\": \"#/definitions/filled\"}]},\n"
                  "    \"parameters\": {\"type\": \"object\", \"additionalProperties\": {\"type\": "
                  "\"object\", \"additionalProperties\": false, \"properties\": {\n"
                  "      \"type\": {\"enum\": [\"number\", \"integer\", \"boolean\", \"symbol\", "
                  "\"string\"]},\n"
                  "      \"default\": {\"$ref\": \"#/definitions/text\"},\n"
                  "      \"doc\": {\"$ref\": \"#/definitions/text\"},\n"
                  "      \"unit\": {\"$ref\": \"#/definitions/text\"},\n"
                  "      \"min\": {\"type\": \"number\"},\n"
                  "      \"max\": {\"type\": \"number\"}}}}");
}
