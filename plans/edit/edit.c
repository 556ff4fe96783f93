// plans/edit/edit.c - a list of edits applied to a text; its provenance; what leads back.
#include "plans/edit/edit_int.h"

#include "base/hash.h"

struct edit_result {
    arena *a;
    text_buffer text, inverse, json;
    ARRAY(written) written; // in the new text
    ARRAY(edit) edits;      // their places; the nodes live in `a`
};

// ---- Provenance ---------------------------------------------------------------------------------

// A byte order mark stays in front.
static size_t behind_mark(const char *text, size_t at) {
    return at == 0 && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : at;
}

// The bytes that stripping takes out of a text. False: it has none.
static bool provenance_span(const char *text, size_t length, const ynode *root, span *out,
                            size_t *index) {
    size_t i = 0;
    while (i < root->count && strcmp(root->keys[i]->scalar, "provenance") != 0)
        i++;
    *index = i;
    if (i == root->count)
        return false;
    const ynode *key = root->keys[i], *value = root->items[i];
    bool last = i + 1 == root->count;
    if (root->flow)
        *out = last && i > 0 ? (span){root->items[i - 1]->end, value->end}
               : last        ? (span){key->begin, value->end}
                             : (span){key->begin, root->keys[i + 1]->begin};
    else
        *out = (span){behind_mark(text, line_begin(text, key->begin)),
                      after_break(text, length, node_tail(text, value))};
    return true;
}

// The place of the provenance: before the key that stood behind the old one, else before the first
// key that is neither name nor doc, else at the end.
typedef struct seat {
    const char *before; // key; NULL: `from_end` bytes before the end
    size_t from_end;
} seat;

static seat seat_for(const doc *d, const ynode *old_root, size_t index, span cut, size_t length) {
    if (index + 1 < old_root->count)
        return (seat){old_root->keys[index + 1]->scalar, 0};
    if (index < old_root->count)
        return (seat){NULL, length - cut.end};
    static const char *const heads[] = {"plan", "library", "doc"};
    for (size_t i = 0; i < d->root->count; i++) {
        bool head = false;
        for (int k = 0; k < 3; k++)
            head = head || strcmp(d->root->keys[i]->scalar, heads[k]) == 0;
        if (!head)
            return (seat){d->root->keys[i]->scalar, 0};
    }
    return (seat){d->root->count ? d->root->keys[0]->scalar : NULL, 0};
}

// Old entries as they were (an old one that was no list becomes the first), then the new one.
static void write_provenance(doc *d, const ynode *old, const ynode *entry, bool flow, size_t column,
                             text_buffer *out) {
    ynode *all = make_sequence(d->a);
    bool list = old && old->kind == YNODE_SEQUENCE;
    for (size_t i = 0; list && i < old->count; i++)
        make_item(d->a, all, old->items[i]);
    if (old && !list && !is_null(old))
        make_item(d->a, all, (ynode *)(uintptr_t)old);
    make_item(d->a, all, (ynode *)(uintptr_t)entry);
    writer w = {.out = out, .newline = d->newline, .own = d->text};
    text_put(out, "provenance:");
    if (flow) {
        text_put(out, " ");
        write_flow(&w, all);
    } else {
        write_value(&w, all, column);
    }
}

static size_t put_provenance(doc *d, const seat *where, const ynode *old, const ynode *entry,
                             text_buffer *out, size_t *put) {
    const ynode *root = d->root;
    text_buffer block = {0};
    size_t at = d->length - where->from_end;
    size_t i = 0;
    while (where->before && i < root->count && strcmp(root->keys[i]->scalar, where->before) != 0)
        i++;
    bool before = where->before && i < root->count;
    size_t column = root->count && !root->flow ? column_of(d->text, root->keys[0]->begin) : 0;
    if (root->flow) {
        at = before        ? root->keys[i]->begin
             : root->count ? root->items[root->count - 1]->end
                           : root->begin + 1;
        text_put(&block, before || root->count == 0 ? "" : ", ");
        write_provenance(d, old, entry, true, 0, &block);
        text_put(&block, before ? ", " : "");
    } else {
        if (before)
            at = line_begin(d->text, entry_unit(d->text, d->length, root, i).begin);
        text_put_repeated(&block, ' ', column);
        write_provenance(d, old, entry, false, column, &block);
        text_put(&block, d->newline);
    }
    at = behind_mark(d->text, at);
    text_put_bytes(out, d->text, at);
    text_put_bytes(out, block.items, block.count);
    text_put_bytes(out, d->text + at, d->length - at);
    *put = block.count;
    array_finish(&block);
    return at;
}

