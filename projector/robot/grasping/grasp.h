// projector/robot/grasping/grasp.h - how hands take hold of things, how hard, and where things can
// be put.
#ifndef FORESEE_PROJECTOR_ROBOT_GRASPING_GRASP_H
#define FORESEE_PROJECTOR_ROBOT_GRASPING_GRASP_H

#include "projector/robot/mind.h"

typedef struct held {      // in a hand
    const body_type *kind; // NULL: nothing
    pose in_hand;
    const char *name;
} held;

typedef struct grasp_pose {
    pose tool;    // in the map
    pose in_hand; // of the object, in the tool's frame
    double opening;
    const grasp_way *way; // of the type
} grasp_pose;
enum { GRASPS_MAX = 64, PLACES_MAX = 96 };
// Ways to take an object as it is believed to be, in the order of its type; 0 where its type says
// none. `kinds`: bits 1 << grasp_kind and GRASP_RIM, 0 for all that one hand can do; GRASP_PAIRS:
// those for two hands; GRASP_ANY: both. From above and from the side only what stands upright can
// be taken. From above over the whole width is 1 << GRASP_TOP, at a wall (radius > 0) GRASP_RIM.
enum { GRASP_RIM = 1 << 7, GRASP_PAIRS = 1 << 8, GRASP_ANY = 1 << 9 };
size_t grasp_candidates(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                        grasp_pose out[GRASPS_MAX]);
// Of two handles the one that falls to this arm with the base at `base`, the left hand taking the
// left one; 0: it has no such handles, or the robot no two arms.
size_t grasp_of_pair(const mind *m, const believed_object *o, pose base, size_t arm,
                     grasp_pose out[GRASPS_MAX]);
// From the side, with the hand between the object and who stands far behind it, no arm comes.
bool grasp_from_behind(const grasp_pose *g, vec3 base);
// The bits of top, rim, side, handle, or a list of them; no term, or any: 0. False: none of these.
bool grasp_kinds(const term *t, unsigned *out);
// How far the fingers open to take it: as the way asks for before which (or about which) the tool
// stands, else as the widest of these ways does; negative: no way.
double grasp_opening(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                     pose tool);
// Back along the tool's own approach.
pose grasp_before(pose tool, double distance);
// The one whose tool is nearest to `tool`; NULL: all are elsewhere (15 cm, or turned likewise).
const grasp_pose *grasp_nearest(const grasp_pose *all, size_t count, pose tool);
// Whether it is a door or a drawer, which no hand can lift.
bool grasp_jointed(const mind *m, const believed_object *o);
// What stands on an object, directly or on one another.
typedef struct load {
    size_t count;
    double mass;
    vec3 com; // in the carrier's frame
} load;
load load_on(const mind *m, const believed_object *carrier);
bool rides_on(const mind *m, const believed_object *o, const char *carrier);
// Force F between the pads that holds an object, with what stands on it (may be NULL), at a hand
// acceleration `a`, m/s^2. With M the mass (half for each of two hands), g gravity, mu the believed
// friction, w x h the patch where pads and object meet, and c the centre of mass from the tool (for
// two hands: from the line between them), whose moment M g c has the components about the tool's
// axes x, y, z:
//   slide = M (g + a) / (2 mu)           both pads keep it from sliding
//   spin  = |y| / (2 mu rho)             and from turning about the line between them, with
//                                        rho = sqrt(w^2 + h^2) / 4, the lever of the patch
//   turn  = max(2 |x| / h, 2 |z| / w)    leverage on one pad's edge against the other's
//   F     = 1.5 max(slide + spin, turn), at least 5 N and at most what the gripper can
// `way` NULL: the first of its type.
double grasp_force(const mind *m, const body_type *kind, const grasp_way *way, const load *riders,
                   size_t arm, double a);
// The hand's acceleration at which what stands on something held surely does not slide, m/s^2;
// infinity: nothing does. Things are taken to rub with 0.3 on one another, half of which is left.
double riders_acceleration(const mind *m);
// How the object stands in the hand once the fingers have closed: as believed, but centred between
// the pads.
pose grasp_settled(const mind *m, const believed_object *o, size_t arm, pose tool);
typedef struct place_pose {
    pose object, tool; // in the map, when it is let go
    double turn;       // an order of preference
    size_t rank;
} place_pose;
// Where in a place what is held could stand: free spots and turns, the middle first.
size_t place_candidates(const mind *m, const believed_place *place, const held *h, place_pose *out,
                        size_t most);
// How much higher than with its lowest point at the height of a movable support's surface what is
// held must be, at the object's pose, to stand on that support: on its rim, say. m; 0 on furniture.
double rest_height(const mind *m, const char *support, const held *h, pose object);
// at(X, Y, Yaw, Support) of a place.
void place_text(const believed_place *place, pose at, char *out, size_t size);
// The known body that lies over or in the place, so that nothing can be put there from above; NULL:
// none.
const char *place_blocker(const mind *m, const believed_place *place, const held *h, pose object);

#endif
