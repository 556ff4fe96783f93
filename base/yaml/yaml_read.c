// base/yaml/yaml_read.c - YAML as a tree whose every node knows its place.
//
// libyaml counts characters where we count bytes, and ends a block only where the next token
// begins, behind any comments; both are set right here.
#include "base/yaml/yaml_read.h"

#include "base/files/files.h"
#include "base/text/number.h"
#include "base/utf8.h"
#include "base/yaml/indent.h"

#include <yaml.h>

#define DEPTH_MAX 100

typedef struct reading {
    arena *a;
    const char *file;
    const char *source;        // as it was given
    const unsigned char *text; // behind a byte order mark
    size_t length, skipped;    // skipped: the length of that mark
    errors *list;
    bool bad;       // a mistake was found
    bool stopped;   // reading cannot go on
    bool no_memory; // for that reason
    int flow_depth; // of collections in flow style
    int open;       // parentheses that a torn term has left open
    yaml_parser_t parser;
    ARRAY(size_t) lines;        // where each line begins
    size_t char_index, byte_at; // two names of one place, to count on from
} reading;

// ---- Places -------------------------------------------------------------------------------------

static void find_lines(reading *r) {
    array_push(&r->lines, (size_t)0);
    for (size_t i = 0; i < r->length; i++) {
        bool lone_return = r->text[i] == '\r' && !(i + 1 < r->length && r->text[i + 1] == '\n');
        if (r->text[i] == '\n' || lone_return)
            array_push(&r->lines, i + 1);
    }
}

static bool within_character(const reading *r, size_t byte) {
    return byte < r->length && utf8_continues((char)r->text[byte]);
}

// The byte where the index-th character begins. Marks come nearly in order: a few steps from the
// last.
static size_t byte_of(reading *r, size_t index) {
    while (r->char_index < index && r->byte_at < r->length) {
        r->byte_at++;
        while (within_character(r, r->byte_at))
            r->byte_at++;
        r->char_index++;
    }
    while (r->char_index > index && r->byte_at > 0) {
        r->byte_at--;
        while (r->byte_at > 0 && within_character(r, r->byte_at))
            r->byte_at--;
        r->char_index--;
    }
    return r->byte_at;
}

static void place_of(const reading *r, size_t byte, int *line, int *column) {
    size_t low = 0, high = r->lines.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->lines.items[middle] <= byte)
            low = middle;
        else
            high = middle;
    }
    *line = (int)low + 1;
    *column = (int)(byte - r->lines.items[low]) + 1;
}

