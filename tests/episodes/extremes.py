#!/usr/bin/env python3
"""tests/episodes/extremes.py - puts extreme numbers into the example worlds and robots, one at a time.

For every number of a file and every extreme: `foresee check` refuses it with its place, or a projection of 0.1 s in
that world, or with that robot, ends by itself, with an exit status and few words. FORESEE is the program, SOURCE the
repository. Arguments: how many of the cases to try (chosen evenly; 0: all), and files to take instead of all.
"""
import os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

EXTREMES = ['1e308', '-1e308', '1e-308', 'nan', '.inf', '0', '-1', '1e6', '1e-6']
# Each file with the world and the robot that it is tried with; what stands for itself is None.
FILES = {
    'worlds/kitchen.yaml': (None, 'robots/two_arms.yaml'),
    'worlds/pantry.yaml': (None, 'robots/two_arms.yaml'),
    'worlds/furniture.yaml': ('worlds/cupboard.yaml', 'robots/two_arms.yaml'), # its parts are used there
    'worlds/cupboard.yaml': (None, 'robots/two_arms.yaml'),
    'handling/kitchen.yaml': (None, 'robots/two_arms.yaml'),
    'robots/two_arms.yaml': ('worlds/pantry.yaml', None),
    'robots/one_arm.yaml': ('worlds/pantry.yaml', None),
    'robots/six_axis.yaml': ('worlds/pantry.yaml', None),
    'robots/one_arm.urdf': ('worlds/pantry.yaml', 'robots/one_arm.yaml'),
    'robots/six_axis.urdf': ('worlds/pantry.yaml', 'robots/six_axis.yaml'),
}
NUMBER = r'[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?'


def places(name, text):
    """The spans of the numbers of a file."""
    if name.endswith('.urdf'):
        for value in re.finditer(r'"([^"]*)"', re.sub(r'<\?.*?\?>|<!--.*?-->', lambda m: ' ' * len(m[0]), text, flags=re.S)):
            if re.fullmatch(r'\s*(%s\s*)+' % NUMBER, value[1]):
                for m in re.finditer(NUMBER, value[1]):
                    yield value.start(1) + m.start(), value.start(1) + m.end()
        return
    at = 0
    for line in text.splitlines(keepends=True):
        plain = re.sub(r'"[^"]*"', lambda m: ' ' * len(m[0]), line)
        plain = plain.split('#')[0]
        for m in re.finditer(r'(?<=[\s\[:,])%s(?=[\s\],}]|$)' % NUMBER, plain):
            yield at + m.start(), at + m.end()
        at += len(line)


def run(arguments, seconds=100):
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return 'hangs', ''
    return done.returncode, (done.stdout + done.stderr).decode(errors='replace')


def attempt(case):
    """None, or what is wrong."""
    name, text, (begin, end), extreme = case
    plain = extreme == text[begin:end]
    folder = tempfile.mkdtemp(prefix='foresee_extremes_')
    try:
        examples = os.path.join(folder, 'examples')
        shutil.copytree(os.path.join(os.environ['SOURCE'], 'examples'), examples)
        path = os.path.join(examples, name)
        with open(path, 'w') as file:
            file.write(text[:begin] + extreme + text[end:])
        line = text.count('\n', 0, begin) + 1
        what = f'{name}:{line}: {text[begin:end]} -> {extreme}'
        world, robot = FILES[name]
        world, robot = world or name, robot or name
        checked = os.path.join(examples, robot if name.startswith('robots') else world)
        program = os.environ['FORESEE']
        status, said = run([program, 'check', checked])
        if status == 2 and not plain and re.search(r'\.(yaml|urdf):\d+:\d+: error: ', said):
            return None
        if status != 0:
            return f'{what}: check ends with {status}: {said[:300]}'
        plan = os.path.join(folder, 'plan.yaml')
        with open(plan, 'w') as file:
            file.write('plan: still\nprojection: { world: examples/%s, robot: examples/%s }\n'
                       'body:\n  wait: { seconds: 0.1 }\n' % (world, robot))
        status, said = run([program, 'run', plan, '-o', os.path.join(folder, 'log.db')])
        if status not in ((0,) if plain else (0, 1, 2, 3)):
            return f'{what}: run ends with {status}: {said[:300]}'
        if len(said) > 4000 or re.search(r'\bODE\b|bug:|[Aa]ssertion', said):
            return f'{what}: run says: {said[:300]}'
        if status and not said.strip():
            return f'{what}: run ends with {status} and says nothing'
        return None
    finally:
        shutil.rmtree(folder)


def main():
    most = int(sys.argv[1])
    plain, cases = [], []
    for name in sys.argv[2:] or FILES:
        with open(os.path.join(os.environ['SOURCE'], 'examples', name)) as file:
            text = file.read()
        found = list(places(name, text))
        assert len(found) > 5, f'{name} has no numbers?'
        # With nothing changed it must run: else nothing of what follows would be tried.
        plain.append((name, text, found[0], text[slice(*found[0])]))
        cases += [(name, text, place, extreme) for place in found for extreme in EXTREMES]
    if 0 < most < len(cases):
        cases = [cases[i * len(cases) // most] for i in range(most)]
    cases = plain + cases
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [w for w in pool.map(attempt, cases) if w]
    for w in wrong:
        print(w)
    print(f'{len(cases)} cases, {len(wrong)} wrong')
    sys.exit(1 if wrong else 0)


main()
