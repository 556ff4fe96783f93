// tests/plans/edit_random.c - random plans in every style that YAML has, and random edits of them.
#include "tests/plans/edit_random.h"

#include <stdarg.h>

unsigned random_draw(random_text *r, unsigned n) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (unsigned)((r->state >> 20) % n);
}

static void put_bytes(random_text *r, const char *bytes, size_t length) {
    if (r->length + length + 1 > r->capacity) {
        r->capacity = 2 * (r->length + length + 1);
        r->text = realloc(r->text, r->capacity);
        ASSERT(r->text);
    }
    memcpy(r->text + r->length, bytes, length);
    r->length += length;
    r->text[r->length] = 0;
}

void random_put(random_text *r, const char *format, ...) {
    char text[1000];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ASSERT(length >= 0 && (size_t)length < sizeof text);
    put_bytes(r, text, (size_t)length);
}

static void put_line(random_text *r) {
    random_put(r, "%s", r->newline);
}

static void put_spaces(random_text *r, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        random_put(r, " ");
}

static const char *const COMMENTS[] = {
    "# why",  "#no space", "# - tag: not_a_step", "# \"half", "# \xc3\xa4hnlich: \xe2\x82\xac",
    "# a: [b"};

// The rest of a line: nothing, spaces, a comment.
static void end_line(random_text *r) {
    switch (random_draw(r, 8)) {
    case 0:
        random_put(r, " %s", COMMENTS[random_draw(r, 6)]);
        break;
    case 1:
        random_put(r, "\t%s", COMMENTS[random_draw(r, 6)]);
        break;
    case 2:
        put_spaces(r, 1 + random_draw(r, 3));
        break;
    default:
        break;
    }
    put_line(r);
}

static void put_between(random_text *r, unsigned column) {
    while (random_draw(r, 5) == 0) {
        if (random_draw(r, 2)) {
            put_spaces(r, random_draw(r, 3) ? column : random_draw(r, column + 4));
            random_put(r, "%s", COMMENTS[random_draw(r, 6)]);
        } else {
            put_spaces(r, random_draw(r, 2) * random_draw(r, 5));
        }
        put_line(r);
    }
}

// ---- Flow style ---------------------------------------------------------------------------------

static void flow_break(random_text *r) {
    if (random_draw(r, 6) > 0) {
        put_spaces(r, 1 + random_draw(r, 2) / 2);
        return;
    }
    if (random_draw(r, 2))
        random_put(r, " %s", COMMENTS[random_draw(r, 6)]);
    put_line(r);
    // Some start further left than the block around them.
    put_spaces(r, 2 + random_draw(r, 20));
}

static void flow_step(random_text *r, int depth) {
    random_put(r, "{");
    flow_break(r);
    if (random_draw(r, 3) == 0)
        random_put(r, "tag: t%d, ", r->tags++);
    unsigned kind = random_draw(r, depth > 0 ? 6 : 4);
    static const char *const leaves[] = {"wait: { seconds: 1 }", "log: \"{ [ # \\\" ?n\"",
                                         "set: \"?n\", to: \"?n + 1\"",
                                         "wait: {\"seconds\":2}, deadline: 7"};
    static const char *const lists[] = {"seq", "par"};
    if (kind < 4) {
        random_put(r, "%s", leaves[kind]);
    } else if (kind == 4) {
        random_put(r, "%s: [", lists[random_draw(r, 2)]);
        for (unsigned k = 1 + random_draw(r, 3); k > 0; k--) {
            flow_break(r);
            flow_step(r, depth - 1);
            if (k > 1)
                random_put(r, ",");
        }
        flow_break(r);
        random_put(r, random_draw(r, 5) ? "]" : ", ]");
    } else {
        random_put(r, "on_failure: { do: ");
        flow_step(r, depth - 1);
        random_put(r, ", handle: [ { failure: plan_failure, retry: 2 } ] }");
    }
    flow_break(r);
    random_put(r, "}");
}

// ---- Block style --------------------------------------------------------------------------------

static void block_step(random_text *r, unsigned column, int depth);

