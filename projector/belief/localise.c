// projector/belief/localise.c - self-localisation by a particle filter over laser scans and the
// known map.
//
// Between scans the belief of the robot's own pose is a mixture of a few normal distributions
// (modes), which odometry moves in closed form. A localisation draws particles from the mixture,
// weighs them by the likelihood of the beams' ends (laser_map.c), and fits new modes to the
// clusters of particles that remain (Thrun, Burgard & Fox 2005, ch. 8; a Gaussian sum particle
// filter, Kotecha & Djuric 2003).
//
// The beams say far more than odometry, so that weighing by them at once would leave a few
// particles. The likelihood is therefore brought in by degrees (Del Moral, Doucet & Jasra 2006):
// the exponent of a blurred likelihood grows as far as the effective number of particles allows,
// then the blur is taken off in steps. After each step the particles are resampled, and a few
// Metropolis steps spread them again; half of these go along the difference of two other particles
// (ter Braak 2006), which suits one cluster as well as several. The number of particles follows
// the volume that they fill (KLD sampling, Fox 2003).
#include "projector/belief/belief_int.h"

#include <math.h>

enum { TRACKED = 120, PARTICLES = 500, PARTICLES_MAX = 20000, BEAMS_MAX = 40, TABLE = 256 };

typedef struct particle {
    double x[3];
    double fit, prior; // log likelihood of the beams; log density of the belief before the scans
    double gain;       // what the next weighing adds to the log weight
    size_t cluster;
} particle;

typedef struct normal3 {
    double mean[3], root[3][3]; // lower triangle of the covariance's Cholesky root
    double level;               // log of weight over the root's determinant
} normal3;

typedef struct localising {
    const belief *b;
    const laser_map *map;
    size_t beams;
    double range[BEAMS_MAX], bearing[BEAMS_MAX];
    // Ends and directions of the beams, in the base's frame.
    double end_x[BEAMS_MAX], end_y[BEAMS_MAX], way_x[BEAMS_MAX], way_y[BEAMS_MAX];
    pose laser;                         // on the base
    double reach;                       // mean length of the beams
    double sigma;                       // standard deviation of the beams' ends, blur included
    double table[TABLE + 1], per_metre; // log likelihood by distance for that deviation
    normal3 prior[2 * MODES_MAX];
    size_t prior_count; // 0: the robot may be anywhere in the map
    rng_key key;
    uint64_t draws;
    particle *now, *next;
    size_t count, moves; // number of particles; Metropolis steps that each makes at a time
} localising;

// ---- Scans --------------------------------------------------------------------------------------
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

void belief_localise_begin(belief *b, const char *path, uint64_t occurrence) {
    b->localising = true;
    b->localise_key = rng_key_count(rng_key_make(b->seed, "localise", path), occurrence);
    b->scan_count = 0;
}

size_t belief_scans(const belief *b) {
    return b->scan_count;
}

// Takes every n-th beam: its median over the scans that were taken where the last one was, so that
// neither a person who passes by nor a stray reading counts. Returns the number of these scans.
static size_t gather_beams(localising *l) {
    const belief *b = l->b;
    const robot_laser *laser = &b->robot->laser;
    size_t beams = (size_t)laser->beams, step = (beams + BEAMS_MAX - 1) / BEAMS_MAX;
    const double *last = b->scan_at[b->scan_count - 1];
    size_t here[SCANS_MAX], used = 0;
    for (size_t k = 0; k < b->scan_count; k++)
        if (hypot(b->scan_at[k][0] - last[0], b->scan_at[k][1] - last[1]) < 0.003 &&
            fabs(angle_wrap(b->scan_at[k][2] - last[2])) < 0.003)
            here[used++] = k;
    for (size_t i = step / 2; i < beams; i += step) {
        double r[SCANS_MAX];
        for (size_t k = 0; k < used; k++) {
            size_t at = k;
            double v = b->scans[here[k] * beams + i];
            for (; at > 0 && r[at - 1] > v; at--)
                r[at] = r[at - 1];
            r[at] = v;
        }
        double middle = used % 2 ? r[used / 2] : (r[used / 2 - 1] + r[used / 2]) / 2;
        if (!(middle < laser->max_range - 0.01))
            continue;
        double bearing =
            beams < 2 ? 0 : -laser->fov / 2 + laser->fov * (double)i / (double)(beams - 1);
        vec3 way = quat_rotate(l->laser.q, v3(cos(bearing), sin(bearing), 0));
        vec3 end = v3_add(l->laser.p, v3_scale(way, middle));
        l->way_x[l->beams] = way.x;
        l->way_y[l->beams] = way.y;
        l->reach += (middle - l->reach) / (double)(l->beams + 1);
        l->range[l->beams] = middle;
        l->bearing[l->beams] = bearing;
        l->end_x[l->beams] = end.x;
        l->end_y[l->beams++] = end.y;
    }
    return used;
}

