// projector/robot/grasping/grasp.h - the ways in which a hand can take hold of an object, and how
// hard it must.
#ifndef FORESEE_PROJECTOR_ROBOT_GRASPING_GRASP_H
#define FORESEE_PROJECTOR_ROBOT_GRASPING_GRASP_H

#include "projector/robot/grasping/hands.h"

typedef struct grasp_pose {
    pose tool;            // in the map
    pose in_hand;         // of the object, in the tool's frame
    double opening;       // m between the pads when they go about it
    const grasp_way *way; // of the object's type
} grasp_pose;
enum { GRASPS_MAX = 64 };

// Fills `out` with the grasps of an object where it is believed to be, in the order in which its
// type lists them, and returns how many there are. `kinds` selects: bits 1 << grasp_kind and
// GRASP_RIM; 0: all that one hand can do; GRASP_PAIRS: those for two hands; GRASP_ANY: both.
// 1 << GRASP_TOP is from above over the whole width, GRASP_RIM from above at a wall (radius > 0).
// From above and from the side only an upright object can be taken.
enum { GRASP_RIM = 1 << 7, GRASP_PAIRS = 1 << 8, GRASP_ANY = 1 << 9 };
size_t grasp_candidates(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                        grasp_pose out[GRASPS_MAX]);
// Returns the least width, in m, at which an object would have to be taken, where every way that
// `kinds` selects is too wide for the arm's hand; 0: some way is not, or there is none.
double grasp_too_wide(const mind *m, const believed_object *o, size_t arm, unsigned kinds);
// Says why an arm's hand can take an object in none of these ways: it is too wide, it leans too
// far, or its type has no such grasp.
void grasp_none(const mind *m, const believed_object *o, size_t arm, unsigned kinds, char *out,
                size_t size);
// Of an object's two handles, the grasps of the handle that falls to this arm with the base at
// `base`: the left hand takes the left one. 0: it has no such handles, or the robot has one arm.
size_t grasp_of_pair(const mind *m, const believed_object *o, pose base, size_t arm,
                     grasp_pose out[GRASPS_MAX]);
// Whether a grasp from the side comes from the far side of the object, seen from `base`, where no
// arm reaches round.
bool grasp_from_behind(const grasp_pose *g, vec3 base);
// Kinds of grasps by the names that plans have for them, in the order in which they are preferred.
typedef struct grasp_name {
    const char *name;
    unsigned bit;
} grasp_name;
enum { GRASP_NAMES = 4 };
extern const grasp_name grasp_names[GRASP_NAMES];
// Reads one of these names, or a list of them, as bits; no term or `any` gives 0. False: the
// term is none of these.
bool grasp_kinds(const term *t, unsigned *out);
// How far the fingers open to take an object, m: as the grasp asks for whose tool pose, or approach
// to it, `tool` is at; elsewhere as the widest grasp asks for. Negative: it has no grasp.
double grasp_opening(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                     pose tool);
// A tool pose moved back by `distance` along its own approach.
pose grasp_before(pose tool, double distance);
// The grasp whose tool pose is nearest to `tool`; NULL: none is within 15 cm (or turned as far).
const grasp_pose *grasp_nearest(const grasp_pose *all, size_t count, pose tool);
// Whether the object is a door or a drawer, which no hand can lift.
bool grasp_jointed(const mind *m, const believed_object *o);
// The pose in the hand of an object once the fingers have closed: as believed, but centred between
// the pads.
pose grasp_settled(const mind *m, const believed_object *o, size_t arm, pose tool);
// The opening with which a hand lets go of what it holds, or would hold, m.
double grasp_release(const mind *m, size_t arm, const held *h);
// The orientation of a hand that points straight down, its fingers opening along `yaw`.
quat hand_pointing_down(double yaw);

// ---- Force --------------------------------------------------------------------------------------
// The objects that stand on a carrier, directly or on one another.
typedef struct load {
    size_t count;
    double mass;
    vec3 com; // in the carrier's frame
} load;
load load_on(const mind *m, const believed_object *carrier);
// Whether an object stands on the carrier, directly or on others.
bool rides_on(const mind *m, const believed_object *o, const char *carrier);
// Force F between the pads that holds an object, with what stands on it (may be NULL), at a hand
// acceleration `a`, m/s^2. With M the mass (half for each of two hands), g gravity, mu the believed
// friction, w x h the patch where pads and object meet, and c the centre of mass from the tool (for
// two hands: from the line between them), whose moment M g c has the components x, y, z about the
// tool's axes:
//   slide = M (g + a) / (2 mu)           both pads keep it from sliding
//   spin  = |y| / (2 mu rho)             and from turning about the line between them, with
//                                        rho = sqrt(w^2 + h^2) / 4, the lever of the patch
//   turn  = max(2 |x| / h, 2 |z| / w)    leverage on one pad's edge against the other's
//   F     = 1.5 max(slide + spin, turn), at least 5 N and at most what the gripper can
// `way` NULL: the first of its type.
double grasp_force(const mind *m, const body_type *kind, const grasp_way *way, const load *riders,
                   size_t arm, double a);
// The hand's acceleration up to which objects that stand on a held one do not slide, m/s^2;
// infinity: no held object carries any. The friction between objects is taken to be 0.3, of which
// half is kept in reserve.
double riders_acceleration(const mind *m);

#endif
