// plans/edit/undo.c - what undoes an edit.
//
// An edit of the opposite kind is tried first, since it still means something when other places
// have changed; it is kept only where it leads back byte for byte. Otherwise the inverse is the
// splices that the changes noted themselves, which always lead back.
#include "plans/edit/edit_int.h"

static ynode *text_scalar(arena *a, const char *text) {
    return make_scalar(a, text, true);
}

// Finds the outermost step that stands within the span that was written.
static const plan_node *written_step(const plan_node *n, span s) {
    if (n->source->begin >= s.begin && n->source->end <= s.end)
        return n;
    for (size_t i = 0; i < n->child_count; i++) {
        const plan_node *found = written_step(n->children[i], s);
        if (found)
            return found;
    }
    return NULL;
}

static const plan_node *step_written(const doc *d) {
    const plan_node *found = d->tree->body ? written_step(d->tree->body, d->last) : NULL;
    for (size_t i = 0; i < d->tree->routines.count && !found; i++)
        found = written_step(d->tree->routines.items[i].body, d->last);
    return found;
}

// The inverse is tried as it will be read again, from YAML or JSON.
static bool leads_back_as(const doc *before, const doc *after, const ynode *candidate, bool json) {
    doc d = *after;
    text_buffer text = {0};
    errors list = {0};
    ynode *root;
    edit e;
    d.undo = NULL;
    memset(&d.written, 0, sizeof d.written);
    if (json)
        write_json(&text, candidate);
    else
        write_block(&(writer){.out = &text, .newline = "\n"}, edit_copy(d.a, candidate), 0);
    d.edits = (edit_file){"", arena_copy(d.a, text.items, text.count), text.count};
    d.edits_json = json;
    array_finish(&text);
    bool good = doc_read(&d, after->text, after->length, NULL) &&
                yaml_read(d.a, "", d.edits.text, d.edits.length, &root, &list) == OK &&
                edit_read(root, &e, &list) && edit_make(&d, &e, NULL) &&
                d.length == before->length && memcmp(d.text, before->text, d.length) == 0;
    errors_finish(&list);
    array_finish(&d.written);
    return good;
}

static bool leads_back(const doc *before, const doc *after, const ynode *candidate) {
    return leads_back_as(before, after, candidate, false) &&
           leads_back_as(before, after, candidate, true);
}

static ynode *make_edit(arena *a, edit_kind kind, const char *target) {
    ynode *e = make_mapping(a);
    make_pair(a, e, edit_name(kind), text_scalar(a, target));
    return e;
}

// Makes an insertion of the deleted step's bytes beside a step that is still there.
static ynode *back_beside(const doc *before, const doc *after, const plan_node *gone, bool behind) {
    const plan_node *parent = gone->parent;
    ynode *list;
    size_t index;
    if (!parent || !doc_parent(before->root, gone->source, &list, &index) ||
        list->kind != YNODE_SEQUENCE || list->flow || (behind && index == 0) ||
        (!behind && index + 1 >= list->count))
        return NULL;
    const plan_node *still = plan_find(after->tree, parent->path);
    size_t place = behind ? index - 1 : index;
    if (!still || place >= still->child_count)
        return NULL;
    span s = doc_deleted(before, list, index);
    ynode *e = make_edit(after->a, behind ? EDIT_INSERT_AFTER : EDIT_INSERT_BEFORE,
                         still->children[place]->path);
    char *text = arena_copy(after->a, before->text + s.begin, s.end - s.begin);
    make_pair(after->a, e, "text", text_scalar(after->a, text));
    return e;
}

static ynode *back_order(const doc *before, const doc *after, const edit *e, const plan_node *old) {
    ynode *back = make_edit(after->a, EDIT_ORDER, old->path);
    const ynode *add = edit_get(e, "add"), *less = edit_get(e, "remove"),
                *steps = edit_get(e, "steps");
    const plan_node *now = plan_find(after->tree, old->path);
    (void)before;
    if (add)
        make_pair(after->a, back, "remove", (ynode *)(uintptr_t)add);
    if (less)
        make_pair(after->a, back, "add", (ynode *)(uintptr_t)less);
    if (!steps || !now || now->child_count != old->child_count)
        return back;
    // The old order, in the names that the steps have now.
    ynode *names = make_sequence(after->a);
    names->flow = true;
    for (size_t i = 0; i < old->child_count; i++) {
        size_t at = i;
        for (size_t k = 0; k < steps->count && k < old->child_count; k++) {
            const ynode *s = steps->items[k];
            bool number = strspn(s->scalar, "0123456789") == strlen(s->scalar);
            if (number ? (size_t)atol(s->scalar) == i + 1
                       : strcmp(s->scalar, old->children[i]->segment) == 0)
                at = k;
        }
        const plan_node *child = now->children[at];
        make_item(after->a, names,
                  child->tag ? text_scalar(after->a, child->tag)
                             : make_scalar(after->a, arena_format(after->a, "%zu", at + 1), false));
    }
    make_pair(after->a, back, "steps", names);
    return back;
}

