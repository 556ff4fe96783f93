// Matching laser scans with the known map.
//
// Endpoints of the beams should lie on known surfaces. From many starts about the believed pose the
// summed squared distance is descended (Gauss-Newton, robust weights); the ends are scored by
// casting the beams through the map, which also punishes beams that would have had to pass through
// something.
#include "projector/belief/belief_int.h"
#include "base/rng.h"

#include <math.h>

enum { BEAMS_MAX = 96, STARTS = 48, SOLIDS_MAX = 512 };

typedef struct solid {
    const shape *s;
    pose at;
    vec3 center;
    double radius; // bounding; negative: everywhere
} solid;

typedef struct matching {
    solid *solids;
    size_t solid_count;
    size_t beams;
    double range[BEAMS_MAX], bearing[BEAMS_MAX]; // finite ones
    pose laser;                                  // on the base
    double max_range, sigma;
} matching;

void belief_keep_scan(belief *b, const reading *r) {
    size_t beams = (size_t)b->robot->laser.beams;
    if (b->scan_count >= SCANS_MAX || r->laser.count != beams)
        return;
    memcpy(b->scans + b->scan_count * beams, r->laser.ranges, beams * sizeof *b->scans);
    pose at = belief_base_at(b, r->taken);
    double *where = b->scan_at[b->scan_count++];
    where[0] = at.p.x;
    where[1] = at.p.y;
    where[2] = quat_yaw(at.q);
}

void belief_localise_begin(belief *b) {
    b->localising = true;
    b->scan_count = 0;
}

size_t belief_scans(const belief *b) {
    return b->scan_count;
}

// The mean of the scans taken where the last one was; every n-th beam.
static void gather_beams(const belief *b, matching *m) {
    const robot_laser *laser = &b->robot->laser;
    size_t beams = (size_t)laser->beams, step = (beams + BEAMS_MAX - 1) / BEAMS_MAX;
    const double *last = b->scan_at[b->scan_count - 1];
    size_t used = 0;
    for (size_t k = 0; k < b->scan_count; k++)
        used += hypot(b->scan_at[k][0] - last[0], b->scan_at[k][1] - last[1]) < 0.003;
    for (size_t i = 0; i < beams && m->beams < BEAMS_MAX; i += step) {
        double sum = 0;
        size_t n = 0;
        for (size_t k = 0; k < b->scan_count; k++) {
            double r = b->scans[k * beams + i];
            if (hypot(b->scan_at[k][0] - last[0], b->scan_at[k][1] - last[1]) < 0.003 &&
                isfinite(r)) {
                sum += r;
                n++;
            }
        }
        // A beam that only sometimes comes back grazes something.
        if (n < used || n == 0)
            continue;
        m->range[m->beams] = sum / (double)n;
        m->bearing[m->beams] =
            beams < 2 ? 0 : -laser->fov / 2 + laser->fov * (double)i / (double)(beams - 1);
        m->beams++;
    }
    m->sigma = hypot(0.01, laser->noise / sqrt((double)(used ? used : 1)));
}

static void gather_solids(const belief *b, matching *m) {
    double height = m->laser.p.z;
    for (size_t i = 0; i < b->known->body_count; i++) {
        const believed_object *o = &b->objects.items[i].seen;
        for (size_t k = 0; k < o->kind->shape_count && m->solid_count < SOLIDS_MAX; k++) {
            const shape *s = &o->kind->shapes[k];
            vec3 low, high;
            if (s->kind == SHAPE_PLANE || !shapes_bounds(s, 1, o->at, &low, &high) ||
                low.z > height || high.z < height)
                continue;
            m->solids[m->solid_count++] =
                (solid){s, pose_mul(o->at, s->at), v3_scale(v3_add(low, high), 0.5),
                        v3_distance(low, high) / 2};
        }
    }
}

static double map_distance(const matching *m, vec3 point) {
    double best = 1.0;
    for (size_t k = 0; k < m->solid_count; k++) {
        const solid *s = &m->solids[k];
        if (v3_distance(point, s->center) - s->radius > fabs(best))
            continue;
        double d = shape_distance(s->s, s->at, point);
        if (fabs(d) < fabs(best))
            best = d;
    }
    return best;
}

static vec3 beam_end(const matching *m, const double x[3], size_t i) {
    pose laser = pose_mul(pose_planar(x[0], x[1], x[2]), m->laser);
    vec3 local = v3(m->range[i] * cos(m->bearing[i]), m->range[i] * sin(m->bearing[i]), 0);
    return pose_apply(laser, local);
}

