# truck.awk - writes a world: a truck with packets before an arm, and a belt that takes away what is put on it.
#
#   awk -v packets=491 -v near=0.5 -f truck.awk >truck.yaml
#
# packets: how many (60); near: m, as in the section `fidelity` (0.01); nudge: m, by which one packet stands elsewhere (0).
#
# The packets stand in rows across the truck, each row in running bond: six below, five on them, four on top, 2 cm apart. The arm takes
# them from above, its fingers between the rows. Layers of the rows in front have colours of their own, from the top of the first on.
# The paper's plungers and scripts are events here: one for each packet, which waits for it to lie on the belt.
BEGIN {
    packets = packets ? packets : 60
    near = near == "" ? 0.01 : near
    split("red orange yellow green turquoise blue purple pink beige", colors, " ")
    print "world: truck"
    printf "fidelity: { bodies: { near: %s, far: scenery } }\n", near
    print "materials: { pad: { friction: 0.8 }, card: { friction: 0.6 } }"
    print "pairs: [ { a: pad, b: any, friction: 0.8 } ]"
    print "types:"
    print "  floor: { shapes: [ { plane: true } ] }"
    print "  bed: { shapes: [ { box: [9, 0.9, 0.05], at: [0, 0, -0.025] } ] }"
    print "  belt: { shapes: [ { box: [0.5, 0.5, 0.05], at: [0, 0, -0.025] } ] }"
    print "  packet:"
    print "    mass: 0.3"
    print "    material: card"
    print "    shapes: [ { box: [0.1, 0.05, 0.05], at: [0, 0, 0.025] } ]"
    print "    grasp: { radius: 0, width: 0.05, low: 0.005, high: 0.05 }"
    print "bodies:"
    print "  ground: { type: floor, fixed: true, known: true, color: gray }"
    print "  bed: { type: bed, at: [4.7, -0.15, 0.72], fixed: true, known: true, color: brown }"
    print "  belt: { type: belt, at: [0.35, 0.6, 0.72], fixed: true, known: true, color: black }"
    for (i = 0; i < packets; i++) {
        row = int(i / 15)
        place = i % 15
        layer = place < 6 ? 0 : place < 11 ? 1 : 2
        column = place - (layer == 0 ? 0 : layer == 1 ? 6 : 11)
        stage = 3 * row + 3 - layer
        printf "  packet_%d: { type: packet, at: { position: [%.8g, %.8g, %.8g], yaw: 90 }, color: %s }\n", i + 1, 0.42 + 0.12 * row,
            0.12 * (column - (5 - layer) / 2) - 0.15 + (i == 14 ? nudge : 0), 0.72 + 0.05 * layer, stage in colors ? colors[stage] : "brown"
    }
    print "regions: { belt_top: { on: belt, at: [0, 0], size: [0.44, 0.44] } }"
    print "events:"
    for (i = 1; i <= packets; i++)
        printf "  - { name: away_%d, when: \"near(packet_%d, belt) < 0.25, not(touching(robot, packet_%d))\", after: 6, remove: { body: packet_%d } }\n", i, i, i, i
    print "robot_at: [0, 0, 0]"
}