static ynode *provenance_entry(arena *a, const char *parent, const char *reason,
                               const edits *made) {
    ynode *entry = make_mapping(a), *list = make_sequence(a);
    make_pair(a, entry, "parent", make_scalar(a, parent, false));
    if (reason)
        make_pair(a, entry, "reason", make_scalar(a, reason, true));
    for (size_t i = 0; i < made->count; i++)
        make_item(a, list, make_line(a, made->items[i].node));
    make_pair(a, entry, "edits", list);
    return entry;
}

// ---- Reading ------------------------------------------------------------------------------------

// libyaml takes these characters for breaks of lines; editors do not.
static bool has_odd_break(const char *text, size_t length) {
    for (size_t i = 0; i + 1 < length; i++) {
        const unsigned char *c = (const unsigned char *)text + i;
        if ((c[0] == 0xc2 && c[1] == 0x85) ||
            (i + 2 < length && c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9)))
            return true;
    }
    return false;
}

static const char *newline_of(const char *text, size_t length) {
    size_t at = line_end(text, length, 0), next = after_break(text, length, at);
    return next - at == 2 ? "\r\n" : at < length && text[at] == '\r' ? "\r" : "\n";
}

static unsigned read_hex4(const char *c) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *d = c[i] ? strchr(digits, c[i] | 0x20) : NULL;
        if (!d || (c[i] == ' ' || c[i] == 0x10))
            return 0;
        code = code * 16 + (unsigned)(d - digits);
    }
    return code;
}

