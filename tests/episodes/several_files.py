#!/usr/bin/env python3
"""tests/episodes/several_files.py - a plan file that names several robots: it runs, runs again with the same bytes, and its mistakes
have a place. BUILD is the folder of the program, SOURCE the repository.
"""
import os, sqlite3, subprocess, sys, tempfile

SOURCE, PROGRAM = os.environ['SOURCE'], os.path.join(os.environ['BUILD'], 'foresee')
EXAMPLE = os.path.join(SOURCE, 'examples', 'two_robots', 'lay_table.yaml')
ANN = '    ann: { robot: two_arms.yaml, at: [1.8, 3.0, 180] }\n'
BOB = '    bob: { robot: two_arms.yaml, at: [6, 3, 0] }\n'
MISTAKES = [  # what stands under robots:, the place of the mistake, a part of what is told
    (ANN + '    bob: { robot: two_arms.yaml, at: [1.9, 3.0, 0] }\n', '6:5', 'overlap'),
    (ANN + '    bob: { at: [6, 3, 0] }\n', '6:5', 'needs robot:'),
    (ANN + '    bob: { robot: two_arms.yaml }\n', '6:5', 'needs at:'),
    (ANN + '    bob: { robot: two_arm.yaml, at: [6, 3, 0] }\n', '6:19', "did you mean 'two_arms.yaml'"),
    (ANN + '    bob: { robot: two_arms.yaml, at: [6, 3] }\n', '6:38', 'at'),
    (ANN + '    bob: { robot: two_arms.yaml, at: [6, 3, 0], start: 1 }\n', '6:49', "unknown key 'start'"),
    (ANN + '    bob: { robot: two_arms.yaml, at: [6, 3, 0], set: { world.x: 1 } }\n', '6:56', 'projection: set'),
    (ANN + '    bob: { robot: two_arms.yaml, at: [6, 3, 0], set: { plan.nothing: 1 } }\n', '6:70', "no parameter 'plan.nothing'"),
    (ANN + '    world: { robot: two_arms.yaml, at: [6, 3, 0] }\n', '6:5', "called 'world'"),
    (ANN + '    map: { robot: two_arms.yaml, at: [6, 3, 0] }\n', '6:5', "frame of every robot's view"),
    (ANN + '    twin: { robot: two_arms.yaml, at: [6, 3, 0] }\n', '6:5', "called 'twin'"),
    (ANN + '    ann_left: { robot: two_arms.yaml, at: [6, 3, 0] }\n', '6:5', 'told from each other'),
    (ANN + '    table_1: { robot: two_arms.yaml, at: [6, 3, 0] }\n', '6:5', 'has a body `table_1` already'),
    ('    ann: { robot: two_arms.yaml, at: [1.8, 3, 0], plan: plan.yaml }\n', '5:57', 'the first robot runs the body'),
    ('    []\n', '5:5', 'must be a map of names'),
    (ANN + '  share: all\n', '6:10', 'is for several robots'),
    (ANN + BOB + '  share: some\n', '7:10', 'must be all or nothing'),
    (ANN + BOB + '  links: { delay: 1 }\n', '7:10', 'must be a list'),
    (ANN + BOB + '  links: [ { delay: 1 } ]\n', '7:12', 'needs between:'),
    (ANN + BOB + '  links: [ { between: [ann, bop] } ]\n', '7:29', "no robot 'bop'"),
    (ANN + BOB + '  links: [ { between: [ann, ann] } ]\n', '7:23', 'between two robots'),
    (ANN + BOB + '  links: [ { between: [ann, bob] }, { between: [bob, ann] } ]\n', '7:48', 'already'),
    (ANN + BOB + '  links: [ { between: [ann, bob], delay: -1 } ]\n', '7:42', 'between 0 and'),
    (ANN + BOB + '  links: [ { between: [ann, bob], loss: 1 } ]\n', '7:41', 'less than 1'),
    (ANN + BOB + '  links: [ { between: [ann, bob], lag: 1 } ]\n', '7:35', "unknown key 'lag'"),
]


STEPS = [  # the body, the place of the mistake, a part of what is told
    ('as: bop, wait: { seconds: 1 }', '7:13', "no robot 'bop' under robots:; did you mean 'bob'?"),
    ('seq: [ { as: ann, seq: [ { as: bob, localise: } ] } ]', '7:40', "within one of 'ann' alone (line 7)"),
    ('try_in_order: [ { as: ann, guard: "true", localise: } ]', '7:31', 'a step with guard:'),
    ('seq: [ { as: ann, set: "?x", to: 1 }, { as: bob, set: "?y", to: "?x" } ]', '7:74', '?x has no value here'),
    ('seq: [ { as: ann, set: "?x", to: 1 }, { as: ann, set: "?y", to: "?x" }, { set: "?y", to: "?z" } ]', '7:99', '?z has no value here'),
]


