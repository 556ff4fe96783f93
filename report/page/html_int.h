// report/page/html_int.h - the page that is being written, for the files that write its parts.
#ifndef FORESEE_REPORT_HTML_INT_H
#define FORESEE_REPORT_HTML_INT_H

#include "base/symtab.h"
#include "report/diagnosis/diagnosis_int.h"
#include "report/page/html.h"

// Bytes of the page up to which its parts may grow: beyond the first bound flaws are told in few
// words, beyond the second bars of the timeline are left out, beyond the third tasks. So the page
// stays under 3 MB.
#define HTML_STORY_MAX ((size_t)1600 << 10)
#define HTML_LANES_MAX ((size_t)2200 << 10)
#define HTML_TASKS_MAX ((size_t)2800 << 10)

typedef struct html_page {
    ask *ask; // NULL: the log holds no episode
    diagnosis *d;
    const char *rules;
    text_buffer *out;
    error *err;
    arena *arena;
    symtab *movable;                   // names of bodies that can be moved
    double picture_share;              // share of the usual width and height of pictures
    size_t picture_bytes, proof_bytes; // bytes that pictures and proofs have taken
    const html_episode *plays;         // the episodes that the page plays; NULL: none
    size_t plays_count;
} html_page;

// The pieces of page.html.
typedef enum html_part {
#define PART(name, text) HTML_##name,
#include "report/page/page.def"
} html_part;

// ---- Text (html_text.c)
// Writes a piece of page.html up to its first `{>}`, where it has one. Behind the piece come the
// names of its slots, each with the text that fills it (escaped; NULL: nothing), and then NULL.
void html_fill(html_page *p, html_part part, ...) __attribute__((sentinel));
// Writes what stands in the piece between its n-th `{>}` (from 1) and the next, or its end.
void html_fill_rest(html_page *p, html_part part, int n, ...) __attribute__((sentinel));
void html_style(text_buffer *out);       // writes page.css
void html_script(text_buffer *out);      // writes page.js
void html_view_style(text_buffer *out);  // writes view.css
void html_view_script(text_buffer *out); // writes view.js

const char *html_shell_word(html_page *p, const char *word); // the word as one of a shell line

// ---- Parts of the page
// Proves a flaw and its evidence, in the order that words_evidence gives. What cannot be proved has
// no proof on the page. (proof.c)
typedef struct html_proof html_proof;
html_proof *proof_make(html_page *p, const flaw *f, const flaw_evidence *const *order,
                       size_t count);
void proof_put_flaw(html_page *p, html_proof *proof);
void proof_put_evidence(html_page *p, html_proof *proof, size_t i);

// ---- The timeline, from left to right (lanes.c)
typedef struct html_lane {
    html_page *page;
    int height; // px
} html_lane;
void lane_bar(html_lane *l, nanos start, nanos end, const char *class, const char *text);
void lanes_axis(html_page *p);
void lanes_guides(html_page *p); // lines where root flaws begin
// Writes the timeline: the flaws; and for each body that they are about its events, and what it
// stood on, which hand held it and when it was seen, in truth and in belief.
void lanes_put(html_page *p);

status tasks_put(html_page *p);              // (tasks.c)
void scene_put(html_page *p, const flaw *f); // (scene.c)

// Playing (playing.c): the scenes with what steers them; the chart of tasks; and at the
// page's end the episodes themselves, with the scripts.
void stage_put(html_page *p);
void flame_put(html_page *p);
status player_put(html_page *p);

#endif
