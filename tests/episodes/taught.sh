#!/bin/sh
# An arm does again what it was taught: its hand keeps to the taught way and its joints to the taught posture, and what is in the way is met
# with a bounded force; what cannot be done again fails with a type and a reason.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
plan=examples/twins/teach_and_replay.yaml
# track(Tag, T, D): in the replay with this tag the hand is D m at T from where it was when it was taught.
cat >track.dl <<'EOF'
replayed(Tag, S, E) :- operation(_, Task, replay, S, E), task_path(Task, Path), member(Tag, [free, met]), ends_with(Path, Tag).
track(Tag, T, D) :-
    operation(_, _, teach, S0, E0), replayed(Tag, S, E), N = int(seconds(E0 - S0) / 0.02), between(0, N, K), T = S + K * 0.02, T < E,
    T0 = S0 + K * 0.02, taught_hand(H), pose(H, T0, P0), pose(H, T, P), pose_distance(P0, P, D).
taught_hand(H) :- operation(Op, _, teach, _, _), operation_actuator(Op, H).
off(Tag, J, D) :-
    operation(_, _, teach, S0, E0), replayed(Tag, S, E), N = int(seconds(E0 - S0) / 0.1), arm_joint(J),
    D = max { abs(A - B) : between(0, N, K), T = S + K * 0.1, T < E, T0 = S0 + K * 0.1, value(joint(J), T0, A), value(joint(J), T, B) }.
arm_joint(J) :- object(J, joint, _), starts_with(J, "robot_left").
pushed(Tag, T, F) :- replayed(Tag, S, E), contact_wrench(_, true, T, F, _), S =< T, T =< E.
error(Tag, Source, R) :- replayed(Tag, S, E), R = sqrt(avg { F * F : wrench_error(_, Source, T, F, _), S =< T, T =< E }).
EOF
holds() { "$FORESEE" query "$1" -f track.dl "$2" >/dev/null; }
shows() { "$FORESEE" query "$1" -f track.dl "$2"; }

for seed in 1 2 3; do
    run "$plan" taught.db --seed "$seed"
    diagnose taught.db
    [ "$(outcome taught.db)" = succeeded ] && [ "$(flaws taught.db.json 1)" = 0 ] || fail "seed $seed: $(outcome taught.db), $(flaws taught.db.json 1) flaws"
    holds taught.db 'D = max { X : track(free, _, X) }, D < 0.01, A = avg { X : track(free, _, X) }, A < 0.004' ||
        fail "seed $seed: the hand leaves its way: $(shows taught.db 'D = max { X : track(free, _, X) }')"
    holds taught.db 'F = max { X : pushed(free, _, X) }, F < 0.01' || fail "seed $seed: in free motion something is touched"
    # The block holds the hand back by more than it strays when free, with the force that the springs may pull with.
    holds taught.db 'D = max { X : track(met, _, X) }, D > 0.03, F = avg { X : pushed(met, _, X), X > 20 }, F > 35, F < 48' ||
        fail "seed $seed: the contact: $(shows taught.db 'D = max { X : track(met, _, X) }, F = avg { X : pushed(met, _, X), X > 20 }')"
    holds taught.db 'replayed(met, _, E), track(met, T, D), T > E - 0.1, D < 0.01' || fail "seed $seed: the hand does not come back to its way"
    # What each of the two estimates makes of no contact.
    holds taught.db 'error(free, observer, A), error(free, direct, B), B > 3 * A, A < 1' ||
        fail "seed $seed: in free motion: $(shows taught.db 'error(free, Source, R)')"
done
# A softer force, and a slower pace.
sed '/tag: met/ s/force: \$force/force: 15, pace: 0.5/' "$plan" >examples/twins/soft.yaml
run examples/twins/soft.yaml soft.db --seed 4
holds soft.db 'F = avg { X : pushed(met, _, X), X > 8 }, F > 12, F < 20, F2 = max { X : pushed(met, _, X) }, F2 < 60' ||
    fail "a softer force: $(shows soft.db 'F = avg { X : pushed(met, _, X), X > 8 }, F2 = max { X : pushed(met, _, X) }')"
holds soft.db 'replayed(free, S, E), replayed(met, S2, E2), duration(interval(S, E), D), duration(interval(S2, E2), D2), D2 > 1.9 * D' || fail "half the pace takes no longer"

