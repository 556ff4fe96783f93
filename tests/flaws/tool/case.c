// tests/flaws/tool/case.c - reads case.yaml, and draws.
#include "case.h"

#include <stdio.h>
#include <string.h>
#include "base/math/rng.h"

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return *text && !*end;
}

const char *case_draw(const flaw_case *c, const char *name) {
    for (size_t i = 0; i < c->draws.count; i++)
        if (strcmp(c->draws.items[i].name, name) == 0)
            return c->draws.items[i].value;
    return NULL;
}

// A number between two, in steps of a thousandth of the way; or a whole one.
static const char *draw_number(arena *a, const ynode *n, double share, errors *list) {
    double from, to;
    bool whole = false;
    const ynode *w = ynode_get(n, "whole");
    if (!ynode_number(ynode_get(n, "from"), "from", &from, list) ||
        !ynode_number(ynode_get(n, "to"), "to", &to, list) ||
        (w && !ynode_bool(w, "whole", &whole, list)))
        return NULL;
    if (whole)
        return arena_format(a, "%lld", (long long)floor(from + share * (to - from + 1)));
    return arena_format(a, "%.5g", from + floor(share * 1001) / 1000 * (to - from));
}

static const char *draw_value(arena *a, const flaw_case *c, const ynode *n, double share,
                              errors *list) {
    static const char *const keys[] = {"set", "one_of", "from", "to", "whole", "by", "is", NULL};
    ynode_check_keys(n, keys, list);
    const ynode *of = ynode_get(n, "one_of"), *is = ynode_get(n, "is");
    const char *text = NULL, *by;
    if (of && of->kind == YNODE_SEQUENCE && of->count) {
        (void)ynode_text(of->items[(size_t)(share * (double)of->count)], "one_of", &text, list);
        return text;
    }
    if (!is)
        return draw_number(a, n, share, list);
    if (!ynode_get(n, "by") || !ynode_text(ynode_get(n, "by"), "by", &by, list))
        return NULL;
    const char *drawn = case_draw(c, by);
    const ynode *value = drawn ? ynode_get(is, drawn) : NULL;
    if (!value)
        ynode_error(n, list, "nothing is said for the value that '%s' drew", by);
    else
        (void)ynode_text(value, "is", &text, list);
    return text;
}

static void draw_all(arena *a, flaw_case *c, const ynode *draws, const char *scene, uint64_t seed,
                     errors *list) {
    for (size_t i = 0; draws && i < draws->count; i++) {
        const ynode *n = draws->items[i], *set = ynode_get(n, "set");
        draw d = {.name = draws->keys[i]->scalar};
        rng_key key = rng_key_extend(rng_key_make(seed, c->name, scene), d.name);
        d.value = draw_value(a, c, n, rng_uniform(key, 0, 0), list);
        if (!d.value || (set && !ynode_text(set, "set", &d.set, list)))
            return;
        d.number = is_number(d.value);
        array_push(&c->draws, d);
    }
}

static void fill(arena *a, ynode *n, const flaw_case *c, errors *list) {
    if (!n)
        return;
    parameters filled = {0};
    for (size_t i = 0; i < c->draws.count; i++)
        array_push(&filled, (parameter){.name = c->draws.items[i].name,
                                        .type = "symbol",
                                        .value = c->draws.items[i].value});
    parameters_fill(a, n, &filled, list);
    array_finish(&filled);
}

bool case_read(arena *a, const char *file, const char *text, size_t length, const char *scene,
               uint64_t seed, flaw_case *out, errors *list) {
    static const char *const keys[] = {"case", "doc", "clean", "scenes", NULL};
    static const char *const scene_keys[] = {"draws", "flaws", "consequences", "monitor", NULL};
    ynode *root;
    *out = (flaw_case){0};
    if (yaml_read(a, file, text, length, &root, list) != OK)
        return false;
    ynode_check_keys(root, keys, list);
    const ynode *clean = ynode_get(root, "clean"), *name = ynode_get(root, "case"),
                *scenes = ynode_get(root, "scenes");
    if (!name || !scenes) {
        ynode_error(root, list, "a case has case: and scenes:");
        return false;
    }
    (void)ynode_text(name, "case", &out->name, list);
    if (clean)
        (void)ynode_bool(clean, "clean", &out->clean, list);
    out->scene = ynode_get(scenes, scene);
    if (!out->scene) {
        ynode_error(scenes, list, "there is no scene '%s'", scene);
        return false;
    }
    ynode_check_keys(out->scene, scene_keys, list);
    if (list->count)
        return false;
    draw_all(a, out, ynode_get(out->scene, "draws"), scene, seed, list);
    if (list->count)
        return false;
    fill(a, ynode_get(out->scene, "flaws"), out, list);
    fill(a, ynode_get(out->scene, "consequences"), out, list);
    fill(a, ynode_get(out->scene, "monitor"), out, list);
    return list->count == 0;
}
