"""highlighting.py GRAMMAR.json SOURCE FILES.txt: colours rule files as a TextMate grammar says, and compares with the tables."""
import json
import re
import sys

grammar = json.load(open(sys.argv[1]))
rules = [(p['name'].removesuffix('.foresee'), re.compile(p.get('match') or p['begin']), p.get('end'))
         for p in grammar['patterns']]


def colour(line, inside):
    """The pieces of a line, each (scope, text); `inside`: whether a string goes on from the line before."""
    pieces, at = [], 0
    while at < len(line):
        if inside:
            end = re.compile(r'(?:[^"\\]|\\.)*"').match(line, at)
            stop = end.end() if end else len(line)
            pieces.append(('string.quoted.double', line[at:stop]))
            at, inside = stop, not end
            continue
        found = [(m.start(), i, m) for i, (_, r, _) in enumerate(rules) if (m := r.search(line, at)) and m.end() > at]
        if not found:
            pieces.append(('', line[at:]))
            break
        start, i, m = min(found, key=lambda f: f[:2])
        pieces.append(('', line[at:start]))
        pieces.append((rules[i][0], m.group()))
        at, inside = m.end(), rules[i][2] is not None
    return pieces, inside


def words_of(path, macro):
    text = open(sys.argv[2] + '/' + path).read()
    return set(re.findall(r'^%s\("([a-z_]\w*)"' % macro, text, re.M))


builtins = words_of('query/builtins/builtins.def', 'BUILTIN')
directives = words_of('query/rules/directives.def', 'DIRECTIVE')
assert len(builtins) > 50 and len(directives) > 10
seen, wrong = {}, 0
for name in open(sys.argv[3]).read().split('\n'):
    inside = False
    for number, line in enumerate(open(name) if name else [], 1):
        line = line.rstrip('\n')
        pieces, inside = colour(line, inside)
        assert ''.join(text for _, text in pieces) == line, (name, number)
        for scope, text in pieces:
            seen[scope] = seen.get(scope, 0) + 1
            # What is a built-in predicate or a directive is never left uncoloured, and nothing else has its colour.
            plain = not scope and re.search(r'\b(%s)\s*\(' % '|'.join(sorted(builtins)), text)
            foreign = scope == 'support.function.builtin' and text.strip() not in builtins
            directive = scope == 'keyword.control.directive' and text.removeprefix(':-').strip() not in directives
            if plain or foreign or directive:
                print(f'{name}:{number}: {scope or "no colour"} for {text!r}')
                wrong += 1
        if re.match(r':- [a-z_]+', line) and not any(s == 'keyword.control.directive' for s, _ in pieces):
            print(f'{name}:{number}: the directive has no colour: {line}')
            wrong += 1
for scope in ['comment.line.percentage', 'string.quoted.double', 'keyword.control.directive', 'keyword.control.sentence',
              'keyword.operator.word', 'storage.type', 'support.function.aggregate', 'support.function.builtin',
              'support.function.arithmetic', 'constant.numeric', 'variable.other']:
    if not seen.get(scope):
        print(f'nothing that is shipped is {scope}')
        wrong += 1
sys.exit(wrong > 0)
