// projector/ensemble/foreign/foreign.c - foresee's side of a model's process.
#include "projector/ensemble/foreign/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "base/utf8.h"
#include "projector/ensemble/foreign/page.h"

// How often it is looked whether the process still lives. A timer that is due later than the next
// tick of the kernel costs nothing to set.
#define GLANCE INT64_C(50000000)

struct foreign {
    char name[256];
    foreign_page *page;
    size_t page_bytes;
    pid_t process; // 0: it is over
    nanos answer;
    size_t inputs, outputs, first_input, all;
    double *values; // of the outputs, checked
    uint64_t events;
    bool saves, posted, kept[FOREIGN_STATES_MAX];
    nanos t; // the end of the last step that was asked for
    error failed;
};
_Static_assert((int)FOREIGN_STATES_MAX == (int)PAGE_STATES, "states are numbered alike");

foreign_options foreign_options_within(double answer) {
    return (foreign_options){.answer = isnan(answer) ? 10 * NANOS_PER_SECOND
                                                     : (nanos)llround(answer * NANOS_PER_SECOND),
                             .memory = UINT64_C(4) << 30};
}

static bool helper_find(char *path, size_t size) {
    static const char name[] = "foresee-model";
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0)
        return false;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + sizeof name > size)
        return false;
    strcpy(slash + 1, name);
    return true;
}

// Starts the helper with the page, and with nothing else of this process.
static int helper_spawn(const char *helper, const char *guest, int page, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char *const argv[] = {(char[]){"foresee-model"}, (char *)(uintptr_t)guest, NULL};
    char *const environment[] = {NULL};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    // The page first: it may lie where the others go.
    int why = posix_spawn_file_actions_adddup2(&files, page, PAGE_FILE);
    why = why ? why : posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    for (int i = 1; i <= 2 && !why; i++)
        why = posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
    why = why ? why : posix_spawn_file_actions_addclosefrom_np(&files, PAGE_FILE + 1);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // A group of its own: what the terminal sends to foresee is foresee's to handle.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    why = why ? why : posix_spawn(process, helper, &files, &attributes, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return why;
}

// Ends the process by force and waits until it is gone. Returns its status.
static int process_kill(foreign *f) {
    int how = 0;
    if (f->process > 0) {
        kill(f->process, SIGKILL);
        while (waitpid(f->process, &how, 0) < 0 && errno == EINTR)
            continue;
    }
    f->process = 0;
    return how;
}

// Notes that the model is over, and why.
static status model_failed(foreign *f, status code, const char *text) {
    process_kill(f);
    error_set(&f->failed, code, "the model '%s' %s", f->name, text);
    return code;
}

