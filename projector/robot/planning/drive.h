// projector/robot/planning/drive.h - the room that the base has (base_map.c), and paths of the base
// (drive.c).
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_DRIVE_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_DRIVE_H

#include "projector/robot/kinematics/miss.h"
#include "projector/robot/kinematics/trajectory.h"
#include "projector/robot/mind.h"

// ---- Clearance ----------------------------------------------------------------------------------
// Distance from a point of the plane to the nearest body, known or believed, or another robot that
// stands, m; *owner (may be NULL): whose it is (collision_scene.h).
double base_clearance(const mind *m, double x, double y, int *owner);
double base_clearance_least(const mind *m); // what the base keeps, m
// Keeps as a miss that the base's middle comes so near to an object, where it keeps `least`.
void base_miss(const mind *m, double clear, double least, int owner, double left, miss *nearest);

// Distances to obstacles on a grid of the plane.
#define BASE_MAP_CELL 0.05 // m
#define BASE_MAP_FAR 5.0f  // m; larger distances are not told apart
typedef struct base_map {
    double x0, y0; // centre of cell (0, 0)
    int nx, ny;
    float *known;    // distance to the nearest known body, by cell
    float *distance; // with believed objects besides; refreshed for each plan
} base_map;
base_map *base_map_create(const mind *m);
void base_map_refresh(base_map *b, const mind *m);
void base_map_destroy(base_map *b);
int base_map_cell(const base_map *b, vec3 p); // of a point; -1: it is outside
double base_map_x(const base_map *b, int i);
double base_map_y(const base_map *b, int k);
// The least clearance along a line, sampled on the grid; -1: it leaves the map.
double base_map_line(const base_map *b, vec3 p, vec3 q);

// ---- Driving ------------------------------------------------------------------------------------
// A path of x, y, yaw knots; false: none, and *blocker names what is in the way; the closest miss
// goes to *nearest (may be NULL). `thorough`: where no heading along the shortest path is free,
// positions and headings are searched together, which takes as long as a hundred other plans.
// *kept (may be NULL): what arms and what they hold keep from things all along, m.
bool drive_plan(mind *m, pose from, pose to, bool thorough, trajectory *out, double *kept,
                char blocker[64], miss *nearest);
// One standard deviation of how far odometry has drifted after a way, m.
double drive_drift(const mind *m, double length);
// How far along a path odometry can be relied on, m: up to where the room that is left beside base
// and arms is less than one and a half standard deviations of what it drifts; INFINITY: to its end.
double drive_reliance(const mind *m, const trajectory *path);

#endif