// Solves the symmetric 3 x 3 system a x = g; false where it is singular.
static bool solve3(double a[3][3], const double g[3], double x[3]) {
    double m[3][4];
    for (int i = 0; i < 3; i++) {
        memcpy(m[i], a[i], 3 * sizeof(double));
        m[i][3] = g[i];
    }
    for (int c = 0; c < 3; c++) {
        int best = c;
        for (int r = c + 1; r < 3; r++)
            if (fabs(m[r][c]) > fabs(m[best][c]))
                best = r;
        if (fabs(m[best][c]) < 1e-12)
            return false;
        for (int k = 0; k < 4; k++) {
            double swap = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = swap;
        }
        for (int r = 0; r < 3; r++) {
            double f = r == c ? 0 : m[r][c] / m[c][c];
            for (int k = c; k < 4; k++)
                m[r][k] -= f * m[c][k];
        }
    }
    for (int i = 0; i < 3; i++)
        x[i] = m[i][3] / m[i][i];
    return true;
}

// Gauss-Newton steps on the endpoints' distances; `information` is that of the last step.
static void descend(const matching *m, double x[3], int steps, size_t stride,
                    double information[3][3]) {
    const double h = 1e-4;
    for (int n = 0; n < steps; n++) {
        double a[3][3] = {{0}}, g[3] = {0}, scale = n < 4 ? 0.15 : n < 8 ? 0.06 : 0.03;
        for (size_t i = 0; i < m->beams; i += stride) {
            vec3 p = beam_end(m, x, i);
            double d = map_distance(m, p);
            if (fabs(d) >= 1.0)
                continue;
            double gx = (map_distance(m, v3(p.x + h, p.y, p.z)) - d) / h;
            double gy = (map_distance(m, v3(p.x, p.y + h, p.z)) - d) / h;
            double j[3] = {gx, gy, -(p.y - x[1]) * gx + (p.x - x[0]) * gy};
            double w = 1 / (1 + (d / scale) * (d / scale));
            w *= w;
            for (int r = 0; r < 3; r++) {
                g[r] -= w * j[r] * d;
                for (int c = 0; c < 3; c++)
                    a[r][c] += w * j[r] * j[c];
            }
        }
        memcpy(information, a, sizeof a);
        for (int r = 0; r < 3; r++)
            a[r][r] += 1e-3;
        double step[3];
        if (!solve3(a, g, step))
            return;
        double length = hypot(step[0], step[1]), most = 0.2;
        double f = length > most ? most / length : 1;
        x[0] += f * step[0];
        x[1] += f * step[1];
        x[2] = angle_wrap(x[2] + fmax(-0.2, fmin(0.2, f * step[2])));
        if (length < 1e-5 && fabs(step[2]) < 1e-5)
            return;
    }
}

// The mean log likelihood of the beams, cast from a pose; *inliers: share within three sigma.
static double score(const matching *m, const double x[3], size_t stride, double *inliers) {
    pose laser = pose_mul(pose_planar(x[0], x[1], x[2]), m->laser);
    double sum = 0, sigma = fmax(m->sigma, 0.015);
    size_t within = 0, beams = 0;
    for (size_t i = 0; i < m->beams; i += stride) {
        vec3 direction = quat_rotate(laser.q, v3(cos(m->bearing[i]), sin(m->bearing[i]), 0));
        double expected = m->max_range;
        for (size_t k = 0; k < m->solid_count; k++) {
            const solid *s = &m->solids[k];
            vec3 to = v3_sub(s->center, laser.p);
            double along = v3_dot(to, direction);
            double aside = v3_dot(to, to) - along * along;
            if (aside > s->radius * s->radius || along < -s->radius || along - s->radius > expected)
                continue;
            expected = fmin(expected, shape_ray(s->s, s->at, laser.p, direction));
        }
        double e = (m->range[i] - expected) / sigma;
        // A grazing beam may hit or miss an edge: such errors cost something, but not everything.
        sum += log(0.95 * exp(-0.5 * e * e) + 0.05 * 0.02);
        within += fabs(e) < 4;
        beams++;
    }
    *inliers = beams ? (double)within / (double)beams : 0;
    return beams ? sum / (double)beams : -INFINITY;
}

typedef struct found {
    double x[3], score, inliers;
} found;

static int find_modes(const matching *m, const belief *b, found *best) {
    double position, angle;
    belief_accuracy(b, &position, &angle);
    double spread = fmin(1.0, 2 * position + 0.05), turn = fmin(0.5, 2 * angle + 0.03);
    rng_key key = rng_key_make(0, "localise", b->robot->name);
    found modes[STARTS];
    size_t count = 0;
    for (uint64_t i = 0; i < STARTS; i++) {
        uint64_t n = b->localisations * STARTS + i;
        found f = {.x = {b->x, b->y, b->yaw}};
        if (i > 0) {
            f.x[0] += spread * rng_normal(key, n, 0);
            f.x[1] += spread * rng_normal(key, n, 1);
            f.x[2] = angle_wrap(f.x[2] + turn * rng_normal(key, n, 2));
        }
        double information[3][3];
        descend(m, f.x, 8, 4, information);
        f.score = score(m, f.x, 2, &f.inliers);
        size_t k = 0;
        while (k < count && (hypot(modes[k].x[0] - f.x[0], modes[k].x[1] - f.x[1]) > 0.1 ||
                             fabs(angle_wrap(modes[k].x[2] - f.x[2])) > 0.1))
            k++;
        if (k == count)
            modes[count++] = f;
        else if (f.score > modes[k].score)
            modes[k] = f;
        // A start at the belief that explains everything needs no rivals beyond a few.
        if (i >= 7 && modes[0].inliers > 0.97 && modes[0].score > -0.8)
            break;
    }
    size_t top = 0;
    for (size_t k = 1; k < count; k++)
        if (modes[k].score > modes[top].score)
            top = k;
    int alike = 0;
    for (size_t k = 0; k < count; k++)
        alike += modes[k].score > modes[top].score - 0.5 && modes[k].inliers > 0.75;
    *best = modes[top];
    return alike > 0 ? alike : 1;
}

