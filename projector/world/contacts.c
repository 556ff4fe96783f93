// projector/world/contacts.c - who touches whom, and with what force.
//
// Three kinds of contact. Dynamic bodies (the hands among them) against each other and against
// fixed things are contact joints of ODE. Links against fixed things or other links are springs
// inside the robot's recursion. Links against dynamic bodies are contact joints with a moving
// surface, softened by the link's own mobility, whose forces go back to the robot in the same step:
// so a link pushes no harder than its motors can.
#include "projector/world/faces.h"
#include "projector/world/things.h"

static const double ERP = 0.2, CFM = 1e-5;
static const double HEAVY = 50; // kg: what is heavier must not sink deeper
// m, how far apart things touch that are drawn one on the other: the last digit decides else which
// of their corners do.
static const double STACKED = 1e-7;
static const double TIE = 1e-9; // m/s
static const double TROUBLE_SOFTNESS = 100;
static const double BOUNCE_LEAST = 0.1; // m/s
static const double BASE_STIFFNESS = 1e6,
                    BASE_DAMPING = 5e4; // it is heavy and must not enter furniture
static const double NORMAL_LENGTH =
    0.05;                              // m, a turn of the normal by a radian counts as far as this
static const double SAME_POINT = 5e-4; // m, nearer contacts add nothing
static const double SLIDES = 0.001;    // m/s, below the direction of a slide is mostly noise
static const double DRAWN = 1;         // m/s2
static const double LOADED = 0.01;     // N
static const double SMOOTH = 0.2;
static const double REACH = 0.03;      // m, around what of the robot others are looked for
static const double OVERLAP = 1e-3;    // m, tolerated at the start
static const double IMPACT_CFM = 1e-7; // an impact's force, of a step, must not press things in
static const double ROLLING =
    3e-4; // m, the lever at which the load resists the rolling of round things

