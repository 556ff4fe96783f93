// report/page/batch_page.h - a batch as one HTML file, for who did not run it: the verdict, the
// plans, what one mends and breaks in the place of another, and every sample. It needs no network
// and no script.
#ifndef FORESEE_REPORT_BATCH_PAGE_H
#define FORESEE_REPORT_BATCH_PAGE_H

#include "report/batch/batch_report.h"

// Writes the page. Episodes that bear witness are linked where `b->pages` says that their pages
// are.
void batch_page(const batch_report *b, text_buffer *out);
// Gives the episodes that the page links to, each once, in order. The caller frees the array.
int64_t *batch_page_episodes(const batch_report *b, size_t *count);

#endif
