// cli/commands/series.c - draws instants of an episode, one after another, from one viewpoint or
// from one that goes with a thing.
#include "cli/commands/series.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/time/times.h"
#include "cli/cli.h"
#include "cli/commands/film.h"
#include "cli/limits.h"
#include "report/picture/play.h"

enum { LOOKS_MAX = 16 }; // instants at which it is seen where things are

static nanos instant_of(const series *s, nanos until, size_t i, size_t count) {
    if (s->strip > 0)
        return count > 1
                   ? s->from + (nanos)((double)(until - s->from) * (double)i / (double)(count - 1))
                   : until;
    nanos t = s->from + nanos_from_seconds((double)i * s->speed / s->rate);
    return t < until ? t : until;
}

// Fixes what is seen, where the command line names nothing: all that the pictures are about, from
// the first instant to the last, so that the viewer stands still.
static status fix_view(const series *s, play *p, nanos until, size_t count, picture_options *o,
                       error *err) {
    vec3 low = v3(0, 0, 0), high = v3(0, 0, 0);
    size_t looks = count < LOOKS_MAX ? count : LOOKS_MAX;
    bool any = false;
    for (size_t i = 0; i < looks; i++) {
        stage seen;
        vec3 l, h;
        stage_init(&seen);
        size_t k = looks > 1 ? i * (count - 1) / (looks - 1) : 0;
        status st = play_stage(p, instant_of(s, until, k, count), false, &seen, err);
        if (st == OK && picture_bounds(seen.things.items, seen.things.count, o->whole, &l, &h)) {
            low = any ? v3_min(low, l) : l;
            high = any ? v3_max(high, h) : h;
            any = true;
        }
        stage_finish(&seen);
        if (st != OK)
            return st;
    }
    if (any) {
        o->has_to = true;
        o->to = v3_scale(v3_add(low, high), 0.5);
        o->around = v3_scale(v3_sub(high, low), 0.5);
    }
    return OK;
}

static status draw_instant(play *p, const arguments *a, nanos at, picture_options *o,
                           text_buffer *png, error *err) {
    stage now;
    stage_init(&now);
    status st = play_stage(p, at, true, &now, err);
    if (st == OK)
        st = show_view(a, &now, o, err);
    o->caption = now.caption;
    o->key = now.key.items, o->key_count = now.key.count;
    if (st == OK)
        st = picture_draw(now.things.items, now.things.count, o, png, err);
    o->caption = NULL;
    o->key = NULL, o->key_count = 0;
    stage_finish(&now);
    return st;
}

static bool holds_film(const void *context, const char *path) {
    (void)context;
    static const char webm[] = "\x1a\x45\xdf\xa3";
    static const char *const mp4[] = {"\0\0\0\x1c"
                                      "ftyp",
                                      "\0\0\0\x20"
                                      "ftyp"};
    return output_begins(path, webm, 4) || output_begins(path, mp4[0], 8) ||
           output_begins(path, mp4[1], 8);
}

static status write_bytes(const char *path, const text_buffer *bytes, const output_policy *over,
                          error *err) {
    return output_write(&(output_file){path, bytes->items, bytes->count, over}, 1, true, err);
}

static status write_strip(const series *s, play *p, const arguments *a, nanos until, size_t count,
                          picture_options *o, const output_policy *over, error *err) {
    text_buffer parts[SERIES_STRIP_MAX] = {{0}}, png = {0};
    status st = OK;
    for (size_t i = 0; i < count && st == OK; i++)
        st = draw_instant(p, a, instant_of(s, until, i, count), o, &parts[i], err);
    if (st == OK)
        st = picture_join(parts, count, &png, err);
    if (st == OK)
        st = write_bytes(s->output, &png, over, err);
    for (size_t i = 0; i < count; i++)
        text_finish(&parts[i]);
    text_finish(&png);
    return st;
}

static status write_frame(const series *s, size_t i, const text_buffer *png,
                          const output_policy *over, error *err) {
    text_buffer path = {0};
    text_add(&path, "%s%05zu.png", s->output, i + 1);
    status st = write_bytes(text_string(&path), png, over, err);
    text_finish(&path);
    return st;
}

// A film, or the pictures of one in a folder.
static status write_frames(const series *s, play *p, const arguments *a, nanos until, size_t count,
                           picture_options *o, const output_policy *over, error *err) {
    film *f = NULL;
    text_buffer bytes = {0};
    output_policy films = *over;
    films.what = "film";
    films.replaces = holds_film;
    progress shown = progress_begin(false);
    status st = s->film ? output_check(s->output, &films, err) : OK;
    if (st == OK && s->film)
        st = film_begin(s->film, s->rate, &f, err);
    else if (st == OK && mkdir(s->output, 0777) != 0 && errno != EEXIST)
        st = error_set(err, E_INPUT, "%s cannot be made: %s", s->output, strerror(errno));
    for (size_t i = 0; i < count && st == OK; i++) {
        text_buffer png = {0};
        if (cli_is_stopped())
            st = error_set(err, E_INTERRUPTED, "interrupted");
        if (st == OK)
            st = draw_instant(p, a, instant_of(s, until, i, count), o, &png, err);
        if (st == OK && f) {
            st = film_add(f, &png, err);
            f = st == OK ? f : NULL;
        } else if (st == OK)
            st = write_frame(s, i, &png, over, err);
        text_finish(&png);
        progress_line(&shown, "%zu of %zu pictures", i + 1, count);
    }
    progress_end(&shown);
    if (f) {
        status made = film_end(f, st == OK ? &bytes : NULL, err);
        st = st == OK ? made : st;
    }
    if (st == OK && s->film)
        st = write_bytes(s->output, &bytes, &films, err);
    text_finish(&bytes);
    return st;
}

static status write_series(const series *s, play *p, const arguments *a, picture_options *o,
                           const output_policy *picture, error *err) {
    nanos end = play_end(p), until = s->until == TIME_OPEN ? end : s->until;
    if (until > end || s->from > until)
        return error_set(err, E_INPUT,
                         "the episode ends at %.3f s; there is nothing from %.3f s to %.3f s",
                         seconds(end), seconds(s->from), seconds(until));
    double span = seconds(until - s->from), frames = floor(span * s->rate / s->speed + 1e-9) + 1;
    if (s->strip == 0 && frames > SERIES_FRAMES_MAX)
        return error_set(err, E_INPUT,
                         "that makes %.0f pictures, and %d are the most: give a higher --speed, or "
                         "--since and --at",
                         frames, SERIES_FRAMES_MAX);
    size_t count = s->strip > 0 ? (size_t)s->strip : (size_t)frames;
    status st = OK;
    o->whole = arguments_given(a, "whole");
    if (!arguments_given(a, "to") && !arguments_given(a, "follow") && !arguments_given(a, "from"))
        st = fix_view(s, p, until, count, o, err);
    o->width /= 2;
    o->height /= 2;
    if (st == OK && s->strip > 0)
        return write_strip(s, p, a, until, count, o, picture, err);
    return st == OK ? write_frames(s, p, a, until, count, o, picture, err) : st;
}

status series_write(const series *s, const arguments *a, picture_options *o,
                    const output_policy *picture, error *err) {
    const play_options how = {.rules = s->rules, .levels = arguments_given(a, "levels")};
    arena *memory = arena_create();
    play *p = NULL;
    status st = play_open(memory, s->log, s->episode, &how, &p, err);
    if (st == OK)
        st = write_series(s, p, a, o, picture, err);
    play_close(p);
    arena_destroy(memory);
    return st;
}
