// plans/edit/doc.c - a text under edit: each change is written into the text, and the text read
// again.
#include "plans/edit/edit_int.h"

#include "base/symtab.h"
#include "base/utf8.h"

#include "base/term/term.h"
#include "plans/load/load_int.h"

// ---- Reading ------------------------------------------------------------------------------------

// Returns the name of a routine as the loader gives it: name:, else the functor of its goal.
static const char *routine_name(arena *a, const ynode *n) {
    const ynode *name = ynode_get(n, "name"), *goal = ynode_get(n, "achieve");
    const ynode *from = name ? name : goal;
    if (!from || from->kind != YNODE_SCALAR)
        return NULL;
    size_t length = 0;
    while (from->scalar[length] && !strchr(" (\t\r\n", from->scalar[length]))
        length++;
    char *text = arena_copy(a, from->scalar, length);
    return name_is_plain(text) ? text : NULL;
}

plan *tree_read(arena *a, const char *name, const ynode *root) {
    plan *p = arena_alloc(a, sizeof *p);
    plan_file *file = arena_alloc(a, sizeof *file);
    *file = (plan_file){.kind = "plan", .path = name, .name = name, .text = "", .length = 0};
    p->arena = a;
    errors ignored = {0};
    loader l = {.p = p, .a = a, .list = &ignored, .file = file};
    const ynode *body = ynode_get(root, "body"), *own = ynode_get(root, "routines");
    if (body) {
        l.paths = symtab_create();
        p->body = body_read(&l, body, NULL, "body", 0);
        symtab_destroy(l.paths);
    }
    size_t most = own && own->kind == YNODE_SEQUENCE ? own->count : 0;
    p->routines.items = arena_alloc(a, (most + 1) * sizeof *p->routines.items);
    for (size_t i = 0; i < most; i++) {
        const ynode *n = own->items[i], *steps = ynode_get(n, "body");
        plan_routine r = {.file = file, .line = n->line, .column = n->column, .doc = ""};
        r.name = routine_name(a, n);
        if (!r.name || !steps)
            continue;
        l.paths = symtab_create();
        r.body = body_read(&l, steps, NULL, r.name, 0);
        symtab_destroy(l.paths);
        if (r.body)
            p->routines.items[p->routines.count++] = r;
    }
    errors_finish(&ignored);
    return p;
}

bool doc_read(doc *d, const char *text, size_t length, error *err) {
    errors list = {0};
    ynode *root = NULL;
    bool good = yaml_read(d->a, d->name, text, length, &root, &list) == OK;
    if (good && root->kind != YNODE_MAPPING) {
        error_at(err, E_INPUT, d->name, root->line, root->column,
                 "this must be a plan, a map with the key 'plan:'");
        good = false;
    } else if (!good && list.count == 0) {
        error_set(err, E_MEMORY, "no memory is left to read the plan");
    } else if (!good && err) {
        *err = list.items[0];
    }
    errors_finish(&list);
    if (!good)
        return false;
    d->text = text;
    d->length = length;
    d->root = root;
    d->tree = tree_read(d->a, d->name, root);
    return true;
}

bool doc_parent(ynode *root, const ynode *n, ynode **parent, size_t *index) {
    for (size_t i = 0; i < root->count; i++) {
        if (root->items[i] == n) {
            *parent = root;
            *index = i;
            return true;
        }
        if (doc_parent(root->items[i], n, parent, index))
            return true;
    }
    return false;
}

// ---- What leads back ----------------------------------------------------------------------------

// Finds the innermost step of the new text that holds a span.
static void find_innermost(const plan *p, const plan_node *n, span s, const plan_node **best) {
    if (n->source->begin > s.begin || n->source->end < s.end)
        return;
    if (plan_find(p, n->path) == n)
        *best = n;
    for (size_t i = 0; i < n->child_count; i++)
        find_innermost(p, n->children[i], s, best);
}

static ynode *make_count(arena *a, size_t count) {
    return make_scalar(a, arena_format(a, "%zu", count), false);
}

