#!/bin/sh
# foresee show: pictures of worlds and logs, and what is refused.
. "${0%/*}/lib.sh"

expect 0 "" "$FORESEE" show "$WORLD" -o world.png --size 320x240
silent_out
[ "$(head -c 8 world.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "world.png is no PNG"
"$FORESEE" show "$WORLD" -o again.png --size 320x240 || fail "a second picture"
cmp -s world.png again.png || fail "the same world gives two pictures"
expect 0 "" "$FORESEE" show "$PLAN" -o plan.png --size 320x240 --set world.plate_mass=0.4
cmp -s world.png plan.png && fail "a plan's picture shows the robot"
expect 3 "incomplete" "$FORESEE" run "$PLAN" --until 4 -o log.db
expect 0 "" "$FORESEE" show log.db --at 0 -o start.png --size 320x240
expect 0 "" "$FORESEE" show log.db --at 4 --belief -o late.png --size 320x240
cmp -s start.png late.png && fail "the robot has not moved in the picture"
expect 0 "" "$FORESEE" show log.db --to plate_1 -o plate.png --size 320x240

# A robot alone, the scene from above, instants side by side.
expect 0 "" "$FORESEE" show "$SOURCE/examples/robots/two_arms.yaml" -o robot.png --size 320x240
expect 0 "" "$FORESEE" show log.db --top -o top.png --size 320x240
cmp -s top.png late.png && fail "--top shows the same as before"
expect 0 "" "$FORESEE" show log.db --strip 3 --follow plate_1 -o strip.png --size 320x240
[ "$(head -c 24 strip.png | tail -c 8 | od -An -tx1 | tr -d ' ')" = 00000140000000f0 ] || fail "a strip of three is not two by two pictures of 160x120"
expect 0 "" "$FORESEE" show log.db --levels -o levels.png --size 320x240
expect 0 "" "$FORESEE" show log.db -o own.png --size 320x240
cmp -s own.png levels.png && fail "--levels shows the same as before"
expect 2 "says nothing of" "$FORESEE" show "$WORLD" --levels -o x.png
expect 2 "either --from or --top" "$FORESEE" show log.db --top --from 1,1,1 -o x.png
expect 2 "end in .png" "$FORESEE" show log.db -o x.jpg
expect 2 "strip" "$FORESEE" show log.db --strip 0 -o x.png
expect 0 "" "$FORESEE" show log.db --strip 3 --to robot -o stands.png --size 320x240
expect 0 "" "$FORESEE" show log.db --strip 3 --follow robot -o goes.png --size 320x240
cmp -s stands.png goes.png && fail "--follow shows what --to shows, though the robot drives"
expect 0 "" "$FORESEE" show log.db --whole -o whole.png --size 320x240
cmp -s whole.png late.png && fail "--whole shows no more than before"
expect 2 "give one of --to, --follow and --whole" "$FORESEE" show log.db --to robot --follow plate_1 -o x.png

# Films, and their pictures. Without the encoder a film is refused, and nothing is written.
expect 0 "" "$FORESEE" show log.db --since 1 --at 2 --rate 4 --follow robot -o frames/ --size 320x240
[ "$(ls frames | tr '\n' ' ')" = "00001.png 00002.png 00003.png 00004.png 00005.png " ] || fail "a second has not five pictures: $(ls frames)"
cmp -s frames/00001.png frames/00005.png && fail "nothing moves in the pictures of a film"
if command -v ffmpeg >/dev/null; then
    expect 0 "" "$FORESEE" show log.db --at 1 --rate 4 -o film.mp4 --size 320x240
    [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ] || fail "film.mp4 is no MP4 film"
    expect 0 "" "$FORESEE" show log.db --at 1 --rate 4 -o film.mp4 --size 322x246
    expect 0 "" "$FORESEE" show log.db --at 1 --rate 4 -o film.webm --size 320x240
    [ "$(head -c 4 film.webm | od -An -tx1 | tr -d ' ')" = 1a45dfa3 ] || fail "film.webm is no WebM film"
    echo mine >mine.mp4
    expect 2 "holds no film; it is not overwritten" "$FORESEE" show log.db --at 1 -o mine.mp4
    [ "$(cat mine.mp4)" = mine ] || fail "mine.mp4 was overwritten"
fi
mkdir none
expect 2 "films are made by ffmpeg, which is not installed" env PATH="$PWD/none" "$FORESEE" show log.db --at 1 -o x.mp4 --size 320x240
[ ! -e x.mp4 ] || fail "a film was begun without the encoder"
printf '#!/bin/sh\necho "no such encoder" >&2\nexit 1\n' >none/ffmpeg && chmod +x none/ffmpeg
expect 3 "ffmpeg" env PATH="$PWD/none:$PATH" "$FORESEE" show log.db --at 1 -o x.mp4 --size 320x240
[ ! -e x.mp4 ] || fail "a film was written that the encoder refused"
expect 2 "a strip is a picture" "$FORESEE" show log.db --strip 3 -o x.mp4
expect 2 "is for films" "$FORESEE" show log.db --rate 5 -o x.png
expect 2 "number from 0.01" "$FORESEE" show log.db --speed 0 -o x.mp4
expect 2 "a film shows an episode" "$FORESEE" show "$WORLD" -o x.mp4
expect 2 "nothing from 5.000 s" "$FORESEE" show log.db --since 5 -o frames/
[ ! -e x.jpg ] || fail "a refused request wrote a picture"
expect 2 "show needs -o" "$FORESEE" show "$WORLD"
expect 2 "show needs one" "$FORESEE" show -o x.png
expect 2 'did you mean `plate_1' "$FORESEE" show log.db --to plate_l -o x.png
expect 2 "ends at 4.000 s" "$FORESEE" show log.db --at 99 -o x.png
expect 2 "seconds from 0 to 10000000" "$FORESEE" show log.db --at -1 -o x.png
expect 2 "says nothing of" "$FORESEE" show "$WORLD" --at 1 -o x.png
expect 2 "WIDTHxHEIGHT" "$FORESEE" show "$WORLD" --size 10 -o x.png
expect 2 "X,Y,Z" "$FORESEE" show "$WORLD" --from 1,2 -o x.png
expect 2 "furniture.yaml: " "$FORESEE" show "$SOURCE/examples/worlds/furniture.yaml" -o x.png
expect 2 "show draws" "$FORESEE" show "$SOURCE/predicates/flaws.dl" -o x.png
expect 2 "" "$FORESEE" show missing.yaml -o x.png
expect 2 "cannot be written" "$FORESEE" show "$WORLD" -o no/such/folder.png
expect 2 "the name of the file to write is empty" "$FORESEE" show "$WORLD" -o ""
[ ! -e x.png ] || fail "a refused request wrote a picture"

# A picture replaces a picture and nothing else, and no name beside it is touched.
refuse() { # what stands there, what is said
    cksum <"$1" >before.txt
    expect 2 "$2" "$FORESEE" show "$3" -o "$1" --size 320x240
    cksum <"$1" | cmp -s - before.txt || fail "$1 was overwritten"
}
refuse log.db "is read by the command; it is not overwritten" log.db
cp "$PLAN" mine.yaml
refuse mine.yaml "holds no PNG picture; it is not overwritten" "$WORLD"
echo "mine" >part.txt
ln -s part.txt world.png.part
expect 0 "" "$FORESEE" show "$WORLD" -o world.png --size 320x240
[ "$(cat part.txt)" = mine ] && [ -L world.png.part ] || fail "a file beside the picture was written"
mkfifo pipe
expect 2 "a device, a pipe or a socket" "$FORESEE" show "$WORLD" -o pipe
[ -p pipe ] || fail "the pipe was replaced"
expect 2 "this is a folder" "$FORESEE" show "$WORLD" -o .
expect 2 "a device, a pipe or a socket" "$FORESEE" show "$WORLD" -o /dev/null
ln -s nowhere lost.png
expect 2 "leads nowhere" "$FORESEE" show "$WORLD" -o lost.png
[ ! -e nowhere ] || fail "a link that led nowhere was followed"
ln -s again.png link.png
expect 0 "" "$FORESEE" show "$WORLD" -o link.png --size 320x240
[ -L link.png ] && cmp -s again.png world.png || fail "what the link leads to was not written"
[ -z "$(find . -name '.foresee*')" ] || fail "a file was left: $(find . -name '.foresee*')"
