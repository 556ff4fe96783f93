#!/usr/bin/env python3
"""Asks a log from Python, through the C library and ctypes alone: the same as ask.c.

    python3 ask.py LOG.db
"""
import ctypes
import sys
import threading

OK, INPUT, INTERRUPTED, ROW, DONE = 0, 2, 6, 100, 101

library = ctypes.CDLL("libforesee.so.0")
POINTER, TEXT, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
for name, result, arguments in [
    ("open", INT, [TEXT, POINTER, POINTER]),
    ("close", None, [POINTER]),
    ("errmsg", TEXT, [POINTER]),
    ("load_text", INT, [POINTER, TEXT, TEXT]),
    ("interrupt", None, [POINTER]),
    ("prepare", INT, [POINTER, TEXT, POINTER]),
    ("bind_symbol", INT, [POINTER, TEXT, TEXT]),
    ("step", INT, [POINTER]),
    ("finalize", None, [POINTER]),
    ("column_count", INT, [POINTER]),
    ("column_type", INT, [POINTER, INT]),
    ("column_int64", ctypes.c_int64, [POINTER, INT]),
    ("column_double", ctypes.c_double, [POINTER, INT]),
    ("column_text", TEXT, [POINTER, INT]),
    ("column_term", TEXT, [POINTER, INT]),
    ("explain", INT, [POINTER, TEXT, TEXT, POINTER]),
    ("free", None, [POINTER]),
]:
    function = getattr(library, "foresee_" + name)
    function.restype, function.argtypes = result, arguments


class Failure(Exception):
    """What foresee_errmsg says."""


class Interrupted(Failure):
    """A query was ended by Log.interrupt."""


class Log:
    """A log, its last episode asked under the shipped rules."""

    def __init__(self, path):
        self.handle = POINTER()
        self.check(library.foresee_open(path.encode(), None, ctypes.byref(self.handle)))

    def close(self):
        library.foresee_close(self.handle)

    def check(self, code):
        if code == INTERRUPTED:
            raise Interrupted("interrupted")
        if code not in (OK, ROW, DONE):
            raise Failure(library.foresee_errmsg(self.handle).decode())
        return code

    def load(self, name, rules):
        self.check(library.foresee_load_text(self.handle, name.encode(), rules.encode()))

    def interrupt(self):
        library.foresee_interrupt(self.handle)

    def ask(self, query, **symbols):
        """Each answer as a tuple: numbers and times (in seconds) as numbers, all else as text."""
        statement = POINTER()
        self.check(library.foresee_prepare(self.handle, query.encode(), ctypes.byref(statement)))
        try:
            for variable, symbol in symbols.items():
                self.check(library.foresee_bind_symbol(statement, variable.encode(), symbol.encode()))
            while self.check(library.foresee_step(statement)) == ROW:
                yield tuple(self.value(statement, i) for i in range(library.foresee_column_count(statement)))
        finally:
            library.foresee_finalize(statement)

    @staticmethod
    def value(statement, column):
        kind = library.foresee_column_type(statement, column)
        if kind == 1:  # an integer
            return library.foresee_column_int64(statement, column)
        if kind in (2, 5):  # a float, a time
            return library.foresee_column_double(statement, column)
        if kind == 6:  # a compound
            text = library.foresee_column_term(statement, column)
        else:
            text = library.foresee_column_text(statement, column)
        if text is None:
            raise MemoryError("no memory is left to write a value")
        return text.decode()

    def why(self, goal):
        text = TEXT()
        self.check(library.foresee_explain(self.handle, goal.encode(), b"text", ctypes.byref(text)))
        reasons = text.value.decode()
        library.foresee_free(text)
        return reasons


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: ask.py LOG.db")
    try:
        log = Log(sys.argv[1])
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 2

    # Answers, for a value that is given when the query runs.
    for surface, thing in log.ask(
            "object(Surface, _, _), holds_w(on(Object, Surface), at(end))", Surface="counter_1"):
        print(f"{thing} is on {surface}")

    for flaw, start in log.ask("flaw(F), flaw_time(F, Start, _), order_by(Start), limit(1)"):
        print(f"the first flaw, at {start:.3f} s: {flaw}")
        print(log.why(f"flaw({flaw})"), end="")

    # A mistake says where it is; the connection is none the worse for it.
    try:
        list(log.ask("holds_w(om(Object, Surface), at(end))"))
    except Failure as failure:
        print(failure)

    # Numbers without end, for a fifth of a second.
    log.load("numbers", "number(0). number(N + 1) :- number(N).")
    timer = threading.Timer(0.2, log.interrupt)
    timer.start()
    try:
        list(log.ask("number(N)"))
    except Interrupted:
        print("interrupted")
    timer.join()
    log.close()
    return 0


sys.exit(main())
