// projector/ensemble/foreign/description.c - reads modelDescription.xml.
#include "projector/ensemble/foreign/description.h"

#include <string.h>

#include "base/text/number.h"
#include "scene/xml/xml.h"

static const char *const BASES[UNIT_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
enum { EXPONENT_MAX = 100 }; // of a base unit
static const char *const CAUSALITIES[] = {"parameter", "input", "output", "local", "other"};

const char *fmi_causality_name(causality c) {
    return CAUSALITIES[c];
}

// The element that a variable of a version has.
static const char *kind_element(variable_kind k, int version) {
    static const char *const elements[VARIABLE_KINDS][2] = {
#define KIND(name, two, three) {two, three},
#include "projector/ensemble/foreign/kinds.def"
#undef KIND
    };
    return elements[k][version - 2];
}

const char *fmi_kind_name(variable_kind k) {
    return kind_element(k, 3);
}

// A declared type: in FMI 2.0 what is told of it stands in an element of its own.
typedef struct type_row {
    const char *name;
    const xml_node *with;
} type_row;

typedef struct reading {
    arena *arena;
    const char *file;
    fmi_description *d;
    const xml_node *root;
    fmi_unit *units; // by name
    size_t unit_count;
    type_row *types; // by name
    size_t type_count;
    error *err;
} reading;

static status refuse(const reading *r, const xml_node *n, const char *text) {
    return error_at(r->err, E_INPUT, r->file, n->place.line, n->place.column, "%s", text);
}

static bool attribute_is(const xml_node *n, const char *name, const char *value) {
    const char *v = xml_attribute(n, name);
    return v && strcmp(v, value) == 0;
}

static bool attribute_true(const xml_node *n, const char *name) {
    return attribute_is(n, name, "true") || attribute_is(n, name, "1");
}

static bool attribute_double(const xml_node *n, const char *name, double missing, double *out) {
    const char *v = xml_attribute(n, name);
    *out = missing;
    return !v || number_parse(v, strlen(v), out);
}

static size_t children_count(const xml_node *n, const char *name) {
    size_t count = 0;
    for (const xml_node *c = n ? n->child : NULL; c; c = c->next)
        count += !name || strcmp(c->name, name) == 0;
    return count;
}

// Text from a stranger's file that stands in a message is quoted in part.
static const char *quoted(const reading *r, const char *text) {
    return text ? arena_format(r->arena, "'%.60s'", text) : "none";
}

static status interface_read(reading *r) {
    fmi_description *d = r->d;
    const char *version = xml_attribute(r->root, "fmiVersion");
    if (strcmp(r->root->name, "fmiModelDescription") != 0 || !version)
        return refuse(r, r->root, "this is no model description of FMI");
    if (strncmp(version, "2.", 2) != 0 && strncmp(version, "3.", 2) != 0)
        return refuse(r, r->root,
                      arena_format(r->arena, "the model is of FMI %s; 2.0 and 3.0 are known",
                                   quoted(r, version)));
    d->version = version[0] - '0';
    d->token = xml_attribute(r->root, d->version == 2 ? "guid" : "instantiationToken");
    if (!d->token)
        return refuse(r, r->root,
                      "the model description has no token ('guid' in FMI 2.0, "
                      "'instantiationToken' in FMI 3.0)");
    d->model = xml_attribute(r->root, "modelName");
    const xml_node *co = xml_child(r->root, "CoSimulation");
    if (!co)
        return refuse(r, r->root,
                      xml_child(r->root, "ModelExchange")
                          ? "the model is for model exchange only; export it for co-simulation"
                          : "the model has no interface for co-simulation");
    d->identifier = xml_attribute(co, "modelIdentifier");
    if (!d->identifier || !d->identifier[0])
        return refuse(r, co, "the model has no identifier, after which its library is named");
    // It becomes the name of a file; the standard wants a name of C.
    if (d->identifier[strspn(d->identifier, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_")] ||
        strlen(d->identifier) > 200)
        return refuse(r, co, "the model's identifier is no name of C");
    if (attribute_true(co, "needsExecutionTool"))
        return refuse(r, co, "the model needs the tool that made it; export it without");
    d->saves_states =
        attribute_true(co, d->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    d->event_mode = d->version == 3 && attribute_true(co, "hasEventMode");
    d->early_return =
        d->version == 3 && attribute_true(co, "canReturnEarlyAfterIntermediateUpdate");
    d->constant_step = !attribute_true(co, "canHandleVariableCommunicationStepSize");
    // What it insists on comes before what it proposes.
    const xml_node *experiment = xml_child(r->root, "DefaultExperiment");
    if (!attribute_double(co, "fixedInternalStepSize", 0, &d->step) ||
        (d->step == 0 && experiment && !attribute_double(experiment, "stepSize", 0, &d->step)) ||
        d->step < 0)
        return refuse(r, co, "the model proposes a step that is no number above 0");
    return OK;
}

static int unit_order(const void *a, const void *b) {
    const fmi_unit *p = a, *q = b;
    return strcmp(p->name, q->name);
}

static int type_order(const void *a, const void *b) {
    const type_row *p = a, *q = b;
    return strcmp(p->name, q->name);
}

static status units_read(reading *r) {
    const xml_node *all = xml_child(r->root, "UnitDefinitions");
    r->units = arena_alloc(r->arena, (children_count(all, "Unit") + 1) * sizeof *r->units);
    for (const xml_node *n = all ? all->child : NULL; n; n = n->next) {
        if (strcmp(n->name, "Unit") != 0)
            continue;
        fmi_unit *u = &r->units[r->unit_count++];
        u->name = xml_attribute(n, "name");
        if (!u->name)
            return refuse(r, n, "a unit has no name");
        const xml_node *base = xml_child(n, "BaseUnit");
        u->defined = base != NULL;
        u->factor = 1;
        if (!base)
            continue;
        if (!attribute_double(base, "factor", 1, &u->factor) || u->factor == 0 ||
            !attribute_double(base, "offset", 0, &u->offset))
            return refuse(r, base, "a unit has a factor or offset that is no number, or 0");
        for (int i = 0; i < UNIT_BASES; i++) {
            const char *text = xml_attribute(base, BASES[i]);
            int64_t e = 0;
            if (text && (!number_parse_integer(text, strlen(text), &e) || e < -EXPONENT_MAX ||
                         e > EXPONENT_MAX))
                return refuse(r, base, "a unit has an exponent that is no small integer");
            u->exponents[i] = (int)e;
        }
    }
    qsort(r->units, r->unit_count, sizeof *r->units, unit_order);
    return OK;
}

static void types_read(reading *r) {
    const xml_node *all = xml_child(r->root, "TypeDefinitions");
    r->types = arena_alloc(r->arena, (children_count(all, NULL) + 1) * sizeof *r->types);
    for (const xml_node *t = all ? all->child : NULL; t; t = t->next) {
        type_row row = {xml_attribute(t, "name"), r->d->version == 2 ? xml_child(t, "Real") : t};
        if (row.name && row.with)
            r->types[r->type_count++] = row;
    }
    qsort(r->types, r->type_count, sizeof *r->types, type_order);
}

static const xml_node *type_find(const reading *r, const char *name) {
    const type_row key = {.name = name};
    const type_row *found = name && r->type_count > 0 ? bsearch(&key, r->types, r->type_count,
                                                                sizeof *r->types, type_order)
                                                      : NULL;
    return found ? found->with : NULL;
}

static const fmi_unit *unit_find(reading *r, const char *name) {
    if (!name || !name[0])
        return NULL;
    const fmi_unit key = {.name = name};
    const fmi_unit *found =
        r->unit_count > 0 ? bsearch(&key, r->units, r->unit_count, sizeof *r->units, unit_order)
                          : NULL;
    if (found)
        return found;
    fmi_unit *u = arena_alloc(r->arena, sizeof *u);
    *u = (fmi_unit){.name = name, .factor = 1};
    return u;
}

static causality causality_of(const xml_node *n) {
    const char *v = xml_attribute(n, "causality");
    if (!v)
        return CAUSALITY_LOCAL;
    for (causality c = 0; c < CAUSALITY_OTHER; c++)
        if (strcmp(v, CAUSALITIES[c]) == 0)
            return c;
    return CAUSALITY_OTHER;
}

// `typed` is the element that has the kind: in FMI 2.0 a child of the variable, in 3.0 itself.
static status variable_read(reading *r, const xml_node *n, const xml_node *typed, variable_kind k) {
    fmi_variable *v = &r->d->variables[r->d->variable_count++];
    const char *reference = xml_attribute(n, "valueReference");
    int64_t number;
    v->name = xml_attribute(n, "name");
    if (!v->name)
        return refuse(r, n, "a variable has no name");
    if (!reference || !number_parse_integer(reference, strlen(reference), &number) || number < 0 ||
        number > UINT32_MAX)
        return refuse(
            r, n,
            arena_format(r->arena, "the variable %s has no value reference", quoted(r, v->name)));
    v->reference = (uint32_t)number;
    v->kind = k;
    v->causality = causality_of(n);
    v->array = xml_child(typed, "Dimension") != NULL;
    v->constant =
        attribute_is(n, "variability", "constant") || attribute_is(n, "initial", "calculated");
    const xml_node *type = type_find(r, xml_attribute(typed, "declaredType"));
    const char *unit = xml_attribute(typed, "unit");
    v->unit = unit_find(r, unit ? unit : type ? xml_attribute(type, "unit") : NULL);
    // What is told of the variable itself comes before what is told of its type.
    v->relative = attribute_true(xml_attribute(typed, "relativeQuantity") || !type ? typed : type,
                                 "relativeQuantity");
    return OK;
}

static int by_name(const void *a, const void *b) {
    const fmi_variable *p = a, *q = b;
    return strcmp(p->name, q->name);
}

static status variables_read(reading *r) {
    const xml_node *all = xml_child(r->root, "ModelVariables");
    if (!all)
        return refuse(r, r->root, "the model has no variables");
    fmi_description *d = r->d;
    d->variables = arena_alloc(r->arena, (children_count(all, NULL) + 1) * sizeof *d->variables);
    for (const xml_node *n = all->child; n; n = n->next) {
        status st = OK;
        bool known = false;
        for (variable_kind k = 0; k < VARIABLE_KINDS && !known; k++) {
            const char *element = kind_element(k, d->version);
            const xml_node *typed = !element[0]                     ? NULL
                                    : d->version == 2               ? xml_child(n, element)
                                    : strcmp(n->name, element) == 0 ? n
                                                                    : NULL;
            known = typed != NULL;
            if (known)
                st = variable_read(r, n, typed, k);
        }
        if (st != OK)
            return st;
        if (!known && d->version == 2)
            return refuse(r, n, "a variable has no type");
    }
    qsort(d->variables, d->variable_count, sizeof *d->variables, by_name);
    for (size_t i = 1; i < d->variable_count; i++)
        if (strcmp(d->variables[i - 1].name, d->variables[i].name) == 0)
            return refuse(r, all,
                          arena_format(r->arena, "two variables are called %s",
                                       quoted(r, d->variables[i].name)));
    return OK;
}

status fmi_description_read(arena *a, const char *file, const char *text, size_t length,
                            fmi_description *out, error *err) {
    static const xml_limits limits = {.depth = 64,
                                      .elements = 1000000,
                                      .bytes = (size_t)64 << 20,
                                      .file_is = "a model description"};
    errors list = {0};
    fmi_description d = {0};
    reading r = {.arena = a, .file = file, .d = &d, .err = err};
    status st = OK;
    r.root = xml_read(a, file, text, length, &limits, &list);
    if (!r.root) {
        st = E_INPUT;
        if (err && list.count > 0)
            *err = list.items[0];
        goto done;
    }
    st = interface_read(&r);
    if (st == OK)
        st = units_read(&r);
    if (st == OK) {
        types_read(&r);
        st = variables_read(&r);
    }
    if (st == OK)
        *out = d;
done:
    errors_finish(&list);
    return st;
}

const fmi_variable *fmi_variable_find(const fmi_description *d, const char *name) {
    const fmi_variable key = {.name = name};
    return d->variable_count == 0
               ? NULL
               : bsearch(&key, d->variables, d->variable_count, sizeof *d->variables, by_name);
}

bool fmi_unit_read(const char *text, int exponents[UNIT_BASES]) {
    static const struct {
        const char *name;
        int exponents[UNIT_BASES];
    } derived[] = {{"1", {0}},        {"N", {1, 1, -2}},   {"J", {1, 2, -2}},
                   {"W", {1, 2, -3}}, {"Pa", {1, -1, -2}}, {"Hz", {0, 0, -1}}};
    int sum[UNIT_BASES] = {0};
    for (int sign = 1;; text++) {
        size_t n = strcspn(text, "0123456789-./");
        n += n == 0 && text[0] == '1';
        int power = 1, one[UNIT_BASES] = {0};
        bool known = false;
        for (int i = 0; i < UNIT_BASES && !known; i++) {
            known = strlen(BASES[i]) == n && strncmp(BASES[i], text, n) == 0;
            one[i] = known;
        }
        for (size_t i = 0; i < sizeof derived / sizeof *derived && !known; i++) {
            known = strlen(derived[i].name) == n && strncmp(derived[i].name, text, n) == 0;
            if (known)
                memcpy(one, derived[i].exponents, sizeof one);
        }
        text += n;
        size_t digits = strcspn(text, "./");
        int64_t number;
        if (!known || digits > 3)
            return false;
        if (digits > 0) {
            if (!number_parse_integer(text, digits, &number))
                return false;
            power = (int)number;
        }
        text += digits;
        for (int i = 0; i < UNIT_BASES; i++) {
            sum[i] += sign * power * one[i];
            if (abs(sum[i]) > EXPONENT_MAX)
                return false;
        }
        if (!*text)
            break;
        sign = *text == '/' ? -1 : 1;
    }
    memcpy(exponents, sum, sizeof sum);
    return true;
}

const char *fmi_unit_write(arena *a, const int exponents[UNIT_BASES]) {
    const char *text = "";
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < UNIT_BASES; i++) {
            int power = sign * exponents[i];
            if (power <= 0)
                continue;
            const char *joint = sign < 0 ? (*text ? "/" : "1/") : (*text ? "." : "");
            text = power == 1 ? arena_format(a, "%s%s%s", text, joint, BASES[i])
                              : arena_format(a, "%s%s%s%d", text, joint, BASES[i], power);
        }
    return *text ? text : "1";
}
