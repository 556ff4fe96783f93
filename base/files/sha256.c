// base/files/sha256.c - the only file that knows nettle.
#include "base/files/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

status sha256_file(const char *path, char text[SHA256_TEXT], error *err) {
    status st = OK;
    struct sha256_ctx sum;
    unsigned char bytes[65536], digest[SHA256_DIGEST_SIZE];
    struct stat info;
    // A pipe is opened without waiting for its writer, and then refused.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return error_at(err, E_INPUT, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        st = error_at(err, E_INPUT, path, 0, 0, "this is no regular file");
        goto done;
    }
    sha256_init(&sum);
    for (;;) {
        ssize_t n = read(file, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            st = error_at(err, E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
        if (n <= 0)
            break;
        sha256_update(&sum, (size_t)n, bytes);
    }
    sha256_digest(&sum, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
done:
    close(file);
    return st;
}

status sha256_mark(arena *a, const char *path, const char **out, error *err) {
    char text[SHA256_TEXT];
    status st = sha256_file(path, text, err);
    if (st == OK)
        *out = arena_format(a, SHA256_MARK "%s", text);
    return st;
}
