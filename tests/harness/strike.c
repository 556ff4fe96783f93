// tests/harness/strike.c - runs a command and strikes at its n-th call that writes: kills the
// process that makes it, or has the call fail.
//
//   strike kill N command...         SIGKILL at the N-th
//   strike any N command...          SIGKILL at the N-th call of all, those that read, too
//   strike term N command...         SIGTERM at the N-th
//   strike fail N ERRNO command...   the N-th returns ERRNO and does nothing
//   strike full N command...         from the N-th on the disk is full
//   strike count MODE FILE command.. writes to FILE how many calls one of these could strike at
//
// Calls of all processes that the command starts are counted together. What goes to standard error
// is none of them. The exit status is that of the command, 128 and the signal where one ended it;
// 77: calls cannot be traced here; 99: the command made fewer calls, and was not struck.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

// The modes that a call counts in: k kill, f fail, s full (it takes space).
typedef struct writing {
    long number;
    const char *modes;
} writing;

static const writing WRITING[] = {
    {SYS_write, "kfs"},     {SYS_pwrite64, "kfs"}, {SYS_writev, "kfs"}, {SYS_pwritev, "kfs"},
    {SYS_fsync, "kf"},      {SYS_fdatasync, "kf"}, {SYS_rename, "kf"},  {SYS_renameat, "kf"},
    {SYS_renameat2, "kf"},  {SYS_ftruncate, "kf"}, {SYS_linkat, "kf"},  {SYS_openat, "kfs"},
    {SYS_fallocate, "kfs"}, {SYS_mkdir, "kfs"},    {SYS_unlink, "k"},   {SYS_unlinkat, "k"},
    {SYS_rmdir, "k"},       {SYS_exit_group, "k"},
};
enum { KINDS = sizeof WRITING / sizeof *WRITING };

typedef struct strike {
    char mode;
    bool counts_only;
    long at, count;
    int code;
    bool struck;
} strike;

static void install_filter(bool all) {
    struct sock_filter code[2 * KINDS + 2];
    size_t n = 0;
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < KINDS; i++) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                 (uint32_t)WRITING[i].number, 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, all ? SECCOMP_RET_TRACE : SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
        _exit(77);
}

static bool counts(const strike *s, const struct user_regs_struct *r) {
    long number = (long)r->orig_rax;
    if (s->mode == 'a')
        return true;
    const char *modes = NULL;
    for (size_t i = 0; i < KINDS; i++)
        if (WRITING[i].number == number)
            modes = WRITING[i].modes;
    if (!modes || !strchr(modes, s->mode == 't' ? 'k' : s->mode))
        return false;
    if (number == SYS_openat)
        return (r->rdx & O_CREAT) != 0;
    bool bytes = number == SYS_write || number == SYS_writev;
    return !(bytes && (int)r->rdi == STDERR_FILENO);
}

static void look_at(strike *s, pid_t pid) {
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, pid, 0, &r) != 0 || !counts(s, &r))
        return;
    s->count++;
    bool now = s->mode == 's' ? s->count >= s->at : s->count == s->at;
    if (s->counts_only || !now)
        return;
    s->struck = true;
    if (s->mode == 'k' || s->mode == 'a') {
        kill(pid, SIGKILL);
        return;
    }
    if (s->mode == 't') {
        kill(pid, SIGTERM);
        return;
    }
    r.orig_rax = (unsigned long long)-1; // no call
    r.rax = (unsigned long long)(long long)-s->code;
    ptrace(PTRACE_SETREGS, pid, 0, &r);
}

static int follow(strike *s, pid_t root) {
    int how, result = 0;
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (waitpid(root, &how, 0) != root || !WIFSTOPPED(how) ||
        ptrace(PTRACE_SETOPTIONS, root, 0, options) != 0)
        return 77;
    ptrace(PTRACE_CONT, root, 0, 0);
    for (pid_t pid; (pid = waitpid(-1, &how, __WALL)) > 0 || errno == EINTR;) {
        if (pid < 0)
            continue;
        if (WIFEXITED(how) || WIFSIGNALED(how)) {
            if (pid == root)
                result = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
            continue;
        }
        int event = how >> 16, signal = WSTOPSIG(how);
        if (event == PTRACE_EVENT_SECCOMP)
            look_at(s, pid);
        // The stop that a new child begins with is ours.
        if (event || signal == SIGTRAP || signal == SIGSTOP)
            signal = 0;
        ptrace(PTRACE_CONT, pid, 0, signal);
    }
    return result;
}

static char mode_letter(const char *name) {
    static const char *const names[] = {"kill", "any", "fail", "full", "term"};
    for (size_t i = 0; i < 5; i++)
        if (strcmp(name, names[i]) == 0)
            return "kafst"[i];
    return 0;
}

int main(int argc, char **argv) {
    strike s = {.code = ENOSPC, .counts_only = argc > 1 && strcmp(argv[1], "count") == 0};
    s.mode = argc > 4 ? mode_letter(argv[1 + s.counts_only]) : 0;
    int first = s.counts_only || s.mode == 'f' ? 4 : 3;
    if (!s.mode)
        return 2;
    if (!s.counts_only)
        s.at = atol(argv[2]);
    if (!s.counts_only && s.mode == 'f')
        s.code = atoi(argv[3]);
    pid_t root = fork();
    if (root < 0)
        return 77;
    if (root == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(77);
        raise(SIGSTOP);
        install_filter(s.mode == 'a');
        execvp(argv[first], argv + first);
        _exit(127);
    }
    int result = follow(&s, root);
    if (!s.counts_only)
        return s.struck ? result : 99;
    FILE *out = fopen(argv[3], "w");
    if (!out)
        return 2;
    fprintf(out, "%ld\n", s.count);
    fclose(out);
    return result;
}

#else
int main(void) {
    return 77; // registers have other names here
}
#endif
