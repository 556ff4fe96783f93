// projector/ensemble/foreign/mujoco.h - what is exchanged with a process that runs MuJoCo.
//
// The process finds its bodies as an MJCF model in its folder; their frames stand at their centres
// of mass. Inputs are MUJOCO_GIVEN numbers for each: how often it was handed over so far, 0 while
// somebody else answers for it; then pose and velocity (as a PORT_BODY has them), which it takes
// where the first number is another than in the step before. Outputs are pose and velocity of each;
// then MUJOCO_CONTACT numbers for each of MUJOCO_CONTACTS_EACH contacts for each body: entities
// a < b, point, normal from a to b, mean force of a on b, closing speed, depth, as sim_contact has
// them, sorted by (a, b). What comes after the last contact has an a of -1.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_MUJOCO_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_MUJOCO_H

enum {
    MUJOCO_BODY = 13,
    MUJOCO_GIVEN = 1 + MUJOCO_BODY,
    MUJOCO_CONTACT = 13,
    MUJOCO_CONTACTS_EACH = 8,
    MUJOCO_BODIES_MAX = 30, // no more variables than a page has
    MUJOCO_SUBSTEPS = 4     // of MuJoCo in a step of the physics
};
#define MUJOCO_LIBRARY "libmujoco.so.2.2.2"
#define MUJOCO_FILE "model.xml"

#endif
