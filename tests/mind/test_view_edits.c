// tests/mind/test_view_edits.c - long random edits of a belief, after each of which its view is
// what a view made from nothing is, and says the same of where things are as the belief.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static const nanos CYCLE = 20000000;

typedef struct subject {
    rig *rig;
    belief *belief;
    nanos t;
    rng_key key;
    uint64_t edit;
    uint32_t channel;
    const char *what; // the present edit
} subject;

static double draw(subject *k) {
    return rng_uniform(k->key, k->edit, k->channel++);
}

static size_t choose(subject *k, size_t n) {
    return (size_t)(draw(k) * (double)n);
}

static double between(subject *k, double low, double high) {
    return low + draw(k) * (high - low);
}

static void must(subject *k, status s, const error *err) {
    if (s != OK)
        fail_msg("edit %llu, %s: %s", (unsigned long long)k->edit, k->what, err->text);
}

// `tracked`: a tracking system sees the robot and bob, who is known in either case, and whom a
// detector recognises.
static subject subject_create(bool tracked, uint64_t seed) {
    static const belief_other_robot bob = {"bob", 900, true, {{0, 0, 0.5}, {1, 0, 0, 0}}};
    subject k = {.rig = rig_create_in("examples/worlds/cupboard.yaml", 1, 0)};
    k.key = rng_key_make(seed, "view", "edits");
    if (tracked)
        k.rig->robot->tracker = (robot_tracker){.present = true,
                                                .at = {{1, 2, 3}, quat_rpy(0.1, PI, 0.4)},
                                                .marker = {{0.1, 0, 0.5}, quat_rpy(0, 0, 0.3)},
                                                .noise = 0.001,
                                                .angle_noise = 0.002};
    k.rig->robot->detector = (robot_detector){.present = true, .noise = 0.005, .angle_noise = 0.02};
    error err = {0};
    must(&k,
         belief_create(k.rig->known, k.rig->robot, &k.rig->log.head, 1, NULL, 0, &k.belief, &err),
         &err);
    must(&k, belief_meet(k.belief, &bob, &err), &err);
    belief_share(k.belief);
    return k;
}

static void subject_destroy(subject *k) {
    belief_destroy(k->belief);
    rig_destroy(k->rig);
}

static void give(subject *k, reading r) {
    error err = {0};
    r.delivered = k->t;
    if (r.taken == 0)
        r.taken = k->t;
    must(k, belief_read(k->belief, &r, &err), &err);
}

// The end of a cycle, in which odometry and encoders have spoken.
static void end_cycle(subject *k, double dx, double dyaw) {
    error err = {0};
    reading drive = {.kind = READING_ODOMETRY}, joints = {.kind = READING_ENCODERS};
    double qd[64] = {0};
    drive.odometry.dx = dx;
    drive.odometry.dyaw = dyaw;
    give(k, drive);
    assert_true(k->rig->robot->joint_count <= 64);
    joints.encoders.count = k->rig->robot->joint_count;
    joints.encoders.position = belief_joints(k->belief);
    joints.encoders.velocity = qd;
    give(k, joints);
    must(k, belief_cycle(k->belief, k->t, &err), &err);
}

// ---- A view made from nothing -------------------------------------------------------------------
// Whether a relation of the graph is that of a thing to what it hangs on.
static const believed *thing_of(const belief *b, graph_id relation) {
    for (size_t i = 0; i < b->objects.count; i++)
        if (b->objects.items[i].placement == relation)
            return &b->objects.items[i];
    return NULL;
}

// Where the belief has the frame that a thing hangs on, by faces alone.
static pose carrier_face(const belief *b, const believed *o) {
    switch (o->hang) {
    case HANG_OBJECT:
        return b->objects.items[o->parent].seen.at;
    case HANG_HAND:
        return robot_palm(b->robot, o->parent, b->links);
    case HANG_ROBOT: {
        motion m;
        assert_true(belief_view_other(b, &b->view.peers.items[o->parent], b->now, &m));
        return m.at;
    }
    case HANG_MAP:
        break;
    }
    return POSE_IDENTITY;
}

