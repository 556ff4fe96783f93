// report/picture/cast.h - the things of an episode that can be drawn: their shapes, their colours,
// and when they are there.
//
// Owns: the list; texts and shapes live in the arena of whoever reads.
#ifndef FORESEE_REPORT_CAST_H
#define FORESEE_REPORT_CAST_H

#include "base/time/times.h"
#include "report/picture/picture.h"
#include "schema/store/store.h"

typedef struct cast_object {
    int64_t id,
        whole; // rows of the table object: its own, and that of what it is a part of (0: nothing)
    const char *kind, *type;
    bool fixed;
    nanos from, until;   // when it is there; TIME_OPEN: to the end
    picture_thing thing; // but for its place, which changes
} cast_object;

typedef struct cast {
    ARRAY(cast_object) objects; // those that have shapes, by id
    size_t missing_meshes;      // how many are boxes, since their files are not at hand
} cast;

// Reads an episode; `path` names the log in errors. cast_finish in any case.
status cast_read(arena *a, sqlite3 *db, const char *path, int64_t episode, cast *out, error *err);
void cast_finish(cast *c);
static inline bool cast_is_present(const cast_object *o, nanos at) {
    return o->from <= at && at < o->until;
}
// Returns whether a fixed thing is part of the building: a floor, which is a plane without bounds,
// or a wall.
bool cast_is_building(const shape *shapes, size_t count, pose at);
// The colour of a body that has none of its own: things of one type are alike, and unlike others.
vec3 cast_color(const char *type);
extern const vec3 CAST_LINK_COLOR, CAST_HAND_COLOR;

#endif
