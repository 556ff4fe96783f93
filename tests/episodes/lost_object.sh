#!/bin/sh
# pick_up itself notices that what it holds is gone, and fails as gripper_closed_completely.
. "${0%/*}/lib.sh"
for seed in 1 2; do
    run "$TABLE/wet_grippers.yaml" wet.db --seed $seed
    noticed=$(sqlite3 -readonly wet.db "select count(*) from failure_view f join task_view t on t.id = f.task and t.episode = f.episode
        where f.class = 'gripper_closed_completely' and t.path like '%/pick_up/%';")
    [ "$noticed" -ge 1 ] || fail "seed $seed: pick_up did not notice that the plate is gone"
    done_all_the_same=$(sqlite3 -readonly wet.db "select count(*) from task_view where goal like 'object_in_hand(plate#%' and status = 'done';")
    [ "$done_all_the_same" -eq 0 ] || fail "seed $seed: object_in_hand is done without the plate"
    rm -f wet.db*
done
