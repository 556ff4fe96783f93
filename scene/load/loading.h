// scene/load/loading.h - what the loaders of world and robot share.
#ifndef FORESEE_SCENE_LOAD_LOADING_H
#define FORESEE_SCENE_LOAD_LOADING_H

#include "base/files/files.h"
#include "base/yaml/yaml_read.h"
#include "scene/load/colors.h"
#include "scene/load/keys.h"
#include "scene/load/source.h"
#include "scene/shape/shape.h"

typedef ARRAY(shape) shape_list;

// Where an entry of a section that came from a part stands: its `at` is given in this frame.
typedef struct placement {
    const ynode *node;
    pose frame;
} placement;

// One file that is being read, with what it includes.
typedef struct loading {
    arena *arena;
    errors *list;
    const file_set *files; // where everything is read; NULL: the disk
    const char *base; // the folder that names of sources are given relative to; NULL: as written
    ynode *root;
    ynode *defaults; // the same with the parameters' defaults; `root` where nothing was set
    parameters *params;
    ARRAY(world_source) sources; // the file itself first
    ARRAY(const char *) paths;   // of the sources, resolved
    ARRAY(placement) placed;
} loading;

// Reads `path`, whose root has the keys of `map`, applies the settings of scope `scope` and fills
// the parameters in.
status loading_begin(loading *l, const char *path, const char *base, const char *scope,
                     file_map map, const settings *set);
// Frees what loading_begin took; nodes and texts live on in the arena.
void loading_finish(loading *l);
// Adds a file that was read to the sources, unless it is there; NULL text: `hash` stands for it.
void loading_source(loading *l, const char *kind, const char *path, const char *text,
                    size_t length);
// All files that were read, in the arena.
const world_source *loading_sources(loading *l, size_t *count);
// `file` as seen from the file that the node stands in.
const char *loading_path(const loading *l, const ynode *n, const char *file);
// The frame in which the `at` of an entry of a section is given: the world, or that of the part it
// came from.
pose loading_frame(const loading *l, const ynode *entry);

// Reads a file and what it includes as one tree: sections are merged, and where both have an entry
// of one name, the including file's stands. Every text is read once and becomes a source.
status include_read(loading *l, const char *path, const char *scope, errors *list, ynode **root);
// Puts the parts named under `use` into the sections of the tree.
void include_parts(loading *l, ynode *root, errors *list);

// The counterpart in `defaults` of entry `i` of the root's mapping `key`.
const ynode *loading_default(const loading *l, const char *key, size_t i);
// Reports what stands in the root's `key` when it is not a mapping; NULL then, and when it is
// absent.
ynode *loading_section(loading *l, const char *key);
// The name of the world or robot under `key`; reports its absence.
bool loading_name(loading *l, const char *key, const char **out);

// Readers of what both files hold. Each reports its mistakes and then returns false; an absent
// optional value (`key` of `map`) leaves *out as it is and is fine.
// The kind of a number of a file: its unit and the range it must lie in.
typedef enum quantity {
#define QUANTITY(name, unit, low, high, si) Q_##name,
#include "scene/load/quantities.def"
#undef QUANTITY
    Q_COUNT
} quantity;
// Returns whether a value, as it is written, lies in the range; the second reports that it does
// not.
bool quantity_fits(quantity q, double v);
bool quantity_check(const ynode *n, errors *list, const char *what, quantity q, double v);
// Its name in quantities.def and its unit; the range as members of a JSON Schema, from a comma on.
const char *quantity_name(quantity q);
const char *quantity_unit(quantity q);
void quantity_put_range(text_buffer *b, quantity q);
bool read_number(loading *l, const ynode *map, const char *key, quantity q, double *out);
bool read_numbers(loading *l, const ynode *n, const char *what, quantity q, double *out,
                  size_t count); // exactly so many, at most 16
bool read_vector(loading *l, const ynode *map, const char *key, quantity q, vec3 *out);
bool read_text(loading *l, const ynode *map, const char *key, const char **out);
bool read_bool(loading *l, const ynode *map, const char *key, bool *out);
// [x, y, z], or { position: [x, y, z], rpy: [r, p, y] } or { position, yaw }, in degrees.
bool read_pose(loading *l, const ynode *n, const char *what, quantity q, pose *out);
bool read_shapes(loading *l, const ynode *n, shape_list *out);
// [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]; reports what no rigid body can have.
bool read_inertia(loading *l, const ynode *n, double mass, mat3 *out);
// Lower-case letters, digits and underscores, beginning with a letter.
bool name_check(loading *l, const ynode *n, const char *what, const char *name);
// Reports that `name` is not among `names`, with the nearest one; nothing where the file declares
// it with a mistake, which was reported.
void name_unknown(loading *l, const ynode *n, const char *what, const char *name,
                  const char *const *names, size_t count);

// The name of a colour, and what it is.
bool read_color(loading *l, const ynode *map, const char *key, const char **name, vec3 *rgb);

#endif