static bool bounds_meet(const bounds *a, const bounds *b) {
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static void bounds_include(bounds *a, const bounds *b) {
    for (int i = 0; i < 3; i++) {
        a->low[i] = fmin(a->low[i], b->low[i]);
        a->high[i] = fmax(a->high[i], b->high[i]);
    }
}

enum { POINTS_MAX = 8 }; // of two primitive shapes
static const bounds NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void find_bounds(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    c->bounds = NOTHING;
    for (size_t g = 0; g < c->geom_count; g++) {
        dReal box[6];
        dGeomGetAABB(c->geoms[g], box);
        for (int i = 0; i < 3; i++) {
            c->geom_bounds[g].low[i] = box[2 * i];
            c->geom_bounds[g].high[i] = box[2 * i + 1];
        }
        bounds_include(&c->bounds, &c->geom_bounds[g]);
    }
}

// The box around a part of the robot whose frame is at a pose, from the box around its shapes.
static void find_box_bounds(collider *c, const mat3 *r, vec3 p) {
    vec3 turned = mat3_apply(r, c->middle);
    double at[3] = {p.x + turned.x, p.y + turned.y, p.z + turned.z};
    for (int i = 0; i < 3; i++) {
        const double *row = r->m[i];
        double reach =
            fabs(row[0]) * c->half.x + fabs(row[1]) * c->half.y + fabs(row[2]) * c->half.z;
        c->bounds.low[i] = at[i] - reach;
        c->bounds.high[i] = at[i] + reach;
    }
    c->turn = *r;
    c->origin = p;
    c->settled = false;
}

static void link_place_geoms(collider *c) {
    for (size_t g = 0; g < c->geom_count; g++) {
        mat3 r = mat3_mul(&c->turn, &c->geom_turns[g]);
        vec3 p = v3_add(c->origin, mat3_apply(&c->turn, c->shapes[g].at.p));
        dMatrix3 m = {r.m[0][0], r.m[0][1], r.m[0][2], 0,         r.m[1][0], r.m[1][1],
                      r.m[1][2], 0,         r.m[2][0], r.m[2][1], r.m[2][2], 0};
        dGeomSetPosition(c->geoms[g], p.x, p.y, p.z);
        dGeomSetRotation(c->geoms[g], m);
    }
}

void contacts_settle(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    if (c->kind != COLLIDER_LINK || c->settled)
        return;
    link_place_geoms(c);
    find_bounds(s, entity);
    c->settled = true;
}

void contacts_move_links(sim *s) {
    for (size_t e = s->first_link; e < s->first_hand; e++) {
        collider *c = &s->colliders[e];
        const aba_node *n = &s->tree.nodes[c->node];
        if (c->geom_count == 0)
            continue;
        find_box_bounds(c, &n->r, n->p);
        if (s->settles_all)
            contacts_settle(s, e);
    }
}

// Palm and fingers are one box each.
static void find_hand_bounds(collider *c) {
    const dReal *o = dBodyGetRotation(c->body);
    mat3 r = {{{o[0], o[1], o[2]}, {o[4], o[5], o[6]}, {o[8], o[9], o[10]}}};
    find_box_bounds(c, &r, from_ode(dBodyGetPosition(c->body)));
    c->geom_bounds[0] = c->bounds;
}

// The bounds where the geoms are by now.
static void renew_bounds(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    if (c->kind == COLLIDER_LINK)
        contacts_settle(s, entity);
    else if (c->kind == COLLIDER_HAND)
        find_hand_bounds(c);
    else
        find_bounds(s, entity);
}

vec3 collider_velocity(const sim *s, const collider *c, vec3 at) {
    if (c->body) {
        vec3 w = from_ode(dBodyGetAngularVel(c->body));
        vec3 arm = v3_sub(at, from_ode(dBodyGetPosition(c->body)));
        return v3_add(from_ode(dBodyGetLinearVel(c->body)), v3_cross(w, arm));
    }
    if (c->kind == COLLIDER_LINK)
        return aba_point_velocity(&s->tree, s->tree.nodes[c->node].v, at);
    if (c->driven)
        return v3_add(c->drive_linear, v3_cross(c->drive_angular, v3_sub(at, c->rest.p)));
    return v3(0, 0, 0);
}

// ---- Finding --------------------------------------------------------------------------

// Whether the box around a part of the robot, turned as the part is, lies off the bounds of another
// collider: cheaper than to settle it, and true of most whose bounds meet.
static bool box_is_off(const collider *part, const collider *other) {
    if (part->geom_count == 0 || (part->kind != COLLIDER_LINK && part->kind != COLLIDER_HAND))
        return false;
    double reach[3], way[3];
    for (int i = 0; i < 3; i++) {
        const bounds *o = &other->bounds, *p = &part->bounds;
        reach[i] = 0.5 * (o->high[i] - o->low[i]);
        way[i] = 0.5 * ((o->high[i] + o->low[i]) - (p->high[i] + p->low[i]));
    }
    const double half[3] = {part->half.x, part->half.y, part->half.z};
    for (int k = 0; k < 3; k++) {
        double x = part->turn.m[0][k], y = part->turn.m[1][k], z = part->turn.m[2][k];
        double off = fabs(x * way[0] + y * way[1] + z * way[2]) - half[k];
        if (off > fabs(x) * reach[0] + fabs(y) * reach[1] + fabs(z) * reach[2])
            return true;
    }
    return false;
}

// Whether a body may be one of a stack: each of those rests on one other.
static bool collider_stacks(const collider *c) {
    return c->kind == COLLIDER_FREE && !(c->heaped && c->tangled);
}

// Every contact between two bodies, in the order of their shapes.
static size_t collide_shapes(sim *s, size_t first, size_t second, dContactGeom *out, size_t most) {
    const collider *a = &s->colliders[first], *b = &s->colliders[second];
    size_t count = 0;
    if (box_is_off(a, b) || box_is_off(b, a))
        return 0;
    contacts_settle(s, first);
    contacts_settle(s, second);
    double gap = collider_stacks(a) && collider_stacks(b) ? STACKED : 0;
    for (size_t i = 0; i < a->geom_count; i++) {
        if (!bounds_meet(&a->geom_bounds[i], &b->bounds))
            continue;
        for (size_t j = 0; j < b->geom_count && count + POINTS_MAX <= most; j++)
            if (bounds_meet(&a->geom_bounds[i], &b->geom_bounds[j])) {
                bool meshes = a->shapes[i].kind == SHAPE_MESH || b->shapes[j].kind == SHAPE_MESH;
                int room = meshes ? (int)(most - count) : POINTS_MAX;
                dGeomID g = a->geoms[i], h = b->geoms[j];
                size_t n = (size_t)dCollide(g, h, room, out + count, sizeof *out);
                count += faces_complete(g, h, gap, out + count, n, (size_t)room);
            }
    }
    return count;
}

static double contact_spread(const dContactGeom *a, const dContactGeom *b) {
    vec3 p = v3_sub(from_ode(a->pos), from_ode(b->pos));
    vec3 n = v3_sub(from_ode(a->normal), from_ode(b->normal));
    return v3_dot(p, p) + NORMAL_LENGTH * NORMAL_LENGTH * v3_dot(n, n);
}

// Keeps the deepest contact and up to three more, each as far as can be from those kept, in place
// and normal. Ties go to the earlier one.
static size_t reduce_contacts(dContactGeom *c, size_t count) {
    if (count <= 1)
        return count;
    size_t deepest = 0, kept = 1;
    for (size_t i = 1; i < count; i++)
        if (c[i].depth > c[deepest].depth + 1e-9)
            deepest = i;
    dContactGeom first = c[0];
    c[0] = c[deepest], c[deepest] = first;
    double near[CANDIDATES_MAX];
    for (size_t i = 1; i < count; i++)
        near[i] = contact_spread(&c[i], &c[0]);
    while (kept < count && kept < CONTACTS_MAX) {
        size_t far = kept;
        for (size_t i = kept + 1; i < count; i++)
            if (near[i] > near[far] + 1e-12)
                far = i;
        if (near[far] < SAME_POINT * SAME_POINT)
            break;
        dContactGeom moved = c[kept];
        c[kept] = c[far], c[far] = moved;
        near[far] = near[kept];
        for (size_t i = kept + 1; i < count; i++)
            near[i] = fmin(near[i], contact_spread(&c[i], &c[kept]));
        kept++;
    }
    return kept;
}

// Returns whether an intervention lets the two pass through each other.
static bool pair_is_ghostly(const sim *s, size_t a, size_t b) {
    const world_exceptions *x = s->world->exceptions;
    for (size_t i = 0; x && i < x->ghostly_count; i++)
        if (x->ghostly[i][0] == (a < b ? a : b) && x->ghostly[i][1] == (a < b ? b : a))
            return true;
    return false;
}

// A model has the body pass through the other, or through the hand that the other is a part of.
static bool passes_through(const sim *s, const collider *body, size_t other) {
    const collider *o = &s->colliders[other];
    return body->passes == (o->kind == COLLIDER_HAND ? s->hands[o->arm].palm : other) + 1;
}

bool contacts_may_meet(const sim *s, size_t a, size_t b) {
    const collider *ca = &s->colliders[a], *cb = &s->colliders[b];
    return ca->on && cb->on && ca->level != LEVEL_SCENERY && cb->level != LEVEL_SCENERY &&
           ca->held_to != b + 1 && cb->held_to != a + 1 && !passes_through(s, ca, b) &&
           !passes_through(s, cb, a) && !pair_is_ghostly(s, a, b);
}

static void pair_propose(sim *s, size_t a, size_t b) {
    if (!bounds_meet(&s->colliders[a].bounds, &s->colliders[b].bounds) ||
        !contacts_may_meet(s, a, b))
        return;
    pair p = {.a = a < b ? a : b, .b = a < b ? b : a};
    array_push(&s->pairs, p);
}

static int by_pair(const void *x, const void *y) {
    return pair_order(x, y);
}

static void sort_pairs(sim *s, size_t from) {
    if (s->pairs.count > from + 1)
        qsort(s->pairs.items + from, s->pairs.count - from, sizeof *s->pairs.items, by_pair);
}

// A spring in the recursion for each contact of a link with what the recursion does not move
// otherwise.
static void add_to_tree(sim *s, const pair *p, point *x) {
    const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
    bool base = a->base || b->base;
    aba_contact c = {.node = b->node,
                     .other = a->kind == COLLIDER_LINK ? a->node : -1,
                     .point = from_ode(x->geom.pos),
                     .normal = v3_scale(from_ode(x->geom.normal), -1),
                     .depth = x->geom.depth,
                     .stiffness = base ? BASE_STIFFNESS : LINK_STIFFNESS,
                     .damping = base ? BASE_DAMPING : LINK_DAMPING,
                     .mu = s->friction[(size_t)a->surface * s->surface_count + (size_t)b->surface]};
    if (c.other >= 0)
        c.stiffness = LINK_STIFFNESS, c.damping = LINK_DAMPING;
    // The springs of one pair share the load.
    c.stiffness /= (double)p->count;
    c.damping /= (double)p->count;
    x->tree_contact = s->tree.contact_count;
    aba_contact_add(&s->tree, &c);
}

static void add_points(sim *s, pair *p, const dContactGeom *found, size_t count) {
    const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
    p->first = s->points.count;
    p->count = count;
    for (size_t k = 0; k < count; k++) {
        point x = {.geom = found[k], .node = -1};
        vec3 at = from_ode(found[k].pos), n = from_ode(found[k].normal);
        x.approach = -v3_dot(v3_sub(collider_velocity(s, a, at), collider_velocity(s, b, at)), n);
        if (p->in_tree)
            add_to_tree(s, p, &x);
        array_push(&s->points, x);
    }
}

// Pairs of the free bodies that joined the awake ones in this round, and what they may touch: pairs
// with those of earlier rounds were found from the other side, as it slept then.
static void propose_bodies(sim *s, int round) {
    for (size_t i = 0; i < s->awake_count; i++) {
        size_t a = s->awake[i], count;
        if (s->colliders[a].round != round)
            continue;
        const size_t *near = broad_query(s->broad, &s->colliders[a].bounds, &count);
        for (size_t k = 0; k < count; k++) {
            const collider *other = &s->colliders[near[k]];
            if (collider_asleep(other) || (other->round == round && near[k] < a))
                pair_propose(s, a, near[k]);
        }
    }
}

// What is near each entity of the robot, asked for once and good until the entity leaves the box
// for which that was asked, or the tree of the world's bodies changes.
struct vicinity {
    struct nearby {
        bounds reach; // of the question
        ARRAY(size_t) bodies;
    } * nearby;               // by the robot's entities, from the first link on
    ARRAY(size_t) self_pairs; // of sim.self_pairs: those whose reaches meet
    uint64_t version;         // of the tree, when all was asked
};

static struct vicinity *vicinity_create(const sim *s) {
    struct vicinity *v = mem_must(1, sizeof *v);
    size_t count = s->entity_count - s->first_link;
    v->nearby = mem_must(count, sizeof *v->nearby);
    for (size_t i = 0; i < count; i++)
        v->nearby[i].reach = NOTHING;
    return v;
}

void contacts_destroy(sim *s) {
    struct vicinity *v = s->vicinity;
    if (!v)
        return;
    for (size_t i = 0; i < s->entity_count - s->first_link; i++)
        array_finish(&v->nearby[i].bodies);
    array_finish(&v->self_pairs);
    free(v->nearby);
    free(v);
}

static bool bounds_within(const bounds *a, const bounds *b) {
    for (int i = 0; i < 3; i++)
        if (a->low[i] < b->low[i] || a->high[i] > b->high[i])
            return false;
    return true;
}

static void vicinity_renew(sim *s) {
    if (!s->vicinity)
        s->vicinity = vicinity_create(s);
    struct vicinity *v = s->vicinity;
    bool changed = broad_version(s->broad) != v->version, moved = false;
    v->version = broad_version(s->broad);
    for (size_t e = s->first_link; e < s->entity_count; e++) {
        const collider *c = &s->colliders[e];
        struct nearby *n = &v->nearby[e - s->first_link];
        bool left = !bounds_within(&c->bounds, &n->reach);
        for (int i = 0; left && i < 3; i++) {
            n->reach.low[i] = c->bounds.low[i] - REACH;
            n->reach.high[i] = c->bounds.high[i] + REACH;
        }
        moved |= left;
        if (!left && !changed)
            continue;
        size_t count;
        const size_t *near = broad_query(s->broad, &n->reach, &count);
        n->bodies.count = 0;
        for (size_t k = 0; k < count; k++)
            if (!c->base || !s->machines[c->machine].ignored_fixed[near[k]])
                array_push(&n->bodies, near[k]);
    }
    if (!moved)
        return;
    v->self_pairs.count = 0;
    for (size_t i = 0; i < s->self_pair_count; i++)
        if (bounds_meet(&v->nearby[s->self_pairs[i][0] - s->first_link].reach,
                        &v->nearby[s->self_pairs[i][1] - s->first_link].reach))
            array_push(&v->self_pairs, i);
}

static void propose_robot(sim *s) {
    for (size_t e = s->first_hand; e < s->entity_count; e++)
        find_hand_bounds(&s->colliders[e]);
    vicinity_renew(s);
    const struct vicinity *v = s->vicinity;
    for (size_t e = s->first_link; e < s->entity_count; e++) {
        const struct nearby *n = &v->nearby[e - s->first_link];
        for (size_t k = 0; k < n->bodies.count; k++)
            pair_propose(s, n->bodies.items[k], e);
    }
    for (size_t i = 0; i < v->self_pairs.count; i++)
        pair_propose(s, s->self_pairs[v->self_pairs.items[i]][0],
                     s->self_pairs[v->self_pairs.items[i]][1]);
}

// Looks at the pairs from `from` on, keeps those that touch, and wakes who is touched.
static void collide_pairs(sim *s, size_t from) {
    size_t kept = from;
    dContactGeom found[CANDIDATES_MAX];
    sort_pairs(s, from);
    for (size_t i = from; i < s->pairs.count; i++) {
        pair p = s->pairs.items[i];
        const collider *a = &s->colliders[p.a], *b = &s->colliders[p.b];
        size_t count = collide_shapes(s, p.a, p.b, found, CANDIDATES_MAX);
        p.count = reduce_contacts(found, count);
        if (p.count == 0)
            continue;
        if (a->level == LEVEL_FULL)
            body_wake(s, p.a);
        else if (p.b >= s->first_link)
            s->lowered_touched++;
        if (b->level == LEVEL_FULL)
            body_wake(s, p.b);
        p.in_tree = !a->body && !b->body;
        p.between = p.in_tree && a->machine >= 0 && a->machine != b->machine;
        p.in_tree &= !p.between;
        add_points(s, &p, found, p.count);
        s->pairs.items[kept++] = p;
    }
    s->pairs.count = kept;
}

void contacts_find(sim *s) {
    s->pairs.count = s->points.count = s->lowered_touched = 0;
    for (size_t i = 0; i < s->awake_count; i++)
        s->colliders[s->awake[i]].round = -1;
    size_t looked_at = 0;
    for (int round = 0; round == 0 || looked_at < s->awake_count; round++) {
        size_t from = s->pairs.count;
        for (size_t i = 0; i < s->awake_count; i++) {
            size_t e = s->awake[i];
            collider *c = &s->colliders[e];
            if (c->round >= 0)
                continue;
            c->round = round;
            find_bounds(s, e);
            broad_put(s->broad, e, &c->bounds);
        }
        looked_at = s->awake_count;
        propose_bodies(s, round);
        if (round == 0)
            propose_robot(s);
        collide_pairs(s, from);
        furniture_wake(s);
    }
    sort_pairs(s, 0);
}

bool contacts_met(const sim *s, size_t a, size_t b) {
    pair p = {.a = a < b ? a : b, .b = a < b ? b : a};
    return s->pairs.count > 0 &&
           bsearch(&p, s->pairs.items, s->pairs.count, sizeof p, by_pair) != NULL;
}

double contacts_depth(sim *s, size_t a, size_t b) {
    dContactGeom found[CANDIDATES_MAX];
    renew_bounds(s, a);
    renew_bounds(s, b);
    size_t count = 0;
    if (bounds_meet(&s->colliders[a].bounds, &s->colliders[b].bounds))
        count = collide_shapes(s, a, b, found, CANDIDATES_MAX);
    double depth = -1;
    for (size_t i = 0; i < count; i++)
        depth = fmax(depth, found[i].depth);
    return depth;
}

// ---- Joining --------------------------------------------------------------------------

static vec3 tangential_part(vec3 v, vec3 n) {
    return v3_sub(v, v3_scale(n, v3_dot(v, n)));
}

// Softness of a link's surface: its spring, and how the arm behind it yields.
static void soften_contact(const sim *s, dContact *c, int node, size_t sharing, double dt) {
    double m[36], depth = c->geom.depth - CONTACT_LAYER;
    aba_mobility(&s->tree, node, m);
    vec3 n = from_ode(c->geom.normal), t1 = from_ode(c->fdir1), t2 = v3_cross(n, t1);
    vec3 at = from_ode(c->geom.pos), along[3] = {n, t1, t2};
    double yields[3], twist[6];
    // As many contacts as share the link each see the others' push only in the next step.
    for (int i = 0; i < 3; i++)
        yields[i] = aba_yields(&s->tree, m, at, along[i]) * (dt * (double)sharing);
    double spring = dt * LINK_STIFFNESS + LINK_DAMPING;
    c->surface.soft_cfm = 1 / spring + yields[0];
    c->surface.soft_erp = dt * LINK_STIFFNESS / spring;
    if (c->surface.soft_erp * depth > CORRECT * dt)
        c->surface.soft_erp = CORRECT * dt / depth;
    aba_twist(&s->tree, node, dt, twist);
    vec3 v = aba_point_velocity(&s->tree, twist, at);
    c->surface.motionN += v3_dot(n, v);
    c->surface.motion1 += v3_dot(t1, v);
    c->surface.motion2 += v3_dot(t2, v);
    c->surface.slip1 = FRICTION_CFM + yields[1];
    c->surface.slip2 = FRICTION_CFM + yields[2];
}

// The pyramid of friction is exact along its edges' directions, so they are turned to where the
// contact slides or, at rest, to where the lighter body is drawn; then it serves as a cone. The
// contact's own force says that less well: what two pads do against each other in it is arbitrary.
static vec3 friction_direction(vec3 slide, vec3 drawn, vec3 force, vec3 n) {
    vec3 t = tangential_part(slide, n);
    if (v3_length(t) >= SLIDES)
        return v3_unit(t);
    t = tangential_part(drawn, n);
    if (v3_length(t) >= DRAWN)
        return v3_unit(t);
    t = tangential_part(force, n);
    if (v3_length(t) < LOADED)
        t = fabs(n.z) > 0.7 ? tangential_part(v3(1, 0, 0), n) : tangential_part(v3(0, 0, 1), n);
    return v3_unit(t);
}

// The force per kilogram that a free body must be held against: gravity less its own acceleration,
// smoothed.
static void find_draws(sim *s, double dt) {
    for (size_t i = 0; i < s->awake_count; i++) {
        collider *c = &s->colliders[s->awake[i]];
        vec3 v = from_ode(dBodyGetLinearVel(c->body));
        vec3 acc = v3_scale(v3_sub(v, c->velocity_before), 1 / dt);
        vec3 now = v3_sub(s->world->gravity, acc);
        c->drawn = v3_add(v3_scale(c->drawn, 1 - SMOOTH), v3_scale(now, SMOOTH));
        c->velocity_before = v;
    }
}

static vec3 pair_drawn(const collider *a, const collider *b) {
    bool fa = a->kind == COLLIDER_FREE, fb = b->kind == COLLIDER_FREE;
    if (fa && fb)
        return a->mass < b->mass ? a->drawn : b->drawn;
    return fa ? a->drawn : fb ? b->drawn : v3(0, 0, 0);
}

// ODE's solver gives up (message 3, all forces zero) where loads are exactly symmetric or zero; a
// step of a nanometre per second, another one at each contact of a body, tells its rows apart.
// Counted by body, so that nothing depends on bodies elsewhere.
static void tie_break(dContact *c, size_t k, double scale) {
    double step = TIE * scale * (double)(k % 13 + 1);
    c->surface.mode |= dContactMotion1 | dContactMotion2 | dContactMotionN;
    c->surface.motion1 = step;
    c->surface.motion2 = -1.37 * step;
    c->surface.motionN = 1.91 * step;
}

// ---- Impacts ----------------------------------------------------------------------------

// Returns whether a body flies: nothing but the pair at hand touches it.
static bool collider_flies(const collider *c) {
    return c->kind == COLLIDER_FREE && c->touched == 1;
}

// How fast a and b come closer along the normal (from b into a) by gravity alone, m/s2.
static double gravity_closing(const sim *s, const collider *a, const collider *b, vec3 n) {
    double pull = -v3_dot(s->world->gravity, n);
    return (collider_flies(a) ? pull : 0) - (collider_flies(b) ? pull : 0);
}

static void collider_shift(const collider *c, vec3 by) {
    vec3 to = v3_add(from_ode(dBodyGetPosition(c->body)), by);
    dBodySetPosition(c->body, to.x, to.y, to.z);
}

// Two that hit each other did so within the last step: what flies goes back to where it touched, or
// the depth would push them apart with more speed than the impact leaves. Returns how far, along
// the normal.
static double go_back(sim *s, pair *p) {
    const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
    bool fa = collider_flies(a), fb = collider_flies(b);
    const point *hit = NULL;
    for (size_t k = p->first; k < p->first + p->count; k++) {
        const point *x = &s->points.items[k];
        if (x->approach > BOUNCE_LEAST && x->geom.depth > (hit ? hit->geom.depth : CONTACT_LAYER))
            hit = x;
    }
    if (!hit || (!fa && !fb))
        return 0;
    vec3 at = from_ode(hit->geom.pos);
    double depth = hit->geom.depth - CONTACT_LAYER, since = depth / hit->approach;
    vec3 way = v3_scale(v3_sub(collider_velocity(s, a, at), collider_velocity(s, b, at)), since);
    double share = fa && fb ? b->mass / (a->mass + b->mass) : fa ? 1 : 0;
    if (fa)
        collider_shift(a, v3_scale(way, -share));
    if (fb)
        collider_shift(b, v3_scale(way, 1 - share));
    dContactGeom found[CANDIDATES_MAX];
    find_bounds(s, p->a);
    find_bounds(s, p->b);
    size_t count = reduce_contacts(found, collide_shapes(s, p->a, p->b, found, CANDIDATES_MAX));
    if (count > 0)
        add_points(s, p, found, count);
    return depth;
}

// Whoever bounces leaves with the energy that restitution keeps of the impact's, both counted at
// the surface. Between impacts the integrator keeps v^2/2 + g x - g v dt/2 (v upwards), so that is
// the energy.
static void pair_impact(sim *s, pair *p, double dt) {
    const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
    double bounce = fmax(a->restitution, b->restitution);
    double back = p->fresh ? go_back(s, p) : 0;
    for (size_t k = p->first; k < p->first + p->count; k++) {
        point *x = &s->points.items[k];
        double v = x->approach, g = gravity_closing(s, a, b, from_ode(x->geom.normal));
        if (bounce <= 0 || v <= BOUNCE_LEAST)
            continue;
        double depth = fmax(x->geom.depth - CONTACT_LAYER, 0), half = g * dt / 2;
        double in = v * v / 2 + g * v * dt / 2 - g * (depth + back);
        double out = half * half + 2 * (bounce * bounce * fmax(in, 0) + g * depth);
        x->leaves = out > 0 ? fmax(sqrt(out) - half, 0) : 0;
    }
}

static void find_impacts(sim *s, double dt) {
    for (size_t i = 0; i < s->pairs.count; i++) {
        collider *a = &s->colliders[s->pairs.items[i].a], *b = &s->colliders[s->pairs.items[i].b];
        a->ties = b->ties = a->touched = b->touched = 0;
    }
    for (size_t i = 0; i < s->pairs.count; i++) {
        s->colliders[s->pairs.items[i].a].touched++;
        s->colliders[s->pairs.items[i].b].touched++;
    }
    size_t last = 0;
    for (size_t i = 0; i < s->pairs.count; i++) {
        pair *p = &s->pairs.items[i];
        while (last < s->reported.count && pair_order(&s->reported.items[last], p) < 0)
            last++;
        p->fresh = last == s->reported.count || pair_order(&s->reported.items[last], p) != 0;
        if (!p->in_tree && s->colliders[p->a].kind != COLLIDER_LINK &&
            s->colliders[p->b].kind != COLLIDER_LINK)
            pair_impact(s, p, dt);
    }
}

// Round things come to rest: their load works at a lever against the spin, and stops it at most.
static void resist_rolling(const collider *a, const collider *b, vec3 load, double dt) {
    if (a->kind >= COLLIDER_LINK || b->kind >= COLLIDER_LINK)
        return;
    vec3 w = v3(0, 0, 0);
    double inertia = INFINITY;
    const collider *const who[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!who[i]->body)
            continue;
        vec3 spin = from_ode(dBodyGetAngularVel(who[i]->body));
        w = i ? v3_sub(w, spin) : v3_add(w, spin);
        for (int k = 0; k < 3; k++)
            inertia = fmin(inertia, who[i]->inertia.m[k][k]);
    }
    double speed = v3_length(w);
    if (speed == 0)
        return;
    vec3 torque = v3_scale(w, -fmin(ROLLING * v3_length(load) / speed, inertia / dt / 2));
    if (a->body)
        dBodyAddTorque(a->body, torque.x, torque.y, torque.z);
    if (b->body)
        dBodyAddTorque(b->body, -torque.x, -torque.y, -torque.z);
}

