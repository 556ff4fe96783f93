"""schemas.py FOLDER PATTERN...: the schemas in FOLDER accept every file that is right, and refuse every one that is wrong.

Standard input: lines KIND<tab>right|wrong<tab>FILE. Prints what is otherwise; the exit status says whether there is any.
"""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """YAML 1.2, as editors read it: `on` is a word, and 1e3 is a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern in (("null", "~|null|"), ("bool", "true|false"), ("int", "[-+]?[0-9]+"),
                     ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), None)
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))

validators = {}
for kind in ("plan", "world", "robot", "edits"):
    schema = json.load(open(f"{sys.argv[1]}/{kind}.json"))
    jsonschema.Draft7Validator.check_schema(schema)
    validators[kind] = jsonschema.Draft7Validator(schema)
bad = False
for line in sys.stdin:
    kind, expected, path = line.rstrip("\n").split("\t")
    wrong = list(validators[kind].iter_errors(yaml.load(open(path), Loader)))
    if bool(wrong) != (expected == "wrong"):
        bad = True
        print(f"{path}: the schema of a {kind} finds it {'wrong' if wrong else 'right'}")
        for e in wrong[:3]:
            print("   ", e.json_path, e.message[:200])
sys.exit(bad)
