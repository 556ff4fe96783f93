#!/bin/sh
# An operator's two hands lead two arms over a link: along a path, and with a box that only friction holds between them, out of a socket and
# into a shelf. Arguments, for a table of the three couplings: seeds, how many of them have to succeed with a twin, how many may without,
# and the messages' delay, s.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
plan=examples/twins/shelve_box.yaml
if [ $# -gt 0 ]; then
    for coupling in mmt pfc tdpa; do
        "$FORESEE" batch -q "$plan" -n "$1" --seed 1 --vary examples/twins/boxes.yaml --set plan.coupling=$coupling --set plan.delay="${4:-0.018}" \
            -o $coupling.db >/dev/null || [ $? -le 1 ] || fail "the batch with $coupling"
        done=$(sqlite3 $coupling.db "SELECT count(*) FROM episode_view WHERE outcome = 'succeeded'")
        # The hands are to stand before the shelf 9 s after the arms began to follow.
        carried=$(sqlite3 $coupling.db "SELECT count(*) FROM (SELECT episode, min(start_s) + 9 AS at FROM coupling_view GROUP BY episode) c WHERE
            (SELECT x BETWEEN 0.5 AND 0.6 AND z > 0.85 AND max(abs(qx), abs(qy)) < 0.13 FROM pose_view p
                WHERE p.episode = c.episode AND object = 'box_1' AND t_s <= c.at ORDER BY t_s DESC LIMIT 1)")
        echo "$coupling: level before the shelf $carried of $1, in the shelf $done"
        case $coupling in
        mmt) [ "$done" -ge "$2" ] || fail "with a twin $done of $1, not $2" ;;
        *) [ "$done" -le "$3" ] || fail "with $coupling $done of $1, more than $3" ;;
        esac
    done
    exit
fi
value() { "$FORESEE" query "$1" "value($2, $3, V)" --format csv | tail -n 1; } # LOG SIGNAL AT
is() { awk "BEGIN { d = $2 - ($3); exit d < -$4 || d > $4 }" || fail "$1: $2, not $3"; } # WHAT NUMBER EXPRESSION TOLERANCE

# A hand in free air is where its path leads, once it rests there.
cat >path.yaml <<'END'
plan: path
projection: { world: examples/twins/lab.yaml, robot: examples/robots/feeling_arm.yaml }
body:
  - move_arm: { arm: left, to: carry }
  - let: { "?second": 2 }
    in: { tag: lead, guide: { arm: left, force: 60, path: [[1, 0, 0, 0.1], ["?second", 0, 0, 0.1], [4, 0, -0.1, 0.05], [5, 0, -0.1, 0.05], [6, 0.1, 0, 0]] } }
END
run path.yaml path.db
begun=$(sqlite3 path.db "SELECT start_s FROM task_view WHERE path LIKE '%lead'")
for axis in x y z; do
    from=$(value path.db "$axis(robot_left_gripper)" "$begun")
    for at in 2 5 7; do
        case $axis$at in x7 | z2) by=0.1 ;; y5) by=-0.1 ;; z5) by=0.05 ;; *) by=0 ;; esac
        is "$axis of the hand at $at s" "$(value path.db "$axis(robot_left_gripper)" "$begun + $at")" "$from + $by" 0.002
    done
done
sed 's/"?second": 2/"?second": 1/' path.yaml >back.yaml
run back.yaml back.db
[ "$(sqlite3 back.db "SELECT count(*) FROM failure WHERE reason LIKE 'a path of guide is a list of rows%'")" -gt 0 ] || fail "a path whose times do not grow is not refused"
sed 's/force: 60/force: 60, speed: 0.2/' path.yaml >both.yaml
"$FORESEE" check both.yaml >both.txt 2>&1 && fail "a speed beside a path is not refused"
grep -q 'guide goes along its path, so that speed: has no place beside it' both.txt || fail "a speed beside a path: $(cat both.txt)"

# Two arms without a box are where those of the station are.
sed '/^  box_1/d; /^events/,$d' examples/twins/shelf.yaml >examples/twins/empty.yaml
sed 's/world: shelf.yaml/world: empty.yaml/; /^  goal:/d' "$plan" >examples/twins/air.yaml
run examples/twins/air.yaml air.db
[ "$(outcome air.db)" = succeeded ] || fail "without a box: $(outcome air.db)"
begun=$(sqlite3 air.db "SELECT max(start_s) FROM coupling_view")
for hand in left right; do
    for axis in x y z; do
        near=$(value air.db "$axis(bob_${hand}_gripper)" "$begun + 9.2")
        far=$(value air.db "$axis(ann_${hand}_gripper)" "$begun + 9.2")
        [ $axis = x ] && near="$near + 4"
        is "$axis of ann's $hand hand" "$far" "$near" 0.006
    done
done

# With a twin the box goes into the shelf, where the twin believes it, and no flaw is found.
run "$plan" box.db --seed 1 --set world.push_x=9 --set world.push_y=-9
[ "$(outcome box.db)" = succeeded ] || fail "the box: $(outcome box.db)"
diagnose box.db
[ "$(flaws box.db.json 1)" = 0 ] || fail "flaws of a clean episode: $(sqlite3 :memory: "SELECT value ->> 'name' FROM json_each(readfile('box.db.json'), '\$.flaws')")"
"$FORESEE" query box.db 'holds_b(twin, contact(L, box_1), interval(S, E)), E - S > 8, holds_w(contact(L, box_1), at(E - 1))' >/dev/null ||
    fail "the twin does not hold the box as the arms do"
for axis in x y z; do
    believed=$(sqlite3 box.db "SELECT $axis FROM believed_frame_view WHERE agent = 'twin' AND believed = 'box_1' ORDER BY t_s DESC LIMIT 1")
    is "$axis of the twin's box" "$believed" "$(value box.db "$axis(box_1)" 22)" 0.01
done
