// projector/world/grains.c - forces and motion of soft spheres (grains.h).
#include "projector/world/grains.h"

static const double STIFF = 0.225; // of spring and substep: frequency times length
static const double DAMPED = 0.35; // of critical, at most: a third of the speed comes back

// The share of critical damping at which a spring gives back a share of the speed.
static double damping_for(double restitution) {
    if (restitution <= 0)
        return DAMPED;
    double l = log(fmin(restitution, 1));
    return fmin(DAMPED, -l / sqrt(PI * PI + l * l));
}

grain grain_make(double radius, double mass, double restitution, double step) {
    double frequency = STIFF / (step / GRAIN_SUBSTEPS);
    return (grain){.radius = radius,
                   .mass = mass,
                   .stiffness = mass * frequency * frequency,
                   .damped = damping_for(restitution),
                   .here = true,
                   .awake = true};
}

void grains_init(grains *g, size_t count) {
    *g = (grains){.items = mem_must(count + 1, sizeof *g->items), .count = count};
    size_t cells = 1;
    while (cells < 2 * count)
        cells *= 2;
    g->cells = mem_must(cells, sizeof *g->cells);
    g->looked = mem_must(cells, sizeof *g->looked);
    g->cell_mask = cells - 1;
}

void grains_finish(grains *g) {
    free(g->items);
    free(g->cells);
    free(g->looked);
    array_finish(&g->partners);
    array_finish(&g->surfaces);
    array_finish(&g->walls);
    array_finish(&g->pairs);
    array_finish(&g->struck);
}

// ---- Neighbours -----------------------------------------------------------------------

bool grain_reaches(const bounds *b, vec3 x, double reach) {
    return x.x >= b->low[0] - reach && x.x <= b->high[0] + reach && x.y >= b->low[1] - reach &&
           x.y <= b->high[1] + reach && x.z >= b->low[2] - reach && x.z <= b->high[2] + reach;
}

bool grains_offer(grains *g, const grain_surface *s, const bounds *at, double reach) {
    bool wanted = false;
    for (size_t i = 0; i < g->count; i++) {
        const grain *q = &g->items[i];
        if (!q->awake || !q->here || !grain_reaches(at, q->x, q->radius + reach))
            continue;
        array_push(&g->walls, ((grain_wall){(int)i, g->surfaces.count}));
        wanted = true;
    }
    if (wanted)
        array_push(&g->surfaces, *s);
    return wanted;
}

static int wall_order(const void *x, const void *y) {
    const grain_wall *a = x, *b = y;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->surface < b->surface ? -1 : a->surface > b->surface;
}

void grains_sort_walls(grains *g) {
    if (g->walls.count > 0)
        qsort(g->walls.items, g->walls.count, sizeof *g->walls.items, wall_order);
}