static void reading_complain(reading *r, size_t byte, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void reading_complain(reading *r, size_t byte, const char *format, ...) {
    char text[sizeof((error *)0)->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int line, column;
    place_of(r, byte, &line, &column);
    errors_add(r->list, r->file, line, column, "%s", text);
    r->bad = true;
}

// Mistakes are found in the order in which nodes end; they are told in the order of the text.
static void sort_errors(errors *list, size_t from) {
    for (size_t i = from + 1; i < list->count; i++) {
        error moved = list->items[i];
        size_t j = i;
        for (; j > from; j--) {
            const error *left = &list->items[j - 1];
            if (left->line < moved.line ||
                (left->line == moved.line && left->column <= moved.column))
                break;
            list->items[j] = list->items[j - 1];
        }
        list->items[j] = moved;
    }
}

// ---- Events to nodes ----------------------------------------------------------------------------

static bool is_blank(unsigned char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Returns whether a line holds nothing but blanks and a comment.
static bool line_is_empty(const reading *r, size_t line) {
    size_t end = line + 1 < r->lines.count ? r->lines.items[line + 1] : r->length;
    size_t i = r->lines.items[line];
    while (i < end && is_blank(r->text[i]))
        i++;
    return i == end || r->text[i] == '#';
}

// Returns the end of the last line before that says something, where this byte is the first of its
// line that does, or the ':' behind its first word; else the byte.
static size_t end_before(const reading *r, size_t byte) {
    int line, column;
    place_of(r, byte, &line, &column);
    bool value = byte < r->length && r->text[byte] == ':';
    for (size_t i = byte - (size_t)column + 1; i < byte; i++) {
        unsigned char c = r->text[i];
        if (!is_blank(c) && (!value || c == 0 || strchr(",:{}[]", c)))
            return byte;
    }
    size_t above = (size_t)line - 1;
    while (above > 0 && line_is_empty(r, above - 1))
        above--;
    if (above == 0)
        return byte;
    size_t end = r->lines.items[above];
    while (end > 0 && is_blank(r->text[end - 1]))
        end--;
    return end;
}

static bool is_yaml(const char *text, size_t length) {
    yaml_parser_t parser;
    bool good = true, more = true;
    if (!yaml_parser_initialize(&parser))
        mem_exhausted();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (good && more) {
        yaml_event_t event;
        good = yaml_parser_parse(&parser, &event);
        more = good && event.type != YAML_STREAM_END_EVENT;
        if (good)
            yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return good;
}

// Tells a line that alone is indented so that the text makes no sense. False: there is none.
static bool complain_indent(reading *r, size_t byte) {
    int line, column;
    indent_fault fault;
    place_of(r, byte, &line, &column);
    if (r->flow_depth > 0 ||
        !indent_find((const char *)r->text, r->length, (size_t)line - 1, is_yaml, &fault))
        return false;
    reading_complain(r, r->lines.items[fault.line] + (size_t)fault.is,
                     "this is not valid YAML: the line is indented by %d blank%s, and the lines "
                     "around it go with %d",
                     fault.is, fault.is == 1 ? "" : "s", fault.wants);
    return true;
}

static void complain_syntax(reading *r) {
    const yaml_parser_t *p = &r->parser;
    size_t byte =
        p->error == YAML_READER_ERROR ? p->problem_offset : byte_of(r, p->problem_mark.index);
    const char *problem = p->problem ? p->problem : "unknown problem";
    if (byte > r->length)
        byte = r->length;
    bool indented = strstr(problem, "expected key") || strstr(problem, "expected '-'") ||
                    strstr(problem, "mapping values");
    if (indented && complain_indent(r, byte))
        return;
    char context[200] = "";
    size_t begun = p->context ? byte_of(r, p->context_mark.index) : 0;
    int line, column;
    place_of(r, begun, &line, &column);
    // Where the thing began that is wrong only at its end, as with a quote never closed.
    bool behind = p->context && begun < byte;
    if (behind)
        snprintf(context, sizeof context, " (%s that begins in line %d, column %d)", p->context,
                 line, column);
    // A key without its ':' and a quote that is not closed are wrong where they begin; a bracket
    // that is not closed, on the last line that may close it.
    if (behind &&
        (strstr(p->context, "simple key") || strstr(problem, "unexpected end of stream"))) {
        byte = begun;
        context[0] = 0;
    } else if (behind && strstr(p->context, "flow")) {
        byte = end_before(r, byte);
    }
    reading_complain(
        r, byte, "this is not valid YAML: %s%s%s", problem, context,
        r->flow_depth > 0 ? "; terms and ?variables inside [ ] or { } must stand in quotes" : "");
}

// The next event, which the caller deletes. False: reading has stopped.
static bool next_event(reading *r, yaml_event_t *event) {
    if (r->stopped)
        return false;
    if (!yaml_parser_parse(&r->parser, event)) {
        r->no_memory = r->parser.error == YAML_MEMORY_ERROR;
        if (!r->no_memory)
            complain_syntax(r);
        r->stopped = true;
        return false;
    }
    return true;
}

static ynode *node_new(reading *r, ynode_kind kind, size_t begin, size_t end) {
    ynode *n = arena_alloc(r->a, sizeof *n);
    n->kind = kind;
    n->file = r->file;
    n->source = r->source;
    n->begin = begin;
    n->end = end;
    place_of(r, begin, &n->line, &n->column);
    n->text_line = n->line;
    n->text_column = n->column;
    return n;
}

static void check_properties(reading *r, size_t at, const yaml_char_t *anchor,
                             const yaml_char_t *tag) {
    if (anchor)
        reading_complain(r, at, "anchors (&%s) are not used here; write the value out", anchor);
    if (tag)
        reading_complain(r, at, "tags (%s) are not used here; take it off", tag);
}

// What YAML tears apart in flow style, where ',' ends an item and '?' may begin a key.
static void check_torn(reading *r, const ynode *n) {
    const char *text = n->scalar;
    if (text[0] == '?') {
        reading_complain(r, n->begin, "inside [ ] or { } a ?variable must stand in quotes: \"%s\"",
                         text);
        return;
    }
    int balance = 0, least = 0;
    for (const char *c = text; *c; c++) {
        balance += (*c == '(') - (*c == ')');
        least = balance < least ? balance : least;
    }
    // The tail of a term whose head was named already.
    if (r->open > 0 && -least <= r->open) {
        r->open += balance;
        return;
    }
    if (balance != 0 || least < 0)
        reading_complain(
            r, n->begin,
            "YAML has torn a term at its commas: '%s'; inside [ ] or { } a term must stand in "
            "quotes: \"on(a, b)\"",
            text);
    if (balance > 0)
        r->open += balance;
}

// The end of a block scalar behind its last letter: libyaml counts the empty lines after it too.
static size_t block_scalar_end(const reading *r, size_t begin, size_t end) {
    while (end > begin && (r->text[end - 1] == '\n' || r->text[end - 1] == '\r' ||
                           r->text[end - 1] == ' ' || r->text[end - 1] == '\t'))
        end--;
    return end;
}

// The text of a block scalar begins with the first line that is not blank.
static void find_block_text(const reading *r, ynode *n) {
    size_t at = n->begin;
    while (at < n->end && r->text[at] != '\n')
        at++;
    while (at < n->end && (r->text[at] == '\n' || r->text[at] == '\r' || r->text[at] == ' '))
        at++;
    if (at < n->end)
        place_of(r, at, &n->text_line, &n->text_column);
}

static ynode *scalar_node(reading *r, const yaml_event_t *event) {
    size_t begin = byte_of(r, event->start_mark.index), end = byte_of(r, event->end_mark.index);
    yaml_scalar_style_t style = event->data.scalar.style;
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    check_properties(r, begin, event->data.scalar.anchor, event->data.scalar.tag);
    ynode *n = node_new(r, YNODE_SCALAR, begin, block ? block_scalar_end(r, begin, end) : end);
    const char *value = (const char *)event->data.scalar.value;
    n->scalar = arena_copy(r->a, value, event->data.scalar.length);
    n->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    if (memchr(value, 0, event->data.scalar.length))
        reading_complain(r, begin, "a zero byte cannot stand in a text");
    if (block)
        find_block_text(r, n);
    else if (n->quoted)
        n->text_column++;
    else if (r->flow_depth > 0)
        check_torn(r, n);
    return n;
}

static ynode *read_node(reading *r, const yaml_event_t *event, int depth);

static void read_sequence(reading *r, ynode *n, size_t *last_end, int depth) {
    ARRAY(ynode *) items = {0};
    yaml_event_t event;
    while (next_event(r, &event)) {
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            if (n->flow)
                *last_end = byte_of(r, event.end_mark.index);
            yaml_event_delete(&event);
            break;
        }
        ynode *item = read_node(r, &event, depth + 1);
        yaml_event_delete(&event);
        array_push(&items, item);
        *last_end = item->end > *last_end ? item->end : *last_end;
    }
    n->count = items.count;
    n->items = arena_alloc(r->a, items.count * sizeof *n->items);
    if (items.count > 0)
        memcpy(n->items, items.items, items.count * sizeof *n->items);
    array_finish(&items);
}

// `[?x]` and `? x` make keys of what was meant as a variable.
static bool key_after_mark(const reading *r, size_t begin) {
    while (begin > 0 && (r->text[begin - 1] == ' ' || r->text[begin - 1] == '\t'))
        begin--;
    return begin > 0 && r->text[begin - 1] == '?';
}

// Returns whether the node can be a key; what is wrong is told.
static bool check_key(reading *r, const ynode *key) {
    if (key->kind != YNODE_SCALAR) {
        reading_complain(r, key->begin, "a key must be a plain name, not a list or a map");
        return false;
    }
    if (!key->quoted && !key->scalar[0]) {
        reading_complain(r, key->begin, "a key is missing here");
        return false;
    }
    if (!key->quoted && key_after_mark(r, key->begin)) {
        reading_complain(
            r, key->begin,
            "the '?' before this makes a key of it; a ?variable must stand in quotes here: "
            "\"?%s\"",
            key->scalar);
        return false;
    }
    if (!key->quoted && strcmp(key->scalar, "<<") == 0) {
        reading_complain(r, key->begin, "merges (<<) are not used here; write the entries out");
        return false;
    }
    return true;
}

static int key_order(const void *x, const void *y) {
    const ynode *const *a = x, *const *b = y;
    int order = strcmp((*a)->scalar, (*b)->scalar);
    return order ? order : ((*a)->begin > (*b)->begin) - ((*a)->begin < (*b)->begin);
}

// Several keys that stand in a mapping twice are one mistake: the line is missing that names what
// the second ones belong to.
static void check_duplicates(reading *r, const ynode *n) {
    if (n->count < 2)
        return;
    const ynode **keys = mem_must(n->count, sizeof *keys);
    for (size_t i = 0; i < n->count; i++)
        keys[i] = n->keys[i];
    qsort(keys, n->count, sizeof *keys, key_order);
    const ynode *first = keys[0], *twice = NULL;
    int line = 0; // where the first of the keys that stand here twice stands first
    size_t count = 0;
    for (size_t i = 1; i < n->count; i++) {
        if (strcmp(first->scalar, keys[i]->scalar) != 0) {
            first = keys[i];
            continue;
        }
        count += keys[i - 1] == first;
        if (!twice || keys[i]->begin < twice->begin) {
            twice = keys[i];
            line = first->line;
        }
    }
    if (count == 1)
        reading_complain(r, twice->begin, "the key '%s' stands here twice, first in line %d",
                         twice->scalar, line);
    else if (count > 1)
        reading_complain(r, twice->begin,
                         "the key '%s' stands here twice, first in line %d, and so %s: the line "
                         "above it may be missing that names what they belong to",
                         twice->scalar, line, count > 2 ? "do other keys" : "does another key");
    free(keys);
}

static void read_mapping(reading *r, ynode *n, size_t *last_end, int depth) {
    ARRAY(ynode *) keys = {0}, values = {0};
    yaml_event_t event;
    while (next_event(r, &event)) {
        if (event.type == YAML_MAPPING_END_EVENT) {
            // A single pair in a list has no braces, and its end mark is the next token's.
            if (n->flow && r->text[n->begin] == '{')
                *last_end = byte_of(r, event.end_mark.index);
            yaml_event_delete(&event);
            break;
        }
        ynode *key = read_node(r, &event, depth + 1);
        yaml_event_delete(&event);
        if (!next_event(r, &event))
            break;
        bool good = check_key(r, key);
        ynode *value = read_node(r, &event, depth + 1);
        yaml_event_delete(&event);
        if (key->end > *last_end)
            *last_end = key->end;
        if (value->end > *last_end)
            *last_end = value->end;
        if (good) {
            array_push(&keys, key);
            array_push(&values, value);
        }
    }
    n->count = keys.count;
    n->keys = arena_alloc(r->a, keys.count * sizeof *n->keys);
    n->items = arena_alloc(r->a, keys.count * sizeof *n->items);
    if (keys.count > 0) {
        memcpy(n->keys, keys.items, keys.count * sizeof *n->keys);
        memcpy(n->items, values.items, keys.count * sizeof *n->items);
    }
    array_finish(&keys);
    array_finish(&values);
    check_duplicates(r, n);
}

// The node that the event begins; never NULL, though after a mistake it may be hollow.
static ynode *read_node(reading *r, const yaml_event_t *event, int depth) {
    if (event->type == YAML_SCALAR_EVENT)
        return scalar_node(r, event);
    size_t begin = byte_of(r, event->start_mark.index);
    size_t end = byte_of(r, event->end_mark.index);
    if (event->type == YAML_ALIAS_EVENT) {
        reading_complain(r, begin, "aliases (*%s) are not used here; write the value out",
                         event->data.alias.anchor);
        ynode *n = node_new(r, YNODE_SCALAR, begin, end);
        n->scalar = "";
        return n;
    }
    bool sequence = event->type == YAML_SEQUENCE_START_EVENT;
    ynode *n = node_new(r, sequence ? YNODE_SEQUENCE : YNODE_MAPPING, begin, end);
    if (depth > DEPTH_MAX) {
        reading_complain(r, begin, "lists and maps are nested more than %d deep", DEPTH_MAX);
        r->stopped = true;
        return n;
    }
    if (sequence) {
        check_properties(r, begin, event->data.sequence_start.anchor,
                         event->data.sequence_start.tag);
        n->flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    } else {
        check_properties(r, begin, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        n->flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    }
    r->flow_depth += n->flow;
    size_t last_end = begin;
    if (sequence)
        read_sequence(r, n, &last_end, depth);
    else
        read_mapping(r, n, &last_end, depth);
    // Where reading stopped on an error, the depth stays for its message.
    if (!r->stopped)
        r->flow_depth -= n->flow;
    if (r->flow_depth == 0)
        r->open = 0;
    n->end = last_end;
    return n;
}

static void shift_spans(ynode *n, size_t by) {
    n->begin += by;
    n->end += by;
    for (size_t i = 0; i < n->count; i++) {
        shift_spans(n->items[i], by);
        if (n->keys)
            shift_spans(n->keys[i], by);
    }
}

static ynode *read_documents(reading *r) {
    ynode *root = NULL;
    yaml_event_t event;
    bool more = true;
    int documents = 0;
    while (more && next_event(r, &event)) {
        switch (event.type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_STREAM_END_EVENT:
            more = false;
            break;
        case YAML_DOCUMENT_START_EVENT:
            if (++documents > 1) {
                reading_complain(r, byte_of(r, event.start_mark.index),
                                 "a second document begins here; one file holds one");
                more = false;
            }
            break;
        default:
            root = read_node(r, &event, 1);
            break;
        }
        yaml_event_delete(&event);
    }
    return root;
}

status yaml_read(arena *a, const char *file, const char *text, size_t length, ynode **root,
                 errors *list) {
    static const char mark[] = "\xef\xbb\xbf";
    reading r = {.a = a, .file = arena_strdup(a, file ? file : ""), .list = list};
    r.source = text;
    r.skipped = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    r.text = (const unsigned char *)(length > 0 ? text + r.skipped : "");
    r.length = length - r.skipped;
    size_t before = list ? list->count : 0;
    find_lines(&r);
    while (!yaml_parser_initialize(&r.parser))
        mem_exhausted();
    // Said, because libyaml would guess UTF-16 from the first bytes.
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, r.text, r.length);
    ynode *n = read_documents(&r);
    if (!n && !r.bad && !r.no_memory)
        reading_complain(&r, 0, "the file is empty");
    yaml_parser_delete(&r.parser);
    array_finish(&r.lines);
    if (list)
        sort_errors(list, before);
    if (r.no_memory) {
        error err;
        error_at(&err, E_MEMORY, r.file, 0, 0, "no memory is left to read the file");
        errors_append(list, &err);
        return E_MEMORY;
    }
    if (r.bad)
        return E_INPUT;
    if (r.skipped > 0)
        shift_spans(n, r.skipped);
    *root = n;
    return OK;
}

// ---- Typed access -------------------------------------------------------------------------------

status yaml_read_file(arena *a, const char *path, ynode **root, errors *list) {
    char *text = NULL;
    size_t length = 0;
    error err = {0};
    status st = file_read(path, &text, &length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    const char *kept = arena_copy(a, text, length);
    free(text);
    return yaml_read(a, arena_strdup(a, path), kept, length, root, list);
}

ynode *ynode_get(const ynode *map, const char *key) {
    if (!map || map->kind != YNODE_MAPPING)
        return NULL;
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->scalar, key) == 0)
            return map->items[i];
    }
    return NULL;
}

static void add_error(const ynode *n, errors *list, const char *format, va_list args) {
    char text[sizeof((error *)0)->text];
    vsnprintf(text, sizeof text, format, args);
    errors_add(list, n ? n->file : NULL, n ? n->line : 0, n ? n->column : 0, "%s", text);
}

void ynode_error(const ynode *n, errors *list, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_error(n, list, format, args);
    va_end(args);
}

void ynode_missing(const ynode *n, errors *list, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_error(n, list, format, args);
    va_end(args);
    errors_mark(list, ERROR_MISSING);
}

#define FOUND_SIZE 80

// Describes a node that stands where another was expected, for messages.
static const char *ynode_describe(const ynode *n, char buffer[FOUND_SIZE]) {
    if (!n)
        return "nothing";
    if (n->kind == YNODE_SEQUENCE)
        return "a list";
    if (n->kind == YNODE_MAPPING)
        return "a map";
    if (!n->quoted && !n->scalar[0])
        return "nothing";
    snprintf(buffer, FOUND_SIZE, n->quoted ? "the text \"%.40s\"" : "'%.40s'", n->scalar);
    return buffer;
}

static bool ynode_expected(const ynode *n, const char *what, const char *shape, errors *list) {
    char found[FOUND_SIZE];
    ynode_error(n, list, "%s must be %s, not %s", what, shape, ynode_describe(n, found));
    return false;
}

static bool is_plain(const ynode *n) {
    return n && n->kind == YNODE_SCALAR && !n->quoted;
}

bool ynode_number(const ynode *n, const char *what, double *out, errors *list) {
    if (is_plain(n) && number_parse(n->scalar, strlen(n->scalar), out))
        return true;
    return ynode_expected(n, what, "a number", list);
}

bool ynode_integer(const ynode *n, const char *what, int64_t *out, errors *list) {
    if (is_plain(n) && number_parse_integer(n->scalar, strlen(n->scalar), out))
        return true;
    return ynode_expected(n, what, "a whole number", list);
}

bool ynode_bool(const ynode *n, const char *what, bool *out, errors *list) {
    if (is_plain(n)) {
        bool yes = strcmp(n->scalar, "true") == 0 || strcmp(n->scalar, "yes") == 0;
        if (yes || strcmp(n->scalar, "false") == 0 || strcmp(n->scalar, "no") == 0) {
            *out = yes;
            return true;
        }
    }
    return ynode_expected(n, what, "true or false", list);
}

static bool has_text(const ynode *n) {
    return n && n->kind == YNODE_SCALAR && (n->quoted || n->scalar[0]);
}

bool ynode_text(const ynode *n, const char *what, const char **out, errors *list) {
    if (!has_text(n))
        return ynode_expected(n, what, "a text", list);
    *out = n->scalar;
    return true;
}

bool ynode_numbers(const ynode *n, const char *what, double *out, size_t count, errors *list) {
    char shape[64];
    snprintf(shape, sizeof shape, "a list of %zu numbers", count);
    if (!n || n->kind != YNODE_SEQUENCE)
        return ynode_expected(n, what, shape, list);
    if (n->count != count) {
        ynode_error(n, list, "%s must be %s, not of %zu", what, shape, n->count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        double value;
        if (!ynode_number(n->items[i], what, &value, list))
            return false;
    }
    // Only now: what was given stays whole when one of them is wrong.
    for (size_t i = 0; i < count; i++)
        ynode_number(n->items[i], what, &out[i], list);
    return true;
}

bool ynode_term(arena *a, const ynode *n, const char *what, const term **out, errors *list) {
    if (!has_text(n))
        return ynode_expected(n, what, "a term", list);
    error err;
    if (term_parse(a, n->file, n->scalar, strlen(n->scalar), n->text_line, n->text_column, out,
                   &err) == OK)
        return true;
    char text[sizeof err.text];
    snprintf(text, sizeof text, "%s: %.700s", what, err.text);
    errors_add(list, err.file, err.line, err.column, "%s", text);
    return false;
}

bool ynode_value(arena *a, const ynode *n, const char *what, const term **out, errors *list) {
    if (!n || n->kind == YNODE_MAPPING)
        return ynode_expected(n, what, "a term, a number or a list", list);
    if (n->kind == YNODE_SCALAR)
        return ynode_term(a, n, what, out, list);
    const term **items = arena_alloc(a, n->count * sizeof *items);
    bool good = true;
    for (size_t i = 0; i < n->count; i++)
        good = ynode_value(a, n->items[i], what, &items[i], list) && good;
    if (good)
        *out = term_list(a, items, n->count, NULL);
    return good;
}

// Reports the keys of which no known one is near: as one mistake, since they often belong elsewhere
// together.
static void complain_strangers(const ynode *const *keys, size_t count, const char *const *known,
                               errors *list) {
    enum { NAMED = 4 };
    text_buffer text = {0};
    text_put(&text, count > 1 ? "unknown keys" : "unknown key");
    for (size_t i = 0; i < count && i < NAMED; i++)
        text_add(&text, "%s '%.100s'",
                 i == 0           ? ""
                 : i + 1 == count ? " and"
                                  : ",",
                 keys[i]->scalar);
    if (count > NAMED)
        text_add(&text, " and %zu more", count - NAMED);
    text_put(&text, "; known here: ");
    for (size_t i = 0; known[i]; i++)
        text_add(&text, "%s%s", i ? ", " : "", known[i]);
    ynode_error(keys[0], list, "%s", text_string(&text));
    errors_mark(list, ERROR_MISSPELT);
    text_finish(&text);
}

void ynode_check_keys(const ynode *map, const char *const *known, errors *list) {
    if (!map || map->kind != YNODE_MAPPING)
        return;
    size_t count = 0, strangers = 0;
    while (known[count])
        count++;
    const ynode **strange = mem_must(map->count + 1, sizeof *strange);
    for (size_t i = 0; i < map->count; i++) {
        const char *key = map->keys[i]->scalar;
        if (names_hold(known, count, key))
            continue;
        const char *near = nearest_name(key, known, count);
        if (!near) {
            strange[strangers++] = map->keys[i];
            continue;
        }
        ynode_error(map->keys[i], list, "unknown key '%s'; did you mean '%s'?", key, near);
        errors_mark(list, ERROR_MISSPELT);
    }
    if (strangers > 0)
        complain_strangers(strange, strangers, known, list);
    free(strange);
}
