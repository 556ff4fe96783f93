// projector/ensemble/foreign/fmu.c - opens FMUs and starts them.
#include "projector/ensemble/foreign/fmu.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/files/files.h"
#include "base/files/sha256.h"

struct fmu {
    arena *arena;
    const char *path;
    char *folder;
    const char *library, *resources;
    char sha256[SHA256_TEXT];
    fmi_description description;
};

struct fmu_model {
    foreign *process;
    size_t input_count, output_count;
    fmu_binding *inputs, *outputs;
    double *given, *taken; // given: in the model's units, without parameters; taken: in SI
};

// The names that the standards have for this machine. FMI 2.0 names bits alone.
static const char *platform_name(arena *a, int version) {
    struct utsname machine;
    if (version == 2)
        return sizeof(void *) == 8 ? "linux64" : "linux32";
    return uname(&machine) == 0 ? arena_format(a, "%.60s-linux", machine.machine) : "?-linux";
}

static int text_order(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The platforms that there are libraries for, in alphabetical order, as a list for a message.
static const char *platforms_present(arena *a, const char *binaries) {
    enum { SHOWN = 20 };
    DIR *folder = opendir(binaries);
    const char *list = "none";
    ARRAY(const char *) names = {0};
    for (struct dirent *e; folder && (e = readdir(folder));) {
        // A stranger's name is shown where it is one of those that the standard allows.
        const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
        if (e->d_name[0] != '.')
            array_push(&names, e->d_name[strspn(e->d_name, allowed)]
                                   ? "?"
                                   : arena_format(a, "%.40s", e->d_name));
    }
    if (folder)
        closedir(folder);
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, text_order);
    for (size_t i = 0; i < names.count && i < SHOWN; i++)
        list = i == 0 ? names.items[i] : arena_format(a, "%s, %s", list, names.items[i]);
    array_finish(&names);
    return list;
}

static status library_find(fmu *m, error *err) {
    const fmi_description *d = &m->description;
    arena *a = m->arena;
    const char *platform = platform_name(a, d->version);
    m->library = arena_format(a, "%s/binaries/%s/%s.so", m->folder, platform, d->identifier);
    m->resources = arena_format(a, "%s/resources", m->folder);
    struct stat info;
    if (stat(m->library, &info) != 0 || !S_ISREG(info.st_mode))
        return error_at(err, E_INPUT, m->path, 0, 0,
                        "the model has no library %s.so for this machine (%s); it has libraries "
                        "for: %s",
                        d->identifier, platform,
                        platforms_present(a, arena_format(a, "%s/binaries", m->folder)));
    if (stat(m->resources, &info) != 0)
        m->resources = "";
    return OK;
}

static status description_load(fmu *m, error *err) {
    char *text = NULL;
    size_t length = 0;
    const char *inside = arena_format(m->arena, "%s/modelDescription.xml", m->folder);
    const char *shown = arena_format(m->arena, "%s:modelDescription.xml", m->path);
    if (access(inside, F_OK) != 0)
        return error_at(err, E_INPUT, m->path, 0, 0,
                        "the archive has no modelDescription.xml, so it is no FMU");
    status st = file_read(inside, &text, &length, err);
    if (st == OK)
        st = fmi_description_read(m->arena, shown, text, length, &m->description, err);
    free(text);
    return st;
}

status fmu_open(const char *path, const archive_limits *limits, fmu **out, error *err) {
    const archive_limits defaults = archive_limits_default();
    arena *a = arena_create();
    fmu *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->path = arena_strdup(a, path);
    status st = sha256_file(path, m->sha256, err);
    if (st == OK)
        st = archive_folder(&m->folder, err);
    if (st == OK)
        st = archive_unpack(path, m->folder, limits ? limits : &defaults, err);
    if (st == OK)
        st = description_load(m, err);
    if (st == OK)
        st = library_find(m, err);
    if (st == OK)
        *out = m;
    else
        fmu_close(m);
    return st;
}

void fmu_close(fmu *m) {
    if (!m)
        return;
    archive_remove(m->folder);
    arena_destroy(m->arena);
}

const fmi_description *fmu_description(const fmu *m) {
    return &m->description;
}

const char *fmu_sha256(const fmu *m) {
    return m->sha256;
}

const char *fmu_folder(const fmu *m) {
    return m->folder;
}

static status variable_unknown(const fmu *m, const char *name, error *err) {
    const fmi_description *d = &m->description;
    const char **names = mem_must(d->variable_count + 1, sizeof *names);
    for (size_t i = 0; i < d->variable_count; i++)
        names[i] = d->variables[i].name;
    const char *near = nearest_name(name, names, d->variable_count);
    status st = near
                    ? error_at(err, E_INPUT, m->path, 0, 0,
                               "the model has no variable '%s'; did you mean '%.60s'?", name, near)
                    : error_at(err, E_INPUT, m->path, 0, 0, "the model has no variable '%s'", name);
    free(names);
    return st;
}

static status unit_check(const fmu *m, const fmi_variable *v, const char *unit, error *err) {
    int wanted[UNIT_BASES];
    if (!unit || !v->unit)
        return OK;
    if (!fmi_unit_read(unit, wanted))
        return error_at(err, E_INPUT, m->path, 0, 0, "'%s' is no unit that foresee knows", unit);
    // One that is not defined may still say the same by its name.
    int named[UNIT_BASES];
    const int *has = v->unit->defined                      ? v->unit->exponents
                     : fmi_unit_read(v->unit->name, named) ? named
                                                           : NULL;
    if (has && memcmp(has, wanted, sizeof wanted) == 0)
        return OK;
    return error_at(err, E_INPUT, m->path, 0, 0,
                    "the variable '%s' is in '%.40s'%s, and '%s' is needed", v->name, v->unit->name,
                    has ? "" : ", which the model does not define in base units", unit);
}

