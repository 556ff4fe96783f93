#!/bin/sh
# Files are written by base/files/output.c alone: nothing else opens one for writing, or renames one.
cd "$1" || exit 2
rooms="base scene plans schema projector logger query report cli"
found=$(grep -nE 'O_CREAT|O_TRUNC|O_WRONLY|O_RDWR|\b(creat|mkstemp|mkostemp|tmpfile|rename|renameat2?|linkat?|freopen)\(|fopen\([^;]*"[^"]*[wa+]' \
    -r $rooms --include='*.c' | grep -vE '^base/files/output\.c:')
# The errors of a re-run go to a file in a folder of its own.
found=$(printf '%s\n' "$found" | grep -vE '^(cli/runs/verify\.c:.*open\("/dev/null"|cli/runs/verify\.c:.*0600\);)')
# What a model's zip file holds is unpacked into a private folder, which is removed again.
found=$(printf '%s\n' "$found" | grep -vE '^projector/ensemble/foreign/archive\.c:.*open\(path, O_WRONLY \| O_CREAT \| O_EXCL \|')
# The process of a model has no output but its page.
found=$(printf '%s\n' "$found" | grep -vE '^projector/ensemble/foreign/foreign\.c:.*addopen\(&files, i, "/dev/null", O_RDWR')
[ -z "$found" ] || { echo "files are written outside base/files/output.c:"; echo "$found"; exit 1; }
