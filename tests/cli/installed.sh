#!/bin/sh
# An installed program reads what was installed with it, and nothing of the tree it was built from.
. "${0%/*}/lib.sh"
: "${COMPILE:?the compiler, and how it makes a program}"
: "${BUILD:?the build folder}"
unset FORESEE_DATA
DESTDIR=$WORK/root meson install -C "$BUILD" --no-rebuild --quiet >install.txt 2>&1 || fail "$(cat install.txt)"
built=$FORESEE
FORESEE=$WORK/$(find root -type f -name foresee -path '*/bin/*')
data=$(find root -type d -name foresee -path '*/share/foresee')
library=$(find root -name 'libforesee.so.0')
[ -x "$FORESEE" ] && [ -d "$data/predicates" ] && [ -n "$library" ] || fail "program, library or data are not installed"
[ -z "$(find root -name foresee.data)" ] || fail "the mark of a build folder is installed"
for part in "$FORESEE" "$FORESEE-project" "$library"; do
    ! strings -d "$part" | grep -qF "$SOURCE" || fail "$part names the source tree"
done
PLAN=$WORK/$data/examples/table_setting/default.yaml
expect 3 "" "$FORESEE" run -q "$PLAN" --until 1 -o log.db

# Program and library use the installed rules; a program in its build folder uses those of the source tree.
cat >ask.c <<'END'
#include <foresee.h>
int main(void) {
    foresee *log;
    foresee_query *q = NULL;
    int answered = foresee_open("log.db", NULL, &log) == FORESEE_OK && foresee_prepare(log, "only_here(X)", &q) == FORESEE_OK &&
                   foresee_step(q) == FORESEE_ROW;
    foresee_finalize(q);
    foresee_close(log);
    return !answered;
}
END
$COMPILE ask.c -I"$SOURCE/include" -o ask "$library" || fail "ask.c"
printf ':- declare only_here(name: symbol) "Of this installation alone.".\nonly_here(yes).\n' >"$data/predicates/only_here.dl"
expect 0 "yes" "$FORESEE" query log.db 'only_here(X).'
expect 0 "" env LD_LIBRARY_PATH="${library%/*}" ./ask
expect 2 "only_here" "$built" query log.db 'only_here(X).'
# They do so from any folder, through a link, and after the installation was moved.
ln -s "$FORESEE" link
expect 0 "yes" ./link query log.db 'only_here(X).'
name="it's" # in words of a shell, too
mv root "$name"
FORESEE=$WORK/$name${FORESEE#"$WORK/root"} data=$name${data#root} library=$name${library#root}
expect 0 "yes" "$FORESEE" query log.db 'only_here(X).'
expect 0 "" env LD_LIBRARY_PATH="${library%/*}" ./ask
# FORESEE_DATA names other data.
expect 2 "only_here" env FORESEE_DATA="$SOURCE" "$FORESEE" query log.db 'only_here(X).'

# The examples run where they are installed, for a user who may only read them, as `foresee help` says.
expect 0 "Try" "$FORESEE" help
eval "PLAN=$(sed -n 's/^  foresee run //p' out.txt)"
[ -f "$PLAN" ] || fail "help names $PLAN, which is not there"
chmod -R a-w "$data/examples"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$WORK"
    chmod -R a+rX "$name"
    mkdir nobody
    chown 65534 nobody
    cd nobody || exit 1
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups
else
    set --
fi
expect 3 "" "$@" "$FORESEE" run -q "$PLAN" --until 1 -o own.db
cd "$WORK" || exit 1

# Without its rules an installed program says so, whatever the source tree has.
mv "$data/predicates" elsewhere
expect 2 "the folder 'predicates' is not in $WORK/$data" "$FORESEE" query log.db 'top_task(T).'
mv elsewhere "$data/predicates"

# A foresee-project that is foresee itself, or is missing, is reported; nothing runs for ever.
for make in cp 'ln -s' ln; do
    rm "$FORESEE-project"
    $make "$FORESEE" "$FORESEE-project"
    expect 3 "is foresee itself" timeout 60 "$FORESEE" check "$PLAN"
    expect 3 "is foresee itself" timeout 60 "$FORESEE-project" check "$PLAN"
done
rm "$FORESEE-project"
expect 3 "No such file" "$FORESEE" check "$PLAN"
