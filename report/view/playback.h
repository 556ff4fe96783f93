// report/view/playback.h - what a page needs to play an episode: what is there and how it moved,
// what the robot believed, which forces acted, which tasks ran, and where flaws begin.
#ifndef FORESEE_REPORT_PLAYBACK_H
#define FORESEE_REPORT_PLAYBACK_H

#include "report/diagnosis/diagnosis.h"

// Appends a JSON object without `<`, so that a page can hold it in a script element. Motion is
// thinned until all of it takes at most `most` bytes; the object's `within` says how far it may be
// off, in metres. What is believed and cannot be asked is left out.
status playback_json(ask *a, const diagnosis *d, size_t most, text_buffer *out, error *err);

#endif
