#!/usr/bin/env python3
"""tests/episodes/contradicting.py - two robots see one plate and tell each other where it stands: with a camera that sees things too far
away the one contradicts the other, and otherwise they agree.
BUILD is the folder of the program, SOURCE the repository.
"""
import csv, io, os, subprocess, sys, tempfile

SOURCE, PROGRAM = os.environ['SOURCE'], os.path.join(os.environ['BUILD'], 'foresee')
PLAN = os.path.join(SOURCE, 'examples', 'two_robots', 'see_plate.yaml')


def foresee(*arguments):
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=SOURCE)
    return done.returncode, done.stdout + done.stderr


def ask(log, question):
    """The rows that answer a question, as lists of texts."""
    code, printed = foresee('query', log, question, '--format', 'csv')
    if code not in (0, 1):
        sys.exit(f'{question}:\n{printed}')
    return list(csv.reader(io.StringIO(printed)))[1:] if code == 0 else []


def need(holds, what):
    if not holds:
        sys.exit(what)


def distances(log):
    """How far reports of the plate were apart, by the view that has both."""
    rows = ask(log, "view_residual(View, Sensor, map, 'plate#1', Distance, Angle, T)")
    need({row[0] for row in rows} == {'ann', 'bob'} and {row[1] for row in rows} <= {'camera', 'told'}, f'both have their own word and the other one\'s: {rows}')
    return [float(row[2]) for row in rows]


def check_agreeing(log):
    need(max(distances(log)) < 0.03, f'they agree within 3 cm: {distances(log)}')
    need(not ask(log, 'flaw(F)'), f"nothing goes wrong: {ask(log, 'flaw(F)')}")


def check_contradicting(log, shift):
    need(all(abs(d - shift) < 0.03 for d in distances(log)), f'they are {shift} m apart: {distances(log)}')
    need(ask(log, 'flaw_root(F), F = contradicting_reports(Task, plate_3, camera, T), task_agent(Task, bob), task_path(Task, P)') or
         ask(log, 'flaw_recovered(F), F = contradicting_reports(Task, plate_3, camera, T), task_agent(Task, bob)'), "bob's look is to blame")
    need(ask(log, 'flaw_caused_by(inconsistent_views(_, plate_3, bob, _), contradicting_reports(_, _, _, _))'), 'ann went where he had told her that it was')
    need(len(ask(log, "believed(ann, N, plate, _)")) == 1, 'to her it is one plate all the same')
    code, printed = foresee('diagnose', log)
    need('two reports of where plate_3 stood contradict each other' in printed, printed)


def check_misplaced(folder):
    """A robot whose tracker is 12 cm off is not where it believes to be, and so is all that it says."""
    plan, log = os.path.join(folder, 'misplaced.yaml'), os.path.join(folder, 'misplaced.db')
    examples = os.path.join(SOURCE, 'examples')
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(f"""plan: misplaced
projection:
  world: {examples}/two_robots/hall_with_plate.yaml
  robots:
    ann: {{ robot: {examples}/robots/two_arms.yaml, at: [1.8, 3.0, 0] }}
    bob: {{ robot: {examples}/tracked/cart.yaml, at: [6.2, 3.0, 180], set: {{ robot.tracker_bias: 0.12 }} }}
  share: all
routines: [ pick_and_place.yaml ]
body:
  seq:
    - {{ as: bob, navigate: {{ to: "at(5.6, 3.0, 180)" }} }}
    - perceive: {{ a: {{ type: plate, color: green }}, region: on(table_1), into: "?plate" }}
""")
    code, printed = foresee('run', plan, '--seed', '1', '-o', log)
    need(code == 0, printed)
    need(all(abs(d - 0.12) < 0.03 for d in distances(log)), f'they are 0.12 m apart: {distances(log)}')
    need(ask(log, 'flaw_caused_by(contradicting_reports(Task, plate_3, _, _), mislocalised(_, bob, _)), task_agent(Task, bob)'), f"bob's place is to blame: {ask(log, 'flaw(F)')}")


def main():
    with tempfile.TemporaryDirectory(prefix='foresee-contradicting.') as folder:
        for seed in ('1', '2', '3'):
            for shift in (0, 0.08):
                log = os.path.join(folder, f'{seed}_{shift}.db')
                code, printed = foresee('run', PLAN, '--seed', seed, '--set', f'plan.shift={shift}', '-o', log)
                need(code in (0, 1), printed)
                if shift:
                    check_contradicting(log, shift)
                else:
                    check_agreeing(log)
        exact = os.path.join(folder, 'exact.db')
        code, printed = foresee('run', os.path.join(folder, '1_0.08.db'), '--change', 'exact_percepts', '-o', exact)
        need(code == 0, printed)
        check_agreeing(exact)
        check_misplaced(folder)


main()
