// projector/belief/view_log.c - frames, relations and estimates of the robot's view as records: a
// row for each, from when it is there until it is not.
#include "projector/belief/belief_int.h"

static status log_frames(belief *b, nanos t, error *err) {
    view_log *l = &b->view.log;
    status s = OK;
    while (s == OK && l->frames.count < graph_frame_count(b->view.graph)) {
        record r = {.kind = RECORD_FRAME, .id = sink_id(b->log, RECORD_FRAME)};
        r.FRAME.agent = b->agent;
        r.FRAME.name = graph_frame_name(b->view.graph, l->frames.count + 1);
        r.FRAME.t_ns = t;
        array_push(&l->frames, r.id);
        s = sink_put(b->log, &r, err);
    }
    return s;
}

static status end_relation(belief *b, int64_t row, nanos t, error *err) {
    record r = {.kind = RECORD_RELATION, .id = row};
    r.RELATION.end_ns = t;
    return sink_end(b->log, &r, err);
}

static status put_relation(belief *b, graph_relation now, nanos t, error *err) {
    view_log *l = &b->view.log;
    record r = {.kind = RECORD_RELATION, .id = sink_id(b->log, RECORD_RELATION)};
    r.RELATION = (struct record_RELATION){.agent = b->agent,
                                          .kind = connection_name(now.kind),
                                          .a = l->frames.items[now.a - 1],
                                          .b = l->frames.items[now.b - 1],
                                          .given = now.given,
                                          .start_ns = t,
                                          .end_ns = TIME_OPEN};
    array_push(&l->relations, ((relation_row){now, r.id}));
    return sink_put(b->log, &r, err);
}

// Whether the graph still has a relation as the log has it.
static bool relation_stays(const graph *g, graph_relation logged) {
    graph_relation now;
    return graph_find_relation(g, logged.id, &now) && now.given == logged.given;
}

// Returns the row of a relation that the log has as open; 0: none.
static int64_t relation_logged(const view_log *l, graph_id id) {
    for (size_t i = 0; i < l->relations.count; i++)
        if (l->relations.items[i].is.id == id)
            return l->relations.items[i].row;
    return 0;
}

static status log_relations(belief *b, nanos t, error *err) {
    view_log *l = &b->view.log;
    graph *g = b->view.graph;
    status s = OK;
    for (size_t i = l->relations.count; s == OK && i-- > 0;) {
        relation_row logged = l->relations.items[i];
        if (relation_stays(g, logged.is))
            continue;
        array_remove(&l->relations, i);
        s = end_relation(b, logged.row, t, err);
    }
    for (size_t i = 0; s == OK && i < graph_relation_count(g); i++) {
        graph_relation now = graph_relation_at(g, i);
        if (!relation_logged(l, now.id))
            s = put_relation(b, now, t, err);
    }
    return s;
}

// Whether the estimate that is number i in the graph is the one that the log has.
static bool estimate_is(graph *g, const estimate_row *logged, const estimate *all, size_t i) {
    return logged->observation == all[i].observation &&
           strcmp(logged->cycle, graph_cycle(g, i)) == 0;
}

static bool estimate_stays(graph *g, const estimate_row *logged) {
    const estimate *all;
    size_t count = graph_estimates(g, &all);
    for (size_t i = 0; i < count; i++)
        if (estimate_is(g, logged, all, i))
            return true;
    return false;
}

static status put_estimate(belief *b, const estimate *e, const char *cycle, nanos t, error *err) {
    view_log *l = &b->view.log;
    record r = {.kind = RECORD_ESTIMATE, .id = sink_id(b->log, RECORD_ESTIMATE)};
    r.ESTIMATE = (struct record_ESTIMATE){.agent = b->agent,
                                          .relation = relation_logged(l, e->run[0]),
                                          .a = l->frames.items[e->from - 1],
                                          .b = l->frames.items[e->to - 1],
                                          .sensor = e->sensor,
                                          .cycle = cycle,
                                          .start_ns = t,
                                          .end_ns = TIME_OPEN};
    array_push(&l->estimates, ((estimate_row){e->observation, mem_strdup(cycle), r.id}));
    return sink_put(b->log, &r, err);
}