// The likelihood of a beam's end by its distance from the nearest surface has three parts: the beam
// ends at that surface with its noise, at something beside it that the map does not show exactly,
// or anywhere.
static void make_table(localising *l, double sigma) {
    l->sigma = sigma;
    const double reach = 0.25, vague = 0.12;
    l->per_metre = TABLE / reach;
    for (int k = 0; k <= TABLE; k++) {
        double d = k / l->per_metre;
        l->table[k] = log(exp(-0.5 * d * d / (sigma * sigma)) +
                          0.02 * exp(-0.5 * d * d / (vague * vague)) + 0.002);
    }
}

// Returns the log likelihood of the beams from a pose; -INFINITY as soon as it is sure to be less
// than `least`.
static double fit_above(const localising *l, const double x[3], double least) {
    double c = cos(x[2]), s = sin(x[2]), sum = 0;
    for (size_t i = 0; i < l->beams; i++) {
        if (sum + (double)(l->beams - i) * l->table[0] < least)
            return -INFINITY;
        double ex = x[0] + c * l->end_x[i] - s * l->end_y[i];
        double ey = x[1] + s * l->end_x[i] + c * l->end_y[i];
        double wx = c * l->way_x[i] - s * l->way_y[i], wy = s * l->way_x[i] + c * l->way_y[i];
        double u = laser_map_off(l->map, ex, ey, wx, wy) * l->per_metre;
        if (u >= TABLE) {
            sum += l->table[TABLE];
            continue;
        }
        int k = (int)u;
        sum += l->table[k] + (u - k) * (l->table[k + 1] - l->table[k]);
    }
    return sum;
}

static double fit_of(const localising *l, const double x[3]) {
    return fit_above(l, x, -INFINITY);
}

// Returns the share of the beams that are as long as they would be in the map from a pose.
static double explained_share(const localising *l, const double x[3]) {
    pose laser = pose_mul(pose_planar(x[0], x[1], x[2]), l->laser);
    double most = l->b->robot->laser.max_range, off = fmax(0.06, 4 * l->b->robot->laser.noise);
    size_t within = 0;
    for (size_t i = 0; i < l->beams; i++) {
        vec3 way = quat_rotate(laser.q, v3(cos(l->bearing[i]), sin(l->bearing[i]), 0));
        within += fabs(l->range[i] - laser_map_cast(l->map, laser.p, way, most)) < off;
    }
    return l->beams ? (double)within / (double)l->beams : 0;
}

// ---- The belief before --------------------------------------------------------------------------
static normal3 normal_of(const double mean[3], double cov[3][3], double weight) {
    normal3 n = {.mean = {mean[0], mean[1], mean[2]}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c <= r; c++) {
            double sum = cov[r][c];
            for (int k = 0; k < c; k++)
                sum -= n.root[r][k] * n.root[c][k];
            n.root[r][c] = r == c ? sqrt(fmax(sum, 1e-7)) : sum / n.root[c][c];
        }
    n.level = log(weight / (n.root[0][0] * n.root[1][1] * n.root[2][2]));
    return n;
}

static double normal_log(const normal3 *n, const double x[3]) {
    double d[3] = {x[0] - n->mean[0], x[1] - n->mean[1], angle_wrap(x[2] - n->mean[2])}, sum = 0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < r; c++)
            d[r] -= n->root[r][c] * d[c];
        d[r] /= n->root[r][r];
        sum += d[r] * d[r];
    }
    return n->level - 0.5 * sum;
}

// Makes two normal distributions of each mode: the mode as odometry has it, and with a fifth of the
// weight a wider one, since wheels may drift in ways that the robot does not know.
static void make_prior(localising *l) {
    for (size_t k = 0; k < l->b->mode_count; k++) {
        const self_mode *m = &l->b->self[k];
        const double mean[3] = {m->x, m->y, m->yaw};
        double cov[3][3], wide[3][3] = {{0}};
        memcpy(cov, m->p, sizeof cov);
        double position, angle;
        belief_mode_accuracy(m, &position, &angle);
        wide[0][0] = wide[1][1] = pow(2 * position + 0.05, 2);
        wide[2][2] = pow(fmin(1, 2 * angle + 0.03), 2);
        l->prior[l->prior_count++] = normal_of(mean, cov, 0.8 * m->weight);
        l->prior[l->prior_count++] = normal_of(mean, wide, 0.2 * m->weight);
    }
}

