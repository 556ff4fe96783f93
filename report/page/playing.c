// report/view/view.c - what a page plays: its places on the page, and the episodes with the
// scripts.
#include "report/page/html_int.h"
#include "report/view/library.h"
#include "report/view/playback.h"

static const char *title_of(const diagnosis *d) {
    return d->plan ? d->plan : d->log;
}

void stage_put(html_page *p) {
    html_fill(p, HTML_STAGE, NULL);
    for (size_t i = 0; i < p->plays_count; i++) {
        const diagnosis *d = p->plays[i].d;
        html_fill(p, HTML_PLAYER, "title", title_of(d), "episode",
                  arena_format(p->arena, "seed %lld, episode %lld of %s, %s", (long long)d->seed,
                               (long long)d->episode, d->log, d->outcome),
                  NULL);
    }
    html_fill_rest(p, HTML_STAGE, 1, NULL);
    if (p->plays_count > 1)
        html_fill(p, HTML_ALIGN, NULL);
    html_fill_rest(
        p, HTML_STAGE, 2, "note",
        p->plays_count > 1
            ? "The diagnosis, the lanes and the tasks below are those of the first episode."
            : NULL,
        NULL);
}

void flame_put(html_page *p) {
    html_fill(p, HTML_FLAME, NULL);
    lanes_axis(p);
    html_fill_rest(p, HTML_FLAME, 1, NULL);
}

static void put_script(html_page *p, const char *text) {
    html_fill(p, HTML_SCRIPT, NULL);
    text_put(p->out, text);
    html_fill_rest(p, HTML_SCRIPT, 1, NULL);
}

// Returns how many bytes the motions of one episode may take, so that a page of some minutes stays
// small, and that of hours can be opened.
static size_t room_for(const diagnosis *d, size_t episodes) {
    double minutes = seconds(d->end) / 60;
    double megabytes = minutes < 2 ? 1.6 : minutes > 30 ? 13 : 1.6 + 11.4 * (minutes - 2) / 28;
    return (size_t)(megabytes / (double)episodes * (1 << 20));
}

status player_put(html_page *p) {
    status st = OK;
    for (size_t i = 0; st == OK && i < p->plays_count; i++) {
        html_fill(p, HTML_EPISODE, NULL);
        st = playback_json(p->plays[i].ask, p->plays[i].d, room_for(p->plays[i].d, p->plays_count),
                           p->out, p->err);
        html_fill_rest(p, HTML_EPISODE, 1, NULL);
    }
    put_script(p, library_three);
    put_script(p, library_orbit);
    html_fill(p, HTML_SCRIPT, NULL);
    html_view_script(p->out);
    html_fill_rest(p, HTML_SCRIPT, 1, NULL);
    return st;
}