// Appends { splice: PATH, at, was, text }: `was` stands at s, and `old` stood there.
static void note_undo(doc *d, span s, const char *old, size_t length) {
    const char *now = d->text + s.begin;
    size_t count = s.end - s.begin, head = 0, tail = 0;
    while (head < count && head < length && now[head] == old[head])
        head++;
    while (head > 0 && (utf8_continues(now[head]) || utf8_continues(old[head])))
        head--;
    while (tail < count - head && tail < length - head &&
           now[count - 1 - tail] == old[length - 1 - tail])
        tail++;
    while (tail > 0 && utf8_continues(now[count - tail]))
        tail--;
    s = (span){s.begin + head, s.end - tail};
    const plan_node *step = NULL;
    if (d->tree->body)
        find_innermost(d->tree, d->tree->body, s, &step);
    for (size_t i = 0; i < d->tree->routines.count && !step; i++)
        find_innermost(d->tree, d->tree->routines.items[i].body, s, &step);
    size_t base = step ? step->source->begin : 0;
    ynode *e = make_mapping(d->a);
    make_pair(d->a, e, "splice", make_scalar(d->a, step ? step->path : ".", true));
    make_pair(d->a, e, "at", make_count(d->a, s.begin - base));
    make_pair(d->a, e, "was",
              make_scalar(d->a, arena_copy(d->a, now + head, count - head - tail), true));
    make_pair(d->a, e, "text",
              make_scalar(d->a, arena_copy(d->a, old + head, length - head - tail), true));
    ynode *all = make_sequence(d->a);
    make_item(d->a, all, e);
    for (size_t i = 0; d->undo && i < d->undo->count; i++)
        make_item(d->a, all, d->undo->items[i]);
    d->undo = all;
}

// Puts `text` in the place of [begin, end). `expected` is the tree that the new text must have;
// NULL: any tree will do.
static bool write_text(doc *d, size_t begin, size_t end, const text_buffer *text,
                       const ynode *expected, error *err) {
    char *whole = arena_alloc(d->a, d->length - (end - begin) + text->count + 1);
    memcpy(whole, d->text, begin);
    if (text->count > 0)
        memcpy(whole + begin, text->items, text->count);
    memcpy(whole + begin + text->count, d->text + end, d->length - end);
    size_t length = d->length - (end - begin) + text->count;
    doc next = *d;
    error why = {0};
    if (!doc_read(&next, whole, length, &why)) {
        error_set(err, why.code, "the text that this edit makes cannot be read (%d:%d): %.500s",
                  why.line, why.column, why.text);
        return false;
    }
    if (expected && !same_tree(expected, next.root)) {
        int line = 1;
        for (size_t i = 0; i < begin; i++)
            line += d->text[i] == '\n';
        error_set(err, E_INPUT,
                  "this edit cannot be written into the text near line %d of '%.200s' without "
                  "changing what stands beside it",
                  line, d->name);
        return false;
    }
    const char *old = d->text + begin;
    size_t old_length = end - begin;
    next.last = (span){begin, begin + text->count};
    note_written(&next, d, (span){begin, end}, text);
    *d = next;
    note_undo(d, d->last, old, old_length);
    return true;
}

// ---- Changes ------------------------------------------------------------------------------------

static writer writer_for(doc *d, text_buffer *out) {
    return (writer){.out = out,
                    .newline = d->newline,
                    .own = d->text,
                    .json = d->edits_json ? d->edits.text : NULL};
}

typedef struct change {
    size_t begin, end;
    text_buffer text;
} change;

static size_t key_column(const doc *d, const ynode *map, size_t i) {
    return column_of(d->text, map->keys[i]->begin);
}

// Returns the place behind the ':' of a key.
static size_t behind_colon(const doc *d, const ynode *key) {
    size_t at = key->end;
    while (d->text[at] && d->text[at] != ':')
        at++;
    return d->text[at] ? at + 1 : at;
}

static bool has_comment(const char *text, size_t begin, size_t end) {
    return end > begin && memchr(text + begin, '#', end - begin) != NULL;
}

static void replace_value(doc *d, ynode *map, size_t i, const ynode *with, bool one_line,
                          change *c) {
    const ynode *old = map->items[i];
    writer w = writer_for(d, &c->text);
    w.whole = c->end > old->end ? old : NULL;
    size_t column = key_column(d, map, i), colon = behind_colon(d, map->keys[i]);
    bool block = !one_line && write_is_block(&w, with);
    bool apart = has_break(d->text, colon, old->begin);
    size_t own = column_of(d->text, old->begin);
    if (apart && (block || has_comment(d->text, colon, old->begin))) {
        // A list of lines may stand in the column of its key; any other value stands deeper.
        bool list = block && with->kind == YNODE_SEQUENCE;
        size_t more = own <= column && !list ? column + 2 - own : 0;
        c->begin = old->begin;
        text_put_repeated(&c->text, ' ', more);
        if (one_line)
            write_flow(&w, with);
        else
            write_block(&w, with, own + more);
        return;
    }
    bool keep = !block && !apart && old->end > old->begin;
    c->begin = keep ? old->begin : colon;
    if (one_line) {
        text_put(&c->text, keep ? "" : " ");
        write_flow(&w, with);
    } else if (keep) {
        write_block(&w, with, column + 2);
    } else {
        write_value(&w, with, column);
    }
}

