// projector/interp/constructs/place.c - at_location: the robot goes to a location and the body runs
// while it stays there; when it has left, the body is suspended until it has returned.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/state/claims.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

enum { PLACE_CLAIMS, PLACE_GOES, PLACE_STAYS, PLACE_RETURNS };

static void go_to_place(interp *i, frame *f, size_t phase) {
    f->at = phase;
    task_start(i, f, f->node->children[0], 0, ++f->rounds);
}

static void claim_place(interp *i, frame *f) {
    if (f->waits ? task_claim_granted(i, f) : task_claim(i, f, USE_BASE))
        go_to_place(i, f, PLACE_GOES);
}

static frame *body_of(const frame *f) {
    for (frame *c = f->first; c; c = c->next) {
        if (c->index == 1 && c->state < TASK_DONE)
            return c;
    }
    return NULL;
}

void place_step(interp *i, frame *f) {
    if (f->at == PLACE_CLAIMS) {
        claim_place(i, f);
        return;
    }
    for (frame *c; (c = task_next_ended(f));) {
        if (c->outcome != TASK_DONE) {
            task_pass_on_child(i, f, c);
            return;
        }
        if (c->index == 1) {
            task_finish_with(i, f, c->result);
            return;
        }
        task_release(i, c);
        f->place = belief_robot(i->mind->belief);
        frame *body = body_of(f);
        if (f->at == PLACE_GOES) {
            f->at = PLACE_STAYS;
            task_start(i, f, f->node->children[1], 1, 1);
            schedule_watch_place(i, f);
        } else {
            f->at = PLACE_STAYS;
            if (body)
                task_resume(i, body);
        }
    }
}

// Whether a task of the body uses the base now: then the robot leaves the location on purpose.
static bool base_is_used_below(const interp *i, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        const claim *c = &i->claims.items[k];
        if ((c->uses & USE_BASE) && c->by != f && frame_below(c->by, f))
            return true;
    }
    return false;
}

void place_watch(interp *i, frame *f) {
    if (f->at != PLACE_STAYS || f->suspended > 0 || f->concluding || base_is_used_below(i, f))
        return;
    pose now = belief_robot(i->mind->belief);
    if (v3_distance(now.p, f->place.p) <= LEFT_DISTANCE &&
        quat_angle(now.q, f->place.q) <= LEFT_ANGLE)
        return;
    frame *body = body_of(f);
    if (!body)
        return;
    task_suspend(i, body);
    go_to_place(i, f, PLACE_RETURNS);
}