static double prior_of(const localising *l, const double x[3]) {
    // The robot stands in no wall.
    if (!laser_map_is_free(l->map, x[0], x[1]))
        return -INFINITY;
    if (l->prior_count == 0)
        return 0;
    double logs[2 * MODES_MAX], most = -INFINITY, sum = 0;
    for (size_t k = 0; k < l->prior_count; k++) {
        logs[k] = normal_log(&l->prior[k], x);
        most = fmax(most, logs[k]);
    }
    for (size_t k = 0; k < l->prior_count; k++)
        sum += exp(logs[k] - most);
    return most + log(sum);
}

static double draw_uniform(localising *l) {
    return rng_uniform(l->key, l->draws++, 0);
}

static void draw_one(localising *l, double x[3]) {
    if (l->prior_count == 0) {
        x[0] = l->map->x0 + draw_uniform(l) * l->map->cell * (double)l->map->nx;
        x[1] = l->map->y0 + draw_uniform(l) * l->map->cell * (double)l->map->ny;
        x[2] = PI * (2 * draw_uniform(l) - 1);
        return;
    }
    double pick = draw_uniform(l), z[3];
    size_t k = 0;
    for (; k + 2 < l->prior_count && pick >= l->b->self[k / 2].weight; k += 2)
        pick -= l->b->self[k / 2].weight;
    const normal3 *n = &l->prior[k + (draw_uniform(l) < 0.2)];
    for (uint32_t i = 0; i < 3; i++)
        z[i] = rng_normal(l->key, l->draws, i + 1);
    l->draws++;
    for (int r = 0; r < 3; r++) {
        x[r] = n->mean[r];
        for (int c = 0; c <= r; c++)
            x[r] += n->root[r][c] * z[c];
    }
    x[2] = angle_wrap(x[2]);
}

// Returns the number of particles by which the share of every occupied cell of 0.1 m x 0.1 m x 6
// degrees is known within 5 %, 99 times in 100 (Fox 2003, eq. 7), but no fewer than `least`.
static size_t particles_needed(size_t cells, size_t least) {
    if (cells < 2)
        return least;
    double k = (double)cells - 1, a = 2 / (9 * k), f = 1 - a + sqrt(a) * 2.326;
    return (size_t)fmin(PARTICLES_MAX, fmax((double)least, k / (2 * 0.05) * f * f * f));
}

static void draw_particles(localising *l) {
    enum { SEEN = 1 << 16 }; // a cell's mark; two cells with the same mark count as one
    bool *marks = mem_must(SEEN, sizeof *marks);
    size_t cells = 0, least = l->prior_count > 0 ? 2 * TRACKED : PARTICLES;
    for (l->count = 0; l->count < particles_needed(cells, least); l->count++) {
        particle *p = &l->now[l->count];
        p->prior = -INFINITY;
        for (int tries = 0; !isfinite(p->prior) && tries < 50; tries++) {
            draw_one(l, p->x);
            p->prior = prior_of(l, p->x);
        }
        p->fit = fit_of(l, p->x);
        rng_key cell = {0};
        const double size[3] = {0.1, 0.1, 6 * PI / 180};
        for (int i = 0; i < 3; i++)
            cell = rng_key_count(cell, (uint64_t)(int64_t)floor(p->x[i] / size[i]));
        bool *mark = &marks[cell.hash % SEEN];
        cells += !*mark;
        *mark = true;
    }
    free(marks);
}

// ---- Bringing in the likelihood -----------------------------------------------------------------
// Returns the effective number of particles when each is weighed by exp(by * gain); `most` is the
// largest gain.
static double effective_count(const localising *l, double by, double most) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < l->count; i++) {
        double w = exp(by * (l->now[i].gain - most));
        sum += w;
        squares += w * w;
    }
    return sum * sum / squares;
}

// Returns the largest step of the exponent, up to `left`, after which the effective number of
// particles is `least` or more.
static double step_of(const localising *l, double left, double least, double most) {
    if (effective_count(l, left, most) >= least)
        return left;
    double low = 0, high = left;
    for (int k = 0; k < 20; k++) {
        double middle = (low + high) / 2;
        *(effective_count(l, middle, most) >= least ? &low : &high) = middle;
    }
    return low > 0 ? low : high;
}

