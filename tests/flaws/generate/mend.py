#!/usr/bin/env python3
"""mend.py OUT [--seeds 1..99] [--kind NAME] [-j 1] [--list]
Has `foresee edit` make what the diagnoses of table.py's cases suggest, runs the edited plans with the same seed, and prints in how many of
the cases that an edit can mend some suggestion of the first root does. It can be interrupted: a second call runs only what has changed.
FORESEE names the program under test."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from table import LIMIT, PROGRAM, UNTIL, arguments, digest, program_keys, ratio, run_case, write

from kinds import KINDS
from monitor import monitor


def mendable(case, told):
    """The one flaw that was injected showed, an edit of the plan can mend it, and it was found."""
    label = case["labels"][0] if len(case["labels"]) == 1 else None
    return bool(label) and label["edit"] and not label["mended"] and label["kind"] in told.get("found", [])


def edit(case_folder, folder, edits):
    """The edited plan beside copies of the case's files; whether the program made the edits, and what it said."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(case_folder, folder)
    (folder / "edits.json").write_text(json.dumps(edits) + "\n")
    done = subprocess.run([PROGRAM, "edit", str(folder / "plan.yaml"), str(folder / "edits.json"), "-o", str(folder / "mended.yaml")],
                          capture_output=True, text=True)
    return done.returncode == 0, done.stderr.strip()[:300]


def run_edited(folder, seed, case):
    """It helps where the plan succeeds, all that the case wants is so, and what was injected does not show any more."""
    log = folder / "mended.db"
    log.unlink(missing_ok=True)
    subprocess.run(["nice", PROGRAM, "run", "-q", str(folder / "mended.yaml"), "-o", str(log), "--seed", str(seed), "--time", str(LIMIT),
                    "--until", str(UNTIL)], capture_output=True, text=True)
    truth = monitor(case, log) if log.exists() else {"outcome": "no log", "done": False, "shown": [], "wrong": []}
    log.unlink(missing_ok=True)
    helps = truth["outcome"] == "succeeded" and truth["done"] and not any(truth["shown"])
    return helps, "; ".join([truth["outcome"], *truth["wrong"]])


def mend(out, seed, names, keys):
    told = run_case(out, seed, names, keys)
    case = json.loads((out / "cases" / str(seed) / "case.json").read_text())
    result = {"seed": seed, "kinds": case["kinds"], "mendable": not told["left_out"] and mendable(case, told), "tries": []}
    if told["left_out"]:
        return result
    first = next((f for f in told["flaws"] if f["role"] == "root"), None)
    old = out / "mended" / f"{seed}.json"
    known = json.loads(old.read_text()) if old.exists() else []
    for flaw in told["flaws"]:
        for i, suggestion in enumerate(flaw["suggests"]):
            folder = out / "mended" / str(seed) / f"{flaw['name']}-{i}"
            runs = result["mendable"] and flaw is first and not any(t["helps"] for t in result["tries"])
            key = f"{keys[0]} {digest(*sorted((out / 'cases' / str(seed)).iterdir()))} {runs} {json.dumps(suggestion['edits'])}"
            trial = next((t for t in known if t["key"] == key), None)
            if trial is None or not trial["made"]:
                made, said = edit(out / "cases" / str(seed), folder, suggestion["edits"])
                trial = {"key": key, "flaw": flaw["name"], "rule": suggestion["rule"], "first": flaw is first, "made": made, "helps": False, "said": said}
                if made and runs:
                    trial["helps"], trial["said"] = run_edited(folder, seed, case)
            result["tries"].append(trial)
    write(old, result["tries"])
    result["root"] = first and f"{first['name']}: {first['sentence'][:90]}"
    return result


def print_table(results, listed):
    print("| kind | mendable | with a suggestion | mended | share |\n|---|---|---|---|---|")
    mine = [r for r in results if r["mendable"]]
    helped = lambda rs: sum(any(t["helps"] for t in r["tries"]) for r in rs)
    for kind in KINDS:
        of_kind = [r for r in mine if kind in r["kinds"]]
        if of_kind:
            print(f"| {kind} | {len(of_kind)} | {sum(any(t['first'] for t in r['tries']) for r in of_kind)} | {helped(of_kind)} | {ratio(helped(of_kind), len(of_kind))} |")
    tries = [t for r in results for t in r["tries"]]
    print(f"\nmended by a suggestion of the first root: {helped(mine)} of {len(mine)}, {ratio(helped(mine), len(mine))}")
    print(f"suggestions of all flaws that `foresee edit` refuses: {sum(not t['made'] for t in tries)} of {len(tries)}\n")
    for r in results:
        for t in r["tries"]:
            if not t["made"]:
                print(f"- {r['seed']} {'+'.join(r['kinds'])}: refused {t['flaw']}/{t['rule']}: {t['said']}")
        if listed and r["mendable"] and not helped([r]):
            print(f"- {r['seed']} {'+'.join(r['kinds'])}: {r['root']}; " + ("; ".join(f"{t['rule']}: {t['said']}" for t in r["tries"] if t["first"]) or "no suggestion"))


def main():
    args, out, seeds = arguments(__doc__, "what did not help")
    (out / "mended").mkdir(parents=True, exist_ok=True)
    keys = program_keys()
    with ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda seed: mend(out, seed, None, keys), seeds))
    print_table(results, args.list)


if __name__ == "__main__":
    main()
