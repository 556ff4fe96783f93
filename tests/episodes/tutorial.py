#!/usr/bin/env python3
"""tests/episodes/tutorial.py - runs docs/tutorial.md as it stands.

A block ```yaml NAME is written to the file NAME; the lines of a ```console block that begin with "$ " are run by a shell of
their own, one after another, in the folder that the last `cd` led to. What they print is what stands under them: words alike, numbers
to a twentieth (small ones exactly), `...` anything. BUILD is the folder of the program, SOURCE the repository.
"""
import os, re, subprocess, sys, tempfile

NUMBER = re.compile(r'(?<![\w#])\d+(?:\.\d+)?')


def words(text):
    return ' '.join(text.split())


def alike(shown, printed):
    """Whether what was printed is what the page shows."""
    pattern = ''
    for i, piece in enumerate(NUMBER.split(words(shown))):
        pattern += (r'(\d+(?:\.\d+)?)' if i else '') + re.escape(piece).replace(re.escape('...'), '.*?')
    found = re.fullmatch(pattern, words(printed), re.DOTALL)
    return found is not None and all(abs(float(a) - float(b)) <= 0.05 * abs(float(a))
                                     for a, b in zip(NUMBER.findall(words(shown)), found.groups()))


def blocks(page):
    """The fenced blocks: language, argument, lines."""
    for found in re.finditer(r'^```(\w+) ?(\S*)\n(.*?)^```$', page, re.DOTALL | re.MULTILINE):
        yield found[1], found[2], found[3]


def main():
    root = tempfile.mkdtemp(prefix='foresee-tutorial.')
    source, build = os.environ['SOURCE'], os.environ['BUILD']
    os.symlink(build, os.path.join(root, 'build'))
    os.symlink(os.path.join(source, 'examples'), os.path.join(root, 'examples'))
    shell = subprocess.Popen(['sh'], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(command):
        """What the shell prints for a command; $? stays as the command left it."""
        shell.stdin.write(command + '\nlast=$?; echo "--end of command--"; (exit $last)\n')
        shell.stdin.flush()
        printed = ''
        for line in shell.stdout:
            if line == '--end of command--\n':
                return printed
            printed += line
        sys.exit('the shell ended in: ' + command)

    page = open(os.path.join(source, 'docs', 'tutorial.md'), encoding='utf-8').read()
    wrong, run_commands = 0, 0
    for language, name, text in blocks(page):
        if language == 'yaml' and name:
            with open(os.path.join(run('pwd').strip(), name), 'w', encoding='utf-8') as file:
                file.write(text)
            continue
        if language != 'console':
            continue
        for step in re.split(r'^\$ ', text, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition('\n')
            printed = run(command)
            run_commands += 1
            if not alike(shown, printed):
                wrong += 1
                print(f'$ {command}\n--- the page shows\n{shown}--- it prints\n{printed}')
    print(f'{run_commands} commands, {wrong} print something else')
    shell.stdin.close()
    shell.wait()
    subprocess.run(['rm', '-rf', root], check=True)
    sys.exit(1 if wrong or run_commands < 15 else 0)


main()
