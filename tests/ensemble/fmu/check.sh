#!/bin/sh
# `foresee check` of FMUs: what it tells, and which it refuses.
set -u
fail() { echo "check.sh: $*" >&2; exit 1; }
says() { printf '%s\n' "$out" | grep -qF -e "$1" || fail "no '$1' in: $out"; }

out=$("$FORESEE" check "$FMUS/cup3.fmu" 2>&1) || fail "cup3: $out"
says "$FMUS/cup3.fmu: FMU, no mistakes"
says "  FMI 3.0 for co-simulation, SHA-256 $(sha256sum <"$FMUS/cup3.fmu" | cut -c1-64)"
says "  output T: Float64, degC"
says "  parameter rate: Float64, 1/s"
for honest in cup2 cup3 bounce2 bounce3; do
    out=$("$FORESEE" check --rehearse "$FMUS/$honest.fmu" 2>&1) || fail "$honest: $out"
    says "20 steps of 0.01 s came out bit by bit the same after going back"
done
for liar in liar2 liar3; do
    out=$("$FORESEE" check "$FMUS/$liar.fmu" 2>&1) || fail "$liar, not run: $out"
    out=$("$FORESEE" check --rehearse "$FMUS/$liar.fmu" 2>&1)
    [ $? -eq 2 ] || fail "$liar is not found out: $out"
    says "$FMUS/$liar.fmu: error: the model 'liar' says that it can save its state, and steps otherwise once it was restored"
done
out=$("$FORESEE" check --rehearse "$FMUS/crash2.fmu" "$FMUS/entity.fmu" "$FMUS/cup2.fmu" 2>&1)
[ $? -eq 2 ] || fail "wrong status of: $out"
says "$FMUS/entity.fmu:modelDescription.xml:2:25: error: a model description may not declare entities"
says "$FMUS/cup2.fmu: FMU, no mistakes"
