// tests/fuzz/fuzz_log.c - any bytes as a log: opened, its episodes listed, its poses decoded.
//
// An input that begins with "sql:" is statements for an empty log, which is then written to a file;
// one that begins with "patch:" is lines of "offset byte...", written over the bytes of a small
// log; anything else is the file itself.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "schema/motion/keyframe.h"
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/motion/tracks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SMALL_LOG                                                                                  \
    "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 4000000000, "        \
    "'failed', 1, 4);"                                                                             \
    "INSERT INTO object (id, episode, name) VALUES (1, 1, 'cup'), (2, 1, 'base'), (3, 1, 'j'), "   \
    "(4, 1, 'arm');"                                                                               \
    "INSERT INTO pose (object, t, x, qw) VALUES (1, 0, 0, 1000000), (1, 100000, 1000000, "         \
    "1000000),"                                                                                    \
    " (2, 0, 0, 1000000);"                                                                         \
    "INSERT INTO joint_state (joint, t, position) VALUES (3, 0, 0), (3, 5, 1000000);"              \
    "INSERT INTO linkage (episode, object, parent, joint, joint_kind, qw, axis_z) VALUES (1, 4, "  \
    "2, 3, 'revolute', 1, 1);"

// Statements that only change rows: nothing that reaches other files.
static int authorise(void *context, int action, const char *a, const char *b, const char *c,
                     const char *d) {
    (void)context;
    (void)a;
    (void)c;
    (void)d;
    switch (action) {
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return b && (strstr(b, "blob") || strcmp(b, "load_extension") == 0) ? SQLITE_DENY
                                                                            : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static int tired(void *context) {
    (void)context;
    return 1;
}

static void run_statements(sqlite3 *db, const char *text) {
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_set_authorizer(db, authorise, NULL);
    sqlite3_progress_handler(db, 200000, tired, NULL);
    sqlite3_exec(db, text, NULL, NULL, NULL); // those that are wrong are left out
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
    if (!sqlite3_get_autocommit(db))
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

static void apply_patches(unsigned char *image, size_t length, char *text) {
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *at = line;
        unsigned long offset = strtoul(line, &at, 0);
        for (char *next = at; *at; at = next) {
            unsigned long byte = strtoul(at, &next, 0);
            if (next == at)
                break;
            if (offset < length)
                image[offset++] = (unsigned char)byte;
        }
    }
}

// The bytes of the log that the text describes. The caller frees them with sqlite3_free.
static unsigned char *make_log(char *text, size_t *length) {
    sqlite3 *db = NULL;
    char *sql = NULL;
    bool patch = strncmp(text, "patch:", 6) == 0;
    ASSERT(schema_sql(&sql, NULL) == OK);
    ASSERT(sqlite3_open(":memory:", &db) == SQLITE_OK);
    ASSERT(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    if (patch)
        ASSERT(sqlite3_exec(db, SMALL_LOG, NULL, NULL, NULL) == SQLITE_OK);
    else
        run_statements(db, text + 4);
    sqlite3_int64 n = 0;
    unsigned char *image = sqlite3_serialize(db, "main", &n, 0);
    ASSERT(image != NULL);
    *length = (size_t)n;
    if (patch)
        apply_patches(image, *length, text + 6);
    sqlite3_close(db);
    free(sql);
    return image;
}

static bool finite_pose(const pose *p) {
    return isfinite(p->p.x) && isfinite(p->p.y) && isfinite(p->p.z) && isfinite(p->q.w);
}

static void decode(sqlite3 *db, const store_episode *e) {
    tracks *t = NULL;
    error err = {0};
    if (tracks_create(db, e->id, &t, &err) != OK) {
        ASSERT(err.code != OK && err.text[0]);
        return;
    }
    sqlite3_stmt *q = NULL;
    int count = 0;
    if (sqlite3_prepare_v2(db, "SELECT id FROM object WHERE episode = ?1", -1, &q, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_int64(q, 1, e->id);
        while (count++ < 200 && sqlite3_step(q) == SQLITE_ROW) {
            int64_t object = sqlite3_column_int64(q, 0);
            const nanos *knots = NULL;
            size_t knot_count = 0;
            pose p, again;
            double position;
            if (tracks_knots(t, object, &knots, &knot_count, &err) != OK)
                continue;
            for (size_t i = 0; i < knot_count && i < 200; i++) {
                ASSERT(i == 0 || knots[i] > knots[i - 1]);
                if (tracks_pose(t, object, knots[i], &p, &err) == OK && finite_pose(&p)) {
                    ASSERT(tracks_pose(t, object, e->end, &again, &err) == OK);
                    ASSERT(tracks_pose(t, object, knots[i], &again, &err) == OK);
                    ASSERT(memcmp(&p, &again, sizeof p) == 0);
                }
            }
            tracks_joint(t, object, e->end, &position, &err);
            tracks_pose(t, object, INT64_MIN, &p, &err);
            tracks_pose(t, object, INT64_MAX, &p, &err);
        }
    }
    sqlite3_finalize(q);
    tracks_destroy(t);
}

static void read_log(const char *path) {
    store *s = NULL;
    error err = {0};
    status opened = store_open(path, &s, &err);
    if (opened != OK) {
        ASSERT(err.code == opened && err.text[0]);
        return;
    }
    size_t count = 0;
    const store_episode *episodes = store_episodes(s, &count), *last = NULL;
    ASSERT((store_choose(s, 0, &last, &err) == OK) == (count > 0));
    sqlite3_progress_handler(store_db(s), 2000000, tired, NULL);
    for (size_t i = 0; i < count && i < 5; i++) {
        decode(store_db(s), &episodes[i]);
        for (int k = 0; k < RECORD_KINDS; k++) {
            int64_t first = 0, end = 0;
            if (store_range(s, (record_kind)k, episodes[i].id, &first, &end, &err) == OK)
                ASSERT(first <= end);
        }
    }
    store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/foresee_fuzz_log_XXXXXX", beside[64];
    char *text = malloc(size + 1);
    ASSERT(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    const void *bytes = data;
    unsigned char *image = NULL;
    if (strncmp(text, "sql:", 4) == 0 || strncmp(text, "patch:", 6) == 0)
        bytes = image = make_log(text, &size);
    int fd = mkstemp(path);
    ASSERT(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    read_log(path);
    unlink(path);
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, suffixes[i]);
        unlink(beside);
    }
    sqlite3_free(image);
    free(text);
    return 0;
}