static graph_id carrier_frame(const belief *b, const believed *o) {
    return o->hang == HANG_OBJECT  ? b->objects.items[o->parent].frame
           : o->hang == HANG_HAND  ? b->view.hands[o->parent]
           : o->hang == HANG_ROBOT ? b->view.peers.items[o->parent].frame
                                   : b->view.map;
}

typedef struct declared {
    graph_id id, made; // in the belief's graph, in the one made anew
    const char *sensor;
    graph_id a, b;
    bool constant;
} declared;
typedef ARRAY(declared) declarations;

static void declare(declarations *all, graph_id id, const char *sensor, graph_id a, graph_id b,
                    bool constant) {
    if (id == GRAPH_NONE)
        return;
    array_push(all, ((declared){id, GRAPH_NONE, sensor, a, b, constant}));
    for (size_t i = all->count - 1; i > 0 && all->items[i - 1].id > id; i--) {
        declared later = all->items[i - 1];
        all->items[i - 1] = all->items[i];
        all->items[i] = later;
    }
}

// All observations that the belief knows of, by their ids.
static declarations observations(const belief *b) {
    const robot_view *v = &b->view;
    declarations all = {0};
    declare(&all, v->odometry, "odometry", v->start, v->robot, false);
    for (size_t i = 0; i < b->robot->arm_count; i++)
        declare(&all, v->encoders[i], "encoders", v->robot, v->hands[i], false);
    bool tracker = v->outer_sensor && strcmp(v->outer_sensor, "tracker") == 0;
    declare(&all, v->outer, v->outer_sensor, tracker ? v->eye : v->map,
            tracker ? v->marker : v->robot, false);
    declare(&all, v->second, "laser", v->map, v->robot, false);
    for (size_t i = 0; i < v->peers.count; i++) {
        const peer *p = &v->peers.items[i];
        bool detected = p->sensor && strcmp(p->sensor, "detector") == 0;
        declare(&all, p->seen, p->sensor, detected ? v->robot : v->eye,
                detected ? p->frame : p->marker, false);
    }
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        declare(&all, o->observation, o->sensor, o->observer, o->frame, true);
    }
    return all;
}

// Makes the view of a belief from nothing: of the things what hangs where, as the belief has it, in
// the order of the ids. `out`: its observations.
static graph *make_anew(const belief *b, declarations *out) {
    const graph *was = b->view.graph;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, NANOS_PER_SECOND);
    for (graph_id i = 1; i <= graph_frame_count(was); i++)
        assert_int_equal(graph_add_frame(g, graph_frame_name(was, i)), i);
    for (size_t i = 0; i < graph_relation_count(was); i++) {
        graph_relation r = graph_relation_at(was, i);
        const believed *o = thing_of(b, r.id);
        pose at = POSE_IDENTITY;
        if (o) {
            assert_int_equal(r.b, o->frame);
            assert_int_equal(r.a, carrier_frame(b, o));
            assert_true(r.given == o->given);
            at = pose_mul(pose_inverse(carrier_face(b, o)), o->seen.at);
        } else if (r.given) {
            assert_true(graph_held(was, r.id, &at));
        }
        graph_id made;
        assert_int_equal(graph_relate(g, r.kind, r.a, r.b, r.given ? &at : NULL, &made, NULL), OK);
        if (o)
            graph_hold(g, made, &at);
    }
    *out = observations(b);
    for (size_t i = 0; i < out->count; i++) {
        declared *d = &out->items[i];
        d->made = d->constant ? graph_observe_mean(g, d->sensor, d->a, d->b)
                              : graph_observe(g, d->sensor, d->a, d->b);
    }
    return g;
}

static graph_id observation_made(const declarations *all, graph_id id) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].id == id)
            return all->items[i].made;
    return GRAPH_NONE;
}