// Moves the belief of the own pose, the remembered ones of the last moments with it.
static void move_self(belief *b, const double x[3]) {
    pose before = belief_robot(b);
    b->x = x[0];
    b->y = x[1];
    b->yaw = angle_wrap(x[2]);
    pose shift = pose_mul(belief_robot(b), pose_inverse(before));
    for (size_t k = 0; k < b->ring_count; k++) {
        base_past *e = &b->ring[k];
        pose moved = pose_mul(shift, pose_planar(e->x, e->y, e->yaw));
        e->x = moved.p.x;
        e->y = moved.p.y;
        e->yaw = quat_yaw(moved.q);
    }
    belief_refresh(b);
}

// Inverse of a symmetric positive matrix, column by column.
static bool invert3(double a[3][3], double out[3][3]) {
    for (int c = 0; c < 3; c++) {
        double unit[3] = {c == 0, c == 1, c == 2}, column[3];
        if (!solve3(a, unit, column))
            return false;
        for (int r = 0; r < 3; r++)
            out[r][c] = column[r];
    }
    return true;
}

// Weighs the match against the odometry that led here, each by its covariance.
static void combine(belief *b, const double x[3], double information[3][3], double sigma) {
    double prior[3][3], sum[3][3], g[3], step[3], cov[3][3];
    if (!invert3(b->p, prior))
        return;
    double d[3] = {x[0] - b->x, x[1] - b->y, angle_wrap(x[2] - b->yaw)};
    for (int r = 0; r < 3; r++) {
        g[r] = 0;
        for (int c = 0; c < 3; c++) {
            double match = information[r][c] / (sigma * sigma);
            sum[r][c] = prior[r][c] + match;
            g[r] += match * d[c];
        }
    }
    if (!solve3(sum, g, step) || !invert3(sum, cov))
        return;
    const double to[3] = {b->x + step[0], b->y + step[1], b->yaw + step[2]};
    move_self(b, to);
    memcpy(b->p, cov, sizeof cov);
}

status belief_localise_end(belief *b, int64_t task, nanos t, localisation *out, error *err) {
    *out = (localisation){0};
    b->localising = false;
    if (b->scan_count == 0)
        return OK;
    matching m = {.max_range = b->robot->laser.max_range};
    m.solids = malloc(SOLIDS_MAX * sizeof *m.solids);
    ASSERT(m.solids);
    const robot_laser *laser = &b->robot->laser;
    m.laser = pose_mul(pose_mul(pose_inverse(belief_robot(b)), b->links[laser->link]), laser->at);
    gather_beams(b, &m);
    gather_solids(b, &m);
    found best = {{b->x, b->y, b->yaw}, -INFINITY, 0};
    if (m.beams >= 8 && m.solid_count > 0)
        out->ambiguity = find_modes(&m, b, &best);
    b->localisations++;
    double information[3][3] = {{0}};
    if (best.inliers > 0.4) {
        descend(&m, best.x, 20, 1, information);
        score(&m, best.x, 1, &best.inliers);
    }
    free(m.solids);
    out->inliers = best.inliers;
    out->found = best.inliers > 0.6;
    if (!out->found)
        return OK;
    pose before = belief_robot(b);
    // The odometry's own covariance bounds what it may veto: a match far outside is a broken prior.
    double position, angle, off = hypot(best.x[0] - b->x, best.x[1] - b->y);
    belief_accuracy(b, &position, &angle);
    double excess = fmax(off / (3 * position), fabs(angle_wrap(best.x[2] - b->yaw)) / (3 * angle));
    if (excess > 1)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                b->p[r][c] *= excess * excess;
    combine(b, best.x, information, fmax(m.sigma, 0.01));
    pose after = belief_robot(b);
    out->shift = v3_distance(before.p, after.p);
    out->turn = quat_angle(before.q, after.q);
    b->robot_source = "localisation";
    b->robot_task = task;
    b->logged_x = INFINITY; // a match is always worth a row
    char text[32];
    snprintf(text, sizeof text, "%d", out->ambiguity);
    return belief_write_variable(b, "PosAmbiguity", text, task, "localisation", t, err);
}
