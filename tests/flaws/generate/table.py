#!/usr/bin/env python3
"""table.py OUT [--seeds 1..99] [--kind NAME] [-j 1] [--list]
Writes, projects, monitors and diagnoses the cases of a range of seeds, and prints how often the diagnosis is right. It can be
interrupted: a second call projects only what has changed (the case's files, the program), and diagnoses anew what rules or program ask
for. FORESEE names the program under test."""

import argparse
import fnmatch
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cases import kinds_of, write_case
from kinds import KINDS
from monitor import monitor

PROGRAM = os.environ.get("FORESEE", "foresee")
SOURCE = HERE.parent.parent.parent
LIMIT, UNTIL = 600, 400  # seconds of the clock, and of the episode


def digest(*paths):
    out = hashlib.sha256()
    for path in paths:
        out.update(path.name.encode() + path.read_bytes())
    return out.hexdigest()[:16]


def program_keys():
    """What projections depend on, and what diagnoses do."""
    program = Path(shutil.which(PROGRAM) or PROGRAM).resolve()
    run = digest(program.with_name("foresee-project"), *sorted((SOURCE / "plans").glob("*.yaml")))
    return run, digest(program, *sorted((SOURCE / "predicates").glob("*.dl")))


def role(flaw):
    return "root" if flaw["root"] else "recovered" if flaw["recovered"] else "consequence"


def project(out, seed, names, key):
    """The case's log, monitored; only where something has changed."""
    folder, log, result = out / "cases" / str(seed), out / "logs" / f"{seed}.db", out / "truth" / f"{seed}.json"
    case = write_case(seed, folder, names)
    ran = f"{key} {digest(*sorted(folder.glob('*.yaml')))}"
    key = f"{ran} {digest(folder / 'case.json', HERE / 'monitor.py')}"
    old = json.loads(result.read_text()) if result.exists() and log.exists() else {"key": None, "ran": None}
    if old["key"] == key:
        return case, old
    told = {"key": key, "ran": ran, "left_out": None}
    if old["ran"] != ran:
        log.unlink(missing_ok=True)
        done = subprocess.run(["nice", PROGRAM, "run", "-q", str(folder / "plan.yaml"), "-o", str(log), "--seed", str(seed), "--time", str(LIMIT),
                               "--until", str(UNTIL)], capture_output=True, text=True)
        if done.returncode not in (0, 1, 3) or not log.exists():
            told["left_out"] = "no log: " + done.stderr.strip()[:300]
            return case, told
    told.update(monitor(case, log))
    write(result, told)
    return case, told


def write(path, value):
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(value, indent=1) + "\n")
    partial.rename(path)


def diagnose(out, seed, truth, key):
    result = out / "diagnoses" / f"{seed}.json"
    key = f"{key} {truth['key']}"
    if result.exists():
        old = json.loads(result.read_text())
        if old["key"] == key:
            return old["flaws"]
    done = subprocess.run(["nice", PROGRAM, "diagnose", str(out / "logs" / f"{seed}.db"), "--format", "json"], capture_output=True, text=True)
    flaws = None
    if done.returncode in (0, 1, 3):
        flaws = [{"name": f["name"], "role": role(f), "start": f["start"], "path": (f.get("task") or {}).get("path"), "sentence": f["sentence"],
                  "suggests": f["suggests"]} for f in json.loads(done.stdout)["flaws"]]
    write(result, {"key": key, "flaws": flaws})
    return flaws


def right_for(flaw, label):
    return flaw["name"] in label["names"] and any(fnmatch.fnmatchcase(flaw["path"] or "", path) for path in label["paths"])


def score(case, truth, flaws):
    """Which labels were found, by name and by path, and which roots are right for none."""
    shown = [label for label, is_shown in zip(case["labels"], truth["shown"]) if is_shown]
    role_of = lambda label: "recovered" if label["mended"] else "root"
    allowed = case["labels"]
    roots = [f for f in flaws if f["role"] == "root"]
    found = [label["kind"] for label in shown if any(right_for(f, label) and f["role"] == role_of(label) for f in flaws)]
    named = [label["kind"] for label in shown if any(f["name"] in label["names"] and f["role"] == role_of(label) for f in flaws)]
    false = [f for f in roots if not any(right_for(f, label) and not label["mended"] for label in allowed)]
    return {"shown": [label["kind"] for label in shown], "found": found, "named": named, "false": false,
            "no_root": truth["outcome"] != "succeeded" and not roots}