// Systematic resampling: one draw for all (Thrun, Burgard & Fox 2005, table 4.4).
static void resample_particles(localising *l, double by, double most, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < l->count; i++)
        sum += exp(by * (l->now[i].gain - most));
    double pitch = sum / (double)count, at = pitch * draw_uniform(l), reached = 0;
    size_t given = 0;
    for (size_t i = 0; i < l->count; i++) {
        reached += exp(by * (l->now[i].gain - most));
        for (; given < count && at < reached; at += pitch)
            l->next[given++] = l->now[i];
    }
    while (given < count)
        l->next[given++] = l->now[l->count - 1];
    particle *swap = l->now;
    l->now = l->next;
    l->next = swap;
    l->count = count;
}

// Proposes a step that is as likely as its reverse: along the difference of two other particles,
// which suits the shape of the whole, or a normal step as wide as the peak of the likelihood.
static void propose_step(localising *l, bool by_others, double width, double x[3]) {
    if (by_others) {
        const double gain = 2.38 / sqrt(6.0);
        const particle *a = &l->now[(size_t)(draw_uniform(l) * (double)l->count)],
                       *c = &l->now[(size_t)(draw_uniform(l) * (double)l->count)];
        x[0] += gain * (a->x[0] - c->x[0]);
        x[1] += gain * (a->x[1] - c->x[1]);
        x[2] += gain * angle_wrap(a->x[2] - c->x[2]);
    } else {
        x[0] += width * rng_normal(l->key, l->draws, 0);
        x[1] += width * rng_normal(l->key, l->draws, 1);
        x[2] += width / l->reach * rng_normal(l->key, l->draws++, 2);
    }
    x[2] = angle_wrap(x[2]);
}

// Makes Metropolis steps, whose stationary distribution is prior * likelihood^by.
static void move_particles(localising *l, double by) {
    double width = 1.4 * l->sigma / sqrt(1 + by * (double)l->beams / 2);
    for (size_t i = 0; i < l->moves * l->count; i++) {
        particle *p = &l->now[i % l->count], to = *p;
        propose_step(l, i / l->count % 2, width, to.x);
        to.prior = prior_of(l, to.x);
        if (!isfinite(to.prior))
            continue;
        double ratio = log(fmax(1e-300, draw_uniform(l)));
        double least = p->fit + (ratio - (to.prior - p->prior)) / by;
        to.fit = fit_above(l, to.x, least);
        if (to.fit > least)
            *p = to;
    }
}

static double best_gain(const localising *l) {
    double most = -INFINITY;
    for (size_t i = 0; i < l->count; i++)
        most = fmax(most, l->now[i].gain);
    return most;
}

// Takes off as much of the blur as leaves enough particles, down to `sigma`. The `gain` of each
// particle becomes what this adds to its log likelihood.
static void sharpen_likelihood(localising *l, double sigma) {
    double blurred = l->sigma, factor = 2.5;
    for (int tries = 0; tries < 3; tries++, factor = sqrt(factor)) {
        double to = blurred / factor;
        make_table(l, to < 1.3 * sigma ? sigma : to);
        for (size_t i = 0; i < l->count; i++)
            l->now[i].gain = fit_of(l, l->now[i].x) - l->now[i].fit;
        if (effective_count(l, 1, best_gain(l)) > 0.2 * (double)l->count)
            break;
    }
}

// Takes the particles from the belief before the scans to the one after them, by likelihoods that
// become ever sharper.
static void condense_particles(localising *l, double sigma) {
    make_table(l, fmax(sigma, 0.12));
    draw_particles(l);
    // The more particles were drawn, the less is known, and the more of them are kept and moved.
    double drawn = (double)l->count;
    size_t least = (size_t)fmax(TRACKED, fmin(drawn / 4, fmax(PARTICLES, drawn / 10)));
    l->moves = least > PARTICLES ? 6 : 2;
    for (double by = 0; by < 1;) {
        for (size_t i = 0; i < l->count; i++)
            l->now[i].gain = l->now[i].fit;
        double most = best_gain(l);
        size_t count = l->count / 4 > least ? l->count / 4 : least;
        double step = step_of(l, 1 - by, fmin((double)count, 0.3 * (double)l->count), most);
        resample_particles(l, step, most, count);
        by = step >= 1 - by ? 1 : by + step;
        move_particles(l, by);
    }
    while (l->sigma > sigma) {
        sharpen_likelihood(l, sigma);
        resample_particles(l, 1, best_gain(l), least);
        for (size_t i = 0; i < l->count; i++)
            l->now[i].fit += l->now[i].gain;
        move_particles(l, 1);
    }
    move_particles(l, 1);
}

