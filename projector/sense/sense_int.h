// projector/sense/sense_int.h - the state that the sensors' files share.
#ifndef FORESEE_PROJECTOR_SENSE_SENSE_INT_H
#define FORESEE_PROJECTOR_SENSE_SENSE_INT_H

#include "base/mem.h"
#include "base/math/rng.h"
#include "projector/sense/camera.h"
#include "projector/sense/laser.h"
#include "projector/sense/pole.h"
#include "projector/sense/arm_observer.h"
#include "projector/sense/sense.h"

// The sensors' noise streams: each is keyed by the operation it serves.
typedef enum stream_id {
    STREAM_ODOMETRY,
    STREAM_CAMERA,
    STREAM_LASER,
    STREAM_HEAD,
    STREAM_TRACKER,  // serves every operation
    STREAM_DETECTOR, // likewise
    STREAM_ARMS      // four for each arm: its joints, its gripper, its wrist, its torques
} stream_id;
static inline size_t stream_of_arm(size_t arm) {
    return STREAM_ARMS + 4 * arm;
}
static inline size_t stream_of_gripper(size_t arm) {
    return STREAM_ARMS + 4 * arm + 1;
}
static inline size_t stream_of_wrist(size_t arm) {
    return STREAM_ARMS + 4 * arm + 2;
}

static inline size_t stream_of_torques(size_t arm) {
    return STREAM_ARMS + 4 * arm + 3;
}

typedef struct stream {
    unsigned uses; // the operations that it serves
    const char *sensor;
    uint64_t seed;       // the episode's, or another one's: a placebo
    rng_key key;         // of seed, sensor, the operation's static path and its occurrence
    uint64_t occurrence; // readings since the operation began
    int64_t operation;   // log id; 0 between operations
} stream;

typedef struct queued {
    reading reading;
    double *numbers; // positions and velocities, ranges
    percept *percepts;
} queued;

// How a body stands to the camera, as the log has it.
typedef enum view_state { VIEW_OUT, VIEW_VISIBLE, VIEW_OCCLUDED, VIEW_FAR } view_state;
typedef struct view {
    int64_t row; // of VISIBILITY, 0: VIEW_OUT
    view_state state;
    size_t blocker; // entity that hid most of it when the row was put; SIZE_MAX: none
} view;

// Something found in the frame that is being taken.
typedef struct find {
    percept percept;
    size_t entity; // what it truly is; SIZE_MAX: nothing
    bool confused;
    double bearing;
} find;

// One arm's wrist between two readings.
typedef struct wrist_state {
    nanos due;
    double sum[6]; // of the steps since the last reading
    double steps;
    double logged[6];
    double mass; // of the hand
    vec3 com;    // of it, flange's frame
} wrist_state;

// Who says what contacts do to an arm.
typedef enum wrench_source {
    WRENCH_TRUE,
    WRENCH_OBSERVER,
    WRENCH_DIRECT,
    WRENCH_SOURCES
} wrench_source;

// One arm's joint torques between two readings: sums over the steps since the last.
typedef struct torque_state {
    nanos due, last;                                 // reading, step
    arm_observer *observer;                          // NULL: no such sensors
    double torque[ARM_JOINTS_MAX];                   // as measured, noisy
    double external[WRENCH_SOURCES][ARM_JOINTS_MAX]; // by contacts, as estimated
    double contacts[6];                              // true force and moment
    double steps;
    double logged[ARM_JOINTS_MAX], logged_wrench[WRENCH_SOURCES][6];
} torque_state;

// What a tracker last told of a marker.
typedef struct tracked_marker {
    bool seen; // its last reading was not lost
    pose logged;
} tracked_marker;

// What a detector last told of another robot.
typedef struct detected_robot {
    bool seen; // its last reading was not lost
    double logged[3];
} detected_robot;