// A list of steps whose dashes stand at `column`; the cursor is at the begin of a line.
static void block_list(random_text *r, unsigned column, int depth) {
    for (unsigned k = 1 + random_draw(r, 4); k > 0; k--) {
        put_between(r, column);
        put_spaces(r, column);
        unsigned gap = 1 + (random_draw(r, 6) == 0 ? random_draw(r, 4) : 0);
        switch (random_draw(r, 9)) {
        case 0:
            random_put(r, "- ");
            flow_step(r, depth > 1 ? 2 : 1);
            end_line(r);
            break;
        case 1:
            random_put(r, "- localise");
            end_line(r);
            break;
        case 2:
            random_put(r, random_draw(r, 2) ? "-" : "- # comment");
            put_line(r);
            put_spaces(r, column + 1 + gap);
            block_step(r, column + 1 + gap, depth - 1);
            break;
        default:
            random_put(r, "-");
            put_spaces(r, gap);
            block_step(r, column + 1 + gap, depth - 1);
            break;
        }
    }
}

// What stands for one step under a key whose map is at `column`; the cursor is behind the colon.
static void block_body(random_text *r, unsigned column, int depth) {
    switch (random_draw(r, depth > 0 ? 5 : 2)) {
    case 0:
        random_put(r, " ");
        flow_step(r, 1);
        end_line(r);
        break;
    case 1:
        random_put(r, " localise");
        end_line(r);
        break;
    case 2:
        end_line(r);
        block_list(r, column + (random_draw(r, 2) ? 2 : 0), depth);
        break;
    default: {
        unsigned inner = column + 1 + random_draw(r, 4);
        end_line(r);
        put_between(r, inner);
        put_spaces(r, inner);
        block_step(r, inner, depth - 1);
        break;
    }
    }
}

static void block_key(random_text *r, unsigned column, const char *key) {
    put_between(r, column);
    put_spaces(r, column);
    random_put(r, "%s:", key);
}

static void block_text(random_text *r, unsigned column) {
    switch (random_draw(r, 5)) {
    case 0:
        random_put(r, "log: |");
        put_line(r);
        put_spaces(r, column + 2);
        random_put(r, "first # no comment");
        put_line(r);
        put_line(r);
        put_spaces(r, column + 3);
        random_put(r, "- second");
        put_line(r);
        break;
    case 1:
        random_put(r, "log: >-");
        put_line(r);
        put_spaces(r, column + 1);
        random_put(r, "folded");
        put_line(r);
        put_spaces(r, column + 1);
        random_put(r, "# text");
        put_line(r);
        break;
    case 2:
        random_put(r, "log: \"two");
        put_line(r);
        put_spaces(r, column + random_draw(r, 5));
        random_put(r, "lines \xe2\x82\xac\"");
        end_line(r);
        break;
    case 3:
        random_put(r, "log: plain");
        put_line(r);
        put_spaces(r, column + 2);
        random_put(r, "on two lines");
        end_line(r);
        break;
    default:
        random_put(r, "log:   'it''s \xc3\xa4'");
        end_line(r);
        break;
    }
}

