#!/usr/bin/env python3
"""tests/episodes/peers.py - robots that recognise one another by their lasers: what is read of whom, and how far the view is off.
BUILD is the folder of the program, SOURCE the repository.
"""
import bisect, csv, io, math, os, sqlite3, subprocess, sys, tempfile

SOURCE, PROGRAM = os.environ['SOURCE'], os.path.join(os.environ['BUILD'], 'foresee')
EXAMPLES = os.path.join(SOURCE, 'examples', 'two_robots')


def need(holds, what):
    if not holds:
        sys.exit(what)


def run(log, plan, seed, *settings):
    done = subprocess.run([PROGRAM, 'run', '-q', os.path.join(EXAMPLES, plan), '--seed', str(seed), '-o', log, *settings],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    need(done.returncode in (0, 1), done.stdout)
    return sqlite3.connect(log)


def ask(log, question):
    """The rows that answer a question, as lists of texts."""
    done = subprocess.run([PROGRAM, 'query', log, question, '--format', 'csv'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    need(done.returncode in (0, 1), f'{question}:\n{done.stderr}')
    return list(csv.reader(io.StringIO(done.stdout)))[1:] if done.returncode == 0 else []


def place(rows, t):
    """Where something is at a time, on the way between two keyframes."""
    i = max(0, bisect.bisect_right([r[0] for r in rows], t + 1e-9) - 1)
    if i + 1 >= len(rows):
        return rows[i][1:3]
    f = (t - rows[i][0]) / (rows[i + 1][0] - rows[i][0])
    return [rows[i][k] + f * (rows[i + 1][k] - rows[i][k]) + 4 * f * (1 - f) * rows[i + 1][k + 2] for k in (1, 2)]


def base(db, who):
    return db.execute('SELECT t_s, x, y, bow_x, bow_y FROM pose_view WHERE object = ? ORDER BY t_s', (f'{who}_base',)).fetchall()


def check_readings(log, db):
    """What each detector reads is where the other is, up to its noise; the two draw noise of their own."""
    own, other, errors = base(db, 'ann'), base(db, 'bob'), {}
    for who in ('ann', 'bob'):
        rows = db.execute("SELECT taken_s, value FROM reading_view WHERE kind = 'detector' AND agent = ? ORDER BY taken_s", (who,)).fetchall()
        need(len(rows) >= 10 and {row[1].split(',')[-1].strip(' ]') for row in rows} == {'1.0'}, f'{who}: {len(rows)} readings')
        distances = [math.hypot(*map(float, value.strip('[]').split(',')[:2])) - math.dist(place(own, t), place(other, t)) for t, value in rows]
        need(max(map(abs, distances)) < 0.025, f'{who} reads distances that are off by {max(map(abs, distances)):.3f} m')
        errors[who] = distances
    need(errors['ann'][:5] != errors['bob'][:5], 'equal noise')


def check_views(log, db):
    """Ann, who stands still, believes bob to be where he is; so the graph of her view has it."""
    need(ask(log, 'knows(ann, map, bob, at(1))') and ask(log, 'knows(bob, map, ann, at(1))'), 'each knows where the other is')
    need(ask(log, 'estimated_by(ann, map, bob, detector, at(1))'), 'by the detector')
    need(ask(log, 'view_estimate(Id, ann, detector, map, bob, _, _), view_cycle(Id, "ann = ann_start = map ~ bob_start ~ bob")'), 'the cycle')
    rows = db.execute("SELECT t_s, x, y, source FROM believed_frame_view WHERE agent = 'ann' AND believed = 'bob' ORDER BY t_s").fetchall()
    truth = base(db, 'bob')
    need(len(rows) > 20 and {row[3] for row in rows} == {'detector'}, f'{len(rows)} rows')
    last = db.execute("SELECT max(taken_s) FROM reading_view WHERE kind = 'detector' AND agent = 'ann'").fetchone()[0]
    off = max(math.dist(row[1:3], place(truth, row[0])) for row in rows if row[0] <= last)
    need(off < 0.035, f'ann believes bob to be {off:.3f} m from where he is')


def check_nobody(folder):
    """Who recognises nobody has no reading and no belief of the other."""
    log = os.path.join(folder, 'nobody.db')
    db = run(log, 'pass_ann.yaml', 1, '--set', 'robot.detector_range=0.01')
    need(db.execute("SELECT count(*) FROM reading_view WHERE kind = 'detector'").fetchone()[0] == 0, 'readings')
    need(not ask(log, 'knows(ann, map, bob, at(5))'), 'ann does not know where bob is')


def main():
    with tempfile.TemporaryDirectory(prefix='foresee-peers.') as folder:
        for seed in (1, 2, 3):
            log = os.path.join(folder, f'pass{seed}.db')
            db = run(log, 'pass_ann.yaml', seed)
            check_readings(log, db)
            check_views(log, db)
        check_nobody(folder)


main()
