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


DIVIDED = """plan: divided
projection:
  world: WORLD
  robots:
    ann: { robot: ROBOT, at: [1.8, 3.0, 180] }
    bob: { robot: ROBOT, at: [6.2, 3.0, 0] }
  links: [ { between: [ann, bob], delay: 0.1 } ]
body:
  tag: top
  seq:
    - tag: tries
      try_in_order:
        - tag: again
          on_failure:
            do: { as: bob, tag: bad, fail: { class: perception_object_not_found, reason: "no cup" } }
            handle: [ { failure: perception_object_not_found, retry: 1 } ]
        - { tag: rest, log: "no cup" }
    - tag: race
      pursue:
        - { as: ann, tag: quick, wait: { seconds: 1 } }
        - { as: bob, tag: slow, wait: { seconds: 5 } }
    - { as: bob, tag: last, log: "the end" }
"""


def check_divided(folder):
    """Steps of one robot: the others hear how they ended, after the delay of the link, and go on."""
    plan, log, again = (os.path.join(folder, name) for name in ('divided.yaml', 'divided.db', 'again.db'))
    world, robot = os.path.join(EXAMPLES, 'hall.yaml'), os.path.join(SOURCE, 'examples', 'robots', 'two_arms.yaml')
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(DIVIDED.replace('WORLD', world).replace('ROBOT', robot))
    code, printed = foresee('run', plan, '--output', log)
    need(code in (0, 1), printed)
    db = sqlite3.connect(log)
    tasks = {(name, path): (construct, status, end) for name, path, construct, status, end in db.execute(
        'SELECT a.name, t.dynamic_path, t.construct, t.status, t.end_ns / 1e9 FROM task t JOIN agent a ON a.id = t.agent')}
    need(tasks['ann', 'top'][1] == tasks['bob', 'top'][1] == 'done', tasks)
    for path in ('top/tries/again/bad', 'top/tries/again/bad@2'):
        mine, told = tasks['bob', path], tasks['ann', path]
        need(mine[:2] == ('fail', 'failed') and told[:2] == ('as', 'failed') and 0.1 <= told[2] - mine[2] <= 0.12 + 1e-9, (mine, told))
    reason = db.execute("SELECT class, reason FROM failure WHERE task IN (SELECT id FROM task WHERE construct = 'as') ORDER BY id").fetchall()
    need(reason == [('perception_object_not_found', 'bob: no cup')] * 2, reason)
    need(tasks['ann', 'top/race/quick'][:2] == ('wait', 'done') and tasks['bob', 'top/race/quick'][:2] == ('as', 'done'), tasks)
    need(tasks['bob', 'top/race/slow'][:2] == ('wait', 'evaporated') and tasks['ann', 'top/race/slow'][:2] == ('as', 'evaporated'), tasks)
    need(tasks['ann', 'top/last'][:2] == ('as', 'done') and tasks['bob', 'top/last'][0] == 'log', tasks)
    code, printed = foresee('run', log, '--output', again)
    need(list(sqlite3.connect(log).iterdump()) == list(sqlite3.connect(again).iterdump()), 'it does not run again as it was:\n' + printed)


def check_pass(folder):
    """One plan of two robots; bob goes for the cup when he has heard that ann is done, at the latest after what was lost was sent again."""
    for loss, least, most in (('0', 0.05, 0.09), ('0.9', 1, 60)):
        log = os.path.join(folder, f'pass{loss}.db')
        run(log, 'pass_cup.yaml', '--set', f'plan.loss={loss}')
        need(outcome(log) == 'succeeded', 'bob has the cup')
        need(not ask(log, 'message(_, _, _, _, _, _)'), 'they share no views')
        rows = ask(log, 'task_agent(T, ann), task_path(T, "pass_cup/give"), task_end(T, E), task_agent(U, bob), task_path(U, "pass_cup/give"), task_construct(U, as), task_end(U, F), D = F - E')
        need(len(rows) == 1 and least <= float(rows[0][-1]) <= most, f'bob heard of it late by {rows}')


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
        check_divided(folder)
        check_pass(folder)
        check_part(folder)


main()