static ynode *back_property(const doc *before, const doc *after, const edit *e,
                            const plan_node *old) {
    const char *key = edit_get(e, "key")->scalar;
    const ynode *value = property_value(old, key);
    ynode *back = make_edit(after->a, EDIT_SET_PROPERTY, old->path);
    (void)before;
    make_pair(after->a, back, "key", text_scalar(after->a, key));
    make_pair(after->a, back, "value",
              value ? (ynode *)(uintptr_t)value : make_scalar(after->a, "null", false));
    return back;
}

static ynode *back_parameter(const doc *before, const doc *after, const edit *e) {
    const ynode *own = ynode_get(ynode_get(before->root, "parameters"), e->path);
    ynode *value = own ? ynode_get(own, "default") : NULL;
    if (!value)
        return NULL;
    ynode *back = make_edit(after->a, EDIT_SET_PARAMETER, e->path);
    make_pair(after->a, back, "value", value);
    return back;
}

static ynode *back_projection(const doc *before, const doc *after, const edit *e) {
    const ynode *value = projection_value(before, e->path);
    ynode *back = make_edit(after->a, EDIT_SET_PROJECTION, e->path);
    make_pair(after->a, back, "value",
              value ? (ynode *)(uintptr_t)value : make_scalar(after->a, "null", false));
    return back;
}

static ynode *back_replace(const doc *before, const doc *after, const plan_node *old) {
    const plan_node *now = step_written(after);
    ynode *parent;
    size_t index;
    if (!now || !doc_parent(before->root, old->source, &parent, &index))
        return NULL;
    size_t end = parent->flow ? old->source->end : node_tail(before->text, old->source);
    ynode *back = make_edit(after->a, EDIT_REPLACE, now->path);
    make_pair(after->a, back, "text",
              text_scalar(after->a, arena_copy(after->a, before->text + old->source->begin,
                                               end - old->source->begin)));
    return back;
}

// Returns the opposite of an edit; NULL: it has none. `second` asks for another candidate.
static ynode *opposite_edit(const doc *before, doc *was, const doc *after, const edit *e,
                            bool second) {
    bool named = e->kind == EDIT_SET_PARAMETER || e->kind == EDIT_USE || e->kind == EDIT_ADOPT ||
                 e->kind == EDIT_DROP || e->kind == EDIT_SPLICE || e->kind == EDIT_SET_PROJECTION;
    const plan_node *old = named ? NULL : doc_find(was, e->path, NULL);
    const plan_node *now = step_written(after);
    if (!named && !old)
        return NULL;
    if (second && e->kind != EDIT_DELETE)
        return NULL;
    switch (e->kind) {
    case EDIT_INSERT_BEFORE:
    case EDIT_INSERT_AFTER:
        return now ? make_edit(after->a, EDIT_DELETE, now->path) : NULL;
    case EDIT_WRAP:
        return now ? make_edit(after->a, EDIT_UNWRAP, now->path) : NULL;
    case EDIT_DELETE:
        return back_beside(was, after, old, !second);
    case EDIT_REPLACE:
    case EDIT_UNWRAP:
        return back_replace(was, after, old);
    case EDIT_ORDER:
        return back_order(was, after, e, old);
    case EDIT_SET_PROPERTY:
        return back_property(was, after, e, old);
    case EDIT_SET_PARAMETER:
        return back_parameter(before, after, e);
    case EDIT_SET_PROJECTION:
        return back_projection(before, after, e);
    case EDIT_ADOPT:
        return make_edit(after->a, EDIT_DROP, e->path);
    default:
        return NULL;
    }
}

void edit_undo(const doc *before, const doc *after, const edit *e, ynode *back) {
    doc was = *before;
    was.undo = NULL;
    memset(&was.written, 0, sizeof was.written);
    bool read = doc_read(&was, before->text, before->length, NULL);
    for (int try = 0; try < 2 && read; try++) {
        ynode *candidate = opposite_edit(&was, &was, after, e, try > 0);
        if (candidate && leads_back(before, after, candidate)) {
            make_item(after->a, back, candidate);
            return;
        }
    }
    for (size_t i = 0; after->undo && i < after->undo->count; i++)
        make_item(after->a, back, after->undo->items[i]);
}