struct sense {
    sense_setup setup;
    sim_part own;
    ray_scene rays;
    bool camera_on, laser_on;
    nanos camera_due, laser_due, odometry_due, encoders_due, grippers_due, tracker_due,
        detector_due, clearances_due;
    nanos odometry_last, encoders_last;
    double odometry_untold[3]; // the way that it read since its last row of the log: m, m, rad
    nanos odometry_told;       // when that row was put
    pose last_base;            // at the last odometry reading
    double twist[3];           // smoothed velocity of the last odometry reading
    double *joints;            // positions of the last encoder reading, then smoothed velocities
    bool moved;                // there was an encoder reading
    pose *links;               // from the base, by the joints as read at links_at
    nanos links_at;
    stream *streams; // by stream_id
    size_t stream_count;
    ARRAY(queued) queue; // ordered by delivery
    queued given;        // what sense_next gave last; freed at the next call
    view *views;         // by body
    size_t open_views;   // of them, those with a row
    size_t *reported;    // the bodies that the camera looks for
    size_t reported_count;
    const body_type **catalogue; // the types that something which moves can be taken for
    size_t catalogue_count;
    find *finds; // scratch of one frame
    size_t find_count;
    double *logged; // encoder positions as last logged
    double *logged_gripper;
    tracked_marker *markers;  // that the tracker sees: the robot's own, then those of its peers
    detected_robot *detected; // by peer
    wrist_state *wrists;      // by arm
    torque_state *torques;    // by arm
    double *clearances;       // by arm, as last logged; NAN: not since it keeps a margin
    double *finely;           // positions of joints, as read in the step for an observer
    sense_peer *peers;
    int64_t *grippers, *wrist_objects; // their log ids, by arm
    double *scan;
    const body_type *sought; // the pole that the laser's driver looks for; NULL: none
    double sought_diameter;
    pose sought_at; // in the base's frame
    arena *text;    // of one record's numbers
};

// Takes over what the reading points to.
void sense_enqueue(sense *s, queued q);
// The READING record; `st` NULL for encoders, which serve every operation; value NULL for camera
// frames.
status sense_log_reading(sense *s, reading *r, const char *kind, int64_t sensor, const stream *st,
                         const char *value, error *err);
// Numbers of a sensor with this many decimals, as a list term's text; valid until the next call.
const char *sense_numbers_text(sense *s, const double *v, size_t count, int decimals);
// Returns the value as a sensor of this resolution reports it.
double sense_quantise(double v, double resolution);

// sense_body.c: what the robot feels of itself. sense_encoders and sense_odometry know when they
// were last called.
void wrist_states_init(sense *s);
status sense_encoders(sense *s, nanos t, error *err);
status sense_grippers(sense *s, nanos t, error *err);
status sense_odometry(sense *s, nanos t, error *err);
// The wrist's force and torque are means over the steps since its last reading.
void sense_wrist_step(sense *s, size_t arm);
status sense_wrist(sense *s, size_t arm, nanos t, error *err);

static const double ENCODER_RESOLUTION = 1e-5; // rad or m
// sense_torques.c: the torques of the joints of an arm that has such sensors, in each step and as
// means over the steps since its last reading.
void torque_states_init(sense *s);
void torque_states_finish(sense *s);
void sense_torques_step(sense *s, size_t arm, nanos t);
status sense_torques(sense *s, size_t arm, nanos t, error *err);

// sense_clearance.c: once in a cycle.
status sense_clearance(sense *s, size_t arm, nanos t, error *err);

// sense_view.c: what it sees.
status sense_laser(sense *s, nanos t, error *err);
status sense_camera(sense *s, nanos t, error *err);
// sense_tracker.c: what sees the robot.
status sense_tracker(sense *s, nanos t, error *err);
// sense_detector.c: which other robots it recognises.
status sense_detector(sense *s, nanos t, error *err);
status sense_close_views(sense *s, nanos t, error *err);

enum { GHOSTS_MAX = 32 }; // in one frame

#endif
