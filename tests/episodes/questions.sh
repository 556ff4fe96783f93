#!/bin/sh
# Every question of examples/questions has the answer that stands there; decimals may differ.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" "$SOURCE/README.md" .
readme=$SOURCE/examples/questions/README.md
# Blocks of lines between fences, a file each.
awk '/^```/ { inside = !inside; if (inside) n++; next } inside { print > sprintf("block-%03d", n) }' "$readme"
[ "$(ls block-* | wc -l)" -ge 20 ] || fail "questions are missing"
while read -r _ command; do
    status=0
    eval "\"\$FORESEE\" $command -q" >projected.txt 2>&1 </dev/null || status=$?
    [ "$status" -le 1 ] || fail "foresee $command: status $status: $(cat projected.txt)"
done <block-001
# Numbers with a point may differ in their last digits, and columns of them in their width.
masked() { sed -E 's/-?[0-9]+\.[0-9]+/N/g; s/-+/-/g; s/ +/ /g; s/ $//' "$1"; }
for block in block-*; do
    [ "$block" != block-001 ] || continue
    IFS= read -r command <"$block"
    tail -n +2 "$block" >expected.txt
    status=0
    eval "\"\$FORESEE\" ${command#foresee }" >answer.txt || status=$?
    [ "$status" -le 1 ] || fail "$command: status $status"
    masked expected.txt >expected.masked
    masked answer.txt >answer.masked
    cmp -s expected.masked answer.masked || fail "$command: $(diff expected.masked answer.masked)"
done
