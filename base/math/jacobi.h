// base/math/jacobi.h - eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's
// rotations.
//
// The functions are inline: with n known, the loops are unrolled.
#ifndef FORESEE_BASE_MATH_JACOBI_H
#define FORESEE_BASE_MATH_JACOBI_H

#include <math.h>

// Rotates the axes p and q so that a[p][q] becomes 0.
static inline void jacobi_rotate(double *a, double *v, int n, int p, int q) {
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        x = v[k * n + p], y = v[k * n + q];
        v[k * n + p] = c * x - s * y, v[k * n + q] = s * x + c * y;
    }
}

// Makes the symmetric n x n matrix `a` diagonal, in at most so many sweeps over its pairs of axes,
// until what lies off the diagonal sums up to less than `tolerance` of what lies on it. The
// diagonal then has the eigenvalues, and v, multiplied by the rotations, the eigenvectors as
// columns: it is the identity at first, or the axes that `a` is given in.
static inline void jacobi_diagonalise(double *a, double *v, int n, int sweeps, double tolerance) {
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double off = 0, on = 0;
        for (int i = 0; i < n; i++) {
            on += fabs(a[i * n + i]);
            for (int j = i + 1; j < n; j++)
                off += fabs(a[i * n + j]);
        }
        if (off < tolerance * on)
            return;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++)
                if (a[p * n + q] != 0)
                    jacobi_rotate(a, v, n, p, q);
    }
}

#endif