def foresee(*arguments):
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def rows(log):
    """Everything that a log holds."""
    return list(sqlite3.connect(log).iterdump())


def check_mistakes(folder):
    for name in ('robots/two_arms.yaml', 'two_robots/hall.yaml'):
        os.symlink(os.path.join(SOURCE, 'examples', name), os.path.join(folder, os.path.basename(name)))
    path, wrong = os.path.join(folder, 'plan.yaml'), 0
    for text, place, told in MISTAKES:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('plan: p\nprojection:\n  world: hall.yaml\n  robots:\n' + text + 'body:\n  wait: { seconds: 1 }\n')
        code, printed = foresee('check', path)
        if code == 0 or f'plan.yaml:{place}: ' not in printed or told not in printed:
            print(f'for\n{text}expected {place} and "{told}", not\n{printed}')
            wrong += 1
    for body, place, told in STEPS:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('plan: p\nprojection:\n  world: hall.yaml\n  robots:\n' + ANN + BOB + f'body: {{ {body} }}\n')
        code, printed = foresee('check', path)
        if code == 0 or f'plan.yaml:{place}: ' not in printed or told not in printed or printed.count('no value here') > 1:
            print(f'for the body {body} expected {place} and "{told}", not\n{printed}')
            wrong += 1
    with open(path, 'w', encoding='utf-8') as file:
        file.write('plan: p\nprojection: { world: hall.yaml, robot: two_arms.yaml }\nbody: { as: ann, wait: { seconds: 1 } }\n')
    code, printed = foresee('check', path)
    if code == 0 or 'plan.yaml:3:13: ' not in printed or 'several robots' not in printed:
        print(printed)
        wrong += 1
    hands = "is a hand of each robot, and this goal is about the world: write ann_left_gripper or bob_left_gripper"
    for goal, told in (('loc(robot, at(1, 2))', 'does not say which robot'), ('loc(ann, at(1, 2))', ''),
                       ('object_in_hand(a(cup), left_gripper)', hands), ('object_in_hand(a(cup), left)', hands),
                       ('object_in_hand(a(cup), robot_left_gripper)', hands), ('object_in_hand(a(cup), bob_left_gripper)', '')):
        with open(path, 'w', encoding='utf-8') as file:
            file.write('plan: p\nprojection:\n  world: hall.yaml\n  robots:\n' + ANN + BOB + f'body:\n  goal: "{goal}"\n  wait: {{ seconds: 1 }}\n')
        code, printed = foresee('check', path)
        if (code == 0) != (told == '') or told not in printed or printed.count('error:') > 1:
            print(f'for the goal {goal}:\n{printed}')
            wrong += 1
    return wrong


def main():
    with tempfile.TemporaryDirectory(prefix='foresee-several.') as folder:
        wrong = check_mistakes(folder)
        first, again = os.path.join(folder, 'first.db'), os.path.join(folder, 'again.db')
        code, printed = foresee('run', EXAMPLE, '--seed', '1', '--output', first)
        if code != 0 or 'succeeded' not in printed:
            sys.exit('lay_table.yaml did not succeed:\n' + printed)
        code, printed = foresee('run', first, '--output', again)
        if code != 0 or rows(first) != rows(again):
            sys.exit('the log of two robots does not run again as it was:\n' + printed)
        code, printed = foresee('run', EXAMPLE, '--set', 'bop.plan.cup_spot=east_cup', '--output', again)
        if code == 0 or "did you mean 'bob'" not in printed:
            sys.exit('a setting of a robot that there is not:\n' + printed)
        code, printed = foresee('run', first, '--change', 'ghostly(left_gripper, cup_1)', '--output', again)
        if code == 0 or "did you mean 'ann_left_gripper' or 'bob_left_gripper'?" not in printed:
            sys.exit('a hand that two have:\n' + printed)
        # Each robot of the log laid its own place, and knows of its own sideboard alone.
        db = sqlite3.connect(first)
        goals = dict(db.execute("SELECT a.name, t.goal FROM task t JOIN agent a ON a.id = t.agent WHERE t.goal LIKE '%_plate)%_cup)%'"))
        if 'west_plate' not in goals.get('ann', '') or 'east_plate' not in goals.get('bob', ''):
            sys.exit(f'the top tasks are {goals}')
    sys.exit(wrong > 0)


main()
