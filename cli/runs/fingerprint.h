// cli/runs/fingerprint.h - tells whether a re-run can give an episode byte for byte.
#ifndef FORESEE_CLI_FINGERPRINT_H
#define FORESEE_CLI_FINGERPRINT_H

#include <stdint.h>

// Warns on standard error if the build, the libraries or the processor (projector/fingerprint.h)
// differ from those that projected the episode, and names the difference.
void fingerprint_warn(const char *log, int64_t episode);

#endif