static void check_estimates(subject *k) {
    graph *was = k->belief->view.graph;
    declarations all;
    graph *g = make_anew(k->belief, &all);
    const estimate *old, *new;
    size_t count = graph_estimates(was, &old), made = graph_estimates(g, &new);
    for (size_t i = 0; i < count && i < made; i++) {
        char *cycle = mem_strdup(graph_cycle(was, i));
        if (strcmp(old[i].sensor, new[i].sensor) != 0 || strcmp(cycle, graph_cycle(g, i)) != 0 ||
            new[i].observation != observation_made(&all, old[i].observation))
            fail_msg("edit %llu, %s: %s %s, from nothing %s %s", (unsigned long long)k->edit,
                     k->what, old[i].sensor, cycle, new[i].sensor, graph_cycle(g, i));
        free(cycle);
    }
    if (count != made)
        fail_msg("edit %llu, %s: %zu estimates, from nothing %zu", (unsigned long long)k->edit,
                 k->what, count, made);
    graph_destroy(g);
    array_finish(&all);
}

// Whether a thing is the pole that the laser follows, or stands on it. Of that scans tell where it
// is in the plane, once there are as many in a row and as late as is needed; height and orientation
// are those expected. While a hand has it, it is believed where the hand is.
static bool is_followed(const belief *b, const believed *o) {
    const believed *followed =
        b->pole.on && b->pole.object != SIZE_MAX ? &b->objects.items[b->pole.object] : NULL;
    while (o->hang == HANG_OBJECT && o != followed)
        o = &b->objects.items[o->parent];
    return o == followed;
}

// The view knows the place of what is believed in, and none of what is lost, and has it where the
// belief has it; what stands on something or is held goes with it.
static void check_places(subject *k) {
    const belief *b = k->belief;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        motion m;
        bool known = graph_pose(b->view.graph, b->view.map, o->frame, b->now, &m);
        bool followed = is_followed(b, o);
        if (!followed && (o->seen.confirmed ? !known : o->placeless && known))
            fail_msg("edit %llu, %s: %s is %s, and the view %s where it is",
                     (unsigned long long)k->edit, k->what, o->seen.name,
                     o->seen.confirmed ? "believed in" : "lost", known ? "knows" : "does not know");
        if (followed) {
            bool own = i == b->pole.object && o->hang != HANG_HAND && b->pole.sure;
            vec3 off = v3_sub(m.at.p, o->seen.at.p);
            if (own && known && hypot(off.x, off.y) > 1e-6)
                fail_msg("edit %llu, %s: the view has the pole %g m from where it is believed",
                         (unsigned long long)k->edit, k->what, hypot(off.x, off.y));
            continue;
        }
        pose world = belief_world(b, o);
        if (v3_distance(world.p, o->seen.at.p) > 1e-6 || quat_angle(world.q, o->seen.at.q) > 1e-6)
            fail_msg("edit %llu, %s: %s is %g m from where it hangs", (unsigned long long)k->edit,
                     k->what, o->seen.name, v3_distance(world.p, o->seen.at.p));
        if (known &&
            (v3_distance(m.at.p, o->seen.at.p) > 1e-6 || quat_angle(m.at.q, o->seen.at.q) > 1e-6))
            fail_msg("edit %llu, %s: the view has %s %g m from where it is believed",
                     (unsigned long long)k->edit, k->what, o->seen.name,
                     v3_distance(m.at.p, o->seen.at.p));
    }
}

// Who tells of a thing tells it in the frame that is theirs: of what a hand has that hand does, or
// the laser that follows it; of what is lost nobody.
static void check_sources(subject *k) {
    const belief *b = k->belief;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        graph_id in = b->view.map; // told, or by the plan
        if (o->observation == GRAPH_NONE) {
            assert_true(o->given || !o->seen.confirmed);
            continue;
        }
        bool by_hand = strcmp(o->sensor, "hand") == 0, laser = strcmp(o->sensor, "laser") == 0;
        if (laser || strcmp(o->sensor, "camera") == 0)
            in = b->view.robot;
        if (by_hand)
            in = o->observer == b->view.hands[0] ? b->view.hands[0] : b->view.hands[1];
        if (o->hang == HANG_HAND && !laser)
            in = b->view.hands[o->parent];
        if (o->observer != in || o->given || (o->hang == HANG_HAND && !laser && !by_hand))
            fail_msg("edit %llu, %s: %s is told by %s in %s", (unsigned long long)k->edit, k->what,
                     o->seen.name, o->sensor, graph_frame_name(b->view.graph, o->observer));
    }
}

