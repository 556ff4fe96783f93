// schema/motion/tracks_way.c - how far an object's way between two instants strays from the
// straight one.
#include <math.h>
#include "schema/motion/tracks_int.h"

// What one part of a chain does between two instants: a joint, or a body with keys of its own.
typedef struct part_way {
    double turn, slide;   // how far it turns and moves, rad and m
    double off, off_turn; // how far it strays from turning and moving steadily, m and rad
    double length;        // m, that it may add to the chain
} part_way;

// Returns which share of its bow a way from one key to another has within [from, to], at most 1.
static double bow_share(nanos a, nanos b, nanos from, nanos to) {
    nanos begin = a > from ? a : from, end = b < to ? b : to;
    double share = end > begin ? (double)(end - begin) / (double)(b - a) : 0;
    return share * share;
}

static status pose_way(tracks *t, node *n, nanos from, nanos to, part_way *w, error *err) {
    pose ends[2];
    status read = tracks_load_poses(t, n, from, to, err);
    if (read != OK)
        return read;
    for (int i = 0; i < 2; i++) {
        status s = tracks_own_pose(t, n, i ? to : from, false, &ends[i], err);
        if (s != OK)
            return s;
    }
    const keyframe_pose_key *keys = n->poses.items;
    const keyframe_pose_key a = {.t = from, .pose = ends[0]}, b = {.t = to, .pose = ends[1]};
    double bow = 0, bow_turn = 0;
    w->turn = quat_angle(a.pose.q, b.pose.q);
    w->slide = v3_distance(a.pose.p, b.pose.p);
    w->length = fmax(v3_length(a.pose.p), v3_length(b.pose.p));
    for (size_t i = upper_bound(keys, sizeof *keys, n->poses.count, from);
         i < n->poses.count && (i == 0 || keys[i - 1].t < to); i++) {
        double share = i ? bow_share(keys[i - 1].t, keys[i].t, from, to) : 0;
        bow = fmax(bow, share * v3_length(keys[i].bow));
        bow_turn = fmax(bow_turn, share * v3_length(keys[i].bow_turn));
        if (keys[i].t >= to)
            break;
        pose steady = tracks_pose_between(&a, &b, keys[i].t);
        w->off = fmax(w->off, v3_distance(steady.p, keys[i].pose.p));
        if (!tracks_same_turn(steady.q, keys[i].pose.q))
            w->off_turn = fmax(w->off_turn, quat_angle(steady.q, keys[i].pose.q));
        w->length = fmax(w->length, v3_length(keys[i].pose.p));
    }
    w->off += bow;
    w->off_turn += bow_turn;
    w->length += bow;
    return OK;
}

static status joint_way(tracks *t, node *joint, bool turns, nanos from, nanos to, part_way *w,
                        error *err) {
    status s = tracks_load_values(t, joint, from, to, err);
    if (s != OK)
        return s;
    const keyframe_value_key *keys = joint->values.items;
    const keyframe_value_key a = {from, tracks_keyed_value(joint, from)},
                             b = {to, tracks_keyed_value(joint, to)};
    double way = fabs(b.value - a.value), off = 0, most = fmax(fabs(a.value), fabs(b.value));
    double bow = 0;
    for (size_t i = upper_bound(keys, sizeof *keys, joint->values.count, from);
         i < joint->values.count && (i == 0 || keys[i - 1].t < to); i++) {
        double share = i ? bow_share(keys[i - 1].t, keys[i].t, from, to) : 0;
        bow = fmax(bow, share * fabs(keys[i].bow));
        if (keys[i].t >= to)
            break;
        off = fmax(off, fabs(tracks_value_between(&a, &b, keys[i].t) - keys[i].value));
        most = fmax(most, fabs(keys[i].value));
    }
    off += bow;
    most += bow;
    *w = turns ? (part_way){.turn = way, .off_turn = off}
               : (part_way){.slide = way, .off = off, .length = most};
    return OK;
}

static status way_of(tracks *t, node *n, nanos from, nanos to, part_way *w, error *err) {
    *w = (part_way){0};
    if (!n->linked || n->motion == MOTION_FLOATING)
        return pose_way(t, n, from, to, w, err);
    if (n->joint == NO_NODE)
        return OK;
    return joint_way(t, &t->nodes.items[n->joint], n->motion == MOTION_REVOLUTE, from, to, w, err);
}

#define THIRD                                                                                      \
    0.00802 // what a third derivative of one adds between the middle and the ends: 3^(1/2) / 216
#define ROUNDED 1.05 // orientations are no vectors

status tracks_way_between(tracks *t, int64_t object, nanos from, nanos to, tracks_way *out,
                          error *err) {
    size_t i, *chain = t->chain.items, length = 0;
    status s = tracks_find_object(t, object, &i, err);
    *out = (tracks_way){0};
    if (s != OK)
        return s;
    for (chain[length++] = i; t->nodes.items[i].linked; chain[length++] = i)
        i = t->nodes.items[i].parent;
    // Downwards: with S the sum of all turns above a point, a vector of the length L that grows by
    // D has a third derivative of at most S^3 L + 3 S^2 D.
    double turns = 0, third = 0, off_turn = 0;
    for (size_t k = length; k-- > 0 && s == OK;) {
        node *n = &t->nodes.items[chain[k]];
        part_way w;
        s = way_of(t, n, from, to, &w, err);
        double firm = n->linked ? v3_length(n->origin.p) : 0;
        out->away += w.off + off_turn * (firm + w.length);
        third += turns * turns * (turns * (firm + w.length) + 3 * w.slide);
        off_turn += w.off_turn;
        turns += w.turn;
    }
    out->turned = ROUNDED * off_turn;
    out->curve = THIRD * third;
    out->twist = ROUNDED * THIRD * 2 * turns * turns * turns;
    return s;
}
