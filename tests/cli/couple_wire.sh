#!/bin/sh
# foresee couple with its two ends in two processes: over UDP the same bytes, whatever the network does; and another program as the far end.
. "${0%/*}/lib.sh"

cat >rig.yaml <<'END'
coupling: { kinds: [tdpa, mmt], stiffness: 800, damping: 20 }
link: { round_trips: [0, 0.036], jitter: 0.01, loss: 0.1, duplication: 0.05 }
hand: { stiffness: 30, damping: 3, path: [[0, 0], [0.5, 0.08]] }
leader: { mass: 1, damping: 2 }
follower: { encoder_noise: 0.00001, mass: 0.8, damping: 5 }
wall: { at: 0.02, stiffness: 3000 }
model: { at: 0.03, stiffness: 3000, updates: true }
duration: 2.5
END
expect 1 "mmt " "$FORESEE" couple rig.yaml --trace alone.csv
mv out.txt alone.txt

# serve FILE [OPTION...]: starts a far end and puts its port into $port.
serve() {
    : >served.err # or the port of the end before it is read from there
    "$FORESEE" couple "$@" --serve 127.0.0.1:0 >served.txt 2>served.err &
    far=$!
    until port=$(sed -n 's/.* listens at port //p' served.err) && [ -n "$port" ]; do
        kill -0 "$far" 2>/dev/null || fail "the far end ended: $(cat served.err)"
        sleep 0.05
    done
}

serve rig.yaml
expect 1 "" "$FORESEE" couple rig.yaml --remote "127.0.0.1:$port" --trace two.csv
wait "$far" || fail "the far end ended with $?: $(cat served.err)"
cmp alone.txt out.txt || fail "two processes tell another story than one"
cmp alone.csv two.csv || fail "two processes leave another trace than one"

# A network that loses, doubles, delays, cuts and invents datagrams, by a fixed rule.
serve rig.yaml
python3 "$SOURCE/tests/cli/proxy.py" "$port" >proxied.txt &
proxy=$!
until [ -s proxied.txt ]; do sleep 0.05; done
expect 1 "datagrams sent" "$FORESEE" couple rig.yaml --remote "127.0.0.1:$(cat proxied.txt)" --trace bad.csv
cp err.txt near.err
wait "$far" || fail "the far end ended with $?: $(cat served.err)"
kill "$proxy"
cmp alone.txt out.txt || fail "a bad network changed the story"
cmp alone.csv bad.csv || fail "a bad network changed the trace"
for end in near.err served.err; do
    sed -n 's/^foresee: \([0-9]*\) datagrams sent, \([0-9]*\) of them again; \([0-9]*\) received, \([0-9]*\) more .* twice, \([0-9]*\) malformed.*/\2 \4 \5/p' $end >counts.txt
    read -r again late malformed <counts.txt || fail "$end has no counts"
    [ "$again" -gt 0 ] && [ "$late" -gt 0 ] && [ "$malformed" -gt 0 ] || fail "$end counts $again, $late, $malformed"
done
grep -q ' 0 of somebody else' served.err && fail "a stranger was not counted"

# Another rig or seed is refused, and the far end goes on waiting for its own.
serve rig.yaml
expect 2 "the same file, options and seed" "$FORESEE" couple rig.yaml --seed 2 --remote "127.0.0.1:$port"
silent_out
expect 1 "" "$FORESEE" couple rig.yaml --remote "127.0.0.1:$port"
cmp alone.txt out.txt || fail "a caller who was refused changed the story"
wait "$far" || fail "the far end ended with $?"

# A far end in another language, by what the documentation says of datagrams: a spring at 0.01 m, and a damper.
cat >far.py <<'END'
import socket, struct, sys
def fnv(b):
    h = 0xcbf29ce484222325
    for x in b: h = (h ^ x) * 0x100000001b3 & 0xffffffffffffffff
    return h
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
while True:
    data, who = s.recvfrom(4096)
    magic, kind, count, session, step = struct.unpack("<8sIIQQ", data[:32])
    assert magic == b"foresee1" and struct.unpack("<Q", data[-8:])[0] == fnv(data[:-8])
    numbers = []
    if kind == 2:
        place, speed, twin, energy = struct.unpack("<4d", data[32:64])
        force = 100 * max(0, place - 0.01) + 20 * speed
        numbers = [force, 0, place, force, place, force, place] + [0] * 9
    reply = struct.pack("<8sIIQQ", magic, kind, len(numbers), session, step) + struct.pack("<%dd" % len(numbers), *numbers)
    s.sendto(reply + struct.pack("<Q", fnv(reply)), who)
    if kind == 3: sys.exit(0)
END
sed 's/\[tdpa, mmt\]/[pfc]/; s/\(round_trips: \).*/\1[0] }/' rig.yaml >pfc.yaml
python3 far.py >other.txt &
other=$!
until [ -s other.txt ]; do sleep 0.05; done
expect 0 "pfc " "$FORESEE" couple pfc.yaml --remote "127.0.0.1:$(cat other.txt)"
wait "$other" || fail "the other program ended with $?"
# The hand's spring of 30 N/m and the far spring of 100 N/m hold one another: 30 (0.08 - x) = 100 (x - 0.01), 1.615 N.
grep -q '^pfc  .* 1\.6[12] *1\.6[12]' out.txt || fail "the other program's spring is not felt: $(grep '^pfc' out.txt)"

expect 2 "is no address" "$FORESEE" couple rig.yaml --remote nowhere
expect 2 "is no IPv4 address" "$FORESEE" couple rig.yaml --serve localhost:4000
expect 2 "is no address" "$FORESEE" couple rig.yaml --serve 127.0.0.1:70000
expect 2 "cannot be listened at" "$FORESEE" couple rig.yaml --serve 203.0.113.1:4000
expect 2 "give --trace to the other end" "$FORESEE" couple rig.yaml --serve 127.0.0.1:0 --trace mine.csv
expect 2 "give --remote to the other end" "$FORESEE" couple rig.yaml --serve 127.0.0.1:0 --remote 127.0.0.1:4000
expect 3 "can be reached" "$FORESEE" couple rig.yaml --remote 127.0.0.1:9 --trace none.csv
[ ! -e none.csv ] || fail "a trace of nothing was written"
