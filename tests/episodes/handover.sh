#!/bin/sh
# A robot takes a baton from another one while both drive, by the same plan with separate and with shared views. Arguments: number of
# seeds, and the least of them in which it must succeed.
. "${0%/*}/lib.sh"
n=${1:-1} least=${2:-1}
PLAN=$SOURCE/examples/handover/handover.yaml
for share in nothing all; do
    status=0
    "$FORESEE" batch -q "$PLAN" -n "$n" --seed 1 -j 2 --set plan.share=$share -o $share.db >$share.txt || status=$?
    [ "$status" -le 1 ] || fail "foresee batch with share: $share ended with status $status"
    good=$(sqlite3 -readonly $share.db "select count(*) from episode_view where outcome = 'succeeded'")
    echo "share: $share: $good of $n"
    [ "$good" -ge "$least" ] || { cat $share.txt; fail "with share: $share $good of $n succeeded, expected at least $least"; }
done
sources() { sqlite3 -readonly $1.db "select name, text from source where kind in ('plan', 'world', 'robot') and episode = 1 order by name"; }
[ "$(sources nothing)" = "$(sources all)" ] || fail "the two ways ran different plans"

# ask LOG QUERY: the answers of its first episode, without a head.
ask() { "$FORESEE" query $1.db "$2" --episode 1 --format plain; }
# Both drove while the baton went from hand to hand.
moved=$(ask nothing "occurs_w(handed_over(baton_1, _, _), T), value(speed(ann_base), T, A), value(speed(bob_base), T, B), A > 0.05, B > 0.05")
[ -n "$moved" ] || fail "somebody stood while the baton was handed over"
# By the laser bob knew how the baton lay in the frame of ann's base, and the same observation then told how it lay in his hand.
cycles=$(ask nothing "view_estimate(Id, bob, laser, A, B, S, E), view_cycle(Id, Cycle)")
case "$cycles" in *"= ann ~ baton"*) ;; *) fail "no estimate of the baton beside ann: $cycles" ;; esac
case "$cycles" in *"bob_left_gripper ~ baton"*) ;; *) fail "no estimate of the baton in bob's hand: $cycles" ;; esac
# What he believed of its place was in her frame, too.
[ -n "$(ask nothing "believed_frame(_, bob, 'baton#1', ann, _, S, E), relation(bob, placement, ann, 'baton#1', at(S)), knows(bob, ann, 'baton#1', at(S))")" ] ||
    fail "the believed place of the baton in ann's hand is not in her frame"
# She does not know where he has it, unless he tells her.
[ -n "$(ask nothing 'views_differ(ann, bob, baton_1, D, T)')" ] || fail "the separate views do not differ"
status=0
ask all 'views_differ(ann, bob, baton_1, D, T)' >differ.txt || status=$?
[ "$status" -eq 1 ] || fail "the shared views differ, or cannot be asked: $(cat differ.txt)"
