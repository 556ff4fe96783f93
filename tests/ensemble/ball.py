#!/usr/bin/env python3
"""How often a world that follows a recorded robot ends as the recorded one did: a tennis ball is taken from a stand and dropped over
one of four containers, and an ensemble whose model in_hand holds the ball is compared with physics alone and with two simple bonds.

ball.py FOLDER --wanted N [--first SEED]: records episodes of seeds from SEED on until N have the ball in the container and N have not, follows
each in four ways, and prints the table. FORESEE is the program, SOURCE the source tree. The truth is simulated with a step of
0.5 ms and a friction of the grip that each seed draws; what follows knows neither it nor where the ball and the container were to
better than 5 mm, and has the friction that the world states.
"""
import argparse, math, os, random, sqlite3, subprocess, sys

FORESEE, SOURCE = os.environ["FORESEE"], os.environ["SOURCE"]
BALL = os.path.join(SOURCE, "examples/ensemble/ball")
WAYS = {"in_hand": "ensemble", "physics alone": "world", "rigid_bind": "rigid", "force_bind": "force"}
SIGMA = 0.005  # m, of where ball and container are taken to be, along x and y
STAND, DROP = (0.5, 0.25), (0.5, -0.15)


def draw(seed):
    """The true world of a seed, and where what follows takes ball and container to be."""
    luck = random.Random(seed)
    kind = luck.choice(["good", "good", "smooth", "beside"])
    grip = luck.uniform(0.03, 0.08) if kind == "smooth" else luck.uniform(0.15, 0.7)
    far, about = (luck.uniform(0, 0.15) if kind == "beside" else luck.uniform(0, 0.015)), luck.uniform(-180, 180)
    container = (DROP[0] + far * math.cos(math.radians(about)), DROP[1] + far * math.sin(math.radians(about)))
    stand = tuple(v + luck.uniform(-0.02, 0.02) for v in STAND)
    common = {"container": luck.choice(["tub", "bowl", "box", "beaker"])}

    def places(stand, container):
        return {"stand_x": stand[0], "stand_y": stand[1], "container_x": container[0], "container_y": container[1]}

    true = {**common, **places(stand, container), "grip_friction": grip}
    taken = {**common, **places([v + luck.gauss(0, SIGMA) for v in stand], [v + luck.gauss(0, SIGMA) for v in container])}
    return true, taken


def run(log, world, values, *more):
    if os.path.exists(log):
        os.remove(log)
    sets = [word for name, value in values.items() for word in ("--set", f"world.{name}={value if isinstance(value, str) else f'{value:.6f}'}")]
    done = subprocess.run([FORESEE, "run", "-q", os.path.join(BALL, "drop.yaml"), "--world", os.path.join(BALL, world + ".yaml"), "-o", log,
                           *sets, *more], capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(f"{log}: exit status {done.returncode}: {done.stderr}")
    return done.returncode == 0


HELD = """select exists (select 1 from bond_view where object = 'ball_1') or exists (select 1 from contact_view l, contact_view r
    where l.a = 'ball_1' and r.a = 'ball_1' and l.b like '%_finger_1' and r.b like '%_finger_2'
    and min(coalesce(l.end_s, 1e9), coalesce(r.end_s, 1e9)) - max(l.start_s, r.start_s) > 0.1)"""


def was_in_hand(log):
    """Whether the ball was ever held: both fingers touched it for 0.1 s, or a model bound it."""
    db = sqlite3.connect(f"file:{log}?mode=ro", uri=True)
    held = db.execute(HELD).fetchone()[0] == 1
    db.close()
    return held


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    words.add_argument("folder")
    words.add_argument("--wanted", type=int, default=50)
    words.add_argument("--first", type=int, default=1)
    given = words.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    seen = {True: 0, False: 0}
    right = {way: {True: 0, False: 0} for way in WAYS}
    held = {way: 0 for way in WAYS}
    seed = given.first - 1
    while min(seen.values()) < given.wanted:
        seed += 1
        true, taken = draw(seed)
        truth = os.path.join(given.folder, "truth.db")
        success = run(truth, "world", true, "--seed", str(seed), "--step", "0.0005")
        if seen[success] == given.wanted or not was_in_hand(truth):
            continue
        seen[success] += 1
        told = []
        for way, world in WAYS.items():
            log = os.path.join(given.folder, f"{world}.db")
            inside = run(log, world, taken, "--telemetry", truth)
            was_held = was_in_hand(log)
            held[way] += was_held
            right[way][success] += inside == success and (success or was_held)
            told.append(f"{way} {'in' if inside else 'out'}{'' if was_held else ', never held'}")
        print(f"seed {seed}: {'in' if success else 'out'}; {'; '.join(told)}", file=sys.stderr)
    print(f"| {given.wanted} + {given.wanted} of the seeds {given.first} to {seed} | in the container, of {seen[True]} that are | not, and was held, of {seen[False]} | mean | held, of {sum(seen.values())} |")
    print("|---|---|---|---|---|")
    for way in WAYS:
        shares = [right[way][kind] / seen[kind] for kind in (True, False)]
        print(f"| {way} | {right[way][True]} | {right[way][False]} | {sum(shares) / 2:.2f} | {held[way]} |")


if __name__ == "__main__":
    main()
