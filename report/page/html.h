// report/page/html.h - a diagnosis as one HTML file: the story, a timeline, beliefs beside truth,
// pictures of the scene, and the proof of every number. Neither a network nor scripts are needed to
// read it. And the page of an episode, which plays it.
#ifndef FORESEE_REPORT_HTML_H
#define FORESEE_REPORT_HTML_H

#include "report/diagnosis/diagnosis.h"

// Writes the page. `a` is open on the episode that was diagnosed, and is asked for proofs,
// intervals and the scene; NULL: the log has no episode. `rules` is the folder of rule files, which
// say what was believed. A picture that cannot be drawn and a proof that cannot be made are left
// out.
status html_write(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err);
// Writes the page with pictures of `share` of their usual width and height, since drawing takes
// most of its time.
status html_write_scaled(ask *a, diagnosis *d, const char *rules, double share, text_buffer *out,
                         error *err);

// An episode that was diagnosed, and the questions that it is open to. Borrowed.
typedef struct html_episode {
    ask *ask;
    diagnosis *d;
} html_episode;
// Writes the page of an episode: the scene, which plays, over the page of its diagnosis. A second
// episode plays beside it. The page needs no network; what it plays needs scripts and WebGL.
status html_view(const html_episode *episodes, size_t count, const char *rules, text_buffer *out,
                 error *err);

#endif