// ---- Joints -----------------------------------------------------------------------------

void contact_make(sim *s, const collider *a, const collider *b, point *x, const dContact *how) {
    x->joint = dJointCreateContact(s->ode, s->contact_joints, how);
    dJointSetFeedback(x->joint, &x->feedback);
    dJointAttach(x->joint, a->body ? a->body : b->body, a->body ? b->body : NULL);
}

static double free_mass(const collider *c) {
    return c->kind == COLLIDER_FREE ? c->mass : 0;
}

void contacts_join(sim *s, double dt) {
    dJointGroupEmpty(s->contact_joints);
    find_draws(s, dt);
    // After a step that the solver gave up, softer rows for some steps.
    double soft = s->trouble > 0 ? TROUBLE_SOFTNESS : 1;
    find_impacts(s, dt);
    bool heap = heap_find(s);
    if (heap)
        heap_begin(s, dt);
    exact_find(s);
    size_t last = 0;
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        if (p->in_tree || p->between)
            continue;
        bool exact = exact_has(s, p);
        collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
        while (last < s->reported.count && pair_order(&s->reported.items[last], p) < 0)
            last++;
        vec3 load = v3(0, 0, 0);
        if (last < s->reported.count && pair_order(&s->reported.items[last], p) == 0)
            load = s->contacts.items[s->reported.items[last].slot].force;
        vec3 drawn = pair_drawn(a, b);
        if (a->round_shape || b->round_shape)
            resist_rolling(a, b, load, dt);
        int node = a->kind == COLLIDER_LINK ? a->node : b->kind == COLLIDER_LINK ? b->node : -1;
        double mu = s->friction[(size_t)a->surface * s->surface_count + (size_t)b->surface];
        double give = CFM * fmin(1, HEAVY / fmax(free_mass(a), free_mass(b)));
        for (size_t k = p->first; k < p->first + p->count; k++) {
            point *x = &s->points.items[k];
            dContact c;
            memset(&c, 0, sizeof c);
            c.geom = x->geom;
            double depth = c.geom.depth - CONTACT_LAYER;
            double softness = p->fresh && x->approach > BOUNCE_LEAST ? IMPACT_CFM : give;
            if (a->heaped || b->heaped) {
                double back = fmin(ERP * fmax(depth, 0) / dt, CORRECT);
                heap_add(s, p, x,
                         &(heap_surface){.mu = mu,
                                         .soft = softness,
                                         .friction_soft = FRICTION_CFM,
                                         .wanted = fmax(back, x->leaves)},
                         dt);
                continue;
            }
            vec3 at = from_ode(c.geom.pos), n = from_ode(c.geom.normal);
            vec3 slide = v3_sub(collider_velocity(s, a, at), collider_velocity(s, b, at));
            vec3 t = friction_direction(slide, drawn, load, n);
            x->sign = a->body ? 1 : -1;
            for (int j = 0; j < 3; j++)
                c.geom.normal[j] *= x->sign;
            c.fdir1[0] = t.x, c.fdir1[1] = t.y, c.fdir1[2] = t.z;
            c.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM | dContactFDir1 |
                             dContactSlip1 | dContactSlip2;
            c.surface.slip1 = c.surface.slip2 = FRICTION_CFM * soft;
            // The solver bounds friction by the normal forces of a world without friction, in which
            // a tray between two hands falls, and what stands on it weighs nothing: between bodies
            // that are free the force of the last step says more.
            double pressed =
                a->kind == COLLIDER_FREE && b->kind == COLLIDER_FREE ? fabs(v3_dot(load, n)) : 0;
            c.surface.mu = pressed > LOADED ? mu * pressed / (double)p->count : mu;
            if (pressed > LOADED)
                c.surface.mode &= ~dContactApprox1;
            c.surface.soft_cfm = softness;
            c.surface.soft_erp = ERP * depth > CORRECT * dt ? CORRECT * dt / depth : ERP;
            size_t tie = (a->body ? a->ties : 0) + (b->body ? b->ties : 0);
            a->ties++;
            b->ties++;
            tie_break(&c, tie, soft);
            x->node = node;
            if (node >= 0)
                soften_contact(s, &c, node, p->count, dt);
            else if (x->leaves > 0)
                c.surface.motionN = fmax(x->leaves - fmin(ERP * fmax(depth, 0) / dt, CORRECT), 0);
            memset(&x->feedback, 0, sizeof x->feedback);
            if (exact)
                exact_add(s, p, x, &c);
            else
                contact_make(s, a, b, x, &c);
        }
    }
    if (heap)
        heap_solve(s, dt);
}