static uint64_t cell_of(const grains *g, int64_t x, int64_t y, int64_t z) {
    uint64_t h = (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return (h ^ h >> 17) & g->cell_mask;
}

static void find_pairs(grains *g, double dt) {
    double fastest = 0;
    for (size_t i = 0; i < g->count; i++)
        fastest =
            fmax(fastest, g->items[i].awake && g->items[i].here ? v3_length(g->items[i].v) : 0);
    double side = 2 * (g->largest + fastest * dt) + GRAIN_SLACK;
    for (size_t i = 0; i <= g->cell_mask; i++)
        g->cells[i] = g->looked[i] = -1;
    for (size_t i = g->count; i-- > 0;) {
        grain *q = &g->items[i];
        if (!q->here)
            continue;
        uint64_t c = cell_of(g, (int64_t)floor(q->x.x / side), (int64_t)floor(q->x.y / side),
                             (int64_t)floor(q->x.z / side));
        q->next = g->cells[c];
        g->cells[c] = (int)i;
    }
    g->pairs.count = 0;
    for (size_t i = 0; i < g->count; i++) {
        const grain *a = &g->items[i];
        if (!a->awake || !a->here)
            continue;
        int64_t x = (int64_t)floor(a->x.x / side), y = (int64_t)floor(a->x.y / side),
                z = (int64_t)floor(a->x.z / side);
        // What is further away cannot be reached, whoever it is.
        double speed = v3_length(a->v);
        double far = a->radius + g->largest + GRAIN_SLACK + dt * (speed + fastest);
        for (int k = 0; k < 27; k++) {
            uint64_t c = cell_of(g, x + k / 9 - 1, y + k / 3 % 3 - 1, z + k % 3 - 1);
            if (g->looked[c] == (int)i)
                continue; // two cells may share a place of the table
            g->looked[c] = (int)i;
            for (int j = g->cells[c]; j >= 0; j = g->items[j].next) {
                const grain *b = &g->items[j];
                vec3 d = v3_sub(a->x, b->x);
                double square = v3_dot(d, d);
                if (square >= far * far || (size_t)j == i || (b->awake && (size_t)j < i))
                    continue;
                double reach = a->radius + b->radius + GRAIN_SLACK +
                               dt * (speed + (b->awake ? v3_length(b->v) : 0));
                if (square < reach * reach)
                    array_push(&g->pairs, ((grain_pair){(int)i, j}));
            }
        }
    }
}

// ---- Forces ---------------------------------------------------------------------------

static grain_hold *hold_of(grain *q, uint64_t with, int64_t now) {
    grain_hold *h = NULL;
    for (size_t i = 0; i < q->hold_count; i++)
        if (q->holds[i].with == with)
            h = &q->holds[i];
    if (h && h->seen < now - 1)
        h->stretch = v3(0, 0, 0); // it was let go in between
    for (size_t i = 0; !h && i < q->hold_count; i++)
        if (q->holds[i].seen < now - 1)
            h = &q->holds[i], *h = (grain_hold){.with = with};
    if (!h && q->hold_count < GRAIN_HOLDS_MAX)
        h = &q->holds[q->hold_count++], *h = (grain_hold){.with = with};
    if (h)
        h->seen = now;
    return h;
}

// The force on a sphere that overlaps something by `depth` and moves against it by `v`.
static vec3 contact_force(vec3 n, double depth, vec3 v, double k, double c, double mu,
                          grain_hold *h, double dt) {
    double vn = v3_dot(v, n), press = k * depth - c * vn;
    if (press <= 0) {
        if (h)
            h->stretch = v3(0, 0, 0);
        return v3(0, 0, 0);
    }
    vec3 f = v3_scale(n, press), vt = v3_sub(v, v3_scale(n, vn));
    vec3 across = v3_scale(vt, -c);
    if (h) {
        vec3 stretch =
            v3_add(v3_sub(h->stretch, v3_scale(n, v3_dot(h->stretch, n))), v3_scale(vt, dt));
        across = v3_sub(across, v3_scale(stretch, k));
        h->stretch = stretch;
    }
    double most = mu * press, size = v3_length(across);
    if (size > most) {
        across = v3_scale(across, most / size);
        if (h) // as much as the limit holds
            h->stretch = v3_scale(v3_add(across, v3_scale(vt, c)), -1 / k);
    }
    return v3_add(f, across);
}

static double friction_of(const grains *g, int a, int b) {
    return g->friction[(size_t)a * g->surface_count + (size_t)b];
}

static void push_pairs(grains *g, double h) {
    for (size_t i = 0; i < g->pairs.count; i++) {
        grain *a = &g->items[g->pairs.items[i].i], *b = &g->items[g->pairs.items[i].j];
        vec3 d = v3_sub(a->x, b->x);
        double reach = a->radius + b->radius, dd = v3_dot(d, d);
        if (dd >= reach * reach)
            continue;
        double length = sqrt(dd);
        vec3 n = length > 0 ? v3_scale(d, 1 / length) : v3(0, 0, 1);
        vec3 v = b->awake ? v3_sub(a->v, b->v) : a->v;
        double k = 2 * a->stiffness * b->stiffness / (a->stiffness + b->stiffness);
        double reduced = a->mass * b->mass / (a->mass + b->mass);
        double c = 2 * fmin(a->damped, b->damped) * sqrt(k * reduced);
        grain_hold *grip = hold_of(a, (uint64_t)g->pairs.items[i].j, g->substep);
        vec3 f = contact_force(n, reach - length, v, k, c, friction_of(g, a->surface, b->surface),
                               grip, h);
        a->f = v3_add(a->f, f);
        if (b->awake)
            b->f = v3_sub(b->f, f);
        else if (v3_dot(v, n) < -GRAIN_WAKING)
            array_push(&g->struck, g->pairs.items[i].j);
    }
}

static void note_contact(grain *q, size_t entity, vec3 f, vec3 at, vec3 n, double approach,
                         double depth) {
    grain_touch *t = NULL;
    for (size_t i = 0; i < q->touch_count; i++)
        if (q->touches[i].entity == entity)
            t = &q->touches[i];
    if (!t && q->touch_count < GRAIN_TOUCHES_MAX) {
        t = &q->touches[q->touch_count++];
        *t = (grain_touch){.entity = entity, .approach = -INFINITY};
    }
    if (!t)
        return;
    double weight = v3_dot(f, n);
    t->force = v3_add(t->force, f);
    t->normal = v3_add(t->normal, v3_scale(n, weight + 1e-12));
    t->point = at;
    t->approach = fmax(t->approach, approach);
    t->depth = fmax(t->depth, depth);
}

static void push_walls(grains *g, double h) {
    for (size_t i = 0; i < g->walls.count; i++) {
        grain *q = &g->items[g->walls.items[i].i];
        const grain_surface *f = &g->surfaces.items[g->walls.items[i].surface];
        grain_partner *b = &g->partners.items[f->partner];
        // Where the particle is in the frame that the shape had at the step's begin.
        vec3 x = q->x, arm = v3_sub(v3_sub(x, b->center), b->shift), n;
        if (b->moves)
            x = v3_sub(v3_sub(x, b->shift), v3_cross(b->turn, arm));
        double d = shape_nearest(f->shape, mat3_apply_transposed(&f->r, v3_sub(x, f->at.p)), &n);
        if (d >= q->radius)
            continue;
        n = mat3_apply(&f->r, n);
        if (b->moves)
            n = v3_unit(v3_add(n, v3_cross(b->turn, n)));
        vec3 at = v3_sub(q->x, v3_scale(n, d));
        arm = v3_sub(v3_sub(at, b->center), b->shift);
        vec3 v = b->moves ? v3_sub(q->v, v3_add(b->v, v3_cross(b->w, arm))) : q->v;
        double mass = b->flies ? q->mass * b->mass / (q->mass + b->mass) : q->mass;
        double c = 2 * q->damped * sqrt(q->stiffness * mass);
        grain_hold *grip = hold_of(q, f->id, g->substep);
        vec3 force = contact_force(n, q->radius - d, v, q->stiffness, c,
                                   friction_of(g, q->surface, f->surface), grip, h);
        q->f = v3_add(q->f, force);
        b->force = v3_sub(b->force, force);
        b->torque = v3_sub(b->torque, v3_cross(arm, force));
        note_contact(q, b->entity, force, at, n, -v3_dot(v, n), q->radius - d);
        b->hit |= v3_dot(v, n) < -GRAIN_WAKING;
    }
}

static void grains_advance(grains *g, double h) {
    vec3 down = g->gravity;
    for (size_t i = 0; i < g->count; i++) {
        grain *q = &g->items[i];
        if (!q->awake || !q->here)
            continue;
        q->v = v3_add(q->v, v3_scale(v3_add(v3_scale(q->f, 1 / q->mass), down), h));
        q->x = v3_add(q->x, v3_scale(q->v, h));
    }
    for (size_t i = 0; i < g->partners.count; i++) {
        grain_partner *b = &g->partners.items[i];
        b->impulse = v3_add(b->impulse, v3_scale(b->force, h));
        // About the centre of mass where the step began, as ODE takes it.
        b->twist = v3_add(b->twist, v3_scale(b->torque, h));
        if (b->flies) {
            b->v = v3_add(b->v, v3_scale(v3_add(v3_scale(b->force, 1 / b->mass), down), h));
            b->w = v3_add(b->w, v3_scale(mat3_apply(&b->inverse_inertia, b->torque), h));
        }
        if (b->moves) {
            b->shift = v3_add(b->shift, v3_scale(b->v, h));
            b->turn = v3_add(b->turn, v3_scale(b->w, h));
        }
        b->force = b->torque = v3(0, 0, 0);
    }
}

// ---- A step ---------------------------------------------------------------------------

void grains_step(grains *g, double dt) {
    g->struck.count = 0;
    find_pairs(g, dt);
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].awake)
            g->items[i].touch_count = 0;
    double h = dt / GRAIN_SUBSTEPS;
    for (int k = 0; k < GRAIN_SUBSTEPS; k++) {
        g->substep++;
        for (size_t i = 0; i < g->count; i++)
            g->items[i].f = v3(0, 0, 0);
        push_pairs(g, h);
        push_walls(g, h);
        grains_advance(g, h);
    }
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = 0; g->items[i].awake && k < g->items[i].touch_count; k++) {
            grain_touch *t = &g->items[i].touches[k];
            t->force = v3_scale(t->force, 1.0 / GRAIN_SUBSTEPS);
            t->normal = v3_unit(t->normal);
        }
}
