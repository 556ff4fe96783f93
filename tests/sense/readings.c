// tests/sense/readings.c - see readings.h.
#include "tests/sense/readings.h"

static void keep_percept(readings *k, const percept *p, nanos taken) {
    seen_percept seen = {.at = p->at, .taken = taken};
    snprintf(seen.type, sizeof seen.type, "%s", p->type);
    snprintf(seen.color, sizeof seen.color, "%s", p->color ? p->color : "");
    array_push(&k->percepts, seen);
}

void readings_keep(void *context, const reading *r) {
    readings *k = context;
    array_push(&k->taken[r->kind], r->taken);
    array_push(&k->delivered[r->kind], r->delivered);
    switch (r->kind) {
    case READING_CAMERA:
        k->frames++;
        for (size_t i = 0; i < r->camera.count; i++)
            keep_percept(k, &r->camera.percepts[i], r->taken);
        break;
    case READING_LASER:
        for (size_t i = 0; i < r->laser.count; i++)
            array_push(&k->ranges, r->laser.ranges[i]);
        break;
    case READING_ENCODERS:
        for (size_t i = 0; i < r->encoders.count; i++)
            array_push(&k->joints, r->encoders.position[i]);
        break;
    case READING_GRIPPER:
        array_push(&k->hands, r->gripper.opening);
        array_push(&k->hands, r->gripper.force);
        break;
    case READING_ODOMETRY:
        array_push(&k->ways, r->odometry.dx);
        array_push(&k->ways, r->odometry.dy);
        array_push(&k->ways, r->odometry.dyaw);
        break;
    case READING_WRENCH: {
        const double v[6] = {r->wrench.force.x,  r->wrench.force.y,  r->wrench.force.z,
                             r->wrench.torque.x, r->wrench.torque.y, r->wrench.torque.z};
        for (int i = 0; i < 6; i++)
            array_push(&k->wrenches, v[i]);
        break;
    }
    case READING_TORQUES:
        for (int i = 0; i < ARM_JOINTS_MAX; i++)
            array_push(&k->torques, r->torques.torque[i]);
        break;
    case READING_TRACKER:
    case READING_DETECTOR:
        break;
    }
}

void readings_finish(readings *k) {
    array_finish(&k->percepts);
    array_finish(&k->ranges);
    array_finish(&k->joints);
    array_finish(&k->hands);
    array_finish(&k->ways);
    array_finish(&k->wrenches);
    array_finish(&k->torques);
    for (int i = 0; i <= READING_DETECTOR; i++) {
        array_finish(&k->taken[i]);
        array_finish(&k->delivered[i]);
    }
}

void readings_watch(stage *s, readings *k, int frames) {
    s->robot->camera.rate = 500;
    s->robot->camera.delay = 0;
    sense_power(s->senses, COMMAND_CAMERA, true);
    nanos t = 0;
    sense_for(s, &t, frames * (nanos)2000000, readings_keep, k);
}
