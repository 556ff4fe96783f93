#!/usr/bin/env python3
"""mended.py OUT [--seeds 1..99] [--kind NAME] [-j 1] [--most 40] [--list]
Has `foresee mend` mend the plans of table.py's cases, and prints in how many of those that an edit can mend it does, of how many others it
says that no edit helps and why, and how many plans it made worse. What it wrote is run beside the old plan with seeds that `mend` had not
seen, and judged by the monitor, which knows what the case wants. It can be interrupted: a second call runs only what is missing or has
changed. FORESEE names the program under test."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from table import LIMIT, PROGRAM, UNTIL, arguments, digest, program_keys, ratio, run_case, write

from monitor import monitor

BUDGET, FRESH, ENOUGH = 60, 5, 4  # projections of a case; fresh seeds, and how many of them a mended plan must do
FRESH_FROM = 1000  # beyond the case's own seed: `mend` does not come that far


def shown_alone(case, told):
    """The one flaw that was injected showed, and the plan failed; its label. Whether it was found is no matter. A plan that succeeds with
    its flaw (a thing is brought twice) is nothing to be mended."""
    label = case["labels"][0] if len(case["labels"]) == 1 else None
    return label if label and not label["mended"] and told.get("shown") == [label["kind"]] and told["outcome"] != "succeeded" else None


def run_mend(folder, seed, log):
    """The story that `foresee mend` tells as JSON; the plan that it wrote, if any, is mended.yaml."""
    for old in (folder / "mended.yaml", log):
        old.unlink(missing_ok=True)
    done = subprocess.run(["nice", PROGRAM, "mend", "-q", str(folder / "plan.yaml"), "-o", str(folder / "mended.yaml"), "--seed", str(seed), "--log", str(log),
                           "--budget", str(BUDGET), "--until", str(UNTIL), "-j", "1", "--format", "json"], capture_output=True, text=True)
    log.unlink(missing_ok=True)
    if done.returncode not in (0, 1):
        return {"outcome": f"status {done.returncode}", "sentence": done.stderr.strip()[:300], "rounds": [], "projections": 0}
    return json.loads(done.stdout)


def does(folder, name, seed, case):
    """Whether the plan does all that the case wants, and the flaw does not show."""
    log = folder / "fresh.db"
    log.unlink(missing_ok=True)
    subprocess.run(["nice", PROGRAM, "run", "-q", str(folder / name), "-o", str(log), "--seed", str(seed), "--time", str(LIMIT), "--until", str(UNTIL)],
                   capture_output=True, text=True)
    truth = monitor(case, log) if log.exists() else {"outcome": "no log", "done": False, "shown": []}
    log.unlink(missing_ok=True)
    return truth["outcome"] == "succeeded" and truth["done"] and not any(truth["shown"])


def mended(out, seed, names, keys):
    told = run_case(out, seed, names, keys)
    folder = out / "cases" / str(seed)
    case = json.loads((folder / "case.json").read_text())
    label = None if told["left_out"] else shown_alone(case, told)
    result = {"seed": seed, "kinds": case["kinds"], "label": label}
    if not label:
        return result
    old = out / "stories" / f"{seed}.json"
    key = " ".join([*keys, digest(*(f for f in sorted(folder.glob("*.yaml")) if f.name != "mended.yaml"), folder / "case.json", HERE / "monitor.py"), str(BUDGET)])
    known = json.loads(old.read_text()) if old.exists() else {"key": None}
    if known["key"] == key:
        return {**result, **known}
    story = run_mend(folder, seed, out / "stories" / f"{seed}.db")
    result.update({"key": key, "outcome": story["outcome"], "said": story["sentence"], "projections": story["projections"], "written": bool(story.get("output")),
                   "named": sorted({r["flaw"] for r in story["rounds"]}), "limit": next((r["limit"] for r in story["rounds"] if r["limit"]), None),
                   "tried": [f"{t['rule']} {t['succeeded']}/{t['seeds']}" + (f" {t['instead']}" if t["instead"] else "") for r in story["rounds"] for t in r["tries"]]})
    if result["written"]:
        seeds = range(seed + FRESH_FROM, seed + FRESH_FROM + FRESH)
        result["before"] = sum(does(folder, "plan.yaml", s, case) for s in seeds)
        result["after"] = sum(does(folder, "mended.yaml", s, case) for s in seeds)
    write(old, result)
    return result


def good(r):
    return r["outcome"] == "mended" and r["written"] and r["after"] >= ENOUGH and r["projections"] <= BUDGET


def bettered(r):
    """It is better on fresh seeds, whether often enough or not."""
    return r["outcome"] in ("mended", "better") and r["written"] and r["after"] > r["before"]


def said_why(r):
    """It says that no edit helps, wrote nothing, and names what was injected as the reason."""
    return r["outcome"] == "no_edit_helps" and not r["written"] and any(name in r["label"]["names"] for name in r["named"])


def print_table(results, listed):
    cases = [r for r in results if r["label"]]
    can = [r for r in cases if r["label"]["edit"]]
    others = [r for r in cases if not r["label"]["edit"]]
    cannot = [r for r in others if not bettered(r)]
    written = [r for r in cases if r["written"]]
    worse = [r for r in written if r["after"] < r["before"]]
    chance = [r for r in written if r["after"] <= r["before"]]
    print("| | cases | so | share | wanted |\n|---|---|---|---|---|")
    print(f"| an edit can mend it: mended, in {BUDGET} projections | {len(can)} | {sum(map(good, can))} | {ratio(sum(map(good, can)), len(can))} | 0.80 |")
    print(f"| no edit can: said so, with the reason | {len(cannot)} | {sum(map(said_why, cannot))} | {ratio(sum(map(said_why, cannot)), len(cannot))} | 0.80 |")
    print(f"| of these with a formula or a number | {len(cannot)} | {sum(said_why(r) and bool(r['limit']) for r in cannot)} | | |")
    print(f"| a new plan was written: worse than the old | {len(written)} | {len(worse)} | | 0 |")
    print(f"| ... no better than the old | {len(written)} | {len(chance)} | | 0 |")
    spent = sorted(r["projections"] for r in cases)
    print(f"\nmended or made better though the generator knows of no edit: {len(others) - len(cannot)}; projections: {spent[len(spent) // 2] if spent else '-'} at the median, {max(spent, default='-')} at most\n")
    for r in cases:
        fine = good(r) if r["label"]["edit"] else said_why(r) or bettered(r)
        if listed or not fine:
            fresh = f", fresh {r['after']}/{FRESH} ({r['before']}/{FRESH} before)" if r["written"] else ""
            print(f"- {r['seed']} {'+'.join(r['kinds'])}: {r['outcome']}, {r['projections']} projections{fresh}: {r['said'][:200]} [{'; '.join(r['tried'])}]")


def main():
    sys.argv[1:], most = without_most(sys.argv[1:])
    args, out, seeds = arguments(__doc__, "what was done in each case")
    (out / "stories").mkdir(parents=True, exist_ok=True)
    keys = program_keys()
    results = []
    # In the order of the seeds, until so many cases that an edit can mend are there.
    with ThreadPoolExecutor(args.j) as pool:
        for at in range(0, len(seeds), args.j):
            results += pool.map(lambda seed: mended(out, seed, None, keys), seeds[at:at + args.j])
            if most and sum(bool(r["label"]) and r["label"]["edit"] for r in results) >= most:
                break
    print_table(results, args.list)


def without_most(args):
    """Takes --most out, which the other tools do not have."""
    if "--most" not in args:
        return args, 0
    i = args.index("--most")
    return args[:i] + args[i + 2:], int(args[i + 1])


if __name__ == "__main__":
    main()