// ---- Edits --------------------------------------------------------------------------------------
// A thing that is no furniture, or with `any` whatever is believed in; SIZE_MAX: none.
static size_t some_thing(subject *k, bool any) {
    const belief *b = k->belief;
    for (int tries = 0; tries < 20; tries++) {
        size_t i = choose(k, b->objects.count);
        const believed *o = &b->objects.items[i];
        if (o->seen.confirmed && (any || !o->seen.known))
            return i;
    }
    return SIZE_MAX;
}

static const char *some_type(subject *k) {
    static const char *const types[] = {"cup", "plate", "tray"};
    return types[choose(k, 3)];
}

// On something that is known, or on a thing, or in the air.
static pose some_place(subject *k) {
    const belief *b = k->belief;
    size_t i = some_thing(k, choose(k, 2) == 0);
    vec3 at = i == SIZE_MAX ? v3(2, 2, 1) : b->objects.items[i].seen.at.p;
    at.x += between(k, -0.2, 0.2);
    at.y += between(k, -0.2, 0.2);
    if (choose(k, 3) > 0) {
        double top = belief_surface(b, v3(at.x, at.y, 1.5), NULL, NULL);
        if (isfinite(top))
            at.z = top;
    }
    return (pose){at, pose_planar(0, 0, between(k, -3, 3)).q};
}

// Frames of the camera that see the same, and perhaps the end of the look.
static void see(subject *k) {
    enum { SEEN_MAX = 3 };
    percept all[SEEN_MAX];
    size_t count = 1 + choose(k, SEEN_MAX), frames = 1 + choose(k, 7);
    belief *b = k->belief;
    for (size_t i = 0; i < count; i++) {
        size_t again = choose(k, 2) ? some_thing(k, false) : SIZE_MAX;
        pose at = again == SIZE_MAX ? some_place(k) : b->objects.items[again].seen.at;
        at.p.x += between(k, -0.02, 0.02);
        all[i] =
            (percept){.type = again == SIZE_MAX ? some_type(k) : b->objects.items[again].seen.type,
                      .at = pose_mul(pose_inverse(belief_robot(b)), at)};
    }
    for (size_t i = 0; i < frames; i++) {
        for (size_t n = 0; n < count; n++)
            all[n].id = sink_id(&k->rig->log.head, RECORD_PERCEPT);
        reading in = {.kind = READING_CAMERA, .id = 1};
        in.camera.count = count;
        in.camera.percepts = all;
        give(k, in);
    }
    error err = {0};
    if (choose(k, 4) > 0)
        must(k, belief_fuse(b, 0, k->t, NULL, &err), &err);
}

// The camera looks at a thing and sees nothing.
static void see_nothing(subject *k) {
    belief *b = k->belief;
    error err = {0};
    belief_look(b);
    for (int i = 0; i < 6; i++)
        give(k, (reading){.kind = READING_CAMERA, .id = 1});
    must(k, belief_fuse(b, 0, k->t, NULL, &err), &err);
    size_t gone = some_thing(k, false);
    if (gone == SIZE_MAX || b->objects.items[gone].seen.hand >= 0)
        return;
    must(k, belief_lose_riders(b, gone, "percept", 0, k->t, &err), &err);
    belief_forget_place(b, gone, b->objects.items[gone].seen.at);
    must(k, belief_write_frame(b, gone, "percept", 0, 0, k->t, &err), &err);
}

static void take(subject *k) {
    belief *b = k->belief;
    size_t i = some_thing(k, choose(k, 5) == 0), arm = choose(k, b->robot->arm_count);
    if (i == SIZE_MAX || (b->objects.items[i].seen.known && belief_joint_of(b, i) < 0) ||
        b->grasps[arm].noted)
        return;
    char text[120];
    error err = {0};
    const believed_object *o = &b->objects.items[i].seen;
    pose in_hand = pose_mul(pose_inverse(belief_tool(b, arm)), o->at);
    if (choose(k, 4) > 0)
        assert_int_equal(belief_note_grasp(b, arm, o->name, in_hand, 0.03), OK);
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", o->name,
             b->robot->arms[arm].gripper.name);
    must(k, belief_assert(b, rig_term(k->rig, text), 0, k->t, &err), &err);
}

