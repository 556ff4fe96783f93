// cli/commands/film.c - feeds pictures to ffmpeg and takes the film from it.
#include "cli/commands/film.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/limits.h"

// Where the encoder finds its files: the film can be written at any place of it, as its format
// needs.
enum { FILM_FILE = 3 };
#define FILM_NAME "/proc/self/fd/3"

struct film {
    pid_t process;
    int feed;          // the socket that the pictures go into
    FILE *made, *said; // what it made, and its messages
};

const char *film_format(const char *path) {
    const char *end = strrchr(path, '.');
    return !end                            ? NULL
           : strcasecmp(end, ".mp4") == 0  ? "mp4"
           : strcasecmp(end, ".webm") == 0 ? "webm"
                                           : NULL;
}

static int spawn_encoder(film *f, int input, const char *format, int rate) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char per_second[16], kind[8];
    snprintf(per_second, sizeof per_second, "%d", rate);
    snprintf(kind, sizeof kind, "%s", format);
    char *const argv[] = {"ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "image2pipe", "-c:v",
                          "png", "-framerate", per_second, "-i", "pipe:0",
                          // Players want an even width and height, and colours at half of them.
                          "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p", "-f", kind,
                          FILM_NAME, NULL};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    // Copies first, above all that they are copied to: one may lie where another goes.
    int from[3] = {input, fileno(f->said), fileno(f->made)}, why = 0;
    for (int i = 0; i < 3; i++)
        why = why ? why : posix_spawn_file_actions_adddup2(&files, from[i], 100 + i);
    why = why ? why : posix_spawn_file_actions_adddup2(&files, 100, 0);
    why = why ? why : posix_spawn_file_actions_adddup2(&files, 101, 1);
    why = why ? why : posix_spawn_file_actions_adddup2(&files, 101, 2);
    why = why ? why : posix_spawn_file_actions_adddup2(&files, 102, FILM_FILE);
    why = why ? why : posix_spawn_file_actions_addclosefrom_np(&files, FILM_FILE + 1);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    why = why ? why : posix_spawnp(&f->process, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return why;
}

// A file without a name, in memory: nothing is left of it.
static FILE *memory_file(void) {
    int fd = memfd_create("foresee-film", MFD_CLOEXEC);
    FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!f && fd >= 0)
        close(fd);
    return f;
}

status film_begin(const char *format, int rate, film **out, error *err) {
    film *f = mem_must(1, sizeof *f);
    int ends[2] = {-1, -1};
    *f = (film){.feed = -1, .made = memory_file(), .said = memory_file()};
    int why = f->made && f->said ? 0 : errno;
    if (!why && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        why = errno;
    why = why ? why : spawn_encoder(f, ends[1], format, rate);
    if (ends[1] >= 0)
        close(ends[1]);
    f->feed = ends[0];
    if (!why) {
        limits_add_process(f->process);
        *out = f;
        return OK;
    }
    film_end(f, NULL, NULL);
    if (why == ENOENT)
        return error_set(err, E_INPUT,
                         "films are made by ffmpeg, which is not installed (Debian: apt install "
                         "ffmpeg); a name that ends in / gets the pictures, one file for each");
    return error_set(err, E_IO, "ffmpeg does not start: %s", strerror(why));
}

status film_add(film *f, const text_buffer *png, error *err) {
    for (size_t sent = 0; sent < png->count;) {
        ssize_t n = send(f->feed, png->items + sent, png->count - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return film_end(f, NULL, NULL),
                   error_set(err, E_IO, "ffmpeg takes no more pictures: it has ended");
        sent += (size_t)n;
    }
    return OK;
}

// Reads what the encoder made.
static status take_film(film *f, text_buffer *bytes, error *err) {
    char part[65536];
    size_t n;
    rewind(f->made);
    while ((n = fread(part, 1, sizeof part, f->made)) > 0)
        text_put_bytes(bytes, part, n);
    return ferror(f->made) ? error_set(err, E_IO, "the film cannot be read: %s", strerror(errno))
                           : OK;
}

static status encoder_failed(film *f, error *err) {
    char line[300] = "";
    rewind(f->said);
    if (!fgets(line, sizeof line, f->said))
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    return error_set(err, E_IO, "ffmpeg made no film%s%s", line[0] ? ": " : "", line);
}

status film_end(film *f, text_buffer *bytes, error *err) {
    int how = 0;
    status st = OK;
    if (f->feed >= 0)
        close(f->feed);
    if (f->process > 0) {
        if (!bytes)
            kill(f->process, SIGKILL);
        while (waitpid(f->process, &how, 0) < 0 && errno == EINTR)
            continue;
        limits_drop_process(f->process);
        if (bytes && (!WIFEXITED(how) || WEXITSTATUS(how) != 0))
            st = encoder_failed(f, err);
        else if (bytes)
            st = take_film(f, bytes, err);
    }
    if (f->made)
        fclose(f->made);
    if (f->said)
        fclose(f->said);
    free(f);
    return st;
}
