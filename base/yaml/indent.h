// base/yaml/indent.h - which line of a YAML text is indented wrongly.
#ifndef FORESEE_BASE_YAML_INDENT_H
#define FORESEE_BASE_YAML_INDENT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct indent_fault {
    size_t line;   // counted from 0
    int is, wants; // blanks
} indent_fault;

typedef bool indent_check(const char *text, size_t length); // whether this is YAML

// Looks for the line that makes a text which is no YAML into YAML when it is indented as a line
// around it is. The text stopped making sense in `line`, counted from 0: the fault is there or some
// lines above. Of several lines one whose indentation no other line has is taken, else the last.
// False: no single line is at fault, or the text is too long to be tried.
bool indent_find(const char *text, size_t length, size_t line, indent_check *is_yaml,
                 indent_fault *out);

#endif