# An arm of seven joints keeps to the taught posture, too, which its tool alone leaves free.
sed 's/^types/robot_at: [-0.5, 0, 0]\n&/; /^events/,$ d' examples/twins/taught_lab.yaml >examples/twins/wide_lab.yaml
cat >examples/twins/seven.yaml <<'EOF'
plan: seven
projection: { world: wide_lab.yaml, robot: ../robots/two_arms.yaml }
body:
  - move_torso: { to: 0.25 }
  - move_arm: { arm: left, to: "hold_out(0.5, 0.3, 1.2, 0)" }
  - pursue:
      - seq:
          - guide: { arm: left, direction: down, distance: 0.2, seconds: 0.5 }
          - move_arm: { arm: left, to: "hold_out(0.5, 0.2, 1.2, 0)" }
          - guide: { arm: left, direction: forward, distance: 0.15, seconds: 0.5 }
      - teach: { arm: left, name: dip }
  - move_arm: { arm: left, to: park }
  - move_arm: { arm: left, to: taught(dip) }
  - tag: free
    replay: { arm: left, name: dip }
EOF
for seed in 1 2; do
    run examples/twins/seven.yaml seven.db --seed "$seed"
    holds seven.db 'D = max { X : track(free, _, X) }, D < 0.012' || fail "seed $seed: seven joints: $(shows seven.db 'D = max { X : track(free, _, X) }')"
    holds seven.db 'D = max { X : off(free, _, X) }, D < 0.15' || fail "seed $seed: the posture: $(shows seven.db 'off(free, J, X)')"
done

# An arm is taught through an operator's station, over a link.
cat >examples/twins/afar.yaml <<'EOF'
plan: afar
projection:
  world: lab.yaml
  robots:
    ann: { robot: ../robots/feeling_arm.yaml, at: [0, 0, 0] }
    bob: { robot: ../robots/feeling_arm.yaml, at: [-4, 0, 0] }
  teleoperation: { leader: bob, follower: ann, coupling: mmt, link: { delay: 0.018, loss: 0.01 }, twin: yes }
body:
  - par: [ { as: ann, move_arm: { arm: left, to: carry } }, { as: bob, move_arm: { arm: left, to: carry } } ]
  - pursue:
      - { as: bob, guide: { arm: left, direction: forward, distance: 0.2, seconds: 1 } }
      - { as: ann, follow: { arm: left } }
      - { as: ann, teach: { arm: left, name: push } }
  - as: ann
    seq:
      - move_arm: { arm: left, to: taught(push) }
      - { tag: free, replay: { arm: left, name: push } }
EOF
run examples/twins/afar.yaml afar.db --seed 1
[ "$(outcome afar.db)" = succeeded ] || fail "afar: $(outcome afar.db)"
holds afar.db 'D = max { X : track(free, _, X) }, D < 0.01, track(free, _, _)' || fail "what a station taught: $(shows afar.db 'D = max { X : track(free, _, X) }')"

# What cannot be done.
failing() { # SED CLASS REASON
    sed "$1" "$plan" >examples/twins/bad.yaml
    run examples/twins/bad.yaml bad.db --seed 1
    [ "$(sqlite3 bad.db "SELECT count(*) > 0 FROM failure_view WHERE class = '$2' AND reason LIKE '%$3%'")" = 1 ] ||
        fail "no $2 ($3): $(sqlite3 bad.db 'SELECT class, reason FROM failure_view')"
}
failing 's/- { tag: free, replay: { arm: left, name: dip.*/- { let: { "?n": dive }, in: { replay: { arm: left, name: "?n" } } }/' designator_reference_failure 'no motion was taught under the name dive'
failing 's/- move_arm: { arm: left, to: taught(dip) }/- { let: { "?n": dive }, in: { move_arm: { arm: left, to: taught(?n) } } }/' designator_reference_failure 'no motion was taught under the name dive'
failing 's/to: taught(dip)/to: park/' manipulation_pose_unreachable 'from where dip begins; move_arm: to taught(dip) brings it there'
# The motion ends where the block is.
failing '/- move_arm: { arm: left, to: lower/,/- move_arm: { arm: left, to: carry }/ { /carry/d }' manipulation_goal_not_reached 'mm and % degrees from where dip ends'