static status process_ended(foreign *f, int how) {
    char text[128];
    if (WIFSIGNALED(how))
        snprintf(text, sizeof text, "was ended by signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    else
        snprintf(text, sizeof text, "left its process with exit status %d", WEXITSTATUS(how));
    f->process = 0;
    return model_failed(f, E_DIVERGED, text);
}

// What the model's process wrote as text is shown as one line.
static void text_copy(const foreign *f, char text[PAGE_TEXT]) {
    char raw[PAGE_TEXT];
    memcpy(raw, f->page->text, sizeof raw);
    size_t length = strnlen(raw, sizeof raw - 1), n = 0;
    for (size_t i = 0; i < length;) {
        size_t c = utf8_printable(raw + i, length - i);
        if (c > 0)
            memcpy(text + n, raw + i, c);
        else
            text[n] = '?';
        n += c ? c : 1;
        i += c ? c : 1;
    }
    text[n] = 0;
}

// Waits for the answer to the order that was given.
static status answer_await(foreign *f) {
    nanos deadline = clock_wall() + f->answer;
    while (true) {
        nanos left = deadline - clock_wall();
        nanos most = left < GLANCE ? left : GLANCE;
        const struct timespec wait = {.tv_sec = most / NANOS_PER_SECOND,
                                      .tv_nsec = most % NANOS_PER_SECOND};
        if (page_wait(f->page, TURN_FORESEE, left > 0 ? &wait : &(struct timespec){0}))
            break;
        // Nobody wakes who waits for a process that is gone.
        int how;
        pid_t gone = waitpid(f->process, &how, WNOHANG);
        if (gone == f->process)
            return process_ended(f, how);
        if (gone < 0 && errno == ECHILD) { // somebody else has waited for it
            f->process = 0;
            return model_failed(f, E_DIVERGED, "has left its process");
        }
        if (left <= 0) {
            char text[128];
            snprintf(text, sizeof text, "did not answer within %.3g s",
                     (double)f->answer / NANOS_PER_SECOND);
            return model_failed(f, E_DIVERGED, text);
        }
    }
    if (f->page->reply == REPLY_OK)
        return OK;
    char text[PAGE_TEXT], sentence[PAGE_TEXT + 32];
    text_copy(f, text);
    snprintf(sentence, sizeof sentence, "failed: %s", text);
    return model_failed(f, f->page->reply == REPLY_REFUSED ? E_INPUT : E_DIVERGED, sentence);
}

static status outputs_take(foreign *f, const foreign_variable *names) {
    const double *from = f->page->values + f->first_input + f->inputs;
    memcpy(f->values, from, f->outputs * sizeof *from);
    f->events = f->page->events;
    for (size_t i = 0; i < f->outputs; i++)
        if (!isfinite(f->values[i])) {
            char text[400];
            if (names)
                snprintf(text, sizeof text, "gave %g for '%.200s'", f->values[i], names[i].name);
            else
                snprintf(text, sizeof text, "gave %g for its output %zu at %.9g s", f->values[i],
                         i + 1, (double)f->t / 1e9);
            return model_failed(f, E_DIVERGED, text);
        }
    return OK;
}

static status failure_tell(const foreign *f, error *err) {
    if (err)
        *err = f->failed;
    return f->failed.code;
}

static void order_give(foreign *f, page_order order) {
    f->page->order = order;
    page_give(f->page, TURN_MODEL);
}

// Gives an order, and waits for its end.
static status order_carry(foreign *f, page_order order, error *err) {
    ASSERT(!f->posted);
    if (f->process == 0)
        return failure_tell(f, err);
    order_give(f, order);
    status st = answer_await(f);
    return st == OK ? OK : failure_tell(f, err);
}

static bool path_copy(char *to, size_t size, const char *from) {
    return (size_t)snprintf(to, size, "%s", from ? from : "") < size;
}

static bool setup_copy(foreign *f, const foreign_setup *s, const foreign_options *o) {
    foreign_page *p = f->page;
    p->version = PAGE_VERSION;
    p->turn = TURN_FORESEE;
    p->parent = getpid();
    p->memory = o->memory;
    p->t = s->start;
    p->parameters = (uint32_t)s->parameter_count;
    p->inputs = (uint32_t)s->input_count;
    p->outputs = (uint32_t)s->output_count;
    p->event_mode = s->event_mode;
    p->early_return = s->early_return;
    p->saves_states = s->saves_states;
    const foreign_variable *lists[] = {s->parameters, s->inputs, s->outputs};
    const size_t counts[] = {s->parameter_count, s->input_count, s->output_count};
    for (size_t l = 0, n = 0; l < 3; l++)
        for (size_t i = 0; i < counts[l]; i++, n++) {
            page_variables(p, f->all)[n] =
                (page_variable){.reference = lists[l][i].reference, .kind = lists[l][i].kind};
            p->values[n] = lists[l][i].value;
        }
    return path_copy(p->name, sizeof p->name, s->name) &&
           path_copy(p->token, sizeof p->token, s->token) &&
           path_copy(p->folder, sizeof p->folder, s->folder) &&
           path_copy(p->library, sizeof p->library, s->library) &&
           path_copy(p->resources, sizeof p->resources, s->resources);
}

// A page that neither side can make smaller under the other.
static status page_create(foreign *f, int *file, error *err) {
    f->page_bytes = page_size(f->all);
    *file = memfd_create("foresee-model", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*file < 0 || ftruncate(*file, (off_t)f->page_bytes) != 0 ||
        fcntl(*file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return error_set(err, E_IO, "no page can be shared with a model: %s", strerror(errno));
    void *at = mmap(NULL, f->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    if (at == MAP_FAILED)
        return error_set(err, E_MEMORY, "no page can be shared with a model: %s", strerror(errno));
    f->page = at;
    return OK;
}

status foreign_start(const foreign_setup *setup, const foreign_options *options, foreign **out,
                     error *err) {
    const foreign_options defaults = foreign_options_within(NAN);
    const foreign_options *o = options ? options : &defaults;
    foreign *f = mem_must(1, sizeof *f);
    int file = -1;
    status st = OK;
    char beside[PAGE_PATH];
    snprintf(f->name, sizeof f->name, "%s", setup->name);
    f->answer = o->answer;
    f->inputs = setup->input_count;
    f->outputs = setup->output_count;
    f->first_input = setup->parameter_count;
    f->all = f->first_input + f->inputs + f->outputs;
    f->saves = setup->saves_states;
    f->t = setup->start;
    if (f->all > FOREIGN_VARIABLES_MAX) {
        st = error_set(err, E_LIMIT, "the model '%s' exchanges more than %d variables", f->name,
                       FOREIGN_VARIABLES_MAX);
        goto done;
    }
    f->values = mem_must(f->outputs + 1, sizeof *f->values);
    st = page_create(f, &file, err);
    if (st != OK)
        goto done;
    if (!setup_copy(f, setup, o)) {
        st = error_set(err, E_INPUT, "the model '%s' has a name, token or path that is too long",
                       f->name);
        goto done;
    }
    if (!o->helper && !helper_find(beside, sizeof beside)) {
        st = error_set(err, E_IO,
                       "the program foresee-model is looked for beside foresee, and "
                       "/proc does not say where that is");
        goto done;
    }
    const char *helper = o->helper ? o->helper : beside;
    int why = helper_spawn(helper, setup->guest, file, &f->process);
    if (why != 0) {
        f->process = 0;
        st = error_at(err, E_IO, helper, 0, 0, "the program that hosts models cannot be run: %s",
                      strerror(why));
        goto done;
    }
    st = order_carry(f, ORDER_LOAD, err);
    if (st == OK && outputs_take(f, setup->outputs) != OK)
        st = failure_tell(f, err);
done:
    if (file >= 0)
        close(file);
    if (st == OK)
        *out = f;
    else
        foreign_close(f);
    return st;
}

void foreign_close(foreign *f) {
    if (!f)
        return;
    if (f->process > 0 && !f->posted) {
        order_give(f, ORDER_END);
        (void)answer_await(f);
    }
    process_kill(f);
    if (f->page)
        munmap(f->page, f->page_bytes);
    free(f->values);
    free(f);
}

void foreign_post(foreign *f, nanos t, nanos dt, const double *inputs) {
    ASSERT(!f->posted);
    f->posted = true;
    f->t = t + dt;
    if (f->process == 0)
        return;
    f->page->t = t;
    f->page->dt = dt;
    if (f->inputs > 0)
        memcpy(f->page->values + f->first_input, inputs, f->inputs * sizeof *inputs);
    order_give(f, ORDER_STEP);
}

status foreign_take(foreign *f, error *err) {
    ASSERT(f->posted);
    f->posted = false;
    if (f->process == 0 || answer_await(f) != OK || outputs_take(f, NULL) != OK)
        return failure_tell(f, err);
    return OK;
}

status foreign_step(foreign *f, nanos t, nanos dt, const double *inputs, error *err) {
    foreign_post(f, t, dt, inputs);
    return foreign_take(f, err);
}

const double *foreign_outputs(const foreign *f) {
    return f->values;
}

uint64_t foreign_events(const foreign *f) {
    return f->events;
}

int foreign_process(const foreign *f) {
    return (int)f->process;
}

bool foreign_saves(const foreign *f) {
    return f->saves;
}

status foreign_save(foreign *f, unsigned *state, error *err) {
    unsigned s = 0;
    if (!f->saves)
        return error_set(err, E_INPUT, "the model '%s' does not declare that it can save its state",
                         f->name);
    while (s < FOREIGN_STATES_MAX && f->kept[s])
        s++;
    if (s == FOREIGN_STATES_MAX)
        return error_set(err, E_INPUT, "%d states of the model '%s' are kept already",
                         FOREIGN_STATES_MAX, f->name);
    f->page->state = s;
    status st = order_carry(f, ORDER_SAVE, err);
    if (st == OK) {
        f->kept[s] = true;
        *state = s;
    }
    return st;
}

status foreign_restore(foreign *f, unsigned state, error *err) {
    ASSERT(state < FOREIGN_STATES_MAX && f->kept[state]);
    f->page->state = state;
    status st = order_carry(f, ORDER_RESTORE, err);
    if (st == OK && outputs_take(f, NULL) != OK)
        st = failure_tell(f, err);
    return st;
}

status foreign_forget(foreign *f, unsigned state, error *err) {
    ASSERT(state < FOREIGN_STATES_MAX && f->kept[state]);
    f->page->state = state;
    f->kept[state] = false;
    return order_carry(f, ORDER_FORGET, err);
}

status foreign_rehearse(foreign *f, nanos t, nanos dt, unsigned steps, const double *inputs,
                        error *err) {
    unsigned state;
    status st = foreign_save(f, &state, err);
    if (st != OK)
        return st;
    size_t row = f->outputs * sizeof *f->values;
    double *seen = mem_must(steps * f->outputs + 1, sizeof *seen);
    for (unsigned i = 0; i < steps && st == OK; i++) {
        st = foreign_step(f, t + i * dt, dt, inputs, err);
        if (st == OK)
            memcpy(seen + i * f->outputs, f->values, row);
    }
    st = st == OK ? foreign_restore(f, state, err) : st;
    for (unsigned i = 0; i < steps && st == OK; i++) {
        st = foreign_step(f, t + i * dt, dt, inputs, err);
        for (size_t k = 0; k < f->outputs && st == OK; k++) {
            double was = seen[i * f->outputs + k], is = f->values[k];
            if (memcmp(&was, &is, sizeof is) != 0)
                st = error_set(err, E_DIVERGED,
                               "the model '%s' says that it can save its state, and steps "
                               "otherwise once it was restored: at %.9g s its output %zu was "
                               "%.17g, and is %.17g",
                               f->name, (double)(t + (i + 1) * dt) / 1e9, k + 1, was, is);
        }
    }
    free(seen);
    if (f->process > 0) {
        status forgotten = foreign_forget(f, state, st == OK ? err : NULL);
        st = st == OK ? forgotten : st;
    }
    return st;
}
