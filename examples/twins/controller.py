#!/usr/bin/env python3
"""A controller of the arms that follow a station, for `foresee run PLAN.yaml --remote 127.0.0.1:PORT`; docs/twins.md describes the datagrams.

    controller.py [--hold] [--wrong WHAT]

It prints the port at which it listens, answers one run and ends with it. By itself it is a position-force coupling: the arm is drawn
along with the station from where both were when it began to follow, and the operator feels what draws it. With --hold the arm stays there, and
the operator feels 10 N m at each joint. --wrong answers 1e6 as one of force, energy, place, observed, reference, speed, offset, to see
what foresee makes of that.
"""
import argparse, math, socket, struct

HELLO, STEP, END = 1, 2, 3
JOINTS, QUESTION, ANSWER = 7, 69, 50
PARTS = ("force", "energy", "place", "observed", "reference", "speed", "offset")


def checksum(data):
    """The 64-bit FNV-1a hash."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def read(data):
    """Gives kind, session, step and numbers of a datagram; None: it is malformed, and is not answered."""
    if len(data) < 40 or data[:8] != b"foresee1" or struct.unpack("<Q", data[-8:])[0] != checksum(data[:-8]):
        return None
    kind, count, session, step = struct.unpack("<IIQQ", data[8:32])
    if len(data) != 40 + 8 * count:
        return None
    numbers = struct.unpack(f"<{count}d", data[32:-8])
    return (kind, session, step, numbers) if all(map(math.isfinite, numbers)) else None


def written(kind, session, step, numbers):
    body = struct.pack("<8sIIQQ", b"foresee1", kind, len(numbers), session, step) + struct.pack(f"<{len(numbers)}d", *numbers)
    return body + struct.pack("<Q", checksum(body))


class Arm:
    """One arm that may follow: what lasts from step to step."""

    def __init__(self, options):
        self.options, self.begun = options, None

    def answer(self, question):
        _, _, lent, heard, _, _ = question[:6]
        joints = [question[6 + 9 * k : 15 + 9 * k] for k in range(JOINTS)]
        if not (lent and heard):
            self.begun = None
        elif self.begun is None:
            self.begun = [(joint[0], joint[4]) for joint in joints]  # the station's place and the arm's own
        out = [1.0 if self.begun else 0.0]
        for k, (place, speed, _, _, own, rate, external, stiffness, damping) in enumerate(joints):
            force = reference = drawn = offset = 0.0
            if self.begun:
                reference, offset = self.begun[k][1], self.begun[k][1] - self.begun[k][0]
                if not self.options.hold:
                    reference, drawn = place + offset, speed
                force = 10.0 if self.options.hold else stiffness * (reference - own) + damping * (drawn - rate)
            values = [force, 0.0, own, external, reference, drawn, offset]
            if self.options.wrong and self.begun:
                values[PARTS.index(self.options.wrong)] = 1e6
            out += values
        return out


def main():
    parser = argparse.ArgumentParser(description="controls the arms of a foresee run that is given --remote")
    parser.add_argument("--hold", action="store_true")
    parser.add_argument("--wrong", choices=PARTS)
    options = parser.parse_args()
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("127.0.0.1", 0))
    print(link.getsockname()[1], flush=True)
    arms, last, done = {}, None, 0  # `last`: what was answered last, for who has not heard it
    while True:
        data, asker = link.recvfrom(2048)
        asked = read(data)
        if asked is None:
            continue
        kind, session, step, numbers = asked
        if kind == HELLO:  # a run begins, or has not heard that it may
            arms, done = {}, 0
            last = written(HELLO, session, 0, [])
        elif kind == STEP and step == done + 1 and len(numbers) == QUESTION:
            arm = arms.setdefault(numbers[0], Arm(options))
            last, done = written(STEP, session, step, arm.answer(numbers)), step
        elif kind == END:
            link.sendto(written(END, session, 0, []), asker)
            return
        elif kind != STEP or step != done:  # a step that is over, or one that has not come yet
            continue
        link.sendto(last, asker)


main()
