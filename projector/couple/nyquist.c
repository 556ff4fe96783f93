// projector/couple/nyquist.c - from which round trip on position-force coupling is unstable.
//
// Semi-implicit Euler makes of s and s^2 the differences (1 - 1/z) / h and (z - 2 + 1/z) / h^2.
// With C = K + D s of the coupling, F = m s^2 + b s + K_wall of the follower and L = m s^2 + b s +
// k_hand of the leader, a place of the leader becomes the force C F / (F + C) behind the delay, and
// that force the place -1 / L. The loop C F / ((F + C) L) e^(-s T) turns unstable where its phase
// reaches -pi at gain 1.
#include <complex.h>
#include <math.h>

#include "projector/couple/couple.h"

#define GRID 20000 // frequencies, spaced evenly in the logarithm

static double complex loop_gain(const rig *r, bool in_contact, double omega) {
    double h = COUPLE_STEP;
    double complex z = cexp(I * omega * h);
    double complex s = (1 - 1 / z) / h, ss = (z - 2 + 1 / z) / (h * h);
    double complex c = r->stiffness + r->damping * s;
    double complex f = r->follower_mass * ss + r->follower_damping * s +
                       (in_contact && r->wall ? r->wall_stiffness : 0);
    double complex l =
        r->leader_mass * ss + (r->leader_damping + r->hand_damping) * s + r->hand_stiffness;
    return c * f / ((f + c) * l);
}

double rig_critical_round_trip(const rig *r, bool in_contact) {
    double low = log(0.01), high = log(acos(-1) / COUPLE_STEP), least = INFINITY;
    double before = 0, omega_before = 0;
    for (int i = 0; i < GRID; i++) {
        double omega = exp(low + (high - low) * i / GRID);
        double gain = cabs(loop_gain(r, in_contact, omega));
        if (i > 0 && (gain > 1) != (before > 1)) {
            // The grid is fine: the crossing lies within 0.1 % of these frequencies.
            double at = (omega + omega_before) / 2;
            double left = carg(loop_gain(r, in_contact, at)) + acos(-1); // in [0, 2 pi)
            least = fmin(least, left / at);
        }
        before = gain;
        omega_before = omega;
    }
    return least;
}
