#!/usr/bin/env python3
"""table.py OUT --seeds 1..99 [-j 1] [--family NAME ...] [--keep]
Writes, projects and judges the cases of a range of seeds, and prints what came of them, by family. What was judged before
with the same program and the same case is not projected again, so that it can be interrupted and begun anew. FORESEE
names the program under test. --keep keeps the logs of cases that were done; those of the others stay always."""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generate import family_of, write_case
from judge import judge
from tasks import FAMILIES

PROGRAM = os.environ.get("FORESEE", "foresee")
LIMIT = 900  # seconds of the clock for one projection
UNTIL = 600  # simulated seconds: no task here takes a robot that goes on half as long


def case_key(folder):
    """What the result of a case depends on: its files and the program."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def program_key():
    """Tells programs apart that call themselves by the same version, and their libraries of routines."""
    program = Path(shutil.which(PROGRAM) or PROGRAM).resolve()
    digest = hashlib.sha256()
    for path in [program, program.with_name("foresee-project"), *sorted((HERE.parent.parent.parent / "plans").glob("*.yaml"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def run_case(out, seed, keep, program):
    folder, log, result = out / "cases" / str(seed), out / "logs" / f"{seed}.db", out / "results" / f"{seed}.json"
    case = write_case(seed, folder)
    key = f"{program} {case_key(folder)}"
    if result.exists():
        old = json.loads(result.read_text())
        if old["key"] == key:
            return old
    told = {"key": key, "seed": seed, "family": case["family"], "robot": case["robot"], "can_be_done": case["can_be_done"],
            "why_not": case["why_not"], "asked": case["asked"]}
    if case["can_be_done"]:
        log.unlink(missing_ok=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["nice", PROGRAM, "run", "-q", str(folder / "plan.yaml"), "-o", str(log), "--seed", str(seed), "--time", str(LIMIT),
                               "--until", str(UNTIL)],
                              capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        told["cpu"] = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)
        told["status"] = done.returncode
        if done.returncode in (0, 1, 3) and log.exists():
            told.update(judge(case, log))
        else:
            told.update({"done": False, "wrong": [done.stderr.strip()[:400]], "outcome": "refused", "hits": [], "self_hits": [],
                         "failure": None, "failures": [], "seconds": 0})
        if told["done"] and told["outcome"] == "succeeded" and not told["hits"] and not keep:
            log.unlink(missing_ok=True)
    partial = result.with_suffix(".part")
    partial.write_text(json.dumps(told, indent=1) + "\n")
    partial.rename(result)
    return told


# ---- the table ----


def share(part, whole):
    return f"{part / whole:.2f}" if whole else "-"


def row_of(name, results):
    able = [r for r in results if r["can_be_done"]]
    done = [r for r in able if r["done"]]
    return [name, len(results), len(able), len(done), share(len(done), len(able)),
            sum(r["done"] and r["outcome"] != "succeeded" for r in able), sum(not r["done"] and r["outcome"] == "succeeded" for r in able),
            share(sum(len(r["hits"]) for r in able), len(able)), sum(len(r["self_hits"]) for r in able),
            f"{sum(r['seconds'] for r in able) / max(1, sum(r['cpu'] for r in able)):.0f}"]


HEAD = ["family", "cases", "can be done", "done", "share", "done, plan failed", "not done, plan succeeded", "hits per run",
        "self-collisions", "x real time"]


def without_names(reason):
    """A reason with its names and numbers taken out, so that like ones count together."""
    reason = re.sub(r"\b[a-z_]+(#|_)\d+(_[a-z]+)?\b", "X", reason)
    return re.sub(r"-?\b\d+(\.\d+)?\b", "N", reason)[:160]


# Which part or limit it is, and how far: what a refusal says of the closest that the search came, or of what no search can mend.
MISS = re.compile(
    r"; closest: .*?\d+(\.\d+)? (mm|m|degrees|%)( |,|;|$)"
    r"|it is \d+ mm wide where it can be taken, the hand opens \d+ mm"
    r"|it leans \d+ degrees, at most \d+ may be"
    r"|the base is fixed, \d+\.\d+ m from \(")


def names_miss(reason):
    return MISS.search(reason) is not None


def why_of(result):
    """All that was said in the instant in which the plan failed: the last word is often not the reason."""
    last = result["failure"]
    if result["outcome"] == "incomplete":
        return [f"still running after {UNTIL} s"]
    if not last:
        return ["the plan failed without a failure" if result["outcome"] == "failed" else f"the plan {result['outcome']}"]
    told = [f for f in result["failures"] if last["t"] - f["t"] < 0.1] or [last]
    return list(dict.fromkeys(f"{f['class']}: {f['reason']}" for f in told))


def print_reasons(results, file):
    """How often each reason was said when a case was not done."""
    seeds = {}
    for r in results:
        if r["can_be_done"] and not r["done"]:
            for why in why_of(r):
                seeds.setdefault(without_names(why), []).append(r["seed"])
    print(file=file)
    for why, said in sorted(seeds.items(), key=lambda item: (-len(set(item[1])), item[0])):
        print(f"- {len(set(said))} x {why}: {', '.join(map(str, sorted(set(said))))}", file=file)
    print(file=file)


def print_table(results, file=sys.stdout):
    rows = [row_of(name, [r for r in results if r["family"] == name]) for name in FAMILIES] + [row_of("all", results)]
    print("| " + " | ".join(HEAD) + " |", file=file)
    print("|" + "---|" * len(HEAD), file=file)
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", file=file)
    print(file=file)
    for r in results:
        if r["can_be_done"] and not r["done"]:
            f = r["failure"]
            when = f" at {f['t']} s in {f['path'].split('/', 1)[-1]}" if f else ""
            print(f"- {r['seed']} {r['family']}, {r['robot']}: {'; '.join(r['wrong'])} [{'; '.join(why_of(r))}{when}]", file=file)
    print_reasons(results, file)
    planned = [f for r in results for f in r.get("failures", []) if f["class"].endswith("_pose_unreachable")]
    named = [f for f in planned if names_miss(f["reason"])]
    print(f"{len(planned)} failures of planning, handled ones too; {len(named)} name the closest miss.\n", file=file)
    for reason in sorted({without_names(f["reason"]) for f in planned if not names_miss(f["reason"])}):
        print(f"- names none: {reason}", file=file)
    for r in results:
        for t, part, body, force in r.get("hits", []):
            print(f"- {r['seed']} {r['family']}, {r['robot']}: {part} hits {body} with {force} N at {t} s", file=file)
    for r in results:
        for t, a, b, force in r.get("self_hits", []):
            print(f"- {r['seed']} {r['family']}, {r['robot']}: {a} meets {b} with {force} N at {t} s", file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--seeds", default="1..99")
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    out = Path(args.out)
    for part in ("cases", "logs", "results"):
        (out / part).mkdir(parents=True, exist_ok=True)
    first, _, last = args.seeds.partition("..")
    seeds = [s for s in range(int(first), int(last or first) + 1) if not args.family or family_of(s) in args.family]
    version = program_key()
    with ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda seed: run_case(out, seed, args.keep, version), seeds))
    with open(out / "table.md", "w") as file:
        print_table(results, file)
    print_table(results)


if __name__ == "__main__":
    main()
