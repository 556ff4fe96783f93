// cli/runs/fingerprint.h - whether an episode can be had again byte for byte.
#ifndef FORESEE_CLI_FINGERPRINT_H
#define FORESEE_CLI_FINGERPRINT_H

#include <stdint.h>

// Warns on standard error where what decides the bits of the episode (projector/fingerprint.h) is
// otherwise here than it was when the episode was projected, naming what differs.
void fingerprint_warn(const char *log, int64_t episode);

#endif
