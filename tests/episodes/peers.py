#!/usr/bin/env python3
"""tests/episodes/peers.py - robots that recognise one another by their lasers: what is read of whom, how far the view is off, and how they
keep out of each other's way.
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


def outcome(db):
    return db.execute('SELECT outcome FROM episode').fetchone()[0]


def need_apart(log, db, what):
    """No part of the one has touched any of the other."""
    hits = db.execute("SELECT a, b, start_s FROM contact_view WHERE a LIKE 'ann_%' AND b LIKE 'bob_%' OR a LIKE 'bob_%' AND b LIKE 'ann_%'").fetchall()
    need(not hits, f'{what}: {hits[:3]}')


def check_way(folder):
    """Ann stands in bob's way: he goes round the table. Who does not recognise her hits her."""
    log = os.path.join(folder, 'hits.db')
    db = run(log, 'pass_ann.yaml', 1, '--set', 'robot.detector_range=0.01')
    need(outcome(db) == 'failed' and ask(log, 'flaw_root(F), functor(F, robots_collided, _)'), 'bob hits her')


def rests(db, who):
    """For how long a base stands still before it has come to its place."""
    rows = base(db, who)
    end = max(t / 10 for t in range(int(10 * rows[-1][0])) if math.dist(place(rows, t / 10), place(rows, rows[-1][0])) > 0.1)
    return sum(0.1 for t in range(int(10 * end)) if math.dist(place(rows, t / 10), place(rows, t / 10 + 0.1)) < 0.001)


def check_doorway(folder):
    """Ann stands in a doorway: bob waits, and goes through when she has gone, or fails where she stays."""
    for seed, stay in ((1, 10), (2, 10), (1, 60)):
        log = os.path.join(folder, f'door{seed}_{stay}.db')
        db = run(log, 'doorway.yaml', seed, '--set', f'plan.stay={stay}')
        need_apart(log, db, f'doorway, {stay} s, seed {seed}')
        failures = db.execute("SELECT class, reason, blocker FROM failure_view WHERE path LIKE '%go'").fetchall()
        if stay == 10:
            need(outcome(db) == 'succeeded' and not failures and not ask(log, 'flaw(F)'), f'bob goes through: {failures}')
            need(len(ask(log, 'gave_way(T, ann, S, E), task_agent(T, bob), D = E - S, D > 5')) == 1, 'he gave way to her, once')
            need(4 < rests(db, 'bob') < 15, f"bob rests for {rests(db, 'bob'):.1f} s")
        else:
            need(outcome(db) == 'failed' and failures[0] == ('navigation_way_blocked', 'the base has waited for 30 s on its way, and ann is in it', 'ann'), f'{failures}')
            need(not ask(log, 'flaw(F), functor(F, stalled, _)') and ask(log, 'flaw_root(F), functor(F, unrecovered_failure, _)'), 'who waits is not stalled')


# Where ann and bob stand, and where each goes: towards each other in an aisle, and through a doorway; across each other's ways; one behind
# the other.
MEETINGS = {
    'aisle': ('hall.yaml', (1.6, 4.7, 0), (6.4, 4.7, 180), (6.4, 4.7, 0), (1.6, 4.7, 180)),
    'doorway': ('rooms.yaml', (1.6, 3.0, 0), (6.4, 3.0, 180), (6.4, 3.6, 0), (1.6, 2.4, 180)),
    'crossing': ('rooms.yaml', (5.0, 3.0, 0), (6.3, 1.3, 90), (7.3, 3.0, 0), (6.3, 5.0, 90)),
    'behind': ('rooms.yaml', (5.6, 3.0, 180), (7.0, 3.0, 180), (1.6, 4.6, 180), (1.6, 2.4, 180)),
}
GO = 'body:\n  goal: "loc({0}, at({1}, {2}))"\n  seq:\n    - navigate: {{ to: "at({1}, {2}, {3})" }}\n    - localise\n    - navigate: {{ to: "at({1}, {2}, {3})" }}\n'


