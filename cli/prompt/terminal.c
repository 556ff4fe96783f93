// cli/prompt/terminal.c - reads lines and keys from the terminal, and handles signals while a query
// runs.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include <readline/readline.h>

#include "base/time/clock.h"
#include "cli/prompt/terminal.h"

// ---- Signals
// At a terminal the prompt handles signals itself: Ctrl-C ends the running query, or clears the
// line, and never ends the program. Signal handlers and readline's callbacks have no context, and
// use the globals of this file.

static foresee *volatile running = NULL;
static volatile sig_atomic_t interrupted = 0, ended = 0, resized = 0, halted = 0;
static volatile sig_atomic_t alive_seconds = 0; // seconds that are shown; 0: none is shown

static void on_signal(int number) {
    if (number == SIGINT)
        interrupted = 1;
    else if (number == SIGTERM || number == SIGHUP)
        ended = 1;
    else if (number == SIGWINCH)
        resized = 1;
    else if (number == SIGTSTP)
        halted = 1;
    foresee *f = running;
    if (f && (interrupted || ended))
        foresee_interrupt(f);
}

// Shows how many seconds a query has run, with calls that a handler may make.
static void on_alarm(int number) {
    (void)number;
    if (!running)
        return;
    int kept = errno;
    long seconds = ++alive_seconds;
    char line[64] = "\r", digits[16];
    size_t n = 1, d = 0;
    for (long rest = seconds; rest > 0; rest /= 10)
        digits[d++] = (char)('0' + rest % 10);
    while (d > 0)
        line[n++] = digits[--d];
    const char *rest = " s ... (Ctrl-C stops)";
    for (; *rest; rest++)
        line[n++] = *rest;
    ssize_t written = write(STDERR_FILENO, line, n);
    (void)written;
    errno = kept;
}

void repl_catch_signals(bool terminal) {
    struct sigaction restart = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    if (isatty(STDERR_FILENO))
        sigaction(SIGALRM, &restart, NULL);
    if (!terminal)
        return;
    struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGHUP, &stop, NULL);
    sigaction(SIGWINCH, &stop, NULL);
    sigaction(SIGTSTP, &stop, NULL);
}

// ---- The running call

void repl_begin_call(repl *r, foresee *f) {
    r->began = clock_wall();
    alive_seconds = 0;
    if (!r->terminal)
        cli_interrupts(f);
    running = f;
    if (isatty(STDERR_FILENO)) {
        struct itimerval each = {{1, 0}, {1, 0}};
        setitimer(ITIMER_REAL, &each, NULL);
    }
    if ((r->terminal ? interrupted || ended : cli_stopped) && f)
        foresee_interrupt(f);
}

double repl_end_call(repl *r) {
    running = NULL;
    if (!r->terminal)
        cli_interrupts(NULL);
    if (isatty(STDERR_FILENO)) {
        struct itimerval never = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &never, NULL);
        if (alive_seconds > 0)
            fprintf(stderr, "\r%*s\r", 40, "");
        alive_seconds = 0;
    }
    return seconds(clock_wall() - r->began);
}

bool repl_interrupted(void) {
    return interrupted || ended || cli_stopped;
}

bool repl_terminated(void) {
    return ended;
}

void repl_clear_interrupt(void) {
    interrupted = 0;
}

// ---- The terminal

int repl_screen_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10)
        return size.ws_col;
    return 80;
}

int repl_screen_height(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 4)
        return size.ws_row;
    return 24;
}

static int given_back = 0;

int repl_read_key(void) {
    struct termios had, raw;
    if (tcgetattr(STDIN_FILENO, &had) != 0)
        return 0;
    raw = had;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    unsigned char key = 0;
    ssize_t n;
    do {
        n = read(STDIN_FILENO, &key, 1);
    } while (n < 0 && errno == EINTR && !repl_interrupted());
    // The further bytes of an arrow key and the like are dropped.
    struct pollfd more = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char dropped;
    while (n == 1 && key == 0x1B && poll(&more, 1, 20) == 1 && read(STDIN_FILENO, &dropped, 1) == 1)
        ;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &had);
    return n == 1 ? key : 0;
}

void repl_give_back_key(int key) {
    given_back = key;
}

bool repl_knows_colours(int fd) {
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(fd) && !(none && *none) && kind && *kind && strcmp(kind, "dumb") != 0;
}

// ---- Reading a line
// Readline's callback interface is used, so that signals are handled here, between keys.

static char *line_read = NULL;
static bool line_done = false;

static void on_line(char *line) {
    line_read = line;
    line_done = true;
    rl_callback_handler_remove();
}

// Puts a key that was given back before the input.
static int begin_line(void) {
    if (given_back > 0)
        rl_stuff_char(given_back);
    given_back = 0;
    return 0;
}

static void suspend_prompt(void) {
    rl_deprep_terminal();
    signal(SIGTSTP, SIG_DFL);
    sigset_t stop, had;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, &had);
    raise(SIGTSTP);
    sigprocmask(SIG_SETMASK, &had, NULL);
    repl_catch_signals(true);
    rl_prep_terminal(1);
    rl_on_new_line();
    rl_forced_update_display();
}

void repl_open_terminal(void) {
    rl_readline_name = "foresee";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_instream = stdin;
    rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
    rl_startup_hook = begin_line;
}

FILE *repl_prompt_stream(void) {
    return rl_outstream;
}

char *repl_read_line(const char *prompt, char **dropped) {
    *dropped = NULL;
    interrupted = 0;
    sigset_t all, had;
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGHUP);
    sigaddset(&all, SIGWINCH);
    sigaddset(&all, SIGTSTP);
    sigprocmask(SIG_BLOCK, &all, &had);
    line_done = false;
    line_read = NULL;
    bool ahead = given_back > 0; // begin_line puts the key before the input
    rl_callback_handler_install(prompt, on_line);
    while (!line_done && !ended && !interrupted) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(STDIN_FILENO, &set);
        struct timespec at_once = {0, 0};
        int n = pselect(STDIN_FILENO + 1, &set, NULL, NULL, ahead ? &at_once : NULL, &had);
        if (resized) {
            resized = 0;
            rl_resize_terminal();
        }
        if (halted) {
            halted = 0;
            suspend_prompt();
        }
        if (n > 0 || ahead)
            rl_callback_read_char();
        ahead = false;
    }
    if (!line_done) {
        if (rl_line_buffer && interrupted)
            *dropped = strdup(rl_line_buffer);
        rl_callback_sigcleanup();
        rl_free_line_state();
        rl_point = rl_end;
        rl_redisplay();
        fputs(interrupted ? "^C" : "", rl_outstream);
        rl_callback_handler_remove(); // also returns the cursor to the beginning of the line
        fputs("\n", rl_outstream);
    }
    sigprocmask(SIG_SETMASK, &had, NULL);
    return line_read;
}
