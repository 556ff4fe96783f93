// projector/robot_ids.c - memory for the log ids of a robot's parts.
#include "projector/robot_ids.h"

#include "base/mem.h"

void robot_ids_init(robot_ids *ids, const robot_model *r) {
    *ids = (robot_ids){.links = mem_must(r->link_count + 1, sizeof *ids->links),
                       .joints = mem_must(r->joint_count + 1, sizeof *ids->joints),
                       .hands = mem_must(r->arm_count + 1, sizeof *ids->hands)};
}

void robot_ids_finish(robot_ids *ids) {
    free(ids->links);
    free(ids->joints);
    free(ids->hands);
    *ids = (robot_ids){0};
}
