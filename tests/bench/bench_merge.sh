#!/bin/sh
# bench_merge.sh PROJECTED SAMPLES: samples are projected and multiplied under new seeds into one log. Merging must not cost more a
# sample as the log grows; then questions over all episodes are asked. Prints times, sizes and a ratio.
. "$SOURCE/tests/batch/lib.sh"
: "${BENCH_MERGE:?the program that multiplies}"
a_plan short.yaml 0.7 0.2
batch few.db short.yaml -n "${1:-20}" --vary luck.yaml
"$BENCH_MERGE" few.db many.db "${2:-4000}" || fail "merging"
for question in "select count(*), avg(outcome = 'succeeded') from episode_view" \
    "select count(distinct seed) from episode_view" \
    "select count(*) from task_view where status = 'failed'"; do
    begin=$(date +%s%N)
    answer=$(sqlite3 -readonly many.db "$question;") || fail "$question"
    echo "$question: $answer, $((($(date +%s%N) - begin) / 1000000)) ms"
done
begin=$(date +%s%N)
"$FORESEE" query many.db 'task_construct(T, fail)' --episode all --format csv >answer.csv || fail "the question has no answer"
echo "query --episode all: $(wc -l <answer.csv) lines, $((($(date +%s%N) - begin) / 1000000)) ms"
