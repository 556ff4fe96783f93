#!/bin/sh
# The virtual wall of examples/couple: each coupling at each round trip, as ratios to position-force coupling in the same run. The bars: from 36 ms
# on pfc moves ten times as fast as tdpa in the last second and tdpa faster than mmt, tdpa makes at most 3 % of pfc's energy and drifts further with each
# delay; mmt feels the wall at every delay; in free motion the direct estimator is wrong by three times what the momentum observer is.
set -u
for rig in wall learns; do
    "$FORESEE" couple "$SOURCE/examples/couple/$rig.yaml" --format json >"${TMPDIR:-/tmp}/foresee-bench-$$.json"
    python3 - "$rig" "${TMPDIR:-/tmp}/foresee-bench-$$.json" <<'END' || bad=1
import json, sys
rig, d = sys.argv[1], json.load(open(sys.argv[2]))
print("%s: pfc is unstable from %.1f ms on, by Nyquist" % (rig, 1000 * d["critical_round_trip_s"]["contact"]))
print("round trip  tdpa/pfc speed  mmt/pfc speed  tdpa/pfc energy  tdpa drift mm  mmt felt/remote  direct/observer")
by, bad, drift = {}, [], 0
for t in d["trials"]:
    by.setdefault(t["round_trip_s"], {})[t["coupling"]] = t
for trip, t in sorted(by.items()):
    p, q, m = t["pfc"], t["tdpa"], t["mmt"]
    free = m["direct_error_free_n"] / max(m["observed_error_free_n"], 1e-6)
    energy = q["made_j"] / p["made_j"] if p["made_j"] > 0 else 0
    print("%7.0f ms  %14.3g  %13.3g  %15.3g  %13.1f  %15.3f  %15.3g" % (1000 * trip, q["speed_m_s"] / p["speed_m_s"],
          m["speed_m_s"] / p["speed_m_s"], energy, 1000 * q["drift_m"], m["felt_n"] / m["remote_n"], free))
    holds = q["drift_m"] > drift and abs(m["felt_n"] / m["remote_n"] - 1) < 0.05 and free >= 3
    if trip >= 0.036:
        holds = holds and p["speed_m_s"] > 10 * q["speed_m_s"] and q["speed_m_s"] > m["speed_m_s"] and energy <= 0.03
    drift = q["drift_m"]
    if not holds:
        bad.append("%.0f ms" % (1000 * trip))
print("a bar is missed at " + ", ".join(bad) if bad else "all bars hold")
sys.exit(bool(bad))
END
    rm -f "${TMPDIR:-/tmp}/foresee-bench-$$.json"
done
exit "${bad:-0}"