void contacts_return(sim *s) {
    for (size_t i = 0; i < s->points.count; i++) {
        const point *x = &s->points.items[i];
        if (x->node >= 0)
            aba_push(&s->tree, x->node, v3_scale(from_ode(x->feedback.f1), -1), v3(0, 0, 0),
                     from_ode(x->geom.pos));
    }
}

// ---- The start ------------------------------------------------------------------------

static double pair_overlap(sim *s, size_t a, size_t b, bool flat_only) {
    dContactGeom found[CANDIDATES_MAX];
    size_t n = collide_shapes(s, a, b, found, CANDIDATES_MAX);
    double depth = -1;
    for (size_t i = 0; i < n; i++)
        if (!flat_only || fabs(found[i].normal[2]) > 0.7)
            depth = fmax(depth, found[i].depth);
    return depth;
}

// Number of joints between two nodes, counted over their common ancestor.
static int tree_distance(const sim *s, int a, int b) {
    int steps = 0;
    while (a != b) {
        int *deeper = a > b ? &a : &b;
        *deeper = s->tree.nodes[*deeper].parent;
        steps++;
    }
    return steps;
}

static status overlap_error(const sim *s, size_t a, size_t b, double depth, error *err) {
    int robot = s->colliders[b].machine >= 0 ? s->colliders[b].machine : s->colliders[a].machine;
    const fleet_member *m = robot >= 0 ? &s->machines[robot].member : NULL;
    return error_at(err, E_INPUT, m && m->file ? m->file : "", m ? m->line : 0, m ? m->column : 0,
                    "%s and %s overlap by %.1f mm at the start; move one of them",
                    s->colliders[a].name, s->colliders[b].name, 1e3 * depth);
}