static status log_estimates(belief *b, nanos t, error *err) {
    view_log *l = &b->view.log;
    graph *g = b->view.graph;
    status s = OK;
    for (size_t i = l->estimates.count; s == OK && i-- > 0;) {
        estimate_row logged = l->estimates.items[i];
        if (estimate_stays(g, &logged))
            continue;
        record r = {.kind = RECORD_ESTIMATE, .id = logged.row};
        r.ESTIMATE.end_ns = t;
        free(logged.cycle);
        array_remove(&l->estimates, i);
        s = sink_end(b->log, &r, err);
    }
    const estimate *all;
    size_t count = graph_estimates(g, &all);
    for (size_t i = 0; s == OK && i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < l->estimates.count; k++)
            there |= estimate_is(g, &l->estimates.items[k], all, i);
        if (!there)
            s = put_estimate(b, &all[i], graph_cycle(g, i), t, err);
    }
    return s;
}

// Writes where another robot is, if that has changed by more than 1 mm or 0.1 degrees.
static status log_other(belief *b, peer *p, nanos t, error *err) {
    motion m;
    if (p->seen == GRAPH_NONE || !belief_view_other(b, p, t, &m))
        return OK;
    if (!p->believed) {
        believed_object self = {.name = p->name, .type = "robot"};
        status s = belief_write_object(b, &self, p->object, t, err);
        if (s != OK)
            return s;
        p->believed = self.id;
    } else if (v3_distance(m.at.p, p->logged.p) < 0.001 &&
               quat_angle(m.at.q, p->logged.q) < 0.1 * PI / 180) {
        return OK;
    }
    p->logged = m.at;
    covariance cov = {m.off.position, m.off.position, m.off.position, m.off.angle};
    record r = belief_frame_row(b->log, b->agent, p->believed, t, m.at, cov, p->sensor);
    return sink_put(b->log, &r, err);
}

// Whether a residual is of a measurement that was not written yet; it counts as written then.
static bool residual_is_new(view_log *l, const redundancy *r) {
    for (size_t i = 0; i < l->residuals.count; i++) {
        residual_row *row = &l->residuals.items[i];
        if (row->observation != r->observation)
            continue;
        bool later = r->t > row->t;
        row->t = r->t;
        return later;
    }
    array_push(&l->residuals, ((residual_row){r->observation, r->t}));
    return true;
}

// Writes how far redundant observations are from what the rest of the view says, as the variable
// ViewResidual.
static status log_residuals(belief *b, nanos t, error *err) {
    graph *g = b->view.graph;
    redundancy r;
    status s = OK;
    for (graph_id at = GRAPH_NONE; s == OK && graph_next_redundant(g, at, &r); at = r.observation) {
        if (!residual_is_new(&b->view.log, &r))
            continue;
        char text[256], numbers[2][NUMBER_SIZE];
        number_format(round(r.distance * 1e4) / 1e4, numbers[0]);
        number_format(round(r.angle * 1e4) / 1e4, numbers[1]);
        snprintf(text, sizeof text, "residual(%s, '%.60s', '%.60s', %s, %s)", r.sensor,
                 graph_frame_name(g, r.a), graph_frame_name(g, r.b), numbers[0], numbers[1]);
        s = belief_write_variable(b, "ViewResidual", text, b->robot_task, r.sensor, t, err);
    }
    return s;
}

status belief_view_log(belief *b, nanos t, error *err) {
    view_log *l = &b->view.log;
    uint64_t version = graph_version(b->view.graph);
    status s = log_residuals(b, t, err);
    for (size_t i = 0; s == OK && i < b->view.peers.count; i++)
        s = log_other(b, &b->view.peers.items[i], t, err);
    if (s != OK || version == l->version)
        return s;
    l->version = version;
    s = log_frames(b, t, err);
    if (s == OK)
        s = log_relations(b, t, err);
    return s == OK ? log_estimates(b, t, err) : s;
}

void belief_view_log_finish(belief *b) {
    view_log *l = &b->view.log;
    for (size_t i = 0; i < l->estimates.count; i++)
        free(l->estimates.items[i].cycle);
    array_finish(&l->frames);
    array_finish(&l->relations);
    array_finish(&l->estimates);
    array_finish(&l->residuals);
}
