// projector/ensemble/foreign/model_main.c - the program foresee-model: hosts one model that
// somebody else compiled, and does what the page says (page.h).
//
// It is started by foresee with the page as its only open file, and is of no use to a person.
#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "projector/ensemble/foreign/guest.h"

static foreign_page *page_map(void) {
    struct stat info;
    if (fstat(PAGE_FILE, &info) != 0 || (size_t)info.st_size < sizeof(foreign_page))
        return NULL;
    void *at = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE_FILE, 0);
    close(PAGE_FILE);
    return at == MAP_FAILED ? NULL : at;
}

static void limit_set(__rlimit_resource_t what, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max)
        limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(what, &limit);
}

// Limits the address space, unless this program itself has more, as under the address sanitizer.
static void memory_limit(uint64_t most) {
    static const char own_pages[] = "/proc/self/statm";
    long pages = 0;
    FILE *file = most ? fopen(own_pages, "re") : NULL;
    if (!file)
        return;
    if (fscanf(file, "%ld", &pages) == 1 &&
        (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) < most)
        limit_set(RLIMIT_AS, most);
    fclose(file);
}

// Gives up what a model needs not. False: the process that started this one is gone already.
static bool process_confine(const foreign_page *p) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if ((int64_t)getppid() != p->parent)
        return false;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_NAME, "foresee-model");
    limit_set(RLIMIT_CORE, 0);
    limit_set(RLIMIT_NOFILE, 64);
    limit_set(RLIMIT_FSIZE, UINT64_C(64) << 20);
    memory_limit(p->memory);
    // What ends the model ends it with its own signal, whatever a library has set up.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], SIG_DFL);
    return chdir(p->folder) == 0;
}

static bool outputs_get(guest *g) {
    foreign_page *p = g->page;
    size_t first = (size_t)p->parameters + p->inputs, all = first + p->outputs;
    for (size_t i = first; i < all; i++)
        if (!g->class->get(g, page_variables(p, all)[i], &p->values[i]))
            return false;
    return true;
}

static bool values_set(guest *g, size_t first, size_t count) {
    foreign_page *p = g->page;
    size_t all = (size_t)p->parameters + p->inputs + p->outputs;
    for (size_t i = first; i < first + count; i++)
        if (!g->class->set(g, page_variables(p, all)[i], p->values[i]))
            return false;
    return true;
}

static bool model_load(guest *g) {
    foreign_page *p = g->page;
    return g->class->load(g) && values_set(g, 0, p->parameters) && g->class->enter(g) &&
           values_set(g, p->parameters, p->inputs) && g->class->leave(g) && outputs_get(g);
}

// Steps to t + dt, in as many pieces as the model returns early.
static bool model_step(guest *g) {
    foreign_page *p = g->page;
    if (!values_set(g, p->parameters, p->inputs))
        return false;
    double from = (double)p->t / 1e9, to = (double)(p->t + p->dt) / 1e9;
    double length = (double)p->dt / 1e9;
    // What is left behind an early return that is less than rounding is no step: of the step, or of
    // an instant late in a long episode.
    double rest = fmax(length * 1e-9, 4 * DBL_EPSILON * fabs(to));
    for (int pieces = 0;; pieces++) {
        double reached;
        if (!g->class->advance(g, from, length, &reached))
            return false;
        if (!isfinite(reached) || reached < from || reached > to + rest)
            return guest_fail(g, REPLY_FAILED, "it stepped from %.9g s to %.9g s, asked for %.9g s",
                              from, reached, to);
        if (to - reached <= rest)
            return outputs_get(g);
        if (pieces == EVENTS_MAX)
            return guest_fail(g, REPLY_FAILED, "it returned early %d times in one step at %.9g s",
                              EVENTS_MAX, from);
        from = reached;
        length = to - from;
    }
}

static bool order_obey(guest *g) {
    foreign_page *p = g->page;
    p->reply = REPLY_OK;
    g->said[0] = 0;
    switch ((page_order)p->order) {
    case ORDER_LOAD:
        return model_load(g);
    case ORDER_STEP:
        return model_step(g);
    case ORDER_SAVE:
        return g->class->save(g, &g->states[p->state]);
    case ORDER_RESTORE:
        return g->class->restore(g, g->states[p->state]) && outputs_get(g);
    case ORDER_FORGET:
        return g->class->forget(g, &g->states[p->state]);
    case ORDER_END:
        g->class->end(g);
        return true;
    }
    return guest_fail(g, REPLY_FAILED, "an unknown order was given");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        const guest_class *class;
    } guests[] = {
#define GUEST(name, c) {name, &guest_##c},
#include "projector/ensemble/foreign/guests.def"
#undef GUEST
    };
    guest g = {.page = argc == 2 ? page_map() : NULL};
    for (size_t i = 0; g.page && i < sizeof guests / sizeof *guests; i++)
        if (strcmp(guests[i].name, argv[1]) == 0)
            g.class = guests[i].class;
    if (!g.class || g.page->version != PAGE_VERSION) {
        fputs("foresee-model hosts models for foresee, which starts it by itself\n", stderr);
        return 2;
    }
    if (!process_confine(g.page))
        return 2;
    for (bool over = false; !over;) {
        while (!page_wait(g.page, TURN_MODEL, NULL))
            continue;
        over = g.page->order == ORDER_END;
        order_obey(&g);
        page_give(g.page, TURN_FORESEE);
    }
    // Without what the model's library would do at exit.
    _exit(0);
}
