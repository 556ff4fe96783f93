#!/usr/bin/env python3
# fits.py SCHEMA DOCUMENT: whether a JSON document is what its schema says, and whether the schema refuses that document without one of its
# members, and with one that is of another kind.
import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: the schema was not checked")
    sys.exit(0)

schema = json.load(open(sys.argv[1]))
document = json.load(open(sys.argv[2]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(document)]


def members(value, path=()):
    """Gives the path of every member of every object in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from members(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from members(inner, (*path, i))


for path in members(document):
    for change in ("left out", "of another kind"):
        broken = copy.deepcopy(document)
        around = broken
        for step in path[:-1]:
            around = around[step]
        if change == "left out":
            del around[path[-1]]
        else:
            around[path[-1]] = {"another": "kind"}
        if validator.is_valid(broken):
            wrong.append(f"{'/'.join(map(str, path))} may be {change}")
print("\n".join(wrong))
sys.exit(bool(wrong))
