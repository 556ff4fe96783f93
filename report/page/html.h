// report/page/html.h - a diagnosis as one HTML file: the story, a timeline, beliefs against truth,
// pictures of the scene, and the proof of every number. It needs neither network nor scripts to be
// read.
#ifndef FORESEE_REPORT_HTML_H
#define FORESEE_REPORT_HTML_H

#include "report/diagnosis/diagnosis.h"

// `a` asks the episode that was diagnosed, for proofs and intervals, and for the scene; NULL: there
// is none. `rules`: the folder of rule files, for what was believed. Where a picture cannot be
// drawn or a proof not be made the page does without.
status html_write(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err);
// The same with pictures of `share` of their width and height: drawing them is most of its time.
status html_write_scaled(ask *a, diagnosis *d, const char *rules, double share, text_buffer *out,
                         error *err);

#endif
