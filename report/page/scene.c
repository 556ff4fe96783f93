// report/page/scene.c - pictures of the scene around the moments of a flaw, within the page.
#include "report/page/html_int.h"
#include "base/symtab.h"
#include "report/picture/stage.h"

enum { WIDTH = 480, HEIGHT = 320, WHOLE_WIDTH = 840, WHOLE_HEIGHT = 480 };
#define PICTURES_MAX ((size_t)900 << 10) // bytes of PNG; in base64 they are a third more
#define MOMENT ((nanos)800000000)        // ns between a flaw and the pictures before and after it

static status draw_picture(html_page *p, const stage *s, const picture_options *o,
                           text_buffer *png) {
    text_buffer bytes = {0};
    status st = picture_draw(s->things.items, s->things.count, o, &bytes, NULL);
    if (st == OK) {
        p->picture_bytes += bytes.count;
        text_put_base64(png, bytes.items, bytes.count);
    }
    text_finish(&bytes);
    return st;
}

static void put_picture(html_page *p, nanos at, const char *what, const picture_options *o) {
    stage s;
    text_buffer png = {0};
    stage_init(&s);
    s.salvaged = ask_is_salvaged(p->ask);
    if (stage_log(&s, ask_log(p->ask), p->d->episode, at, p->rules, NULL) == OK &&
        draw_picture(p, &s, o, &png) == OK) {
        const char *when = arena_format(p->arena, "%.2f", seconds(at));
        html_fill(p, HTML_PICTURE, "width", arena_format(p->arena, "%d", o->width), "height",
                  arena_format(p->arena, "%d", o->height), "when", what, "at", when, NULL);
        text_put_bytes(p->out, text_string(&png), png.count);
        html_fill_rest(p, HTML_PICTURE, 1, "when", what, "at", when, NULL);
    }
    text_finish(&png);
    stage_finish(&s);
}

// All pictures of a flaw look at the first movable thing that it is about, as it stood when the
// flaw began. A flaw about no such thing has one larger picture of the whole scene.
static void find_middle(html_page *p, const flaw *f, nanos at, picture_options *o) {
    stage s;
    vec3 half;
    stage_init(&s);
    s.salvaged = ask_is_salvaged(p->ask);
    if (stage_log(&s, ask_log(p->ask), p->d->episode, at, NULL, NULL) == OK) {
        for (size_t i = 0; !o->has_to && i < f->body_count; i++)
            if (symtab_find(p->movable, f->bodies[i], strlen(f->bodies[i])) >= 0)
                o->has_to = stage_find(&s, f->bodies[i], &o->to, &half, NULL) == OK;
    }
    stage_finish(&s);
}

void scene_put(html_page *p, const flaw *f) {
    nanos end = p->d->end, start = f->start < end ? f->start : end;
    nanos last = f->end < start + 2 * MOMENT ? f->end : start + 2 * MOMENT;
    nanos before = start > MOMENT ? start - MOMENT : 0,
          after = last + MOMENT / 2 < end ? last + MOMENT / 2 : end;
    if (!p->ask || p->picture_bytes >= PICTURES_MAX)
        return;
    picture_options o = picture_options_default();
    o.width = WIDTH;
    o.height = HEIGHT;
    find_middle(p, f, start, &o);
    if (!o.has_to) {
        o.whole = true;
        o.width = WHOLE_WIDTH;
        o.height = WHOLE_HEIGHT;
    }
    o.width = (int)(p->picture_share * o.width);
    o.height = (int)(p->picture_share * o.height);
    html_fill(p, HTML_PICTURES, NULL);
    if (before < start && o.has_to)
        put_picture(p, before, "before", &o);
    put_picture(p, start, "as it began", &o);
    if (after > start && o.has_to)
        put_picture(p, after, "after", &o);
    html_fill_rest(p, HTML_PICTURES, 1, NULL);
}
