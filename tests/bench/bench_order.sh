#!/bin/sh
# Typical queries of a table setting with their literals in every order. See bench_order.c.
. "${0%/*}/../episodes/lib.sh"
run "$TABLE/wet_grippers.yaml" log.db || [ $? -eq 1 ]
"$BENCH_ORDER" log.db "$SOURCE/predicates"