static void feel(subject *k, double opening) {
    reading g = {.kind = READING_GRIPPER};
    g.gripper.arm = choose(k, k->belief->robot->arm_count);
    g.gripper.opening = opening;
    for (int i = 0; i < 6; i++)
        give(k, g);
}

static void let_go(subject *k) {
    feel(k, 0.09);
}

static void lose(subject *k) {
    feel(k, 0.001);
}

// The plan says that something stands on something else, which the belief may refuse.
static void say(subject *k) {
    const belief *b = k->belief;
    size_t i = some_thing(k, false), under = some_thing(k, true);
    if (i == SIZE_MAX || under == SIZE_MAX)
        return;
    char text[160];
    error err = {0};
    snprintf(text, sizeof text, "%s('%s', '%s')", choose(k, 3) ? "on" : "in",
             b->objects.items[i].seen.name, b->objects.items[under].seen.name);
    status s = belief_assert(k->belief, rig_term(k->rig, text), 0, k->t, &err);
    assert_true(s == OK || s == E_INPUT);
}

static void hear(subject *k) {
    belief *b = k->belief;
    told m = {.kind = (told_kind)choose(k, 4), .teller = 5 + (int64_t)choose(k, 2)};
    m.believed = m.teller * 100 + (int64_t)choose(k, 5);
    m.type = some_type(k);
    m.at = some_place(k);
    m.cov = (covariance){0.01, 0.01, 0.01, 0.1};
    m.stamp = k->t - (nanos)choose(k, 3) * (nanos)choose(k, 50) * CYCLE;
    told_fate fate;
    int64_t became;
    error err = {0};
    must(k, belief_hear(b, &m, k->t, &fate, &became, &err), &err);
}

static void drive(subject *k) {
    if (choose(k, 2))
        end_cycle(k, between(k, -0.1, 0.1), 0);
    else
        end_cycle(k, 0, between(k, -0.3, 0.3));
    k->t += CYCLE;
}

// Draws a drawer or opens a door, by what is said of it or as a camera sees it.
static void draw_out(subject *k) {
    belief *b = k->belief;
    error err = {0};
    size_t joint = choose(k, b->known->joint_count);
    const world_joint *j = &b->known->joints[joint];
    if (choose(k, 2)) {
        must(k, belief_note_joint(b, joint, between(k, j->lower, j->upper), 0, k->t, &err), &err);
    } else {
        belief_place_joint(b, joint, between(k, j->lower, j->upper), 0.01);
        must(k, belief_write_joint(b, joint, "percept", 0, 0, k->t, &err), &err);
    }
}

static void move_arms(subject *k) {
    const belief *b = k->belief;
    double q[64], qd[64] = {0};
    size_t count = k->rig->robot->joint_count;
    for (size_t i = 0; i < count; i++)
        q[i] = b->q[i] + between(k, -0.1, 0.1);
    reading joints = {.kind = READING_ENCODERS};
    joints.encoders.count = count;
    joints.encoders.position = q;
    joints.encoders.velocity = qd;
    give(k, joints);
}

// One hand takes what the other one has, and one of the two lets it go.
static void hand_over(subject *k) {
    belief *b = k->belief;
    for (size_t arm = 0; arm < b->robot->arm_count && b->robot->arm_count == 2; arm++) {
        const believed_object *o = belief_held(b, arm, NULL);
        if (!o || b->grasps[1 - arm].noted)
            continue;
        char text[120];
        error err = {0};
        pose in_hand = pose_mul(pose_inverse(belief_tool(b, 1 - arm)), o->at);
        assert_int_equal(belief_note_grasp(b, 1 - arm, o->name, in_hand, 0.03), OK);
        snprintf(text, sizeof text, "object_in_hand('%s', %s)", o->name,
                 b->robot->arms[1 - arm].gripper.name);
        must(k, belief_assert(b, rig_term(k->rig, text), 0, k->t, &err), &err);
        let_go(k);
        return;
    }
}

// The laser says where the robot is.
static void localise(subject *k) {
    belief *b = k->belief;
    b->self->x += between(k, -0.1, 0.1);
    b->self->y += between(k, -0.1, 0.1);
    b->self->yaw += between(k, -0.1, 0.1);
    belief_view_localised(b);
    belief_refresh(b);
}