static change replace_text(doc *d, ynode *parent, size_t i, const ynode *with, bool whole,
                           bool one_line) {
    const ynode *old = parent->items[i];
    change c = {.begin = old->begin, .end = old->end};
    writer w = writer_for(d, &c.text);
    if (parent->flow) {
        text_put(&c.text, old->end == old->begin ? " " : "");
        write_flow(&w, with);
        return c;
    }
    bool lines = old->kind != YNODE_SCALAR && !old->flow;
    if ((whole && !one_line) || lines)
        c.end = node_tail(d->text, old);
    if (parent->kind == YNODE_MAPPING) {
        replace_value(d, parent, i, with, one_line, &c);
        return c;
    }
    w.whole = c.end > old->end ? old : NULL;
    text_put(&c.text, old->end == old->begin ? " " : "");
    if (one_line)
        write_flow(&w, with);
    else
        write_block(&w, with, column_of(d->text, old->begin) + c.text.count);
    return c;
}

bool doc_replace(doc *d, ynode *parent, size_t i, ynode *with, bool whole, error *err) {
    change block = replace_text(d, parent, i, with, whole, false);
    change flow = replace_text(d, parent, i, with, whole, true);
    parent->items[i] = with;
    bool good = write_text(d, block.begin, block.end, &block.text, d->root, err) ||
                write_text(d, flow.begin, flow.end, &flow.text, d->root, err);
    array_finish(&block.text);
    array_finish(&flow.text);
    return good;
}

static void write_entry(writer *w, const ynode *key, const ynode *value, size_t column,
                        bool one_line) {
    if (!key) {
        text_put(w->out, "- ");
        if (one_line)
            write_flow(w, value);
        else
            write_block(w, value, column + 2);
        return;
    }
    write_scalar(w, key, false);
    text_put(w->out, one_line ? ": " : ":");
    if (one_line)
        write_flow(w, value);
    else
        write_value(w, value, column);
}

static change insert_block(doc *d, const ynode *container, size_t i, bool after, const ynode *key,
                           const ynode *value, bool one_line) {
    change c = {0};
    writer w = writer_for(d, &c.text);
    span unit = entry_unit(d->text, d->length, container, i);
    size_t column = column_of(d->text, entry_begin(d->text, container, i));
    if (after) {
        text_put(&c.text, d->newline);
        text_put_repeated(&c.text, ' ', column);
    }
    write_entry(&w, key, value, column, one_line);
    if (!after) {
        text_put(&c.text, d->newline);
        text_put_repeated(&c.text, ' ', column);
    }
    c.begin = c.end = after ? unit.end : unit.begin;
    return c;
}

static change insert_flow(doc *d, const ynode *container, size_t i, bool after, const ynode *key,
                          const ynode *value) {
    change c = {0};
    writer w = writer_for(d, &c.text);
    bool alone = container->count == 0;
    text_put(&c.text, alone ? " " : after ? ", " : "");
    if (key) {
        write_scalar(&w, key, true);
        text_put(&c.text, ": ");
    }
    write_flow(&w, value);
    text_put(&c.text, alone ? " " : after ? "" : ", ");
    c.begin = c.end = alone   ? container->begin + 1
                      : after ? container->items[i]->end
                              : entry_begin(d->text, container, i);
    if (alone)
        c.end = container->end - 1;
    return c;
}

static void insert_node(arena *a, ynode *container, size_t at, ynode *key, ynode *value) {
    size_t count = container->count;
    ynode **items = arena_alloc(a, (count + 1) * sizeof *items);
    ynode **keys = key ? arena_alloc(a, (count + 1) * sizeof *keys) : NULL;
    for (size_t k = 0; k <= count; k++) {
        size_t from = k > at ? k - 1 : k;
        items[k] = k == at ? value : container->items[from];
        if (keys)
            keys[k] = k == at ? key : container->keys[from];
    }
    container->items = items;
    container->keys = keys;
    container->count = count + 1;
}