def check_meetings(folder, seeds):
    """Two that both drive: each comes to its place, and neither touches the other."""
    for name, (world, ann, bob, to_ann, to_bob) in MEETINGS.items():
        plan, second = os.path.join(folder, f'{name}.yaml'), os.path.join(folder, f'{name}_bob.yaml')
        robots = ''.join(f'    {who}: {{ robot: {EXAMPLES}/cart.yaml, at: {list(at)}{more} }}\n'
                         for who, at, more in (('ann', ann, ''), ('bob', bob, f', plan: {second}')))
        with open(plan, 'w', encoding='utf-8') as file:
            file.write(f'plan: {name}\nprojection:\n  world: {EXAMPLES}/{world}\n  robots:\n{robots}' + GO.format('ann', *to_ann))
        with open(second, 'w', encoding='utf-8') as file:
            file.write(f'plan: {name}_bob\n' + GO.format('bob', *to_bob))
        for seed in seeds:
            log = os.path.join(folder, f'{name}{seed}.db')
            db = run(log, plan, seed)
            need(outcome(db) == 'succeeded', f'{name}, seed {seed}: {outcome(db)}')
            need_apart(log, db, f'{name}, seed {seed}')


SWAP = '''
plan: swap
projection:
  world: {0}/hall.yaml
  robots:
    ann: {{ robot: {0}/cart.yaml, at: [1.4, 4.1, 0] }}
    bob: {{ robot: {0}/cart.yaml, at: [4.4, 4.1, 180] }}
body:
  par:
    - {{ as: ann, seq: [ {{ wait: {{ seconds: 1 }} }}, {{ navigate: {{ to: "at(4.4, 4.1, 0)" }} }} ] }}
    - {{ as: bob, seq: [ {{ wait: {{ seconds: 1 }} }}, {{ navigate: {{ to: "at(1.4, 4.1, 180)" }} }} ] }}
'''


def check_swap(folder):
    """Each is to go where the other stands and waits until that is gone: the two waits are one flaw, which explains the failure."""
    plan, log = os.path.join(folder, 'swap.yaml'), os.path.join(folder, 'swap.db')
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(SWAP.format(EXAMPLES))
    db = run(log, plan, 1)
    need(outcome(db) == 'failed', 'both are in the way')
    need(ask(log, 'flaw_root(F), F = waited_for_each_other(T, U, _), task_agent(T, ann), task_agent(U, bob)'), 'they waited for each other')
    need(ask(log, 'explains(waited_for_each_other(_, _, _), unrecovered_failure(_, navigation_way_blocked, _))'), 'and failed by that')
    need(not ask(log, 'flaw_root(unrecovered_failure(A, B, C))'), 'no other root')
    need_apart(log, db, 'in each other\'s goals')


ALONG = '''plan: along
projection:
  world: {0}/hall.yaml
  robots:
    ann: {{ robot: {0}/cart.yaml, at: [1.4, 4.1, 0] }}
    bob: {{ robot: {0}/cart.yaml, at: [1.4, 5.3, 0] }}
body:
  par:
    - {{ as: ann, seq: [ {{ wait: {{ seconds: 1 }} }}, {{ navigate: {{ to: "at(6.0, 4.1, 0)", speed: 0.2 }} }} ] }}
    - {{ as: bob, seq: [ {{ wait: {{ seconds: 0.5 }} }}, {{ accompany: {{ to: "offset(ann, 0.0, 1.2, 0)", seconds: 26 }} }} ] }}
'''


def check_along(folder):
    """Bob drives along with ann, whom he sees by his detector alone: she is nothing that is in his way."""
    plan, log = os.path.join(folder, 'along.yaml'), os.path.join(folder, 'along.db')
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(ALONG.format(EXAMPLES))
    db = run(log, plan, 1)
    need(outcome(db) == 'succeeded', 'bob keeps beside ann')
    ann, bob = base(db, 'ann'), base(db, 'bob')
    off = [math.dist(place(bob, t / 2), [x + y for x, y in zip(place(ann, t / 2), (0, 1.2))]) for t in range(2, 53)]
    need(max(off) < 0.2 and place(ann, 26)[0] > 5.5, f'bob is up to {max(off):.2f} m off his place')


def main():
    with tempfile.TemporaryDirectory(prefix='foresee-peers.') as folder:
        for seed in (1, 2, 3):
            log = os.path.join(folder, f'pass{seed}.db')
            db = run(log, 'pass_ann.yaml', seed)
            check_readings(log, db)
            check_views(log, db)
            need(outcome(db) == 'succeeded' and not ask(log, 'flaw(F)'), f'seed {seed}: bob comes to his place')
            need_apart(log, db, f'seed {seed}')
        check_nobody(folder)
        check_way(folder)
        check_doorway(folder)
        check_meetings(folder, (1, 2, 3))
        check_swap(folder)
        check_along(folder)


main()
