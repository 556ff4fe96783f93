// query/lower/goals.c - takes a body apart at `,` and `;`.
#include "query/lower/goals.h"

bool goals_unfold(const term *body, size_t most, goal_ways *out) {
    if (term_is(body, ";", 2))
        return goals_unfold(body->args[0], most, out) && goals_unfold(body->args[1], most, out) &&
               out->count <= most;
    if (!term_is(body, ",", 2)) {
        goal_list one = {0};
        array_push(&one, body);
        array_push(out, one);
        return true;
    }
    goal_ways left = {0}, right = {0};
    bool ok = goals_unfold(body->args[0], most, &left) && goals_unfold(body->args[1], most, &right);
    for (size_t i = 0; i < left.count; i++) {
        for (size_t j = 0; j < right.count && out->count <= most; j++) {
            goal_list both = {0};
            for (size_t k = 0; k < left.items[i].count; k++)
                array_push(&both, left.items[i].items[k]);
            for (size_t k = 0; k < right.items[j].count; k++)
                array_push(&both, right.items[j].items[k]);
            array_push(out, both);
        }
    }
    goal_ways_finish(&left);
    goal_ways_finish(&right);
    return ok && out->count <= most;
}

void goal_ways_finish(goal_ways *ways) {
    for (size_t i = 0; i < ways->count; i++)
        array_finish(&ways->items[i]);
    array_finish(ways);
}
