#!/bin/sh
# A foreign model is killed, stopped for good, or diverges, at instants that nobody chose: the episode ends as invalid or goes on without
# it, as configured; the log opens, and says which model failed, when, and what it was given last.
. "${0%/*}/../../episodes/lib.sh"
: "${FMUS:?the folder of the FMUs}"
KILLS=${KILLS:-50} STOPS=${STOPS:-50} BURSTS=${BURSTS:-50}

ask() { sqlite3 -readonly "$1" "$2"; }
cp "$FMUS/cup3.fmu" cup.fmu
# Plans that wait, in worlds with a model that is asked in every step: an FMU, MuJoCo, or particles in a bin that stands.
sed "s#\.\./robots#$SOURCE/examples/robots#; s/seconds: 12/seconds: 600/" "$SOURCE/examples/ensemble/wait_for_coffee.yaml" >fmu.yaml
sed "s#\.\./robots#$SOURCE/examples/robots#; s/seconds: 3/seconds: 60/" "$SOURCE/examples/ensemble/down_the_chute.yaml" >mujoco.yaml
sed "s/chute/bin/" mujoco.yaml >particles.yaml
grep -q 'seconds: 600' fmu.yaml && grep -q 'seconds: 60' particles.yaml && grep -q bin.yaml particles.yaml || fail "a plan is as it was"
# world KIND ON_FAILURE TIMEOUT
world() {
    case $1 in
    fmu)
        sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/coffee.yaml" >coffee.yaml
        cat >>coffee.yaml <<END
ensemble:
  main: ode
  models:
    coffee:
      { class: fmu, file: cup.fmu, step: service, every: 0.002, inputs: { ambient: 293.15, rate: 0.05 }, outputs: { temperature(cup_1): T },
        timeout: $3, on_failure: $2 }
  owns: { coffee: [ temperature(cup_1) ] }
END
        name=coffee inputs='ambient = ' told=attribute_state ;;
    mujoco)
        sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/chute.yaml" >chute.yaml
        cat >>chute.yaml <<END
ensemble:
  main: ode
  models:
    slider: { class: mujoco, step: service, every: 0.002, outputs: { pose(parcel_1): parcel_1 }, timeout: $3, on_failure: $2 }
  owns: { slider: [ pose(parcel_1) ] }
END
        name=slider inputs='parcel_1 at (' told=pose ;;
    particles)
        sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/chute.yaml" >bin.yaml
        sed -i 's/^types:/particles: { grain: { radius: 0.01, density: 800 } }\n&\n  bin: { shapes: [ { ring: { radius: 0.12, thickness: 0.02, height: 0.2, facets: 8 } } ], interior: { cylinder: [0.1, 0.2], at: [0, 0, 0.1] } }/
            s/^bodies:/&\n  bin_1: { type: bin, at: [-2, 0, 0], fixed: true, fill: { with: grain, count: 40 } }/' bin.yaml
        cat >>bin.yaml <<END
ensemble:
  main: ode
  models:
    grains:
      { class: particles, carrier: bin_1, step: service, every: 0.002, inputs: { carrier: pose(bin_1) }, outputs: { contents(bin_1): contents }, timeout: $3, on_failure: $2 }
  owns: { grains: [ contents(bin_1) ] }
END
        name=grains inputs='carrier at (-2, 0, 0) m' told=pose ;;
    esac
}