// ---- Modes --------------------------------------------------------------------------------------
// Numbers the clusters: particles belong together where a chain of near ones leads from one to the
// other.
static size_t find_clusters(localising *l) {
    size_t *queue = mem_must(l->count, sizeof *queue), clusters = 0;
    for (size_t i = 0; i < l->count; i++)
        l->now[i].cluster = SIZE_MAX;
    for (size_t i = 0; i < l->count; i++) {
        if (l->now[i].cluster != SIZE_MAX)
            continue;
        size_t head = 0, tail = 0;
        l->now[i].cluster = clusters;
        for (queue[tail++] = i; head < tail; head++) {
            const double *at = l->now[queue[head]].x;
            for (size_t k = i + 1; k < l->count; k++) {
                particle *p = &l->now[k];
                if (p->cluster == SIZE_MAX && fabs(p->x[0] - at[0]) < 0.15 &&
                    fabs(p->x[1] - at[1]) < 0.15 && fabs(angle_wrap(p->x[2] - at[2])) < 0.15) {
                    p->cluster = clusters;
                    queue[tail++] = k;
                }
            }
        }
        clusters++;
    }
    free(queue);
    return clusters;
}

// Returns the mean and covariance of one cluster's particles; of all particles for SIZE_MAX.
static self_mode fit_mode(const localising *l, size_t cluster) {
    self_mode m = {0};
    double sum[3] = {0}, turn = 0;
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) {
        const particle *p = &l->now[i];
        if (cluster != SIZE_MAX && p->cluster != cluster)
            continue;
        if (n++ == 0)
            turn = p->x[2];
        sum[0] += p->x[0];
        sum[1] += p->x[1];
        sum[2] += angle_wrap(p->x[2] - turn);
    }
    m.x = sum[0] / (double)n;
    m.y = sum[1] / (double)n;
    m.yaw = angle_wrap(turn + sum[2] / (double)n);
    m.weight = (double)n / (double)l->count;
    for (size_t i = 0; i < l->count; i++) {
        const particle *p = &l->now[i];
        double d[3] = {p->x[0] - m.x, p->x[1] - m.y, angle_wrap(p->x[2] - m.yaw)};
        for (int r = 0; (cluster == SIZE_MAX || p->cluster == cluster) && r < 3; r++)
            for (int c = 0; c < 3; c++)
                m.p[r][c] += d[r] * d[c] / (double)n;
    }
    // The map itself is not known better than this.
    m.p[0][0] += 5e-4 * 5e-4;
    m.p[1][1] += 5e-4 * 5e-4;
    m.p[2][2] += 2e-4 * 2e-4;
    return m;
}

// Returns the log of the probability that a mode holds, up to a summand that all modes share: the
// height of its peak times the width. The number of particles would say the same, but for chance,
// which favours the larger cluster at every resampling.
static double peak_of(const localising *l, const self_mode *m) {
    const double x[3] = {m->x, m->y, m->yaw};
    double p[3][3];
    memcpy(p, m->p, sizeof p);
    normal3 n = normal_of(x, p, 1);
    return fit_of(l, x) + prior_of(l, x) - n.level;
}

typedef struct candidate {
    self_mode mode;
    double peak, share; // peak_of; share of the beams that the mode explains
} candidate;

static size_t gather_candidates(const localising *l, size_t clusters, candidate *found,
                                size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < clusters; k++) {
        self_mode m = fit_mode(l, k);
        if (m.weight < 0.02)
            continue;
        const double x[3] = {m.x, m.y, m.yaw};
        candidate c = {m, peak_of(l, &m), explained_share(l, x)};
        // The highest peak comes first; the lowest ones beyond `most` are left out.
        size_t at = count < most ? count++ : most;
        for (; at > 0 && found[at - 1].peak < c.peak; at--)
            if (at < most)
                found[at] = found[at - 1];
        if (at < most)
            found[at] = c;
    }
    return count;
}

