// projector/robot/planning/memory.c - the memory that planning and actions have from one action to
// the next.
#include "projector/robot/planning/memory.h"
#include "base/symtab.h"
#include "projector/robot/planning/drive.h"

#include <math.h>

struct robot_memory *robot_remember(mind *m) {
    if (m->memory)
        return m->memory;
    struct robot_memory *memory = mem_must(1, sizeof *memory);
    memory->brakes = mem_must(m->robot->joint_count + 1, sizeof *memory->brakes);
    memory->commanded = mem_must(m->robot->joint_count + 1, sizeof *memory->commanded);
    memory->sent = mem_must(m->robot->joint_count + 1, sizeof *memory->sent);
    memory->aims = mem_must(m->robot->arm_count + 1, sizeof *memory->aims);
    memory->paths = symtab_create();
    m->memory = memory;
    return memory;
}

void robot_forget(mind *m) {
    struct robot_memory *memory = m->memory;
    if (!memory)
        return;
    symtab_destroy(memory->paths);
    array_finish(&memory->begun);
    for (size_t i = 0; i < memory->spare.count; i++)
        free(memory->spare.items[i]);
    array_finish(&memory->spare);
    for (size_t i = 0; i < memory->spare_waits.count; i++)
        free(memory->spare_waits.items[i]);
    array_finish(&memory->spare_waits);
    for (size_t i = 0; i < memory->taught.count; i++)
        array_finish(&memory->taught.items[i].samples);
    array_finish(&memory->taught);
    base_map_destroy(memory->map);
    free(memory->brakes);
    free(memory->aims);
    free(memory->commanded);
    free(memory->sent);
    free(memory);
    m->memory = NULL;
}

const taught *taught_find(const mind *m, const char *name) {
    const struct robot_memory *memory = m->memory;
    for (size_t i = 0; memory && i < memory->taught.count; i++)
        if (strcmp(memory->taught.items[i].name, name) == 0)
            return &memory->taught.items[i];
    return NULL;
}

rng_key planning_key(mind *m, const char *what) {
    char count[24];
    snprintf(count, sizeof count, "%llu", (unsigned long long)robot_remember(m)->plans++);
    return rng_key_make(m->seed, what, count);
}

void joints_planned(const mind *m, size_t arm, double q[AXES_MAX]) {
    const struct robot_memory *memory = m->memory;
    memset(q, 0, AXES_MAX * sizeof *q);
    for (size_t i = 0; i < m->robot->arms[arm].joint_count; i++) {
        size_t j = m->robot->arms[arm].joints[i];
        q[i] = belief_joints(m->belief)[j];
        if (memory && memory->sent[j] && fabs(memory->commanded[j] - q[i]) < 0.05)
            q[i] = memory->commanded[j];
        q[i] = fmax(m->robot->joints[j].lower, fmin(m->robot->joints[j].upper, q[i]));
    }
}

status robot_choice(mind *m, int64_t task, nanos t, const char *what, const char *question,
                    const char *chosen, const char *candidates, const char *reason, error *err) {
    // Watched conditions evaluate functions again and again without a task: that is no choice.
    if (task == 0)
        return OK;
    record r = {.kind = RECORD_CHOICE, .id = sink_id(m->log, RECORD_CHOICE)};
    r.CHOICE.task = task;
    r.CHOICE.t_ns = t;
    r.CHOICE.what = what;
    r.CHOICE.question = question;
    r.CHOICE.chosen = chosen;
    r.CHOICE.candidates = candidates;
    r.CHOICE.reason = reason;
    return sink_put(m->log, &r, err);
}
