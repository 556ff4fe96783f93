#!/bin/sh
# Typical queries of a table setting with their literals in every order. See test_order.c.
. "${0%/*}/../../episodes/lib.sh"
run "$TABLE/wet_grippers.yaml" log.db
"$TEST_ORDER" log.db "$SOURCE/predicates"
