// projector/belief/view_things.c - things in the robot's view: the frame of each, the relation by
// which it hangs on something else, and the observation that tells its pose there.
//
// What single camera frames report is no part of the view until it is confirmed. One observation at
// a time is that of a thing: of whoever told its place last. A grasp moves the placement into the
// hand, which tells from then on how the thing lies in it, and from its release on where that was;
// the laser goes on to observe a pole that it follows.
#include "projector/belief/belief_int.h"

static connection kind_of_relation(const belief *b, size_t object) {
    const believed_object *o = &b->objects.items[object].seen;
    if (belief_joint_of(b, object) >= 0)
        return CONNECTION_DYNAMIC;
    return o->body >= 0 && b->known->bodies[o->body].fixed ? CONNECTION_STATIC
                                                           : CONNECTION_PLACEMENT;
}

static bool is_in_view(const believed *o) {
    return o->placement != GRAPH_NONE;
}

static void relate_thing(belief *b, size_t object, pose local);

static graph_id frame_below(belief *b, const believed *o) {
    const believed *below = &b->objects.items[o->parent];
    switch (o->hang) {
    case HANG_OBJECT:
        if (!is_in_view(below)) // the plan says that something stands on it
            relate_thing(b, o->parent, below->supposed);
        return below->frame;
    case HANG_HAND:
        return b->view.hands[o->parent];
    case HANG_ROBOT:
        return b->view.peers.items[o->parent].frame;
    case HANG_MAP:
        break;
    }
    return b->view.map;
}

static void relate_thing(belief *b, size_t object, pose local) {
    believed *o = &b->objects.items[object];
    graph *g = b->view.graph;
    if (o->frame == GRAPH_NONE)
        o->frame = graph_add_frame(g, o->seen.name);
    graph_move(g, &o->placement, kind_of_relation(b, object), frame_below(b, o), o->frame);
    graph_hold(g, o->placement, &local);
    if (o->given)
        graph_fix(g, o->placement, &local);
}

void belief_view_place(belief *b, size_t object, pose local) {
    believed *o = &b->objects.items[object];
    if (is_in_view(o) || o->seen.confirmed)
        relate_thing(b, object, local);
    else
        o->supposed = local;
}

void belief_view_leave(belief *b, size_t object) {
    believed *o = &b->objects.items[object];
    o->supposed = belief_local(b, o);
    graph_ignore(b->view.graph, o->observation);
    graph_part(b->view.graph, o->placement);
    o->observation = o->placement = GRAPH_NONE;
}

pose belief_local(const belief *b, const believed *o) {
    pose at = o->supposed;
    graph_held(b->view.graph, o->placement, &at);
    return at;
}

// Has nothing but `observation` tell the pose of a thing from now on.
static void turn_to(belief *b, believed *o, graph_id observation, const char *sensor,
                    graph_id from) {
    graph_ignore(b->view.graph, o->observation);
    graph_fix(b->view.graph, o->placement, NULL);
    o->given = false;
    o->observation = observation;
    o->sensor = sensor;
    o->observer = from;
}

// The same, where that is the mean of what a sensor says of the thing in the frame `from`.
static void turn_to_mean(belief *b, size_t object, const char *sensor, graph_id from) {
    believed *o = &b->objects.items[object];
    if (!is_in_view(o))
        return;
    if (o->observation == GRAPH_NONE || o->observer != from || strcmp(o->sensor, sensor) != 0)
        turn_to(b, o, graph_observe_mean(b->view.graph, sensor, from, o->frame), sensor, from);
}

graph_id belief_view_scan(belief *b, size_t object) {
    believed *o = &b->objects.items[object];
    if (!is_in_view(o))
        relate_thing(b, object, o->supposed);
    turn_to(b, o, graph_observe(b->view.graph, "laser", b->view.robot, o->frame), "laser",
            b->view.robot);
    return o->observation;
}

void belief_view_by_hand(belief *b, size_t object, size_t arm) {
    const believed *o = &b->objects.items[object];
    bool followed = b->pole.on && b->pole.object == object && o->observation != GRAPH_NONE &&
                    o->observation == b->pole.observation;
    if (!(followed && o->hang == HANG_HAND))
        turn_to_mean(b, object, "hand", b->view.hands[arm]);
}

void belief_view_source(belief *b, size_t object, const char *source) {
    believed *o = &b->objects.items[object];
    bool seen = strcmp(source, "percept") == 0, heard = strcmp(source, "told") == 0;
    bool done = strcmp(source, "touch") == 0 || strcmp(source, "effect") == 0;
    if (o->placeless)
        turn_to(b, o, GRAPH_NONE, NULL, GRAPH_NONE);
    else if (seen)
        turn_to_mean(b, object, "camera", b->view.robot);
    else if (heard)
        turn_to_mean(b, object, "told", b->view.map);
    else if (done && o->observation == GRAPH_NONE && !o->given)
        turn_to_mean(b, object, "plan", b->view.map); // a step says so, and no sense
    // A door is where the hand that holds it has moved it.
    for (size_t arm = 0; done && !o->placeless && arm < b->robot->arm_count; arm++)
        if (b->grasps[arm].noted && b->grasps[arm].object == object &&
            belief_joint_of(b, object) >= 0)
            belief_view_by_hand(b, object, arm);
}