bool doc_insert(doc *d, ynode *container, size_t i, bool after, const char *key, ynode *value,
                error *err) {
    ynode *name = key ? make_scalar(d->a, key, false) : NULL;
    bool flow = container->flow || container->count == 0;
    change first, second = {0};
    if (flow) {
        first = insert_flow(d, container, i, after, name, value);
    } else {
        first = insert_block(d, container, i, after, name, value, false);
        second = insert_block(d, container, i, after, name, value, true);
    }
    insert_node(d->a, container, container->count == 0 ? 0 : i + after, name, value);
    bool good = write_text(d, first.begin, first.end, &first.text, d->root, err) ||
                (!flow && write_text(d, second.begin, second.end, &second.text, d->root, err));
    array_finish(&first.text);
    array_finish(&second.text);
    return good;
}

span doc_deleted(const doc *d, const ynode *container, size_t i) {
    bool last = i + 1 == container->count;
    if (container->flow && container->count == 1)
        return (span){container->begin + 1, container->end - 1};
    if (container->flow && last)
        return (span){container->items[i - 1]->end, container->items[i]->end};
    if (container->flow)
        return (span){entry_begin(d->text, container, i), entry_begin(d->text, container, i + 1)};
    span unit = entry_unit(d->text, d->length, container, i);
    if (begins_line(d->text, unit.begin))
        return (span){line_begin(d->text, unit.begin), after_break(d->text, d->length, unit.end)};
    // The first entry, in the line of the dash around it: the next one takes its place.
    return last ? unit : (span){unit.begin, entry_begin(d->text, container, i + 1)};
}

// The last entry of a block: its lines go, and [] or {} comes behind the key.
static bool delete_last(doc *d, ynode *container, error *err) {
    ynode *parent;
    size_t index;
    ynode *empty = make_sequence(d->a);
    empty->kind = container->kind;
    if (!doc_parent(d->root, container, &parent, &index)) {
        error_set(err, E_INPUT, "nothing would be left of the plan");
        return false;
    }
    span unit = entry_unit(d->text, d->length, container, 0);
    if (parent->kind == YNODE_MAPPING && begins_line(d->text, unit.begin)) {
        size_t colon = behind_colon(d, parent->keys[index]);
        size_t lines = line_begin(d->text, unit.begin);
        text_buffer text = {0};
        text_put(&text, container->kind == YNODE_MAPPING ? " {}" : " []");
        text_put_bytes(&text, d->text + colon, lines - colon);
        parent->items[index] = empty;
        bool good =
            write_text(d, colon, after_break(d->text, d->length, unit.end), &text, d->root, err);
        array_finish(&text);
        parent->items[index] = container;
        if (good)
            return true;
    }
    return doc_replace(d, parent, index, empty, true, err);
}

bool doc_delete(doc *d, ynode *container, size_t i, error *err) {
    if (!container->flow && container->count == 1)
        return delete_last(d, container, err);
    span s = doc_deleted(d, container, i);
    text_buffer nothing = {0};
    for (size_t k = i; k + 1 < container->count; k++) {
        container->items[k] = container->items[k + 1];
        if (container->keys)
            container->keys[k] = container->keys[k + 1];
    }
    container->count--;
    return write_text(d, s.begin, s.end, &nothing, d->root, err);
}

bool doc_permute(doc *d, ynode *list, const size_t *order, error *err) {
    size_t count = list->count;
    span *units = arena_alloc(d->a, (count + 1) * sizeof *units);
    ynode **items = arena_alloc(d->a, (count + 1) * sizeof *items);
    text_buffer text = {0};
    for (size_t i = 0; i < count; i++)
        units[i] = entry_unit(d->text, d->length, list, i);
    for (size_t i = 0; i < count; i++) {
        span from = units[order[i]];
        items[i] = list->items[order[i]];
        text_put_bytes(&text, d->text + from.begin, from.end - from.begin);
        if (i + 1 < count)
            text_put_bytes(&text, d->text + units[i].end, units[i + 1].begin - units[i].end);
    }
    list->items = items;
    bool good = write_text(d, units[0].begin, units[count - 1].end, &text, d->root, err);
    array_finish(&text);
    return good;
}

bool doc_rename(doc *d, ynode *map, size_t i, const char *key, error *err) {
    ynode *old = map->keys[i];
    text_buffer text = {0};
    text_put(&text, key);
    map->keys[i] = make_scalar(d->a, key, false);
    bool good = write_text(d, old->begin, old->end, &text, d->root, err);
    array_finish(&text);
    return good;
}

bool doc_splice(doc *d, size_t begin, size_t end, const char *text, size_t length, error *err) {
    text_buffer put = {0};
    text_put_bytes(&put, text, length);
    bool good = write_text(d, begin, end, &put, NULL, err);
    array_finish(&put);
    return good;
}
