// scene/robot/urdf_int.h - a URDF file while it is read.
#ifndef FORESEE_SCENE_ROBOT_URDF_INT_H
#define FORESEE_SCENE_ROBOT_URDF_INT_H

#include "scene/robot/robot_int.h"
#include "scene/xml/xml.h"

// Reads a file and keeps its text as a source of `kind`. Nodes live in the arena. Mistakes go to
// the list, and NULL is returned.
xml_node *urdf_read(loading *l, const char *path, const char *kind);

typedef struct piece { // the mass of a rigid part, in the frame it was added in
    double mass;
    vec3 com;
    mat3 inertia; // about the centre
} piece;

typedef struct ulink {
    const xml_node *node;
    const char *name;
    piece mass;
    const ynode *massless; // the place of a mass of 0 beside an inertia
    const shape *shapes;
    size_t shape_count;
    int64_t mover; // joint, -1: none
    int visited;
} ulink;

typedef struct ujoint {
    const xml_node *node;
    raw_joint raw;
    size_t parent, child;
    bool fixed, continuous;
    const xml_node *mimic; // NULL: moves by itself
    // Of a mimic, once all are read: the joint that leads it in the end, or that none does.
    const char *lead_name;
    double lead_ratio, lead_offset;
    bool stuck;
    bool loose; // floating or planar: fine on the root alone
} ujoint;

typedef struct counted { // elements that are not read, by name
    const char *name;
    const ynode *first;
    size_t count;
} counted;

typedef struct building {
    robot_parts *r;
    loading *l;
    ARRAY(ulink) links;
    ARRAY(ujoint) joints;
    ARRAY(counted) ignored;
    ARRAY(piece) masses; // of r->links
    ARRAY(shape_list) shapes;
    const char *base_name; // what the URDF's own link `base` is called, since link 0 is `base`
    ARRAY(const ynode *) massless; // where a part of the link has a mass of 0 beside an inertia
    const ynode *without, *packages;
    bool skip_meshes;
    size_t skipped_meshes;
    const ynode *first_skipped;
} building;

// Values of attributes; each reports its mistakes and then returns false. Absent ones leave *out.
bool urdf_numbers(building *b, const xml_node *n, const char *key, quantity q, double *out,
                  size_t count);
bool urdf_origin(building *b, const xml_node *parent, pose *out);
const char *urdf_name(building *b, const xml_node *n); // NULL: has none that can be
// Counts an element that is not read.
void urdf_ignore(building *b, const xml_node *n);
void urdf_read_link(building *b, const xml_node *n);
// Adds the mass of a part that stands at `at` of the whole.
void urdf_add(piece *to, const piece *p, pose at);
// A mass as of shapes of little density, or of a ball of 2 cm where there are none; `mass` 0: it is
// guessed, too.
piece urdf_guess(const ulink *k, double mass);

#endif
