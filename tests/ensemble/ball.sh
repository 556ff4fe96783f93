#!/bin/sh
# Of two recorded episodes with a tennis ball, one slips out of the hand on its way and one ends in the container: an ensemble that
# holds it by an estimate from the fingers says so of both, physics alone and simple bonds only of the second. bench_experiments has a hundred.
. "${0%/*}/../episodes/lib.sh"

python3 "$SOURCE/tests/ensemble/ball.py" logs --wanted 1 --first 34 >table.txt 2>seeds.txt || fail "no table: $(cat seeds.txt)"
row() { grep -q "^| $1 | $2 | $3 | $4 | 2 |\$" table.txt || fail "another row of $1: $(cat table.txt seeds.txt)"; }
row in_hand 1 1 1.00
row 'physics alone' 1 0 0.50
row rigid_bind 1 0 0.50
row force_bind 1 0 0.50
[ "$(sqlite3 -readonly logs/truth.db 'select step_ns from episode')" = 500000 ] || fail "the truth is made with another step"
[ "$(sqlite3 -readonly logs/world.db 'select step_ns from episode')" = 2000000 ] || fail "what follows has another step"
