// tests/bench/bench_merge.c - what appending a sample to a log costs when the log holds few and
// when it holds many: bench_merge SOURCE.db INTO.db SAMPLES. The episodes of SOURCE are appended
// again and again under new seeds.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "base/time/clock.h"
#include "logger/log.h"
#include "schema/store/store.h"

static void stop(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

// Adds to all seeds of the source, whose episodes are then new samples.
static void raise_seeds(const char *source, long long by) {
    sqlite3 *db = NULL;
    char sql[100];
    snprintf(sql, sizeof sql, "UPDATE episode SET seed = seed + %lld", by);
    if (sqlite3_open(source, &db) != SQLITE_OK || sqlite3_exec(db, sql, NULL, NULL, NULL) != 0)
        stop("the seeds cannot be changed");
    sqlite3_close(db);
}

static long long count_episodes(const char *source) {
    store *log = NULL;
    size_t count;
    error err = {0};
    if (store_open(source, &log, &err) != OK)
        stop(err.text);
    store_episodes(log, &count);
    store_close(log);
    return (long long)count;
}

int main(int count, char **values) {
    if (count != 4)
        stop("bench_merge SOURCE.db INTO.db SAMPLES");
    const char *source = values[1], *into = values[2];
    long long samples = atoll(values[3]), episodes = count_episodes(source), done = 0;
    long long step = samples / 10 > 0 ? samples / 10 : 1;
    error err = {0};
    log_merger *m = NULL;
    double first = 0, last = 0;
    if (episodes == 0 || log_merger_open(into, &m, &err) != OK)
        stop(err.text);
    nanos began = clock_wall(), spent = clock_processor();
    while (done < samples) {
        long long one = done % episodes + 1;
        if (one == 1 && done)
            raise_seeds(source, episodes);
        if (log_merger_append(m, source, one, &err) != OK)
            stop(err.text);
        if (++done % step)
            continue;
        double each = seconds(clock_wall() - began) / (double)step * 1000,
               work = seconds(clock_processor() - spent) / (double)step * 1000;
        struct stat what;
        stat(into, &what);
        printf("%lld samples: %.2f ms a sample, %.2f ms of the processor; %.0f MB\n", done, each,
               work, (double)what.st_size / 1e6);
        first = first > 0 ? first : work;
        last = work;
        began = clock_wall();
        spent = clock_processor();
    }
    log_merger_close(m);
    printf("the last tenth against the first: %.2f times the processor's time\n", last / first);
    return 0;
}
