// base/link/lockstep.c - datagrams that are sent again until they are answered.
#include "base/link/lockstep.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"

enum { KIND_HELLO = 1, KIND_STEP, KIND_END, KIND_REFUSAL };
enum {
    HEADER = 32,
    TAIL = 8,
    DATAGRAM_MAX = HEADER + 8 * LOCKSTEP_MAX + TAIL,
    AGAIN = 50,   // ms after which what is not answered is sent again
    LINGER = 1000 // ms for which an end waits to hear of the other's
};
static const char MAGIC[] = "foresee1";

typedef struct datagram {
    uint32_t kind, count;
    uint64_t session, step;
    double numbers[LOCKSTEP_MAX];
} datagram;

struct lockstep {
    int socket;
    uint64_t session, step; // the newest step that was asked or answered
    bool (*stopped)(void);
    double patience; // s
    struct sockaddr_in peer;
    bool asks, has_peer, ended, anew;
    int64_t heard; // ms, when something of the peer came last
    datagram last; // sent last, to be sent again
    bool has_last;
    lockstep_counts counts;
};

// ---- Bytes
static void put_word(unsigned char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_word(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static size_t datagram_write(const datagram *d, unsigned char *bytes) {
    memcpy(bytes, MAGIC, 8);
    put_word(bytes + 8, d->kind, 4);
    put_word(bytes + 12, d->count, 4);
    put_word(bytes + 16, d->session, 8);
    put_word(bytes + 24, d->step, 8);
    size_t at = HEADER;
    for (uint32_t i = 0; i < d->count; i++, at += 8) {
        uint64_t word;
        memcpy(&word, &d->numbers[i], 8);
        put_word(bytes + at, word, 8);
    }
    put_word(bytes + at, hash_bytes(bytes, at), 8);
    return at + TAIL;
}

// False: the bytes are no datagram.
static bool datagram_read(const unsigned char *bytes, size_t length, datagram *out) {
    if (length < HEADER + TAIL || length > DATAGRAM_MAX || memcmp(bytes, MAGIC, 8) != 0)
        return false;
    *out = (datagram){(uint32_t)get_word(bytes + 8, 4),
                      (uint32_t)get_word(bytes + 12, 4),
                      get_word(bytes + 16, 8),
                      get_word(bytes + 24, 8),
                      {0}};
    if (out->kind < KIND_HELLO || out->kind > KIND_REFUSAL || out->count > LOCKSTEP_MAX ||
        length != HEADER + 8 * (size_t)out->count + TAIL ||
        get_word(bytes + length - TAIL, 8) != hash_bytes(bytes, length - TAIL))
        return false;
    for (uint32_t i = 0; i < out->count; i++) {
        uint64_t word = get_word(bytes + HEADER + 8 * i, 8);
        memcpy(&out->numbers[i], &word, 8);
    }
    return true;
}

// ---- The socket
static status address_read(const char *text, struct sockaddr_in *out, error *err) {
    char host[64];
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long port = colon ? strtol(colon + 1, &end, 10) : -1;
    *out = (struct sockaddr_in){.sin_family = AF_INET};
    if (!colon || (size_t)(colon - text) >= sizeof host || end == colon + 1 || *end || port < 0 ||
        port > 65535)
        return error_set(err, E_INPUT, "%s is no address: write it as 127.0.0.1:4000", text);
    memcpy(host, text, (size_t)(colon - text));
    host[colon - text] = 0;
    if (inet_pton(AF_INET, host, &out->sin_addr) != 1)
        return error_set(err, E_INPUT,
                         "%s is no IPv4 address: write it in numbers, as in 127.0.0.1:4000", host);
    out->sin_port = htons((uint16_t)port);
    return OK;
}

static status lockstep_open(const char *address, uint64_t session, bool (*stopped)(void),
                            lockstep **out, error *err) {
    struct sockaddr_in at;
    status st = address_read(address, &at, err);
    if (st != OK)
        return st;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return error_set(err, E_IO, "no socket can be opened: %s", strerror(errno));
    lockstep *l = mem_must(1, sizeof *l);
    *l = (lockstep){.socket = fd,
                    .session = session,
                    .stopped = stopped,
                    .patience = LOCKSTEP_PATIENCE,
                    .peer = at};
    *out = l;
    return OK;
}

// A datagram that cannot be sent now is as good as lost: it is sent again.
static void datagram_send(lockstep *l, const datagram *d, const struct sockaddr_in *to) {
    unsigned char bytes[DATAGRAM_MAX];
    size_t length = datagram_write(d, bytes);
    (void)!sendto(l->socket, bytes, length, 0, (const struct sockaddr *)to, sizeof *to);
    l->counts.sent++;
}

static void send_new(lockstep *l, uint32_t kind, uint64_t step, const double *numbers,
                     size_t count) {
    ASSERT(count <= LOCKSTEP_MAX);
    l->last = (datagram){kind, (uint32_t)count, l->session, step, {0}};
    if (count > 0)
        memcpy(l->last.numbers, numbers, count * sizeof *numbers);
    l->has_last = true;
    datagram_send(l, &l->last, &l->peer);
}

static void send_again(lockstep *l) {
    if (!l->has_last)
        return;
    datagram_send(l, &l->last, &l->peer);
    l->counts.again++;
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// Takes one datagram that is right, of whomever, within `wait` ms. False: there was none.
static bool datagram_take(lockstep *l, int64_t wait, datagram *out, struct sockaddr_in *from) {
    unsigned char bytes[DATAGRAM_MAX + 1];
    for (int64_t until = now_ms() + wait, left = wait; left >= 0; left = until - now_ms()) {
        socklen_t size = sizeof *from;
        ssize_t length =
            recvfrom(l->socket, bytes, sizeof bytes, 0, (struct sockaddr *)from, &size);
        if (length >= 0) {
            if (datagram_read(bytes, (size_t)length, out))
                return true;
            l->counts.malformed++;
            continue;
        }
        if (errno == ECONNREFUSED) // what was sent found nobody: it is sent again
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (l->stopped && l->stopped())
            return false;
        struct pollfd p = {l->socket, POLLIN, 0};
        if (left == 0 || poll(&p, 1, (int)left) == 0)
            return false;
    }
    return false;
}

static bool is_greeting(const lockstep *l, const datagram *d) {
    return d->kind == KIND_HELLO && d->session == l->session && d->step == 0 && d->count == 0;
}

static void take_peer(lockstep *l, const struct sockaddr_in *from) {
    l->counts.received++;
    l->peer = *from;
    l->has_peer = true;
    l->step = 0;
    l->heard = now_ms();
    send_new(l, KIND_HELLO, 0, NULL, 0);
}

// Takes one datagram of the other end and of this session. False, too, where another end takes the
// place of one that is dead: `anew`.
static bool datagram_of_peer(lockstep *l, int64_t wait, datagram *out) {
    struct sockaddr_in from;
    for (int64_t until = now_ms() + wait, left = wait;
         left >= 0 && datagram_take(l, left, out, &from); left = until - now_ms()) {
        if (from.sin_addr.s_addr == l->peer.sin_addr.s_addr && from.sin_port == l->peer.sin_port &&
            out->session == l->session) {
            l->heard = now_ms();
            return true;
        }
        if (!l->asks && is_greeting(l, out) &&
            now_ms() - l->heard > (int64_t)(LOCKSTEP_DEAD * 1000)) {
            take_peer(l, &from);
            l->anew = true;
            return false;
        }
        l->counts.strange++;
    }
    return false;
}

static bool is_finite(const datagram *d, size_t finite) {
    for (size_t i = 0; i < finite; i++)
        if (!isfinite(d->numbers[i]))
            return false;
    return true;
}

static status stop_error(error *err) {
    return error_set(err, E_INTERRUPTED, "interrupted");
}

static status silent_error(const lockstep *l, uint64_t malformed, error *err) {
    if (malformed > 0)
        return error_set(err, E_IO,
                         "the other end has answered %llu times with what is malformed, and with "
                         "nothing that could be used for %g s: see that it gives as many numbers "
                         "as it should, all of them finite",
                         (unsigned long long)malformed, l->patience);
    return error_set(err, E_IO,
                     "the other end has sent nothing that could be used for %g s: see that it runs "
                     "and can be reached",
                     l->patience);
}

// ---- The end that asks
// Sends the last datagram again until a datagram of that kind and step arrives.
static status await_answer(lockstep *l, uint32_t kind, uint64_t step, size_t count, size_t finite,
                           datagram *out, error *err) {
    uint64_t malformed = 0; // from the other end itself, so that no network made it so
    for (int64_t until = now_ms() + (int64_t)(l->patience * 1000);;) {
        int64_t again = now_ms() + AGAIN;
        for (int64_t left = AGAIN; left >= 0 && datagram_of_peer(l, left, out);
             left = again - now_ms()) {
            if (out->kind == KIND_REFUSAL && kind == KIND_HELLO)
                return error_set(err, E_INPUT,
                                 "the other end runs something else: give both the same file, "
                                 "options and seed");
            if (out->step <= step && (out->kind != kind || out->step < step)) {
                l->counts.repeated++;
                continue;
            }
            if (out->step > step || out->count != count || !is_finite(out, finite)) {
                l->counts.malformed++;
                malformed++;
                continue;
            }
            l->counts.received++;
            return OK;
        }
        if (l->stopped && l->stopped())
            return stop_error(err);
        if (now_ms() >= until)
            return silent_error(l, malformed, err);
        send_again(l);
    }
}

status lockstep_call(const char *address, uint64_t session, bool (*stopped)(void), lockstep **out,
                     error *err) {
    lockstep *l;
    status st = lockstep_open(address, session, stopped, &l, err);
    if (st != OK)
        return st;
    datagram d;
    l->asks = l->has_peer = true;
    if (l->peer.sin_port == 0) {
        lockstep_destroy(l);
        return error_set(err, E_INPUT,
                         "%s: nobody listens at port 0; give the port that the other end says",
                         address);
    }
    send_new(l, KIND_HELLO, 0, NULL, 0);
    st = await_answer(l, KIND_HELLO, 0, 0, 0, &d, err);
    if (st == OK)
        *out = l;
    else
        lockstep_destroy(l);
    return st;
}

status lockstep_ask(lockstep *l, const double *question, size_t questions, double *answer,
                    size_t answers, size_t finite, error *err) {
    ASSERT(answers <= LOCKSTEP_MAX && finite <= answers);
    datagram d;
    send_new(l, KIND_STEP, ++l->step, question, questions);
    status st = await_answer(l, KIND_STEP, l->step, answers, finite, &d, err);
    if (st == OK)
        memcpy(answer, d.numbers, answers * sizeof *answer);
    return st;
}

// ---- The end that answers
status lockstep_listen(const char *address, uint64_t session, bool (*stopped)(void), lockstep **out,
                       error *err) {
    lockstep *l;
    status st = lockstep_open(address, session, stopped, &l, err);
    if (st != OK)
        return st;
    if (bind(l->socket, (const struct sockaddr *)&l->peer, sizeof l->peer) != 0) {
        st = error_set(err, E_INPUT, "%s cannot be listened at: %s", address, strerror(errno));
        lockstep_destroy(l);
        return st;
    }
    *out = l;
    return OK;
}

int lockstep_port(const lockstep *l) {
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    return getsockname(l->socket, (struct sockaddr *)&at, &size) == 0 ? ntohs(at.sin_port) : 0;
}

void lockstep_bear(lockstep *l, double patience) {
    l->patience = patience;
}

status lockstep_accept(lockstep *l, error *err) {
    for (;;) {
        datagram d;
        struct sockaddr_in from;
        if (l->stopped && l->stopped())
            return stop_error(err);
        if (!datagram_take(l, AGAIN, &d, &from))
            continue;
        if (!is_greeting(l, &d)) {
            l->counts.strange++;
            if (d.kind == KIND_HELLO) { // a refusal bears the session of the one who is refused
                d = (datagram){.kind = KIND_REFUSAL, .session = d.session};
                datagram_send(l, &d, &from);
            }
            continue;
        }
        take_peer(l, &from);
        return OK;
    }
}

// Answers the next question. E_IO, too, where the other end says that none follows, `ended`, and
// where another end has come.
static status answer_next(lockstep *l, const lockstep_service *how, error *err) {
    double answer[LOCKSTEP_MAX];
    for (int64_t until = now_ms() + (int64_t)(l->patience * 1000);;) {
        datagram d;
        if (l->stopped && l->stopped())
            return stop_error(err);
        if (now_ms() >= until)
            return silent_error(l, 0, err);
        if (!datagram_of_peer(l, AGAIN, &d)) {
            if (l->anew)
                return error_set(err, E_IO, "another end has come");
            continue;
        }
        if (d.kind == KIND_STEP && d.step == l->step + 1 && d.count == how->questions &&
            is_finite(&d, d.count) && how->make(how->self, d.numbers, answer)) {
            l->counts.received++;
            send_new(l, KIND_STEP, ++l->step, answer, how->answers);
            return OK;
        }
        if (d.kind == KIND_END) {
            l->ended = true;
            return error_set(err, E_IO, "the other end stopped before its last step");
        }
        if (l->has_last && d.kind == l->last.kind && d.step == l->last.step) {
            l->counts.repeated++;
            send_again(l); // its answer was lost, or it was asked twice
        } else if (d.kind == KIND_STEP && d.step <= l->step)
            l->counts.repeated++;
        else
            l->counts.malformed++;
    }
}

status lockstep_serve(lockstep *l, const lockstep_service *how, error *err) {
    ASSERT(how->questions <= LOCKSTEP_MAX && how->answers <= LOCKSTEP_MAX);
    status st = OK;
    for (uint64_t k = 0; st == OK && (how->steps == 0 || k < how->steps); k++)
        st = answer_next(l, how, err);
    return how->steps == 0 && l->ended ? OK : st;
}

bool lockstep_anew(lockstep *l) {
    bool anew = l->anew;
    l->anew = false;
    return anew;
}

// ---- The end of both
// The asker's end is answered by the other's end; whoever hears nothing of it goes after a second.
static void end_asking(lockstep *l) {
    datagram d;
    send_new(l, KIND_END, 0, NULL, 0);
    for (int64_t until = now_ms() + LINGER; now_ms() < until;) {
        while (datagram_of_peer(l, AGAIN, &d)) {
            if (d.kind == KIND_END)
                return;
            l->counts.repeated++;
        }
        if (l->stopped && l->stopped())
            return;
        send_again(l);
    }
}

static void end_answering(lockstep *l) {
    datagram d;
    for (int64_t until = now_ms() + LINGER; !l->ended && now_ms() < until;) {
        if (l->stopped && l->stopped())
            return;
        if (!datagram_of_peer(l, AGAIN, &d))
            continue;
        l->ended = d.kind == KIND_END;
        if (d.kind == KIND_STEP) {
            l->counts.repeated++;
            if (d.step == l->step)
                send_again(l);
        }
    }
    if (l->ended)
        send_new(l, KIND_END, 0, NULL, 0);
}

void lockstep_end(lockstep *l) {
    if (!l->has_peer)
        return;
    l->asks ? end_asking(l) : end_answering(l);
}

lockstep_counts lockstep_count(const lockstep *l) {
    return l->counts;
}

void lockstep_destroy(lockstep *l) {
    if (!l)
        return;
    close(l->socket);
    free(l);
}