status contacts_check_start(sim *s, error *err) {
    for (size_t e = 0; e < s->entity_count; e++) {
        renew_bounds(s, e);
        if (e < s->first_link && s->colliders[e].geom_count > 0)
            broad_put(s->broad, e, &s->colliders[e].bounds);
    }
    // A base rolls on what lies under it.
    for (size_t m = 0; m < s->machine_count; m++) {
        const machine *own = &s->machines[m];
        for (size_t b = 0; b < s->first_link; b++)
            if (s->colliders[b].kind == COLLIDER_FIXED &&
                bounds_meet(&s->colliders[b].bounds, &s->colliders[own->base].bounds))
                own->ignored_fixed[b] = pair_overlap(s, b, own->base, true) >= 0 &&
                                        pair_overlap(s, b, own->base, false) < 0.02;
    }
    // Links that are neighbours, or overlap as the robot is built, do not collide.
    for (size_t a = s->first_link; a < s->entity_count; a++)
        for (size_t b = a + 1; b < s->entity_count; b++) {
            const collider *ca = &s->colliders[a], *cb = &s->colliders[b];
            bool one_hand =
                ca->kind == COLLIDER_HAND && cb->kind == COLLIDER_HAND && ca->arm == cb->arm;
            double depth = bounds_meet(&ca->bounds, &cb->bounds) ? pair_overlap(s, a, b, false) : 0;
            if (ca->machine != cb->machine && depth > OVERLAP && !s->options.overlapping)
                return overlap_error(s, a, b, depth, err);
            if (one_hand || tree_distance(s, ca->node, cb->node) <= 2 ||
                (ca->machine == cb->machine && depth > 0))
                continue;
            s->self_pairs[s->self_pair_count][0] = a;
            s->self_pairs[s->self_pair_count++][1] = b;
        }
    s->pairs.count = 0;
    for (size_t b = 0; b < s->entity_count; b++) {
        size_t count;
        const collider *c = &s->colliders[b];
        const size_t *near = broad_query(s->broad, &c->bounds, &count);
        for (size_t k = 0; k < count; k++) {
            size_t a = near[k];
            bool fixed = c->kind == COLLIDER_FIXED && s->colliders[a].kind == COLLIDER_FIXED;
            if (a < b && !fixed && !(c->base && s->machines[c->machine].ignored_fixed[a]))
                pair_propose(s, a, b);
        }
    }
    sort_pairs(s, 0);
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        double depth = pair_overlap(s, p->a, p->b, false);
        if (depth > OVERLAP && !s->options.overlapping)
            return overlap_error(s, p->a, p->b, depth, err);
    }
    s->pairs.count = 0;
    return OK;
}

void contacts_follow(sim *s, size_t body) {
    find_bounds(s, body);
    broad_put(s->broad, body, &s->colliders[body].bounds);
}

double contacts_place(sim *s, size_t body) {
    collider *c = &s->colliders[body];
    contacts_follow(s, body);
    double depth = 0;
    size_t count;
    const size_t *near = broad_query(s->broad, &c->bounds, &count);
    for (size_t k = 0; k < count; k++)
        if (near[k] != body && (s->colliders[near[k]].on || s->colliders[near[k]].driven))
            depth = fmax(depth, pair_overlap(s, body, near[k], false));
    for (size_t e = s->first_link; e < s->entity_count; e++)
        if (bounds_meet(&c->bounds, &s->colliders[e].bounds))
            depth = fmax(depth, pair_overlap(s, body, e, false));
    return depth;
}
