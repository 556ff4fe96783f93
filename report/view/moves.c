// report/view/moves.c - simplifies motions, and writes them for a page.
#include "report/view/moves.h"

#include <math.h>
#include <string.h>

#define LOOK ((nanos)40000000) // ns between two looks at a motion that may bend

void move_begin(move *m, double within) {
    *m = (move){0};
    keyframe_pose_init(&m->simplify, keyframe_tolerance_scaled(1));
    keyframe_pose_allow(&m->simplify, (keyframe_width){within, 5 * within}, 0);
}

void move_add(move *m, nanos t, const pose *p) {
    keyframe_pose_key key;
    if (keyframe_pose_feed(&m->simplify, t, p, &key))
        array_push(&m->keys, key);
}

status move_follow(move *m, tracks *of, int64_t object, nanos from, nanos end, error *err) {
    const nanos *knots = NULL;
    size_t count = 0;
    status st = tracks_knots(of, object, &knots, &count, err);
    bool bends = tracks_is_linked(of, object);
    nanos at = from;
    for (size_t k = 0; st == OK && at <= end;) {
        pose p;
        st = tracks_pose(of, object, at, &p, err);
        if (st == OK)
            move_add(m, at, &p);
        while (k < count && knots[k] <= at)
            k++;
        if (at == end)
            break;
        nanos next = k < count && knots[k] < end ? knots[k] : end;
        // Behind the last knot everything rests.
        at = bends && k < count && next - at > LOOK ? at + LOOK : next;
    }
    return st;
}

static void put_number(text_buffer *bytes, int64_t value, int count) {
    for (int i = 0; i < count; i++)
        array_push(bytes, (char)(value >> (8 * i)));
}

static int64_t rounded(double value, double most) {
    return llround(fmin(fmax(value, -most), most));
}

void move_put(move *m, text_buffer *out) {
    keyframe_pose_key key;
    text_buffer bytes = {0};
    if (keyframe_pose_flush(&m->simplify, &key))
        array_push(&m->keys, key);
    for (size_t i = 0; i < m->keys.count; i++)
        put_number(&bytes, m->keys.items[i].t / 100000, 4);
    for (size_t i = 0; i < m->keys.count; i++) {
        vec3 p = m->keys.items[i].pose.p;
        const double xyz[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++)
            put_number(&bytes, rounded(xyz[k] * 1e4, 2e9), 4);
    }
    for (size_t i = 0; i < m->keys.count; i++) {
        quat q = m->keys.items[i].pose.q;
        const double wxyz[4] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; k++)
            put_number(&bytes, rounded(wxyz[k] * 32767, 32767), 2);
    }
    text_put_base64(out, bytes.items, bytes.count);
    text_finish(&bytes);
    array_finish(&m->keys);
}
