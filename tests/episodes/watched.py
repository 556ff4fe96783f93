#!/usr/bin/env python3
"""tests/episodes/watched.py - one robot watches another that a motion-capture system sees: the cycles that the log has of both views,
and how far each is off where the system loses the robot for 2 s as it brakes. BUILD is the folder of the program, SOURCE the repository.
"""
import bisect, csv, io, math, os, sqlite3, subprocess, sys, tempfile

SOURCE, PROGRAM = os.environ['SOURCE'], os.path.join(os.environ['BUILD'], 'foresee')
PLAN = os.path.join(SOURCE, 'examples', 'tracked', 'watched.yaml')


def need(holds, what):
    if not holds:
        sys.exit(what)


def run(log, seed, plan=PLAN, **values):
    settings = [word for name, value in values.items() for word in ('--set', f'robot.{name}={value}')]
    done = subprocess.run([PROGRAM, 'run', '-q', plan, '--seed', str(seed), '-o', log, *settings], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    need(done.returncode in (0, 1), done.stdout)
    return sqlite3.connect(log)


def ask(log, question):
    """The rows that answer a question, as lists of texts."""
    done = subprocess.run([PROGRAM, 'query', log, question, '--format', 'csv'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    need(done.returncode in (0, 1), f'{question}:\n{done.stderr}')
    return list(csv.reader(io.StringIO(done.stdout)))[1:] if done.returncode == 0 else []


def track(db, view=None):
    """The true places of ann's base, or those that a robot believes in, by time."""
    return db.execute("SELECT t_s, x, y, bow_x, bow_y FROM pose_view WHERE object = 'ann_base' ORDER BY t_s" if view is None else
                      "SELECT t_s, x, y, 0, 0 FROM believed_frame_view WHERE agent = ? AND believed = 'ann' ORDER BY t_s, id",
                      () if view is None else (view,)).fetchall()


def place(rows, t, between):
    i = bisect.bisect_right([r[0] for r in rows], t + 1e-9) - 1
    if not between or i + 1 >= len(rows):
        return rows[i][1:3]
    f = (t - rows[i][0]) / (rows[i + 1][0] - rows[i][0])
    return [rows[i][k] + f * (rows[i + 1][k] - rows[i][k]) + 4 * f * (1 - f) * rows[i + 1][k + 2] for k in (1, 2)]


def off(db, view, t):
    return math.dist(place(track(db), t, True), place(track(db, view), t, False))


def brakes_at(db):
    """When the base begins to brake at the end of its way: the last instant at which it still drives as fast as in the middle."""
    rows = track(db)
    speeds = [(t / 50, math.dist(place(rows, t / 50, True), place(rows, t / 50 - 0.2, True)) / 0.2) for t in range(50, 700)]
    usual = sorted(v for _, v in speeds)[int(0.8 * len(speeds))]
    return max(t for t, v in speeds if v > 0.97 * usual)


def check_views(log):
    cycles = {(r[0], r[1]) for r in ask(log, 'view_estimate(Id, View, tracker, _, _, _, _), view_cycle(Id, Cycle)') for r in [(r[1], r[2])]}
    need(cycles == {('ann', 'ann_tracker = map ~ ann_start = ann = ann_marker'), ('bob', 'bob_tracker = map ~ bob_start = bob = bob_marker'),
                    ('ann', 'ann_tracker = map ~ bob_start ~ bob = bob_marker'), ('bob', 'bob_tracker = map ~ ann_start ~ ann = ann_marker')},
         f'each sees itself by two relations, and the other by one that bridges them: {cycles}')
    need(ask(log, 'estimated_by(ann, ann_start, ann, odometry, at(5))') and not ask(log, 'estimated_by(bob, ann_start, ann, odometry, at(5))'),
         "ann's wheels are ann's alone")
    need(ask(log, 'knows(bob, map, ann, at(5))') and not ask(log, 'knows(bob, map, ann_start, at(5))') and ask(log, 'knows(ann, map, ann_start, at(5))'),
         'who sees her from outside knows where she is, and not where she started')
    need(ask(log, 'relation(bob, static, ann, ann_marker, interval(S, E))'), 'how the marker sits on her, all know')


def check_contradiction(folder, seed):
    """The laser's localisation of a robot that a tracker sees closes a cycle without unknowns, whose residual is what the tracker is off."""
    plan = os.path.join(folder, 'look.yaml')
    examples = os.path.join(SOURCE, 'examples')
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(f'plan: look\nprojection: {{ world: {examples}/worlds/kitchen.yaml, robot: {examples}/tracked/cart.yaml }}\n'
                   'body:\n  seq:\n    - wait: { seconds: 1 }\n    - tag: look\n      localise:\n')
    for bias in (0, 0.15):
        log = os.path.join(folder, f'bias_{bias}.db')
        run(log, seed, plan, tracker_bias=bias)
        rows = ask(log, 'view_residual(robot, laser, map, robot, Distance, Angle, T)')
        need(len(rows) == 1 and abs(float(rows[0][0]) - bias) < 0.02 and float(rows[0][1]) < 0.02, f'with a tracker that is {bias} m off: {rows}')
        told = ask(log, 'flaw(contradicting_observations(Task, robot, laser, T)), task_path(Task, "body/look")')
        need(bool(told) == (bias > 0), f'with a tracker that is {bias} m off the flaw is {told}')
    need(ask(log, 'flaw_caused_by(F, contradicting_observations(_, _, _, _)), functor(F, mislocalised, _)'), 'so it was mislocalised')


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory(prefix='foresee-watched.') as folder:
        log = os.path.join(folder, 'watched.db')
        brakes = brakes_at(run(log, seed, tracker_delay=0))
        check_views(log)
        db = run(os.path.join(folder, 'lost.db'), seed, tracker_delay=0, lost_from=brakes, lost_to=brakes + 2)
        own, outer = (off(db, view, brakes + 1.98) for view in ('ann', 'bob'))  # just before the system has her again
        print(f'brakes at {brakes:.2f} s; 2 s later its own view is off by {1000 * own:.0f} mm, the outer one by {outer:.3f} m')
        need(abs(outer - 0.75) <= 0.075, 'the outer view goes on at 0.5 m/s for 2 s, where the robot braked within 0.25 m')
        need(own <= 0.03, 'its own view has the wheels')
        check_contradiction(folder, seed)


main()