// A step whose keys stand at `column`, where the cursor is; ends behind a break.
static void block_step(random_text *r, unsigned column, int depth) {
    static const char *const lists[] = {"seq", "par", "pursue", "try_in_order"};
    if (random_draw(r, 2)) {
        random_put(r, "tag: t%d", r->tags++);
        end_line(r);
        put_between(r, column);
        put_spaces(r, column);
    }
    switch (random_draw(r, depth > 0 ? 9 : 3)) {
    case 0:
        random_put(r, "wait: { seconds: 0.5 }");
        end_line(r);
        break;
    case 1:
        block_text(r, column);
        break;
    case 2:
        random_put(r, "wait:");
        end_line(r);
        put_spaces(r, column + 2);
        random_put(r, "seconds: 3");
        end_line(r);
        if (random_draw(r, 2)) {
            block_key(r, column, "deadline");
            random_put(r, "  9");
            end_line(r);
        }
        break;
    case 3:
    case 4:
        random_put(r, "%s:", lists[random_draw(r, 4)]);
        end_line(r);
        block_list(r, column + (random_draw(r, 3) ? 2 : 0), depth);
        break;
    case 5:
        random_put(r, "on_failure:");
        end_line(r);
        block_key(r, column + 2, "do");
        block_body(r, column + 2, depth);
        block_key(r, column + 2, "handle");
        end_line(r);
        put_spaces(r, column + 2 + 2 * random_draw(r, 2));
        random_put(r, "- { failure: plan_failure, retry: 1 }");
        end_line(r);
        block_key(r, column + 2, "clean_up");
        block_body(r, column + 2, 0);
        break;
    case 6:
        random_put(r, "loop:");
        end_line(r);
        block_key(r, column + 1, "times");
        random_put(r, " 3");
        end_line(r);
        block_key(r, column + 1, "do");
        block_body(r, column + 1, depth);
        break;
    case 7:
        random_put(r, "if: ?n > 1");
        end_line(r);
        block_key(r, column, "then");
        block_body(r, column, depth);
        if (random_draw(r, 2)) {
            block_key(r, column, "else");
            block_body(r, column, depth);
        }
        break;
    default:
        random_put(r, "achieve: done(?n)");
        end_line(r);
        break;
    }
}

void random_plan(random_text *r) {
    static const char *const newlines[] = {"\n", "\n", "\r\n"};
    r->newline = newlines[random_draw(r, 3)];
    if (random_draw(r, 8) == 0)
        random_put(r, "\xef\xbb\xbf");
    put_between(r, 0);
    random_put(r, "plan: random");
    end_line(r);
    if (random_draw(r, 3) == 0) {
        put_between(r, 0);
        random_put(r, "provenance: { by: hand }");
        end_line(r);
    }
    put_between(r, 0);
    random_put(r, "parameters:");
    put_line(r);
    random_put(r, "  speed: { type: number, default: 0.5, doc: \"d\" }");
    end_line(r);
    put_between(r, 0);
    random_put(r, "routines:");
    put_line(r);
    for (int i = 0; i < 2; i++) {
        unsigned indent = 2;
        put_between(r, indent);
        random_put(r, "  - achieve: done(?what)");
        put_line(r);
        random_put(r, "    name: routine_%d", i);
        end_line(r);
        random_put(r, "    let: { n: 1 }");
        end_line(r);
        random_put(r, "    body:");
        block_body(r, 4, 2);
    }
    put_between(r, 0);
    random_put(r, "body:");
    end_line(r);
    random_put(r, "  let: { n: 1 }");
    put_line(r);
    random_put(r, "  in:");
    block_body(r, 2, 4);
    if (random_draw(r, 4) == 0) {
        while (r->length > 0 && strchr("\r\n", r->text[r->length - 1]))
            r->text[--r->length] = 0;
    }
}

// ---- Edits --------------------------------------------------------------------------------------

static const plan_node *pick_below(random_text *r, const plan_node *n, unsigned *seen,
                                   const plan_node *kept) {
    if (random_draw(r, ++*seen) == 0)
        kept = n;
    for (size_t i = 0; i < n->child_count; i++)
        kept = pick_below(r, n->children[i], seen, kept);
    return kept;
}

static const plan_node *pick(random_text *r, const plan *p) {
    unsigned seen = 0;
    const plan_node *kept = plan_body(p) ? pick_below(r, plan_body(p), &seen, NULL) : NULL;
    for (size_t i = 0; i < plan_routine_count(p); i++)
        kept = pick_below(r, plan_routine_at(p, i)->body, &seen, kept);
    return kept;
}

static void put_given(random_text *r) {
    switch (random_draw(r, 5)) {
    case 0:
        random_put(r, "{ log: \"flow, %d\" }", r->tags++);
        break;
    case 1:
        random_put(r, "localise");
        break;
    case 2:
        random_put(r,
                   "\n      tag: new%d # given\n      seq:\n      - log: a\n      # inner\n"
                   "      - { log: b }",
                   r->tags++);
        break;
    case 3:
        random_put(
            r, "\n      - log: |\n          block\n\n          text\n      - wait: {seconds: 1}");
        break;
    default:
        random_put(r, "\n      wait:\n          seconds: 2 # slow");
        break;
    }
}