def run_case(out, seed, names, keys):
    case, truth = project(out, seed, names, keys[0])
    told = {"seed": seed, "kinds": case["kinds"], "left_out": truth["left_out"]}
    if truth["left_out"]:
        return told
    # A case in which nothing that was injected showed, and which was not done all the same, says nothing about these flaws.
    if not truth["done"] and not any(truth["shown"]) and case["kinds"]:
        told["left_out"] = "failed otherwise: " + "; ".join(truth["wrong"])
        return told
    if not truth["done"] and not case["kinds"]:
        told["left_out"] = "clean, and not done: " + "; ".join(truth["wrong"])
        return told
    flaws = diagnose(out, seed, truth, keys[1])
    if flaws is None:
        told["left_out"] = "the diagnosis failed"
        return told
    told.update(score(case, truth, flaws))
    told.update({"done": truth["done"], "outcome": truth["outcome"], "flaws": flaws})
    return told


# ---- the table ----


def ratio(part, whole):
    return f"{part / whole:.2f}" if whole else "-"


def row(name, results):
    """`name`: a kind; all of a case's false alarms count for each of its kinds."""
    mine = [r for r in results if name in r["kinds"] or (name == "clean" and not r["kinds"])]
    used = [r for r in mine if not r["left_out"]]
    shown = sum(name in r["shown"] for r in used)
    found = sum(name in r["found"] for r in used)
    named = sum(name in r["named"] for r in used)
    false = sum(len(r["false"]) for r in used)
    return [name, len(mine), len(mine) - len(used), shown, found, ratio(found, shown), named, false, sum(r["no_root"] for r in used)]


def print_table(results, file=sys.stdout, all_of_them=False):
    head = ["kind", "cases", "left out", "shown", "found", "recall", "named", "false roots", "failed without root"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), file=file)
    rows = [row(name, results) for name in [*KINDS, "clean"]]
    for cells in rows:
        print("| " + " | ".join(map(str, cells)) + " |", file=file)
    used = [r for r in results if not r["left_out"]]
    shown, found = sum(len(r["shown"]) for r in used), sum(len(r["found"]) for r in used)
    false = sum(len(r["false"]) for r in used)
    named = sum(len(r["named"]) for r in used)
    kinds = [cells for cells in rows[:-1] if cells[3]]
    print(f"\nroots: recall {ratio(found, shown)}, precision {ratio(found, found + false)}; macro recall over {len(kinds)} kinds "
          f"{ratio(sum(c[4] / c[3] for c in kinds), len(kinds))}; {sum(r['no_root'] for r in used)} failed without a root\n"
          f"code path right where the name is: {ratio(found, named)}", file=file)
    calm = [r for r in used if not r["shown"] and r["done"]]
    alarms = sum(len(r["false"]) for r in calm)
    print(f"nothing wrong: {len(calm)} cases, {alarms} roots, {ratio(alarms, len(calm))} a run\n", file=file)
    for r in results:
        missed = [kind for kind in r.get("shown", []) if kind not in r["found"]]
        if r["left_out"] and all_of_them:
            print(f"- {r['seed']} {'+'.join(r['kinds']) or 'clean'}: left out, {r['left_out']}", file=file)
        elif not r["left_out"] and (missed or r["false"]):
            said = "; ".join(f"{f['name']} {f['start']:.1f} s {(f['path'] or '').split('/', 1)[-1][:50]}: {f['sentence'][:90]}" for f in r["false"])
            print(f"- {r['seed']} {'+'.join(r['kinds']) or 'clean'}: {'missed ' + ', '.join(missed) if missed else 'found'}"
                  f"{'; false: ' + said if said else ''}", file=file)


def arguments(doc, listed, each=None):
    """The arguments of the tools that go over a range of seeds, the folder, and the seeds."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("out")
    parser.add_argument("--seeds", default="1..99")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only cases with this kind")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--list", action="store_true", help=f"also {listed}")
    if each:
        parser.add_argument("--each", type=int, default=each, help="so many cases of each kind at most")
    args = parser.parse_args()
    out = Path(args.out)
    for part in ("cases", "logs", "truth", "diagnoses"):
        (out / part).mkdir(parents=True, exist_ok=True)
    first, _, last = args.seeds.partition("..")
    return args, out, [s for s in range(int(first), int(last or first) + 1) if not args.kind or set(args.kind) & set(kinds_of(s))]


def main():
    args, out, seeds = arguments(__doc__, "what was left out")
    keys = program_keys()
    with ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda seed: run_case(out, seed, None, keys), seeds))
    with open(out / "table.md", "w") as file:
        print_table(results, file, True)
    print_table(results, all_of_them=args.list)


if __name__ == "__main__":
    main()
