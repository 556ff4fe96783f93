// plans/edit/written.c - keeps which edit wrote which part of the text, through all changes.
#include "plans/edit/edit_int.h"

// The spans written so far, moved to where they stand after another change.
static void move_written(doc *d, size_t begin, size_t end, size_t length) {
    for (size_t i = 0; i < d->written.count; i++) {
        span *s = &d->written.items[i].at;
        if (s->begin >= end && s->begin > begin)
            s->begin = s->begin - (end - begin) + length;
        else if (s->begin > begin)
            s->begin = begin;
        if (s->end >= end && s->end > begin)
            s->end = s->end - (end - begin) + length;
        else if (s->end > begin)
            s->end = begin + length;
    }
}

// Returns a line (or the rest of one) without its indentation and the dashes before it.
static span line_words(const char *text, size_t begin, size_t end) {
    while (begin < end && (text[begin] == ' ' ||
                           (text[begin] == '-' && begin + 1 < end && text[begin + 1] == ' ')))
        begin++;
    while (end > begin && text[end - 1] == ' ')
        end--;
    return (span){begin, end};
}

// Finds a line of [begin, end) that says the same, looked for from `from` on and then from the
// beginning. False: there is none.
static bool same_line(const char *text, size_t begin, size_t end, size_t from, const char *words,
                      size_t length, span *out) {
    for (int round = 0; round < 2; round++) {
        size_t at = round == 0 ? from : begin, stop = round == 0 ? end : from;
        while (at < stop) {
            size_t next = line_end(text, end, at);
            span s = line_words(text, at, next);
            if (s.end - s.begin == length && memcmp(text + s.begin, words, length) == 0) {
                *out = s;
                return true;
            }
            at = after_break(text, end, next);
        }
    }
    return false;
}

typedef ARRAY(written) carried;

// A line that earlier edits wrote in [begin, end) stays noted as theirs where the new text has it,
// also with another indentation or in another place.
static void carry_written(const doc *d, size_t begin, size_t end, const text_buffer *text,
                          carried *out) {
    size_t from = begin;
    for (size_t at = 0; at < text->count && d->written.count > 0;) {
        size_t stop = line_end(text->items, text->count, at);
        span now = line_words(text->items, at, stop), was;
        at = after_break(text->items, text->count, stop);
        if (now.end == now.begin || !same_line(d->text, begin, end, from, text->items + now.begin,
                                               now.end - now.begin, &was))
            continue;
        from = was.end;
        for (size_t i = 0; i < d->written.count; i++) {
            written w = d->written.items[i];
            w.at.begin = w.at.begin > was.begin ? w.at.begin : was.begin;
            w.at.end = w.at.end < was.end ? w.at.end : was.end;
            if (w.edit == d->current || w.at.begin >= w.at.end)
                continue;
            w.at.begin += begin + now.begin - was.begin;
            w.at.end += begin + now.begin - was.begin;
            array_push(out, w);
        }
    }
}

void note_written(doc *next, const doc *d, span at, const text_buffer *text) {
    carried kept = {0};
    carry_written(d, at.begin, at.end, text, &kept);
    move_written(next, at.begin, at.end, text->count);
    array_push(&next->written, (written){{at.begin, at.begin + text->count}, next->current});
    for (size_t i = 0; i < kept.count; i++)
        array_push(&next->written, kept.items[i]);
    array_finish(&kept);
}
