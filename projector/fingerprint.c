// projector/fingerprint.c - the parts of a fingerprint, from the compiler, the loader and the
// processor.
#include "projector/fingerprint.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>

#include "base/hash.h"
#include "projector/fingerprint_sources.h"

// Libraries whose functions reach the numbers of a log: parsing them, and computing with them.
static const char *const computing[] = {"libc", "libm", "libode", "libccd"};
enum { COMPUTING = sizeof computing / sizeof *computing };

typedef struct parts {
    arena *memory;
    fingerprint_part items[COMPUTING + 8];
    size_t count;
} parts;

static void parts_add(parts *p, const char *name, const char *value) {
    p->items[p->count++] = (fingerprint_part){name, value};
}

// ---- Libraries --------------------------------------------------------------------------------

typedef struct loaded {
    arena *memory;
    const char *ids[COMPUTING]; // build-ids, as hexadecimal numbers; NULL: not found
} loaded;

// Which of the computing libraries /usr/lib/libm.so.6 is; COMPUTING: none.
static size_t which_library(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t i = 0;
    while (i < COMPUTING) {
        size_t length = strlen(computing[i]);
        if (strncmp(name, computing[i], length) == 0 &&
            (strncmp(name + length, ".so", 3) == 0 || name[length] == '-'))
            break;
        i++;
    }
    return i;
}

// The number that the linker gave a library, its first 16 digits: of its contents, not of its
// place.
static const char *build_id(arena *memory, const struct dl_phdr_info *info, const ElfW(Phdr) * at) {
    const char *bytes = (const char *)(info->dlpi_addr + at->p_vaddr);
    for (size_t i = 0; i + sizeof(ElfW(Nhdr)) <= at->p_memsz;) {
        ElfW(Nhdr) note;
        memcpy(&note, bytes + i, sizeof note);
        size_t name = i + sizeof note, value = name + ((note.n_namesz + 3u) & ~3u);
        size_t end = value + ((note.n_descsz + 3u) & ~3u);
        if (end > at->p_memsz)
            return NULL;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(bytes + name, "GNU", 4) == 0) {
            size_t length = note.n_descsz < 8 ? note.n_descsz : 8;
            char *text = arena_alloc(memory, 2 * length + 1);
            for (size_t k = 0; k < length; k++)
                snprintf(text + 2 * k, 3, "%02x", (unsigned)(unsigned char)bytes[value + k]);
            return text;
        }
        i = end;
    }
    return NULL;
}

static int take_library(struct dl_phdr_info *info, size_t size, void *context) {
    loaded *l = context;
    size_t which = which_library(info->dlpi_name);
    (void)size;
    for (int i = 0; which < COMPUTING && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE && !l->ids[which])
            l->ids[which] = build_id(l->memory, info, &info->dlpi_phdr[i]);
    return 0;
}

static void add_libraries(parts *p) {
    loaded l = {.memory = p->memory};
    dl_iterate_phdr(take_library, &l);
    for (size_t i = 0; i < COMPUTING; i++) {
        const char *id = l.ids[i] ? l.ids[i] : "not known";
        if (i == 0)
            id = arena_format(p->memory, "glibc %s, %s", gnu_get_libc_version(), id);
        parts_add(p, computing[i], id);
    }
}

// ---- Processor --------------------------------------------------------------------------------

// Those of its features for which the C library has functions of their own that round otherwise.
static const char *describe_processor(arena *memory) {
#if defined __x86_64__ || defined __i386__
    static const char machine[] = "x86";
    const char *text = arena_format(memory, "%s, %zu bits", machine, 8 * sizeof(void *));
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma"))
        text = arena_format(memory, "%s, FMA", text);
    if (__builtin_cpu_supports("fma4"))
        text = arena_format(memory, "%s, FMA4", text);
    if (__builtin_cpu_supports("avx2"))
        text = arena_format(memory, "%s, AVX2", text);
    return text;
#else
    return arena_format(memory, "not x86, %zu bits", 8 * sizeof(void *));
#endif
}

static uint64_t mix_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_mix(hash, bits);
}

// A hash of the values of functions that implementations may round differently, at points spread
// over the range in which a projection calls them: whatever chose the implementation, the processor
// or a setting of the loader, shows here.
static const char *describe_arithmetic(arena *memory) {
    uint64_t hash = 0;
    for (int i = 1; i <= 4000; i++) {
        volatile double x = i * 0.0023711, y = 10 - i * 0.0013377;
        hash = mix_double(hash, sin(x));
        hash = mix_double(hash, cos(x));
        hash = mix_double(hash, tan(x));
        hash = mix_double(hash, atan2(x, y));
        hash = mix_double(hash, acos(y / 10.1));
        hash = mix_double(hash, exp(-y));
        hash = mix_double(hash, log(x));
        hash = mix_double(hash, pow(x, y));
        hash = mix_double(hash, hypot(x, y));
        hash = mix_double(hash, erf(y / 5));
    }
    return arena_format(memory, "%016llx", (unsigned long long)hash);
}

// ---- Together ---------------------------------------------------------------------------------

fingerprint fingerprint_take(arena *a) {
    parts p = {.memory = a};
#ifdef __clang__
    static const char compiler[] = __VERSION__;
#else
    static const char compiler[] = "gcc " __VERSION__;
#endif
    parts_add(&p, "foresee", FORESEE_VERSION);
    parts_add(&p, "sources", FINGERPRINT_SOURCES);
    parts_add(&p, "compiler", compiler);
    parts_add(&p, "options", FORESEE_OPTIONS);
    add_libraries(&p);
    parts_add(&p, "processor", describe_processor(a));
    parts_add(&p, "arithmetic", describe_arithmetic(a));
    fingerprint_part *items = arena_alloc(a, p.count * sizeof *items);
    memcpy(items, p.items, p.count * sizeof *items);
    return (fingerprint){items, p.count};
}

static const char *value_of(const fingerprint *f, const char *name) {
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->items[i].name, name) == 0)
            return f->items[i].value;
    return NULL;
}

const char *fingerprint_difference(arena *a, const fingerprint *then, const fingerprint *now) {
    const char *text = NULL;
    for (size_t i = 0; i < now->count; i++) {
        const fingerprint_part *part = &now->items[i];
        const char *before = value_of(then, part->name);
        if (!before || strcmp(before, part->value) != 0)
            text = arena_format(a, "%s%s%s (%s then, %s now)", text ? text : "", text ? ", " : "",
                                part->name, before ? before : "not known", part->value);
    }
    return text;
}