status fmu_bind(const fmu *m, const char *name, causality as, const char *unit, fmu_binding *out,
                error *err) {
    const fmi_variable *v = fmi_variable_find(&m->description, name);
    if (!v)
        return variable_unknown(m, name, err);
    bool input = as == CAUSALITY_INPUT;
    bool fits = input ? v->causality == CAUSALITY_INPUT ||
                            (v->causality == CAUSALITY_PARAMETER && !v->constant)
                      : v->causality == CAUSALITY_OUTPUT || v->causality == CAUSALITY_LOCAL;
    if (!fits)
        return error_at(
            err, E_INPUT, m->path, 0, 0, "the variable '%s' is %s; an %s is needed", name,
            v->causality == CAUSALITY_PARAMETER && v->constant
                ? "a parameter that cannot be set"
                : arena_format(m->arena, "of causality '%s'", fmi_causality_name(v->causality)),
            input ? "input or parameter" : "output");
    if (v->kind >= VARIABLE_STRING || v->array)
        return error_at(err, E_INPUT, m->path, 0, 0,
                        "the variable '%s' is %s; single numbers are exchanged", name,
                        v->array ? "an array" : fmi_kind_name(v->kind));
    status st = unit_check(m, v, unit, err);
    if (st == OK)
        *out = (fmu_binding){.variable = v};
    return st;
}

static double si_from(const fmi_variable *v, double value) {
    return v->unit ? v->unit->factor * value + (v->relative ? 0 : v->unit->offset) : value;
}

static double si_to(const fmi_variable *v, double value) {
    return v->unit ? (value - (v->relative ? 0 : v->unit->offset)) / v->unit->factor : value;
}

static foreign_variable variable_exchanged(fmu_binding b) {
    return (foreign_variable){.name = b.variable->name,
                              .reference = b.variable->reference,
                              .kind = b.variable->kind,
                              .value = si_to(b.variable, b.value)};
}

static bool is_parameter(const fmu_binding *b) {
    return b->variable->causality == CAUSALITY_PARAMETER;
}

status fmu_start(const fmu *m, const char *name, const fmu_binding *inputs, size_t input_count,
                 const fmu_binding *outputs, size_t output_count, nanos start,
                 const foreign_options *options, fmu_model **out, error *err) {
    const fmi_description *d = &m->description;
    foreign_variable *all = mem_must(2 * input_count + output_count + 1, sizeof *all);
    foreign_variable *parameters = all, *given = all + input_count, *taken = given + input_count;
    foreign_setup s = {.guest = d->version == 2 ? "fmi2" : "fmi3",
                       .name = name,
                       .folder = m->folder,
                       .library = m->library,
                       .resources = m->resources,
                       .token = d->token,
                       .event_mode = d->event_mode,
                       .early_return = d->early_return,
                       .saves_states = d->saves_states,
                       .parameters = parameters,
                       .inputs = given,
                       .outputs = taken,
                       .output_count = output_count,
                       .start = start};
    for (size_t i = 0; i < input_count; i++)
        if (is_parameter(&inputs[i]))
            parameters[s.parameter_count++] = variable_exchanged(inputs[i]);
        else
            given[s.input_count++] = variable_exchanged(inputs[i]);
    for (size_t i = 0; i < output_count; i++)
        taken[i] = variable_exchanged(outputs[i]);
    foreign *process = NULL;
    status st = foreign_start(&s, options, &process, err);
    free(all);
    if (st != OK)
        return st;
    fmu_model *running = mem_must(1, sizeof *running);
    running->process = process;
    running->input_count = input_count;
    running->output_count = output_count;
    running->inputs = mem_must(input_count + 1, sizeof *inputs);
    running->outputs = mem_must(output_count + 1, sizeof *outputs);
    running->given = mem_must(input_count + 1, sizeof(double));
    running->taken = mem_must(output_count + 1, sizeof(double));
    if (input_count > 0)
        memcpy(running->inputs, inputs, input_count * sizeof *inputs);
    if (output_count > 0)
        memcpy(running->outputs, outputs, output_count * sizeof *outputs);
    *out = running;
    return OK;
}

void fmu_end(fmu_model *m) {
    if (!m)
        return;
    foreign_close(m->process);
    free(m->inputs);
    free(m->outputs);
    free(m->given);
    free(m->taken);
    free(m);
}

void fmu_post(fmu_model *m, nanos t, nanos dt, const double *inputs) {
    size_t n = 0;
    for (size_t i = 0; i < m->input_count; i++)
        if (!is_parameter(&m->inputs[i]))
            m->given[n++] = si_to(m->inputs[i].variable, inputs[i]);
    foreign_post(m->process, t, dt, m->given);
}

status fmu_take(fmu_model *m, error *err) {
    return foreign_take(m->process, err);
}

const double *fmu_outputs(fmu_model *m) {
    const double *values = foreign_outputs(m->process);
    for (size_t i = 0; i < m->output_count; i++)
        m->taken[i] = si_from(m->outputs[i].variable, values[i]);
    return m->taken;
}

foreign *fmu_process(fmu_model *m) {
    return m->process;
}
