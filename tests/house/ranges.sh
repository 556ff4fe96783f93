#!/bin/sh
# tests/house/ranges.sh - docs/ranges.md has the unit and range of every quantity of scene/load/quantities.def, and no other.
set -eu
cd "$(dirname "$0")/../.."
from_code=$(sed -n 's/^QUANTITY([A-Z_]*, "\([^"]*\)", \([^,]*\), \([^,]*\), .*/\1|\2|\3/p' scene/load/quantities.def |
    grep -v '^whatever' | sort)
from_docs=$(sed -n 's/^|[^|]*| \([^|]*\) | \([-0-9.e]*\) | \([-0-9.e]*\) |$/\1|\2|\3/p' docs/ranges.md | sort)
[ "$(echo "$from_code" | wc -l)" -gt 30 ]
[ "$from_code" = "$from_docs" ] || { echo "docs/ranges.md differs from scene/load/quantities.def:"; echo "$from_code" >/tmp/ranges.$$
    echo "$from_docs" | diff /tmp/ranges.$$ - || true; rm -f /tmp/ranges.$$; exit 1; }
