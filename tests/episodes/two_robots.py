#!/usr/bin/env python3
"""tests/episodes/two_robots.py - what goes wrong between two robots that share nothing, and the change of a re-run that takes it away;
and a part of a batch of two robots. BUILD is the folder of the program, SOURCE the repository.
"""
import csv, io, os, sqlite3, subprocess, sys, tempfile

SOURCE, PROGRAM = os.environ['SOURCE'], os.path.join(os.environ['BUILD'], 'foresee')
EXAMPLES = os.path.join(SOURCE, 'examples', 'two_robots')


def foresee(*arguments):
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def ask(log, question):
    """The rows that answer a question, as lists of texts."""
    code, printed = foresee('query', log, question, '--format', 'csv')
    if code not in (0, 1):
        sys.exit(f'{question}:\n{printed}')
    return list(csv.reader(io.StringIO(printed)))[1:] if code == 0 else []


def need(holds, what):
    if not holds:
        sys.exit(what)


def run(log, plan, *settings):
    code, printed = foresee('run', os.path.join(EXAMPLES, plan), '--seed', '1', '--output', log, *settings)
    need(code in (0, 1), printed)


def outcome(log):
    return sqlite3.connect(log).execute('SELECT outcome FROM episode').fetchone()[0]


def check_way(folder):
    """One robot stands in the other's way: the hit is the root, and is gone where the two pass through each other."""
    log, apart = os.path.join(folder, 'way.db'), os.path.join(folder, 'ghostly.db')
    run(log, 'block_way.yaml')
    need(outcome(log) == 'failed', 'bob cannot pass')
    need(ask(log, 'flaw_root(F), functor(F, robots_collided, _), F = robots_collided(T, _, ann, _), task_agent(T, bob)'), 'bob hit ann')
    need(ask(log, 'flaw_intervention(robots_collided(_, _, ann, _), [ghostly(bob, ann)])'), 'bob as a whole, and ann as a whole')
    code, printed = foresee('run', log, '--change', 'ghostly(bob, ann)', '--output', apart)
    need(code == 0 and outcome(apart) == 'succeeded' and not ask(apart, 'flaw(F)'), printed)
    code, printed = foresee('run', log, '--change', 'ghostly(bop, ann)', '--output', os.path.join(folder, 'none.db'))
    need(code == 2 and "did you mean 'bob'" in printed, printed)


def check_waits(folder):
    """Each waits for what the other would do if it knew."""
    log, shared = os.path.join(folder, 'waits.db'), os.path.join(folder, 'shared.db')
    run(log, 'swap_cup.yaml')
    need(outcome(log) == 'failed', 'nobody brings the cup back')
    rows = ask(log, 'flaw_root(F), F = waited_for_each_other(T, U, _), task_agent(T, A), task_agent(U, B), flaw_intervention(F, share_all)')
    need(len(rows) == 1 and {rows[0][3], rows[0][4]} == {'ann', 'bob'}, f'they waited for each other: {rows}')
    need(not ask(log, 'flaw(F), functor(F, timed_out, _), flaw_reported(F)'), 'that their times ran out is the same happening')
    code, printed = foresee('run', log, '--change', 'share_all', '--output', shared)
    need(code == 0 and outcome(shared) == 'succeeded' and not ask(shared, 'flaw(F)'), printed)


def check_part(folder):
    """A manifest names a plan of two robots, with a setting of one of them; its part is what the plan gives when it is run."""
    manifest, one = os.path.join(folder, 'manifest.yaml'), os.path.join(folder, 'one.db')
    setting = 'bob.robot.base_speed=0.4'
    with open(manifest, 'w', encoding='utf-8') as file:
        file.write(f'plans:\n  - plan: "{os.path.join(EXAMPLES, "block_way.yaml")}"\nset:\n  - "{setting}"\nparts:\n  - [[1, 1, 2]]\n')
    code, printed = foresee('batch', '-q', '--part', '1', manifest)
    need(code == 0, printed)
    run(one, 'block_way.yaml', '--set', setting)
    part = sqlite3.connect(os.path.join(folder, 'part-1.db'))
    seeds = [row[0] for row in part.execute('SELECT seed FROM episode ORDER BY id')]
    need(seeds == [1, 2], f'the seeds are {seeds}')
    told = "SELECT a.name, count(t.id) FROM agent a LEFT JOIN task t ON t.agent = a.id WHERE a.episode = 1 GROUP BY a.name ORDER BY 1"
    ends = 'SELECT end_ns, outcome FROM episode WHERE id = 1'
    single = sqlite3.connect(one)
    for sql in (told, ends, "SELECT scope, name, value FROM parameter WHERE episode = 1 ORDER BY 1, 2"):
        need(part.execute(sql).fetchall() == single.execute(sql).fetchall() != [], sql)


def main():
    with tempfile.TemporaryDirectory(prefix='foresee-two.') as folder:
        check_way(folder)
        check_waits(folder)
        check_part(folder)


main()