// JSON writes a character past 16 bits as two surrogates, which YAML does not know.
static void join_halves(char *text) {
    for (char *c = text; (c = strchr(c, '\\')); c++) {
        unsigned high = c[1] == 'u' ? read_hex4(c + 2) : 0;
        if (high >= 0xd800 && high < 0xdc00 && c[6] == '\\' && c[7] == 'u') {
            unsigned low = read_hex4(c + 8);
            if (low >= 0xdc00 && low < 0xe000) {
                char whole[16];
                snprintf(whole, sizeof whole, "\\U%08x",
                         0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
                memcpy(c, whole, 10);
                memmove(c + 10, c + 12, strlen(c + 12) + 1);
            }
        }
        if (c[1] == '\\')
            c++;
    }
}

static bool read_further(doc *d, const edit_file *then, edits *all, errors *list) {
    const char *reason;
    ynode *root = NULL;
    return !then->text || (yaml_read(d->a, then->name, arena_copy(d->a, then->text, then->length),
                                     then->length, &root, list) == OK &&
                           edits_read(root, all, &reason, list));
}

static bool read_edits(doc *d, const edit_request *request, edits *all, const char **reason,
                       errors *list) {
    char *text = arena_copy(d->a, request->edits.text, request->edits.length);
    size_t at = strspn(text, " \t\r\n");
    d->edits_json = text[at] == '{' || text[at] == '[';
    if (d->edits_json && strlen(text) == request->edits.length)
        join_halves(text);
    size_t length = d->edits_json && strlen(text) < request->edits.length ? strlen(text)
                                                                          : request->edits.length;
    d->edits = (edit_file){request->edits.name, text, length};
    ynode *root = NULL;
    if (yaml_read(d->a, d->edits.name, text, length, &root, list) != OK)
        return false;
    return edits_read(root, all, reason, list) && read_further(d, &request->then, all, list);
}

static void read_libraries(doc *d, const edit_request *request) {
    d->libraries = arena_alloc(d->a, (request->routine_count + 1) * sizeof *d->libraries);
    for (size_t i = 0; i < request->routine_count; i++) {
        library *l = &d->libraries[d->library_count++];
        l->file = request->routines[i];
        errors ignored = {0};
        char *text = arena_copy(d->a, l->file.text, l->file.length);
        if (yaml_read(d->a, l->file.name, text, l->file.length, &l->root, &ignored) == OK)
            l->tree = tree_read(d->a, l->file.name, l->root);
        errors_finish(&ignored);
    }
}

// ---- All of it ----------------------------------------------------------------------------------

// Takes the provenance out: edits are made in the rest of the text.
static bool strip_provenance(doc *d, const char *text, size_t length, span *cut, const ynode **root,
                             size_t *index, error *err) {
    if (!doc_read(d, text, length, err))
        return false;
    *root = d->root;
    *cut = (span){length, length};
    if (!provenance_span(text, length, d->root, cut, index))
        return true;
    char *rest = arena_alloc(d->a, length + 1);
    memcpy(rest, text, cut->begin);
    memcpy(rest + cut->begin, text + cut->end, length - cut->end);
    return doc_read(d, rest, length - (cut->end - cut->begin), err);
}

static bool make_all(doc *d, const edits *all, ynode *back, errors *list) {
    ARRAY(ynode *) undo = {0};
    bool good = true;
    for (size_t i = 0; i < all->count && good; i++) {
        doc before = *d;
        error err = {.code = E_INPUT};
        const edit *e = &all->items[i];
        d->current = i;
        d->undo = NULL;
        good = edit_make(d, e, &err);
        if (good) {
            ynode *mine = make_sequence(d->a);
            edit_undo(&before, d, e, mine);
            array_push(&undo, mine);
        } else if (err.line > 0) {
            errors_append(list, &err);
        } else {
            ynode_error(e->target, list, "%s", err.text);
        }
    }
    for (size_t i = undo.count; i > 0; i--) {
        for (size_t k = 0; k < undo.items[i - 1]->count; k++)
            make_item(d->a, back, undo.items[i - 1]->items[k]);
    }
    array_finish(&undo);
    return good;
}

static void write_inverse(doc *d, const ynode *back, const char *parent, text_buffer *out) {
    writer w = {.out = out, .newline = "\n", .own = d->text};
    ynode *whole = make_mapping(d->a), *list = make_sequence(d->a);
    for (size_t i = 0; i < back->count; i++) {
        make_item(d->a, list, edit_copy(d->a, back->items[i]));
    }
    make_pair(d->a, whole, "reason",
              make_scalar(d->a, arena_format(d->a, "back to %s", parent), true));
    list->flow = list->count == 0;
    make_pair(d->a, whole, "edits", list);
    write_block(&w, whole, 0);
    text_put(out, "\n");
}

static void write_result(doc *d, edit_result *r, const char *parent, const char *reason,
                         const edits *all, const ynode *back) {
    text_buffer *out = &r->json;
    const char *now = hash_text(d->a, hash_bytes(r->text.items, r->text.count));
    text_put(out, "{\"schema\": 1, \"parent\": ");
    yaml_string(out, parent, strlen(parent));
    text_put(out, ", \"plan\": ");
    yaml_string(out, now, strlen(now));
    text_put(out, ", \"reason\": ");
    if (reason)
        yaml_string(out, reason, strlen(reason));
    else
        text_put(out, "null");
    text_put(out, ", \"edits\": [");
    for (size_t i = 0; i < all->count; i++) {
        text_put(out, i ? ", " : "");
        write_json(out, all->items[i].node);
    }
    text_put(out, "], \"inverse\": ");
    write_json(out, back);
    text_put(out, "}\n");
}

static status apply_edits(const edit_request *request, doc *d, edit_result *r, edits *all,
                          errors *list) {
    const char *reason, *text = arena_copy(d->a, request->plan.text, request->plan.length);
    size_t length = request->plan.length, index = 0, put = 0;
    const ynode *old_root = NULL;
    span cut;
    error err = {0};
    if (has_odd_break(text, length))
        return errors_add(list, d->name, 0, 0,
                          "the text has breaks of lines (U+0085, U+2028 or U+2029) that YAML "
                          "knows and editors do not; write others"),
               E_INPUT;
    if (!read_edits(d, request, all, &reason, list))
        return E_INPUT;
    if (!strip_provenance(d, text, length, &cut, &old_root, &index, &err)) {
        errors_append(list, &err);
        return E_INPUT;
    }
    read_libraries(d, request);
    const ynode *old = index < old_root->count ? old_root->items[index] : NULL;
    if (!old)
        index = old_root->count;
    seat where = seat_for(d, old_root, index, cut, length);
    ynode *back = make_sequence(d->a);
    if (!make_all(d, all, back, list))
        return E_INPUT;
    const char *parent = hash_text(d->a, hash_bytes(text, length));
    const ynode *entry = provenance_entry(d->a, parent, reason, all);
    size_t at = put_provenance(d, &where, old, entry, &r->text, &put);
    for (size_t i = 0; i < d->written.count; i++) {
        written w = d->written.items[i];
        w.at.begin += w.at.begin >= at ? put : 0;
        w.at.end += w.at.end > at ? put : 0;
        array_push(&r->written, w);
    }
    write_inverse(d, back, parent, &r->inverse);
    write_result(d, r, parent, reason, all, back);
    for (size_t i = 0; i < all->count; i++)
        array_push(&r->edits, all->items[i]);
    return OK;
}

status edit_apply(const edit_request *request, edit_result **out, errors *list) {
    edit_result *r = mem_must(1, sizeof *r);
    r->a = arena_create();
    doc d = {.a = r->a, .name = request->plan.name};
    d.newline = newline_of(request->plan.text, request->plan.length);
    edits all = {0};
    status s = apply_edits(request, &d, r, &all, list);
    array_finish(&all);
    array_finish(&d.written);
    if (s == OK)
        *out = r;
    else
        edit_result_destroy(r);
    return s;
}

void edit_result_destroy(edit_result *r) {
    if (!r)
        return;
    array_finish(&r->text);
    array_finish(&r->inverse);
    array_finish(&r->json);
    array_finish(&r->written);
    array_finish(&r->edits);
    arena_destroy(r->a);
    free(r);
}

static const char *text_of(const text_buffer *b, size_t *length) {
    if (length)
        *length = b->count;
    return b->items;
}

const char *edit_text(const edit_result *r, size_t *length) {
    return text_of(&r->text, length);
}

const char *edit_inverse(const edit_result *r, size_t *length) {
    return text_of(&r->inverse, length);
}

const char *edit_json(const edit_result *r, size_t *length) {
    return text_of(&r->json, length);
}

size_t edit_count(const edit_result *r) {
    return r->edits.count;
}

bool edit_blame(const edit_result *r, int line, int column, size_t *index, int *edit_line,
                int *edit_column) {
    const char *text = r->text.items;
    size_t at = 0;
    for (int i = 1; i < line && at < r->text.count; i++)
        at = after_break(text, r->text.count, line_end(text, r->text.count, at));
    at += column > 0 ? (size_t)column - 1 : 0;
    for (size_t i = r->written.count; i > 0; i--) {
        const written *w = &r->written.items[i - 1];
        if (at < w->at.begin || at >= w->at.end)
            continue;
        *index = w->edit;
        *edit_line = r->edits.items[w->edit].node->line;
        *edit_column = r->edits.items[w->edit].node->column;
        return true;
    }
    return false;
}

char *edit_strip(const char *text, size_t length, size_t *stripped) {
    arena *a = arena_create();
    doc d = {.a = a, .name = "", .newline = "\n"};
    span cut;
    const ynode *root;
    size_t index;
    char *out = NULL;
    if (strip_provenance(&d, arena_copy(a, text, length), length, &cut, &root, &index, NULL)) {
        out = mem_must(d.length + 1, 1);
        memcpy(out, d.text, d.length);
        out[d.length] = 0;
        *stripped = d.length;
    }
    arena_destroy(a);
    return out;
}
