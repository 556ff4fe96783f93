// tests/base/test_lockstep.c - what other programs and strangers send to an end of a link.
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "base/hash.h"
#include "base/link/lockstep.h"
#include "tests/testlib.h"

enum { HELLO = 1, STEP, END, SESSION = 7, WAIT = 150 }; // ms

// ---- An end by hand -------------------------------------------------------------------------

typedef struct packet {
    uint32_t kind, count;
    uint64_t session, step;
    double numbers[4];
} packet;

static int socket_to(int port) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_true(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

// Of a little-endian machine, as is every one that these tests run on.
static size_t packet_bytes(const packet *p, unsigned char *out) {
    size_t body = 24 + 8 * (size_t)p->count;
    memcpy(out, "foresee1", 8);
    memcpy(out + 8, p, body);
    uint64_t sum = hash_bytes(out, 8 + body);
    memcpy(out + 8 + body, &sum, 8);
    return body + 16;
}

static void send_packet(int fd, packet p) {
    unsigned char bytes[256];
    size_t length = packet_bytes(&p, bytes);
    assert_true(send(fd, bytes, length, 0) == (ssize_t)length);
}

// Takes what comes within the time; false: nothing does.
static bool receive_packet(int fd, packet *out) {
    unsigned char bytes[1024];
    struct pollfd p = {fd, POLLIN, 0};
    if (poll(&p, 1, WAIT) <= 0)
        return false;
    ssize_t length = recv(fd, bytes, sizeof bytes, 0);
    if (length < 40)
        return false;
    *out = (packet){0};
    memcpy(out, bytes + 8, (size_t)length - 16 < sizeof *out ? (size_t)length - 16 : sizeof *out);
    return true;
}

static bool is_answered(int fd, packet p, packet *out) {
    send_packet(fd, p);
    return receive_packet(fd, out);
}

static packet step_of(uint64_t step, double number) {
    return (packet){STEP, 1, SESSION, step, {number}};
}

// ---- The end that answers, in a process of its own ---------------------------------------------

static bool twice(void *self, const double *question, double *answer) {
    (void)self;
    answer[0] = 2 * question[0];
    return question[0] >= 0;
}

typedef struct served {
    pid_t pid;
    int port, pipe;
} served;

static served serve(void) {
    lockstep *l = NULL;
    error err = {0};
    int ends[2];
    assert_int_equal(lockstep_listen("127.0.0.1:0", SESSION, NULL, &l, &err), OK);
    assert_int_equal(pipe(ends), 0);
    served s = {fork(), lockstep_port(l), ends[0]};
    assert_true(s.pid >= 0);
    if (s.pid > 0) {
        lockstep_destroy(l);
        close(ends[1]);
        return s;
    }
    const lockstep_service service = {1, 1, 0, twice, NULL};
    status st = lockstep_accept(l, &err);
    do
        st = st == OK ? lockstep_serve(l, &service, &err) : st;
    while (st != OK && lockstep_anew(l) && (st = OK) == OK);
    if (st == OK)
        lockstep_end(l);
    lockstep_counts n = lockstep_count(l);
    ssize_t written = write(ends[1], &n, sizeof n);
    lockstep_destroy(l);
    _exit(st == OK && written == sizeof n ? 0 : 1);
}

static lockstep_counts ended(served s) {
    lockstep_counts n = {0};
    int how;
    assert_true(read(s.pipe, &n, sizeof n) == sizeof n);
    assert_true(waitpid(s.pid, &how, 0) == s.pid);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    close(s.pipe);
    return n;
}

static void what_cannot_be_asked_is_counted_and_not_answered(void **state) {
    (void)state;
    served s = serve();
    packet got;
    int fd = socket_to(s.port), stranger = socket_to(s.port);
    assert_true(is_answered(fd, (packet){HELLO, 0, SESSION, 0, {0}}, &got) && got.kind == HELLO);
    const packet hostile[] = {
        step_of(2, 1),                   // from the future
        step_of(UINT64_MAX, 1),          //
        {STEP, 2, SESSION, 1, {1, 1}},   // too many numbers
        {STEP, 0, SESSION, 1, {0}},      // too few
        step_of(1, (double)NAN),         // no number
        step_of(1, -1),                  // what its maker refuses
        {4, 0, SESSION, 0, {0}},         // a refusal, from the end that asks
        {9, 0, SESSION, 0, {0}},         // no kind
        {END + 100, 0, SESSION, 0, {0}}, //
    };
    const size_t count = sizeof hostile / sizeof *hostile;
    for (size_t i = 0; i < count; i++)
        assert_false(is_answered(fd, hostile[i], &got));
    assert_false(is_answered(fd, (packet){STEP, 1, SESSION + 1, 1, {1}}, &got));
    assert_false(is_answered(stranger, step_of(1, 1), &got));
    assert_false(is_answered(stranger, (packet){END, 0, SESSION, 0, {0}}, &got));
    // None of it has moved the link on.
    assert_true(is_answered(fd, step_of(1, 21), &got) && got.step == 1 && got.numbers[0] == 42);
    assert_true(is_answered(fd, step_of(1, 21), &got) && got.step == 1 && got.numbers[0] == 42);
    assert_true(is_answered(fd, step_of(2, 4), &got) && got.step == 2 && got.numbers[0] == 8);
    assert_false(is_answered(fd, step_of(1, 5), &got)); // from the past
    assert_true(is_answered(fd, (packet){END, 0, SESSION, 0, {0}}, &got) && got.kind == END);
    lockstep_counts n = ended(s);
    assert_int_equal(n.malformed, count);
    assert_int_equal(n.strange, 3);
    assert_int_equal(n.repeated, 2);
    assert_int_equal(n.received, 3);
    close(fd);
    close(stranger);
}

static void a_dead_asker_gives_way_to_a_new_one(void **state) {
    (void)state;
    served s = serve();
    packet got;
    int first = socket_to(s.port), second = socket_to(s.port);
    const packet hello = {HELLO, 0, SESSION, 0, {0}};
    assert_true(is_answered(first, hello, &got));
    assert_true(is_answered(first, step_of(1, 1), &got) && is_answered(first, step_of(2, 1), &got));
    assert_false(is_answered(second, hello, &got)); // the first one is there
    assert_true(is_answered(first, step_of(3, 1), &got));
    nanosleep(&(struct timespec){1, 200000000}, NULL);
    assert_true(is_answered(second, hello, &got) && got.kind == HELLO);
    assert_true(is_answered(second, step_of(1, 5), &got) && got.numbers[0] == 10);
    assert_false(is_answered(first, step_of(4, 1), &got));
    assert_true(is_answered(second, (packet){END, 0, SESSION, 0, {0}}, &got));
    assert_int_equal(ended(s).strange, 2);
    close(first);
    close(second);
}

// ---- The end that asks ------------------------------------------------------------------------

static void an_answer_that_is_no_number_is_called_malformed(void **state) {
    (void)state;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    pid_t pid = fork();
    if (pid == 0) { // answers each step with a number that is none
        for (;;) {
            unsigned char bytes[256];
            packet asked = {0};
            struct sockaddr_in who;
            size = sizeof who;
            if (recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&who, &size) < 40)
                continue;
            memcpy(&asked, bytes + 8, 24);
            packet told = {asked.kind, asked.kind == STEP, SESSION, asked.step, {(double)NAN}};
            size_t length = packet_bytes(&told, bytes);
            (void)!sendto(fd, bytes, length, 0, (struct sockaddr *)&who, size);
        }
    }
    char address[64];
    error err = {0};
    lockstep *l = NULL;
    double question = 1, answer = 5;
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(at.sin_port));
    assert_int_equal(lockstep_call(address, SESSION, NULL, &l, &err), OK);
    lockstep_bear(l, 0.4);
    assert_int_equal(lockstep_ask(l, &question, 1, &answer, 1, 1, &err), E_IO);
    assert_non_null(strstr(err.text, "malformed"));
    assert_true(lockstep_count(l).malformed > 1 && answer == 5);
    lockstep_destroy(l);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(fd);
}

static void nobody_listens_at_port_0(void **state) {
    (void)state;
    error err = {0};
    lockstep *l = NULL;
    assert_int_equal(lockstep_call("127.0.0.1:0", SESSION, NULL, &l, &err), E_INPUT);
    assert_non_null(strstr(err.text, "port 0"));
    assert_null(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_asked_is_counted_and_not_answered),
        cmocka_unit_test(a_dead_asker_gives_way_to_a_new_one),
        cmocka_unit_test(an_answer_that_is_no_number_is_called_malformed),
        cmocka_unit_test(nobody_listens_at_port_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