static void be_tracked(subject *k) {
    const robot_tracker *s = &k->rig->robot->tracker;
    if (!s->present)
        return;
    bool other = choose(k, 2) == 0;
    pose base = pose_mul(belief_robot(k->belief),
                         pose_planar(between(k, -0.1, 0.1), between(k, -0.1, 0.1), 0.1));
    pose marker = other ? (pose){{0, 0, 0.5}, {1, 0, 0, 0}} : s->marker;
    if (other)
        base.p.x += 1;
    reading r = {.kind = READING_TRACKER};
    r.taken = k->t - (nanos)choose(k, 3) * 5 * CYCLE;
    r.tracker.of = other ? "bob" : NULL;
    r.tracker.at = pose_mul(pose_inverse(s->at), pose_mul(base, marker));
    give(k, r);
}

// A detector recognises bob, who may have driven since.
static void recognise(subject *k) {
    reading r = {.kind = READING_DETECTOR};
    r.taken = k->t - (nanos)choose(k, 3) * 5 * CYCLE;
    r.detector.of = "bob";
    r.detector.at = pose_planar(1 + between(k, -0.1, 0.1), between(k, -0.1, 0.1), 0.1);
    give(k, r);
}

// The laser follows a pole, with bob or in the map, until it is left again.
static void follow(subject *k) {
    belief *b = k->belief;
    error err = {0};
    if (b->pole.on && choose(k, 3) == 0) {
        must(k, belief_leave_pole(b, 0, k->t, &err), &err);
        return;
    }
    if (!b->pole.on) {
        pole_sought sought = {.type = "cup", .with = choose(k, 2) ? "bob" : NULL};
        pose bob = POSE_IDENTITY, in_map = some_place(k);
        other_motion m;
        if (sought.with && belief_other(b, "bob", k->t, &m))
            bob = m.at;
        sought.at = pose_mul(pose_inverse(bob), in_map);
        must(k, belief_follow_pole(b, &sought, &err), &err);
    }
    pole_state p;
    belief_pole(b, k->t, &p);
    for (int i = 0; i < 4 && p.placed; i++) {
        pose where = p.expected;
        where.p.x += between(k, -0.01, 0.01);
        percept found = {.id = sink_id(&k->rig->log.head, RECORD_PERCEPT),
                         .type = "cup",
                         .at = pose_mul(pose_inverse(belief_robot(b)), where)};
        reading scan = {.kind = READING_LASER};
        scan.laser.pole = choose(k, 6) ? &found : NULL;
        end_cycle(k, 0, 0);
        give(k, scan);
        k->t += CYCLE;
    }
}

static void wait(subject *k) {
    k->t += (nanos)(between(k, 0, 2) * 1e9);
}

static const struct {
    const char *name;
    void (*make)(subject *k);
} EDITS[] = {
    {"see", see},
    {"see", see},
    {"miss", see_nothing},
    {"take", take},
    {"take", take},
    {"take", take},
    {"let go", let_go},
    {"lose", lose},
    {"say", say},
    {"hear", hear},
    {"hear", hear},
    {"drive", drive},
    {"draw out", draw_out},
    {"arms", move_arms},
    {"hand over", hand_over},
    {"hand over", hand_over},
    {"localise", localise},
    {"tracker", be_tracked},
    {"detector", recognise},
    {"follow", follow},
    {"wait", wait},
};

static void random_edits(bool tracked, uint64_t seed, uint64_t edits) {
    subject k = subject_create(tracked, seed);
    for (k.edit = 0; k.edit < edits; k.edit++) {
        k.channel = 0;
        k.t += CYCLE;
        size_t i = choose(&k, sizeof EDITS / sizeof *EDITS);
        k.what = EDITS[i].name;
        EDITS[i].make(&k);
        end_cycle(&k, 0, 0);
        check_places(&k);
        check_sources(&k);
        check_estimates(&k);
    }
    subject_destroy(&k);
}

static void a_view_after_random_edits_is_that_made_from_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        random_edits(seed % 2 == 0, seed, 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_after_random_edits_is_that_made_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