// Finds the clusters that hold a tenth of the probability or more and explain the beams about as
// well as the best of them, the likeliest first. *share is the share of the beams that the first
// explains.
static size_t find_modes(localising *l, self_mode modes[MODES_MAX], double *share) {
    candidate found[MODES_MAX];
    size_t count = gather_candidates(l, find_clusters(l), found, MODES_MAX), kept = 0;
    double best = 0, particles = 0, sum = 0, rest = 0;
    for (size_t k = 0; k < count; k++) {
        best = fmax(best, found[k].share);
        particles += found[k].mode.weight;
    }
    for (size_t k = 0; k < count; k++)
        if (found[k].share > best - 0.1)
            found[kept++] = found[k];
    for (size_t k = 0; k < kept; k++)
        sum += exp(found[k].peak - found[0].peak);
    // Particles that are scattered all over mean that the laser told nothing.
    if (kept == 0 || particles < 0.5) {
        modes[0] = fit_mode(l, SIZE_MAX);
        const double x[3] = {modes[0].x, modes[0].y, modes[0].yaw};
        *share = explained_share(l, x);
        return 1;
    }
    for (count = 0; count < kept; count++) {
        modes[count] = found[count].mode;
        modes[count].weight = exp(found[count].peak - found[0].peak) / sum;
        if (modes[count].weight < 0.1)
            break;
        rest += modes[count].weight;
    }
    for (size_t k = 0; k < count; k++)
        modes[k].weight /= rest;
    *share = found[0].share;
    return count;
}

// Moves the believed pose of the robot, and with it the poses that are remembered of the last
// moments.
static void move_self(belief *b, const self_mode *modes, size_t count) {
    pose before = belief_robot(b);
    memcpy(b->self, modes, count * sizeof *modes);
    b->mode_count = count;
    pose shift = pose_mul(belief_robot(b), pose_inverse(before));
    for (size_t k = 0; k < b->ring_count; k++) {
        base_past *e = &b->ring[k];
        pose moved = pose_mul(shift, pose_planar(e->x, e->y, e->yaw));
        e->x = moved.p.x;
        e->y = moved.p.y;
        e->yaw = quat_yaw(moved.q);
    }
    belief_view_localised(b);
    belief_refresh(b);
}

status belief_localise_end(belief *b, int64_t task, nanos t, localisation *out, error *err) {
    *out = (localisation){0};
    b->localising = false;
    if (b->robot->base_drive == BASE_FIXED) { // where it stands is known
        *out = (localisation){.found = true, .inliers = 1, .ambiguity = 1};
        return OK;
    }
    if (b->scan_count == 0)
        return OK;
    const robot_laser *laser = &b->robot->laser;
    localising *l = mem_must(1, sizeof *l);
    l->b = b;
    l->map = &b->laser_map;
    l->key = b->localise_key;
    l->laser = pose_mul(pose_mul(pose_inverse(belief_robot(b)), b->links[laser->link]), laser->at);
    laser_map_refresh(b, &b->laser_map, l->laser.p.z);
    double scans = (double)gather_beams(l);
    // The median of many readings varies 1.25 times as much as their mean.
    double sigma = hypot(0.004, laser->noise * (scans > 2 ? 1.25 : 1) / sqrt(scans));
    l->now = mem_must(PARTICLES_MAX, sizeof *l->now);
    l->next = mem_must(PARTICLES_MAX, sizeof *l->next);
    self_mode modes[MODES_MAX];
    size_t count = 0;
    if (l->beams >= 8 && l->map->solids.count > 0) {
        make_prior(l);
        condense_particles(l, sigma);
        count = find_modes(l, modes, &out->inliers);
        out->found = out->inliers > 0.6;
    }
    // No pose near the believed one explains the beams: the robot may have been carried off, and is
    // looked for everywhere.
    if (count > 0 && !out->found) {
        double share;
        l->prior_count = 0;
        condense_particles(l, sigma);
        count = find_modes(l, modes, &share);
        out->found = share > 0.8;
        out->inliers = fmax(out->inliers, share);
    }
    free(l->now);
    free(l->next);
    free(l);
    if (!out->found)
        return OK;
    pose before = belief_robot(b);
    belief_changed(b);
    move_self(b, modes, count);
    pose after = belief_robot(b);
    out->ambiguity = (int)count;
    out->shift = v3_distance(before.p, after.p);
    out->turn = quat_angle(before.q, after.q);
    b->robot_source = "localisation";
    b->robot_task = task;
    b->logged_x = INFINITY; // so that the next cycle logs the pose, however little it has moved
    char text[32];
    snprintf(text, sizeof text, "%d", out->ambiguity);
    return belief_write_variable(b, "PosAmbiguity", text, task, "localisation", t, err);
}
