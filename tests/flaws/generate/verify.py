#!/usr/bin/env python3
"""verify.py OUT [--seeds 1..99] [--kind NAME] [--each 3] [-j 1] [--list]
Re-runs cases of table.py in which the flaw was found: with its own cause taken away, as the rules name it (foresee diagnose --verify), and
with a near miss, drawn from what could have been it and was not (near.py). Prints how often the own cause is verified and the near miss
refuted. It can be interrupted: a second call runs only what has changed. FORESEE names the program under test."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from table import PROGRAM, arguments, program_keys, ratio, right_for, run_case, write

from kinds import KINDS

VERDICTS = ["verified", "refuted", "unverified", "untestable"]


def verdict(out, seed, flaw, suspect, key):
    """What foresee says of this root, and of which change; with its own cause taken away, or with the suspect."""
    log = str(out / "logs" / f"{seed}.db")
    result = out / "verified" / f"{seed}-{suspect or 'own'}.json"
    if result.exists():
        old = json.loads(result.read_text())
        if old["key"] == key:
            return old
    told = {"key": key, "verdict": "no answer", "change": None, "note": None}
    more = ["--suspect", suspect] if suspect else []
    done = subprocess.run(["nice", PROGRAM, "diagnose", log, "--verify", *more, "-j", "1", "--format", "json"], capture_output=True, text=True)
    if done.returncode in (0, 1, 3):
        same = [f for f in json.loads(done.stdout)["flaws"] if f["root"] and f["name"] == flaw["name"] and (f.get("task") or {}).get("path") == flaw["path"]]
        if same:
            check = same[0].get("verification") or {}
            told.update(verdict=same[0]["verdict"], change=check.get("change"), note=check.get("note"))
    else:
        told["note"] = done.stderr.strip()[:200]
    write(result, told)
    return told


def verify(out, seed, keys):
    told = run_case(out, seed, None, keys)
    case = json.loads((out / "cases" / str(seed) / "case.json").read_text())
    label = case["labels"][0]
    flaw = next(f for f in told["flaws"] if f["role"] == "root" and right_for(f, label))
    key = f"{keys} {json.loads((out / 'truth' / f'{seed}.json').read_text())['key']}"
    near = label["near"][seed // 7 % len(label["near"])] if label["near"] else None
    return {"seed": seed, "kind": label["kind"], "flaw": flaw["name"], "own": verdict(out, seed, flaw, None, key), "suspect": near,
            "near": near and verdict(out, seed, flaw, near, key)}


def chosen(out, seeds, each, keys):
    """Cases with one flaw that was found, so many of each kind."""
    taken = dict.fromkeys(KINDS, 0)
    for seed in seeds:
        told = run_case(out, seed, None, keys)
        if not told["left_out"] and len(told["kinds"]) == 1 and told["kinds"] == told["found"] and taken[told["kinds"][0]] < each:
            if not json.loads((out / "cases" / str(seed) / "case.json").read_text())["labels"][0]["mended"]:
                taken[told["kinds"][0]] += 1
                yield seed


def print_table(results, listed):
    print(f"| kind | cases | {' | '.join('own ' + v for v in VERDICTS)} | near misses | refuted |\n|{'---|' * (len(VERDICTS) + 4)}")
    count = lambda rs, which, v: sum(r[which] is not None and r[which]["verdict"] == v for r in rs)
    for kind in KINDS:
        mine = [r for r in results if r["kind"] == kind]
        if mine:
            near = sum(r["near"] is not None for r in mine)
            print(f"| {kind} | {len(mine)} | {' | '.join(str(count(mine, 'own', v)) for v in VERDICTS)} | {near} | {count(mine, 'near', 'refuted')} |")
    testable = len(results) - count(results, "own", "untestable")
    near = sum(r["near"] is not None for r in results)
    print(f"\nown cause: {ratio(testable, len(results))} testable, {ratio(count(results, 'own', 'verified'), testable)} of these verified, "
          f"{ratio(count(results, 'own', 'refuted'), testable)} refuted; near misses: {ratio(count(results, 'near', 'refuted'), near)} refuted, "
          f"{ratio(count(results, 'near', 'verified'), near)} verified\n")
    for r in results if listed else []:
        if r["own"]["verdict"] != "verified":
            print(f"- {r['seed']} {r['kind']}, {r['flaw']}: own {r['own']['verdict']} {r['own']['change']}: {r['own']['note']}")
        if r["near"] and r["near"]["verdict"] != "refuted":
            print(f"- {r['seed']} {r['kind']}, {r['flaw']}: near miss {r['suspect']} {r['near']['verdict']}: {r['near']['note']}")


def main():
    args, out, seeds = arguments(__doc__, "what was not as it should be", each=3)
    (out / "verified").mkdir(parents=True, exist_ok=True)
    keys = program_keys()
    with ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda seed: verify(out, seed, keys), list(chosen(out, seeds, args.each, keys))))
    print_table(results, args.list)


if __name__ == "__main__":
    main()
