// projector/ensemble/foreign/guest.c - what the kinds of models share.
#include "projector/ensemble/foreign/guest.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool guest_fail(guest *g, page_reply reply, const char *format, ...) {
    char text[2 * PAGE_TEXT + 16];
    va_list args;
    va_start(args, format);
    vsnprintf(text, PAGE_TEXT, format, args);
    va_end(args);
    size_t n = strlen(text);
    if (g->said[0])
        snprintf(text + n, sizeof text - n, "; it said: %s", g->said);
    text[PAGE_TEXT - 1] = 0;
    memcpy(g->page->text, text, PAGE_TEXT);
    g->page->reply = reply;
    return false;
}

void guest_say(guest *g, const char *text) {
    snprintf(g->said, sizeof g->said, "%s", text ? text : "");
    for (char *c = g->said; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    for (size_t n = strlen(g->said); n > 0 && g->said[n - 1] == ' ';)
        g->said[--n] = 0;
}

bool guest_open(guest *g) {
    g->library = dlopen(g->page->library, RTLD_NOW | RTLD_LOCAL);
    return g->library ||
           guest_fail(g, REPLY_REFUSED, "its library cannot be loaded: %.300s", dlerror());
}

void *guest_function(guest *g, const char *name) {
    void *f = dlsym(g->library, name);
    if (!f)
        guest_fail(g, REPLY_REFUSED, "its library has no function %s", name);
    return f;
}

bool guest_integer(guest *g, double value, double low, double high) {
    return (value >= low && value <= high && trunc(value) == value) ||
           guest_fail(g, REPLY_FAILED,
                      "an input is to be %.17g, and must be an integer from %.0f to %.0f", value,
                      low, high);
}
