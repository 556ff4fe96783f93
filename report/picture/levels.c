// report/picture/levels.c - reads how finely the things of an episode were simulated.
#include "report/picture/levels.h"

#include <string.h>

typedef struct shade {
    const char *level;
    picture_key look;
    bool lower;
} shade;

static const shade SHADES[] = {
#define SHADE(level, legend, lower, red, green, blue) {level, {legend, {red, green, blue}}, lower},
#include "report/picture/levels.def"
#undef SHADE
};

static const shade *find_shade(const char *level) {
    for (size_t i = 0; level && i < sizeof SHADES / sizeof *SHADES; i++)
        if (strcmp(SHADES[i].level, level) == 0)
            return &SHADES[i];
    return NULL;
}

status levels_read(sqlite3 *db, const char *path, int64_t episode, level_spans *out, error *err) {
    static const char sql[] = "SELECT f.object, f.level, f.start_ns, f.end_ns FROM fidelity f"
                              " WHERE f.episode = ? ORDER BY f.object, f.start_ns, f.id";
    sqlite3_stmt *row = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (rc != SQLITE_OK)
        return store_failed(db, path, "reading levels of fidelity", err);
    sqlite3_bind_int64(row, 1, episode);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const shade *s = find_shade((const char *)sqlite3_column_text(row, 1));
        bool ends = sqlite3_column_type(row, 3) != SQLITE_NULL;
        level_span span = {.object = sqlite3_column_int64(row, 0),
                           .from = sqlite3_column_int64(row, 2),
                           .until = ends ? sqlite3_column_int64(row, 3) : TIME_OPEN};
        if (!s)
            continue;
        span.look = s->look;
        out->lowered |= s->lower;
        array_push(&out->spans, span);
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK : store_failed(db, path, "reading levels of fidelity", err);
}

void levels_finish(level_spans *l) {
    array_finish(&l->spans);
}

size_t levels_of(const level_spans *l, int64_t object, const level_span **out) {
    size_t low = 0, high = l->spans.count, count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->spans.items[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    *out = low < l->spans.count ? &l->spans.items[low] : NULL;
    while (low + count < l->spans.count && l->spans.items[low + count].object == object)
        count++;
    return count;
}

bool levels_at(const level_spans *l, int64_t object, nanos at, picture_key *out) {
    const level_span *spans;
    size_t count = levels_of(l, object, &spans);
    for (size_t i = count; i-- > 0;) // at an instant of change, what begins then
        if (spans[i].from <= at && at <= spans[i].until) {
            *out = spans[i].look;
            return true;
        }
    return false;
}
