// projector/agent.c - one robot that takes part: see agent.h.
#include "projector/agent.h"

#include "projector/robot/planning/memory.h"

// The other robots; the caller frees the list.
static sense_peer *list_peers(const agent_setup *setup, size_t *count) {
    size_t robots = sim_robot_count(setup->sim);
    sense_peer *peers = mem_must(robots, sizeof *peers);
    *count = 0;
    for (size_t i = 0; i < robots; i++) {
        const fleet_member *m = sim_member(setup->sim, i);
        const robot_tracker *tracker = &m->robot->tracker;
        if (i != setup->ids->number)
            peers[(*count)++] = (sense_peer){m->name, i, tracker->present, tracker->marker};
    }
    return peers;
}

static void open_senses(agent *a, const agent_setup *setup) {
    const robot_model *r = setup->robot;
    const recorder_ids *ids = setup->ids;
    size_t peer_count;
    sense_peer *peers = list_peers(setup, &peer_count);
    int64_t *grippers = mem_must(2 * r->arm_count + 1, sizeof *grippers);
    int64_t *wrists = grippers + r->arm_count;
    for (size_t i = 0; i < r->arm_count; i++) {
        grippers[i] = ids->parts.hands[i].gripper;
        wrists[i] = ids->parts.hands[i].wrist;
    }
    sense_setup senses = {.world = setup->world,
                          .robot = r,
                          .number = ids->number,
                          .sim = setup->sim,
                          .log = setup->log,
                          .agent = ids->agent,
                          .seed = setup->seed,
                          .conditions = setup->conditions,
                          .entity_objects = ids->entities,
                          .robot_object = ids->robot,
                          .camera_object = ids->parts.camera,
                          .laser_object = ids->parts.laser,
                          .tracker_object = ids->parts.tracker,
                          .gripper_objects = grippers,
                          .wrist_objects = wrists,
                          .peers = peers,
                          .peer_count = peer_count,
                          .cycle = setup->cycle,
                          .rays = setup->profile ? &a->rays : NULL};
    sense_create(&senses, &a->senses);
    free(grippers);
    free(peers);
}

// All who take part know one another by name, and where a marker sits.
static status meet_others(agent *a, const agent_setup *setup, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < sim_robot_count(setup->sim); i++) {
        const fleet_member *m = sim_member(setup->sim, i);
        const robot_tracker *tracker = &m->robot->tracker;
        belief_other_robot other = {.name = m->name,
                                    .object = setup->robots[i],
                                    .marked = tracker->present,
                                    .marker = tracker->marker};
        other.radius = robot_breadth(m->robot, &other.height);
        if (i != setup->ids->number)
            st = belief_meet(a->belief, &other, err);
    }
    return st;
}

static status open_mind(agent *a, const agent_setup *setup, error *err) {
    const world_model *w = setup->world;
    const recorder_ids *ids = setup->ids;
    a->known = world_known(w);
    a->known->robot_at = setup->at;
    a->self = robot_known(setup->believed ? setup->believed : setup->robot);
    a->known_objects = mem_must(a->known->body_count + 1, sizeof *a->known_objects);
    for (size_t i = 0; i < a->known->body_count; i++)
        a->known_objects[i] =
            ids->entities[sim_entity_body((size_t)world_find_body(w, a->known->bodies[i].name))];
    status st = belief_create(a->known, a->self, setup->log, ids->agent, a->known_objects, 0,
                              &a->belief, err);
    if (st != OK)
        return st;
    belief_seed(a->belief, setup->seed);
    belief_own_body(a->belief, ids->robot);
    belief_own_name(a->belief, setup->name);
    st = meet_others(a, setup, err);
    if (st != OK)
        return st;
    a->mind = (mind){.known = a->known,
                     .robot = a->self,
                     .belief = a->belief,
                     .body = body_middleware(a->body),
                     .log = setup->log,
                     .agent = ids->agent,
                     .name = setup->name,
                     .follows = setup->follows,
                     .seed = setup->seed,
                     .cycle = setup->cycle,
                     .planning = setup->profile ? &a->planning : NULL,
                     .checks = setup->profile ? &a->checks : NULL,
                     .believing = setup->profile ? &a->believing : NULL,
                     .parts = &ids->parts,
                     .known_objects = a->known_objects};
    return interp_create(setup->plan, &a->mind, 0, &a->interp, err);
}

status agent_open(agent *a, const agent_setup *setup, error *err) {
    open_senses(a, setup);
    body_create(setup->robot, setup->sim, a->senses, setup->log, setup->ids, setup->cycle,
                setup->tolerance, &a->body);
    return open_mind(a, setup, err);
}

void agent_close(agent *a) {
    interp_destroy(a->interp);
    robot_forget(&a->mind);
    belief_destroy(a->belief);
    free(a->known_objects);
    world_destroy(a->known);
    robot_destroy(a->self);
    body_destroy(a->body);
    sense_destroy(a->senses);
}

status agent_cycle(agent *a, nanos t, error *err) {
    body_set_time(a->body, t);
    return interp_cycle(a->interp, t, err);
}

nanos agent_idle_until(const agent *a) {
    const nanos ends[] = {interp_idle_until(a->interp), sense_next_taken(a->senses),
                          sense_next_delivered(a->senses)};
    nanos next = TIME_OPEN;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        next = ends[i] < next ? ends[i] : next;
    return next;
}

void agent_reseed(agent *a, uint64_t seed) {
    sense_reseed(a->senses, seed);
    belief_seed(a->belief, seed);
    a->mind.seed = seed;
}