static void put_wrapper(random_text *r) {
    static const char *const wrappers[] = {
        " { on_failure: { handle: [ { failure: plan_failure, retry: 1 } ] } }",
        "\n      tag: w%d\n      on_failure:\n        clean_up: { log: \"a, b\" }",
        " { loop: { times: 2 } }",
        " { tag: w%d, using: { actuators: [left] } }",
        "\n      let: ?m\n      be: ?n + 1",
        "\n      if: ?n > 0",
        "\n      with_policy:\n        when: ?n > 5\n        reason: \"?n, too much\"",
        " { let: \"?k\", be: \"?n\" }"};
    random_put(r, wrappers[random_draw(r, 8)], r->tags++);
}

static void put_property(random_text *r, const plan_node *n) {
    static const char *const values[] = {
        "key: tag\n    value: p%d",
        "key: doc\n    value: \"d %d\"",
        "key: doc\n    value: plain",
        "key: expects\n    value: []",
        "key: expects\n    value:\n      - moved(a)\n      - moved(b)",
        "key: tag\n    value: null",
        "key: doc\n    value: null"};
    unsigned kind = random_draw(r, 10);
    if (kind < 7)
        random_put(r, values[kind], r->tags++);
    else if (n->kind == CONSTRUCT_ACTION)
        random_put(r, "key: seconds\n    value: %u", random_draw(r, 9));
    else if (n->kind == CONSTRUCT_LOG)
        random_put(r, "key: log\n    value: \"new\\ntext %u\"", random_draw(r, 9));
    else if (n->kind == CONSTRUCT_ON_FAILURE)
        random_put(r, "key: on_failure.handle[1].retry\n    value: %u", 1 + random_draw(r, 9));
    else
        random_put(r, "key: goal\n    value: done(x)");
}

static void put_order(random_text *r, const plan_node *n) {
    random_put(r, "steps: [");
    unsigned start = random_draw(r, (unsigned)n->child_count + 1);
    for (size_t i = 0; i < n->child_count; i++)
        random_put(r, "%s%zu", i ? ", " : "", (i + start) % n->child_count + 1);
    random_put(r, "]");
}

static bool has_tags(const plan_node *n) {
    return n->child_count >= 2 && n->children[0]->tag && n->children[1]->tag;
}

void random_edit(random_text *r, const plan *p, const plan_node **target) {
    const plan_node *n = pick(r, p);
    n = plan_find(p, n->path); // a routine may have the name of the plan's own body
    *target = n;
    switch (random_draw(r, 11)) {
    case 0:
        random_put(r, "edits:\n  - replace: %s\n    step: ", n->path);
        put_given(r);
        break;
    case 1:
    case 2:
        random_put(r, "edits:\n  - %s: %s\n    step: ",
                   random_draw(r, 2) ? "insert_before" : "insert_after", n->path);
        put_given(r);
        break;
    case 3:
    case 4:
        random_put(r, "edits:\n  - wrap: %s\n    in:", n->path);
        put_wrapper(r);
        break;
    case 5:
        random_put(r, "edits:\n  - unwrap: %s", n->path);
        break;
    case 6:
        random_put(r, "edits:\n  - delete: %s", n->path);
        break;
    case 7:
        if (has_tags(n) && n->kind == CONSTRUCT_PAR)
            random_put(r, "edits:\n  - order: %s\n    add: [ [%s, %s] ]", n->path,
                       n->children[0]->tag, n->children[1]->tag);
        else {
            random_put(r, "edits:\n  - order: %s\n    ", n->path);
            put_order(r, n);
        }
        break;
    case 8:
        random_put(r, "edits:\n  - set_parameter: speed\n    value: 0.%u", random_draw(r, 99));
        *target = NULL;
        break;
    default:
        random_put(r, "edits:\n  - set_property: %s\n    ", n->path);
        put_property(r, n);
        break;
    }
    random_put(r, "\n");
}