# fails NUMBER SIGNAL KIND ON_FAILURE: sends the model the signal some while after its process began. One that is stopped is waited for
# by a second, not ten.
fails() {
    _timeout=10
    [ "$2" != STOP ] || _timeout=1
    world "$3" "$4" $_timeout
    rm -f log.db
    "$FORESEE" run -q "$3.yaml" --native -o log.db >told.txt 2>&1 &
    _run=$!
    _model=
    while [ -z "$_model" ] && kill -0 $_run 2>/dev/null; do
        _model=$(pgrep -P $_run | head -n 1)
    done
    sleep "$(awk -v n="$1" 'BEGIN { srand(n); print rand() * 0.4 }')"
    _late=0
    { [ -n "$_model" ] && kill -"$2" "$_model"; } 2>/dev/null || _late=1
    _status=0
    wait $_run || _status=$?
    [ "$(ask log.db "pragma integrity_check")" = ok ] || fail "the log of $3, $2, $1, is damaged"
    if grep -q ":[0-9]*:[0-9]*: error: the model .$name. \(was ended\|did not answer\)" told.txt; then
        # It had not begun, and nothing is to go on in its place.
        [ "$_status" = 3 ] && [ "$4" = end ] || fail "$3, $2, $1, before it begins: status $_status"
        late=$((late + 1))
        return
    fi
    if [ $_late = 1 ] || [ "$(ask log.db "select count(*) from model_event where kind = 'failed'")" = 0 ]; then
        # The model had been asked for the last time.
        [ "$_status" = 0 ] && [ "$(outcome log.db)" = succeeded ] || fail "$3, $2, $1: status $_status, but no failure: $(cat told.txt)"
        late=$((late + 1))
        return
    fi
    case $4 in
    end) [ "$_status" = 3 ] && [ "$(outcome log.db)" = invalid ] && grep -q "the model .$name. failed at .*last inputs: $inputs" told.txt ;;
    # One that does not answer at its start falls back, too, and was given nothing.
    *) [ "$_status" = 0 ] && [ "$(outcome log.db)" = succeeded ] &&
        [ "$(ask log.db "select was || ' ' || becomes || ' ' || done from switch_view where rule = 'on_failure'")" = "$name ode 1" ] ;;
    esac || fail "$3, $2, $1, $4: status $_status, $(outcome log.db): $(cat told.txt)"
    ask log.db "select why from model_event where kind = 'failed'" | grep -q "last inputs: \($inputs\|none\)" || fail "the log of $3, $2, $1, does not say why"
    [ "$(ask log.db "select count(*) from $told")" -ge 1 ] || fail "nothing is known up to the failure"
    ! kill -0 "$_model" 2>/dev/null || fail "the model outlives its episode"
}

for kind in fmu mujoco particles; do
    late=0 number=0
    while [ $number -lt "$KILLS" ]; do
        number=$((number + 1))
        on=end
        [ $((number % 2)) = 0 ] || on='{ fall_back: ode }'
        fails $number KILL $kind "$on"
    done
    [ $((2 * late)) -le "$KILLS" ] || fail "$late of $KILLS were too early or late to matter"
    echo "$kind killed: $KILLS, of which $late too early or late to matter"
    late=0 number=0
    while [ $number -lt "$STOPS" ]; do
        number=$((number + 1))
        on=end
        [ $((number % 2)) = 0 ] || on='{ fall_back: ode }'
        fails $number STOP $kind "$on"
    done
    [ $((2 * late)) -le "$STOPS" ] || fail "$late of $STOPS were stopped too early or late to matter"
    echo "$kind stopped: $STOPS, of which $late too early or late to matter"
done

# An FMU gives no number from an instant on that the seed draws, somewhere in 12 s and between two of its steps.
sed "s#\.\./robots#$SOURCE/examples/robots#" "$SOURCE/examples/ensemble/wait_for_coffee.yaml" >burst.yaml
cp "$FMUS/burst2.fmu" "$FMUS/burst3.fmu" .
number=0
while [ $number -lt "$BURSTS" ]; do
    number=$((number + 1))
    at=$(awk -v n="$number" 'BEGIN { srand(n); printf "%.4f", rand() * 12 }')
    on=end
    [ $((number % 2)) = 0 ] || on='{ fall_back: ode }'
    sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/coffee.yaml" >coffee.yaml
    cat >>coffee.yaml <<END
ensemble:
  main: ode
  models:
    coffee:
      { class: fmu, file: burst$((2 + number / 2 % 2)).fmu, step: service, every: 0.01, inputs: { at: $at }, outputs: { temperature(cup_1): x }, on_failure: $on }
  owns: { coffee: [ temperature(cup_1) ] }
END
    rm -f log.db
    status=0
    "$FORESEE" run -q burst.yaml --native -o log.db >told.txt 2>&1 || status=$?
    [ "$(ask log.db "pragma integrity_check")" = ok ] || fail "the log of a model that diverges at $at s is damaged"
    case $on in
    end) [ "$status" = 3 ] && [ "$(outcome log.db)" = invalid ] && grep -q "the model .coffee. failed at .*last inputs: at = " told.txt ;;
    *) [ "$status" = 0 ] && [ "$(outcome log.db)" = succeeded ] &&
        [ "$(ask log.db "select was || ' ' || becomes || ' ' || done from switch_view where rule = 'on_failure'")" = "coffee ode 1" ] ;;
    esac || fail "diverged at $at s, $on: status $status, $(outcome log.db): $(cat told.txt)"
    # It is told at the end of the step in which it happens, and nothing of it is taken.
    [ "$(ask log.db "select count(*) from model_event where kind = 'failed' and why like '%gave%nan%last inputs: at = %' and t_ns / 1e9 between $at and $at + 0.0101")" = 1 ] ||
        fail "diverged at $at s: $(ask log.db "select * from model_event")"
    [ "$(ask log.db "select count(*) from attribute_state where value <> 1")" = 0 ] || fail "what is no number is in the log"
done
echo "fmu diverged: $BURSTS"
