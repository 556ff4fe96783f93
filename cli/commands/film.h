// cli/commands/film.h - films of pictures, which ffmpeg encodes where it is installed.
//
// Owns: a process of ffmpeg, which is fed picture after picture and leaves no file.
#ifndef FORESEE_CLI_COMMANDS_FILM_H
#define FORESEE_CLI_COMMANDS_FILM_H

#include "base/status.h"
#include "base/text/text.h"

typedef struct film film;

// The format of a film by the end of its file's name, as ffmpeg calls it; NULL: it names no film.
const char *film_format(const char *path);
// Begins a film of `rate` pictures a second. E_INPUT: ffmpeg is not installed; E_IO: it does not
// start.
status film_begin(const char *format, int rate, film **out, error *err);
// Appends a PNG picture; all of a film are of one size. E_IO: the encoder takes no more; the film
// is gone, as after film_end.
status film_add(film *f, const text_buffer *png, error *err);
// Appends the film to `bytes` and frees `f`; with NULL for `bytes` it is dropped. E_IO: the encoder
// failed; the error has the first line of what it said.
status film_end(film *f, text_buffer *bytes, error *err);

#endif
