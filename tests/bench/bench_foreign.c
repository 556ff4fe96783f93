// One exchange with a model in a process of its own: inputs given, a step of a model that costs
// next to nothing, outputs taken. Beside it, as the baseline that no design can beat, a bare round
// trip of two processes over two futexes.
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "projector/ensemble/foreign/fmu.h"
#include "tests/bench/timing.h"
#include "base/time/clock.h"

enum { ROUNDS = 2000, REPEATS = 15 };

static void turn_give(_Atomic uint32_t *turn, uint32_t to) {
    atomic_store(turn, to);
    syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void turn_await(_Atomic uint32_t *turn, uint32_t whose) {
    for (uint32_t now; (now = atomic_load(turn)) != whose;)
        syscall(SYS_futex, turn, FUTEX_WAIT, now, NULL, NULL, 0);
}

// Starts a process that answers each turn.
static pid_t bare_start(_Atomic uint32_t **turn) {
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        exit(1);
    *turn = at;
    pid_t other = fork();
    while (other == 0) {
        turn_await(*turn, 1);
        turn_give(*turn, 0);
    }
    return other;
}

int main(int argc, char **argv) {
    const foreign_options options = {.helper = argc > 2 ? argv[2] : NULL,
                                     .answer = 10 * NANOS_PER_SECOND};
    error err = {0};
    fmu *m = NULL;
    fmu_model *running = NULL;
    fmu_binding in, out;
    status st = fmu_open(argv[1], NULL, &m, &err);
    st = st == OK ? fmu_bind(m, "ambient", CAUSALITY_INPUT, "K", &in, &err) : st;
    st = st == OK ? fmu_bind(m, "T", CAUSALITY_OUTPUT, "K", &out, &err) : st;
    in.value = 293;
    st = st == OK ? fmu_start(m, "cup", &in, 1, &out, 1, 0, &options, &running, &err) : st;
    double took[REPEATS], bare[REPEATS];
    nanos t = 0, dt = NANOS_PER_SECOND / 500;
    _Atomic uint32_t *turn;
    pid_t other = bare_start(&turn);
    // In turns, so that other work on the machine is no part of the ratio.
    for (int r = 0; st == OK && r < REPEATS; r++) {
        nanos begun = clock_wall();
        for (int i = 0; i < ROUNDS; i++) {
            turn_give(turn, 1);
            turn_await(turn, 0);
        }
        bare[r] = (double)(clock_wall() - begun) / 1e3 / ROUNDS;
        begun = clock_wall();
        for (int i = 0; st == OK && i < ROUNDS; i++, t += dt) {
            fmu_post(running, t, dt, &(const double){293});
            st = fmu_take(running, &err);
        }
        took[r] = (double)(clock_wall() - begun) / 1e3 / ROUNDS;
    }
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    if (st == OK) {
        double round = median(bare, REPEATS);
        double exchange = median(took, REPEATS);
        printf("one exchange with an FMU: %.1f us (least %.1f); a bare round trip: %.1f us (least "
               "%.1f); ratio %.2f; the bar is 15 us\n",
               exchange, took[0], round, bare[0], exchange / round);
    } else
        fprintf(stderr, "%s\n", err.text);
    fmu_end(running);
    fmu_close(m);
    return st != OK;
}
