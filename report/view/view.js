// report/view/view.js - plays episodes on their page: bodies as they moved and as they were believed, forces, tasks, flaws.
// Time is one for the whole page: it stands in the address (#t=19.64&flaw=1), in the cursor over all lanes, and in the scene.
(function () {
  "use strict";
  const $ = (selector, of) => (of || document).querySelector(selector);
  const all = (selector, of) => Array.from((of || document).querySelectorAll(selector));
  const make = (tag, name, text) => {
    const e = document.createElement(tag);
    if (name) e.className = name;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

  // ---- Episodes
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

  // A motion: keys with times (s), positions (m) and orientations (x, y, z, w as three.js has them).
  function readMove(text) {
    const b = bytes(text), n = b.byteLength / 24;
    const t = new Uint32Array(b, 0, n), p = new Int32Array(b, 4 * n, 3 * n), q = new Int16Array(b, 16 * n, 4 * n);
    return { n, t, p, q, last: 0 };
  }

  // Finds the last key at or before a time (s), beginning with the one that was found last.
  function keyAt(m, time) {
    const t = time * 1e4;
    let low = m.last;
    if (m.t[low] > t || (low + 8 < m.n && m.t[low + 8] <= t)) {
      low = 0;
      let high = m.n - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (m.t[middle] <= t) low = middle;
        else high = middle - 1;
      }
    } else {
      while (low + 1 < m.n && m.t[low + 1] <= t) low++;
    }
    m.last = low;
    return low;
  }

  const q0 = new THREE.Quaternion(), q1 = new THREE.Quaternion();
  function keyPosition(m, k, out) { return out.set(m.p[3 * k], m.p[3 * k + 1], m.p[3 * k + 2]).multiplyScalar(1e-4); }
  function keyTurn(m, k, out) { return out.set(m.q[4 * k + 1], m.q[4 * k + 2], m.q[4 * k + 3], m.q[4 * k]).normalize(); }
  const next = new THREE.Vector3();
  function poseAt(m, time, position, turn) {
    const k = keyAt(m, time);
    keyPosition(m, k, position);
    keyTurn(m, k, turn);
    if (k + 1 < m.n) {
      const share = clamp((time * 1e4 - m.t[k]) / (m.t[k + 1] - m.t[k]), 0, 1);
      position.lerp(keyPosition(m, k + 1, next), share);
      THREE.Quaternion.slerp(turn, keyTurn(m, k + 1, q1), q0, share);
      turn.copy(q0);
    }
  }

  // A step without a tag has a path that ends in its place, as do, seq[3] or, when it is done again, do@2: what it does says more.
  const PLACE = /^(.*\]|do|go|then|else|in|body|check|recover|clean_up|init)(@\d+)?$/;
  function readEpisode(text) {
    const e = JSON.parse(text);
    e.things.forEach((thing) => { thing.path = readMove(thing.move); });
    e.believed.forEach((thing) => { thing.path = readMove(thing.move); });
    e.tasks.forEach((task) => {
      const place = (task.path || "").split("/").pop(), whose = task.robot && !task.depth ? task.robot + ": " : "";
      task.tag = whose + place;
      task.label = whose + (PLACE.test(place) && task.expr ? task.expr : place);
      task.ends = task.until === null ? e.end : task.until;
    });
    return e;
  }

  // ---- Shapes
  const FLOOR = 60; // m: how far floors, which have no bounds, are drawn
  function meshGeometry(e, index) {
    const [v, t] = e.meshes[index], g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes(v)), 3));
    g.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(t)), 1));
    const flat = g.toNonIndexed();
    flat.computeVertexNormals();
    return flat;
  }

  // How many edges a circle of this radius (m) is drawn with.
  const edges = (radius) => clamp(Math.round(80 * Math.sqrt(radius)), 8, 32);

  // The outline of a capsule, from its lower end to its upper one.
  function outline(radius, length) {
    const points = [], arcs = Math.ceil(edges(radius) / 4);
    for (let i = 0; i <= 2 * arcs + 1; i++) {
      const upper = i > arcs, angle = (upper ? i - 1 - arcs : i - arcs) / arcs * Math.PI / 2;
      points.push(new THREE.Vector2(Math.max(radius * Math.cos(angle), 1e-6), radius * Math.sin(angle) + (upper ? length : -length) / 2));
    }
    return points;
  }

  function geometryOf(e, kind, size, mesh) {
    const [x, y, z] = size, round = edges(x);
    if (mesh !== undefined) return meshGeometry(e, mesh);
    if (kind === "sphere") return new THREE.SphereBufferGeometry(x, round, Math.ceil(round / 2));
    if (kind === "cylinder") return new THREE.CylinderBufferGeometry(x, x, z, round).rotateX(Math.PI / 2);
    if (kind === "capsule") return new THREE.LatheBufferGeometry(outline(x, z), round).rotateX(Math.PI / 2);
    if (kind === "plane") return new THREE.PlaneBufferGeometry(FLOOR, FLOOR);
    return new THREE.BoxBufferGeometry(x, y, z);
  }

  // All shapes of a thing as one geometry in its frame, so that it is drawn by one call.
  function thingGeometry(e, thing) {
    const parts = thing.shapes.map(([kind, at, turn, size, mesh]) => geometryOf(e, kind, size, mesh).applyMatrix(new THREE.Matrix4().compose(
      new THREE.Vector3().fromArray(at), new THREE.Quaternion(turn[1], turn[2], turn[3], turn[0]), new THREE.Vector3(1, 1, 1))));
    if (parts.length === 1) return parts[0];
    const place = [], normal = [], index = [];
    parts.forEach((g) => {
      const from = place.length / 3, p = g.attributes.position, n = g.attributes.normal, corners = g.index ? g.index.array : p.array.slice(0, p.count).map((_, i) => i);
      for (let i = 0; i < corners.length; i++) index.push(from + corners[i]);
      for (let i = 0; i < p.array.length; i++) { place.push(p.array[i]); normal.push(n.array[i]); }
    });
    const whole = new THREE.BufferGeometry();
    whole.setAttribute("position", new THREE.Float32BufferAttribute(place, 3));
    whole.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
    whole.setIndex(index);
    return whole;
  }

  // ---- How things are lit: by the sky, the ground and a sun, at their vertices. One short program for all things is soon
  // compiled, and costs little for each pixel where no graphics hardware is. Floors have tiles of a metre, so that distances
  // can be read; far away, where tiles are smaller than pixels, they fade.
  const LIT = `uniform vec3 color; varying vec3 shade; varying vec2 place; varying float far;
    void main() {
      vec3 n = normalize((modelMatrix * vec4(normal, 0.0)).xyz);
      shade = color * (0.68 * mix(vec3(0.62, 0.6, 0.57), vec3(1.0), 0.5 + 0.5 * n.z) + 0.42 * max(dot(n, vec3(-0.6, -0.2, 0.775)), 0.0));
      place = position.xy;
      vec4 seen = modelViewMatrix * vec4(position, 1.0);
      far = -seen.z;
      gl_Position = projectionMatrix * seen;
    }`;
  const PAINTED = `uniform float opacity, tiles; varying vec3 shade; varying vec2 place; varying float far;
    void main() {
      float odd = mod(floor(place.x) + floor(place.y), 2.0);
      gl_FragColor = vec4(shade * (1.0 - tiles * odd * clamp(1.4 - far / 20.0, 0.0, 1.0)), opacity);
    }`;
  function lit(color, opacity, tiles, more) {
    return new THREE.ShaderMaterial(Object.assign({ vertexShader: LIT, fragmentShader: PAINTED,
      uniforms: { color: { value: new THREE.Color(color) }, opacity: { value: opacity }, tiles: { value: tiles } } }, more));
  }

  // ---- One player: the scene of an episode, at an instant
  const GHOST = 0xa348c8, FORCE = 0xd9480f, TRAIL = 0x1f5fbf, TALL = 1.6, THIN = 0.45, LOST = 0.03; // m, m, m and rad
  const NEWTON = 0.02; // m of an arrow for one newton; arrows are at most half a metre long

  function Player(holder, e) {
    const canvas = $("canvas", holder), labels = $(".labels", holder);
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: false, stencil: false }); // edges are smooth by more pixels, where there is time for them
    const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(40, 1.5, 0.05, 200);
    camera.up.set(0, 0, 1);
    const controls = new THREE.OrbitControls(camera, canvas);
    controls.enableKeys = false;

    const solid = new Map();
    function material(color, tiles) {
      const key = color.join() + (tiles ? " tiles" : "");
      if (!solid.has(key)) solid.set(key, lit(new THREE.Color().fromArray(color), 1, tiles ? 0.08 : 0));
      return solid.get(key);
    }
    const ghost = lit(GHOST, 0.4, 0, { transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4 });

    // Truth. Floors come last, so that what hides them is drawn once.
    const drawn = e.things.map((thing) => {
      const floor = thing.shapes[0][0] === "plane", mesh = new THREE.Mesh(thingGeometry(e, thing), material(thing.color, floor)), box = new THREE.Box3();
      mesh.userData.thing = thing;
      mesh.renderOrder = floor ? 1 : 0;
      poseAt(thing.path, thing.from, mesh.position, mesh.quaternion);
      scene.add(mesh);
      mesh.updateMatrixWorld(true);
      mesh.matrixAutoUpdate = !thing.fixed;
      if (!thing.shapes.some((s) => s[0] === "plane")) box.setFromObject(mesh);
      return { thing, mesh, own: mesh.material, box, tint: "" };
    });
    const byName = new Map(drawn.filter((d) => d.thing.name).map((d) => [d.thing.name, d]));

    // Belief: things look like the first of their type; the robot is its own links, moved.
    const robots = [];
    const believed = e.believed.map((b) => {
      const group = new THREE.Group();
      scene.add(group);
      const base = drawn.find((d) => d.thing.kind === "base" && d.thing.name === b.name);
      if (b.name === b.agent && base) {
        const parts = drawn.filter((d) => d.thing.whole === base.thing.whole && d.thing.kind !== "body").map((d) => {
          const part = new THREE.Mesh(d.mesh.geometry, ghost);
          group.add(part);
          return { part, of: d };
        });
        robots.push({ b, group, base, parts });
        return { b, group, robot: true };
      }
      const like = drawn.find((d) => d.thing.kind === "body" && d.thing.type === b.type);
      if (like) group.add(new THREE.Mesh(like.mesh.geometry, ghost));
      return { b, group, robot: false };
    });

    // Forces, each at a point that moves with the body that bears it.
    const arrows = e.forces.filter((f) => byName.has(f.a) || byName.has(f.b)).map((f) => {
      const of = byName.get(f.a) || byName.get(f.b), p = new THREE.Vector3(), q = new THREE.Quaternion();
      poseAt(of.thing.path, f.from, p, q);
      const local = new THREE.Vector3().fromArray(f.at).sub(p).applyQuaternion(q.inverse());
      const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 0.1, FORCE, 0.03, 0.02);
      arrow.visible = false;
      scene.add(arrow);
      return { f, of, local, arrow, last: 0 };
    });

    const trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: TRAIL }));
    trail.frustumCulled = false;
    scene.add(trail);

    // The scene without its building, for the first view and for walls that are left out.
    const extent = new THREE.Box3();
    drawn.forEach((d) => { if (!d.thing.building && !d.box.isEmpty()) extent.union(d.box); });
    if (extent.isEmpty()) extent.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    const middle = extent.getCenter(new THREE.Vector3()), radius = extent.getSize(new THREE.Vector3()).length() / 2;

    function look(way) {
      const away = radius / Math.sin(20 * Math.PI / 180) * (way === "top" ? 0.9 : 0.8);
      controls.target.copy(middle);
      if (way === "top") camera.position.copy(middle).add(new THREE.Vector3(0, -0.001, away));
      else camera.position.copy(middle).add(new THREE.Vector3(-0.45, -0.85, 0.85).normalize().multiplyScalar(away));
      controls.update();
    }

    // Comes to a metre and a half of a point, from the side where the viewer is.
    function approach(point) {
      const back = camera.position.clone().sub(controls.target).normalize().multiplyScalar(1.6);
      controls.target.copy(point);
      camera.position.copy(point).add(back);
      controls.update();
    }

    // A wall between the viewer and what is looked at, or a ceiling, is left out.
    function cutsOff(d) {
      const { min, max } = d.box, at = d.box.getCenter(next), size = max.clone().sub(min);
      if (d.box.isEmpty()) return false;
      if (min.z > Math.max(controls.target.z, 1.8)) return camera.position.z > at.z;
      if (size.z < TALL || Math.min(size.x, size.y) > THIN) return false;
      const axis = size.x < size.y ? "x" : "y";
      return (camera.position[axis] - at[axis]) * (controls.target[axis] - at[axis]) < 0;
    }

    const names = drawn.filter((d) => d.thing.name && !d.thing.building).map((d) => {
      const label = make("span", "", d.thing.name);
      labels.append(label);
      return { d, label };
    });

    // The size on the page is measured when it may have changed, since asking for it costs a layout of the page.
    let wide = 0, high = 0;
    function measure() {
      wide = $(".view", holder).clientWidth;
      high = Math.round(Math.min(wide * 0.66, innerHeight * 0.55));
      canvas.style.height = labels.style.height = high + "px";
      camera.aspect = wide / high;
      camera.updateProjectionMatrix();
      renderer.setClearColor(getComputedStyle(document.body).getPropertyValue("--sky").trim() || "#d5dfea");
    }
    function resize(ratio) {
      const width = Math.floor(wide * ratio), height = Math.floor(high * ratio);
      if (canvas.width !== width || canvas.height !== height) renderer.setSize(width, height, false);
    }

    // The colour of the level at which a thing is simulated; its own where none is on record, or levels are not shown.
    function paint(d, t, show) {
      const span = show.levels && d.thing.levels.slice().reverse().find((l) => l.from <= t && (l.until === null || t <= l.until));
      const tint = span ? span.name : "";
      if (tint === d.tint) return;
      d.tint = tint;
      d.mesh.material = span ? material(span.color) : d.own;
    }

    const was = new THREE.Vector3();
    let followed = null;
    function draw(time, show, ratio) {
      const t = clamp(time, 0, e.end);
      resize(ratio);
      drawn.forEach((d) => {
        const there = d.thing.from <= t && (d.thing.until === null || t < d.thing.until);
        d.mesh.visible = there && !(d.thing.building && cutsOff(d));
        if (d.mesh.visible) paint(d, t, show);
        if (there && !d.thing.fixed) poseAt(d.thing.path, t, d.mesh.position, d.mesh.quaternion);
      });
      believed.forEach(({ b, group, robot }) => {
        group.visible = show.belief && b.from <= t && (b.until === null || t <= b.until);
        if (group.visible && !robot) poseAt(b.path, t, group.position, group.quaternion);
      });
      // Where the robot believes to be: its links, moved from its true base to the believed one.
      robots.forEach(({ b, group, base, parts }) => {
        if (!group.visible) return;
        poseAt(b.path, t, group.position, group.quaternion);
        base.mesh.updateMatrix();
        group.updateMatrix();
        const to = new THREE.Matrix4().getInverse(base.mesh.matrix);
        parts.forEach(({ part, of }) => {
          part.visible = of.mesh.visible;
          of.mesh.updateMatrix();
          part.matrixAutoUpdate = false;
          part.matrix.multiplyMatrices(to, of.mesh.matrix);
        });
        group.visible = group.position.distanceTo(base.mesh.position) > LOST || group.quaternion.angleTo(base.mesh.quaternion) > LOST;
      });
      arrows.forEach((a) => {
        a.arrow.visible = false;
        if (!show.forces || t < a.f.from || (a.f.until !== null && t > a.f.until)) return;
        const k = a.f.keys;
        let i = a.last;
        if (k[i] > t) i = 0;
        while (i + 4 < k.length && k[i + 4] <= t) i += 4;
        a.last = i;
        const force = new THREE.Vector3(k[i + 1], k[i + 2], k[i + 3]), newtons = force.length();
        if (newtons < 0.2) return;
        a.arrow.visible = true;
        a.arrow.position.copy(a.local).applyQuaternion(a.of.mesh.quaternion).add(a.of.mesh.position);
        a.arrow.setDirection(force.normalize());
        a.arrow.setLength(clamp(newtons * NEWTON, 0.04, 0.5), 0.03, 0.02);
      });
      const target = show.follow && byName.get(show.follow);
      trail.visible = false;
      if (target) {
        if (followed !== target) approach(target.mesh.position);
        else {
          const step = target.mesh.position.clone().sub(was);
          controls.target.add(step);
          camera.position.add(step);
        }
        was.copy(target.mesh.position);
        if (show.trails) {
          const points = [], m = target.thing.path, to = keyAt(m, t);
          for (let k = 0; k <= to; k++) points.push(keyPosition(m, k, new THREE.Vector3()));
          points.push(target.mesh.position.clone());
          trail.geometry.dispose();
          trail.geometry = new THREE.BufferGeometry().setFromPoints(points);
          trail.visible = true;
        }
      }
      followed = target;
      renderer.render(scene, camera);
      drawLabels(show);
    }

    // Names stand over their things; one that another covers, or that is out of the picture, is left out.
    function drawLabels(show) {
      const taken = [], width = wide, height = high;
      names.map((n) => {
        const p = n.d.mesh.position.clone();
        const size = n.d.box.isEmpty() ? 0 : (n.d.box.max.z - n.d.box.min.z);
        p.z += n.d.thing.fixed ? Math.max(n.d.box.max.z - n.d.mesh.position.z, 0) : Math.min(size, 0.3);
        const near = p.distanceTo(camera.position);
        p.project(camera);
        return { n, near, x: (p.x + 1) / 2 * width, y: (1 - p.y) / 2 * height, ahead: p.z < 1 };
      }).sort((a, b) => a.near - b.near).forEach(({ n, x, y, ahead }) => {
        const w = 7 * n.d.thing.name.length + 8;
        const inside = ahead && x > w / 2 && x < width - w / 2 && y > 16 && y < height;
        const free = inside && taken.every((o) => Math.abs(o.x - x) > (o.w + w) / 2 || Math.abs(o.y - y) > 15);
        const visible = show.labels && n.d.mesh.visible && free;
        n.label.style.display = visible ? "" : "none";
        if (!visible) return;
        taken.push({ x, y, w });
        n.label.style.transform = "translate(" + Math.round(x - w / 2) + "px," + Math.round(y - 18) + "px)";
      });
    }

    // The named thing under a point of the canvas; null: none.
    const ray = new THREE.Raycaster();
    function thingAt(clientX, clientY) {
      const box = canvas.getBoundingClientRect();
      ray.setFromCamera({ x: (clientX - box.left) / box.width * 2 - 1, y: 1 - (clientY - box.top) / box.height * 2 }, camera);
      const hit = ray.intersectObjects(drawn.filter((d) => d.mesh.visible).map((d) => d.mesh), true)[0];
      const thing = hit && hit.object.userData.thing;
      return thing && thing.name ? thing.name : null;
    }

    measure();
    look("corner");
    return { e, draw, measure, look, controls, canvas, thingAt, approach, byName, names: names.map((n) => n.d.thing.name) };
  }

  // ---- Aligning two episodes by their tasks: instants at which tasks of one path, of one robot, begin and end, in both orders.
  function alignment(from, to) {
    const ends = new Map();
    const step = (t) => (t.robot || "") + ":" + t.path;
    to.tasks.forEach((t) => { if (!ends.has(step(t))) ends.set(step(t), t); });
    const pairs = [[0, 0]];
    from.tasks.forEach((t) => {
      const other = ends.get(step(t));
      if (other) pairs.push([t.from, other.from], [t.ends, other.ends]);
    });
    pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const kept = [];
    pairs.forEach((p) => {
      const last = kept[kept.length - 1];
      if (!last || p[1] >= last[1]) kept.push(p); // of several at one instant the last counts from there on: a failure ends many tasks at once
    });
    return (time) => {
      let i = 0;
      while (i + 1 < kept.length && kept[i + 1][0] <= time) i++;
      const [a, b] = [kept[i], kept[i + 1]];
      if (!b) return Math.min(a[1] + time - a[0], to.end);
      return a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]);
    };
  }

  // ---- The page
  const episodes = all("script.episode").map((s) => readEpisode(s.textContent));
  const first = episodes[0];
  let players;
  try {
    players = all("#stage .player").map((holder, i) => Player(holder, episodes[i]));
  } catch (problem) {
    $("#players").replaceChildren(make("p", "dim", "This browser cannot draw in three dimensions (WebGL): " + problem.message));
    players = [];
  }
  const maps = { time: (t) => t };
  if (episodes[1]) maps.task = alignment(first, episodes[1]);

  const show = { belief: true, forces: false, trails: true, labels: true, follow: "" };
  const slider = $("#at"), clock = $("#clock"), playing = $("#play"), speed = $("#speed"), follow = $("#follow"), now = $("#now");
  let time = 0, runs = false, stamp = 0, wanted = false;
  const FRAME = 0.04; // s of a step by hand

  // What each robot is at: the way to its deepest task of the moment.
  function running(t) {
    const deepest = new Map();
    first.tasks.forEach((task) => {
      const known = deepest.get(task.robot);
      if (task.from <= t && t < task.ends && (!known || task.depth >= known.depth)) deepest.set(task.robot, task);
    });
    const byId = first.byId || (first.byId = new Map(first.tasks.map((x) => [x.id, x])));
    return [...deepest.values()].map((task) => {
      const way = [];
      for (let x = task; x; x = byId.get(x.parent)) way.unshift(x.tag);
      return way.join(" / ") + "  " + (task.expr || "");
    }).join("\n");
  }

  // Pixels of a scene for each of the page: many while nothing moves; while something does, as many as there is time for.
  const SHARP = Math.min(Math.max((devicePixelRatio || 1) * 1.5, 1.5), 2), COARSE = 0.5, FRAME_MOST = 30, FRAME_LEAST = 18, STILL = 400; // ms
  let moving = Math.min(SHARP, devicePixelRatio || 1), ratio = moving, still = 0;
  let drawnSince = 0, drawnFrames = 0;
  function adapt(t) {
    if (!drawnSince || t - drawnSince > 2000) { drawnSince = t; drawnFrames = 0; return; }
    drawnFrames++;
    if (t - drawnSince < 400) return;
    const each = (t - drawnSince) / drawnFrames;
    if (each > FRAME_MOST) moving = Math.max(moving * clamp(Math.sqrt(FRAME_MOST / each), 0.5, 0.8), COARSE);
    else if (each < FRAME_LEAST) moving = Math.min(moving * 1.1, SHARP);
    drawnSince = t;
    drawnFrames = 0;
  }
  function sharpen() {
    ratio = SHARP;
    refresh();
    ratio = moving;
  }

  const cursors = all(".cursor");
  function refresh() {
    wanted = false;
    clearTimeout(still);
    if (ratio !== SHARP && !runs) still = setTimeout(sharpen, STILL);
    const mode = $("#align") ? $("#align").value : "time";
    const times = players.map((p, i) => i === 0 ? time : maps[mode](time));
    players.forEach((p, i) => { p.draw(times[i], show, ratio); p.canvas.dataset.time = times[i].toFixed(3); });
    slider.value = time;
    clock.textContent = time.toFixed(2) + " s" + (times[1] !== undefined && Math.abs(times[1] - time) > 0.005 ? " | " + times[1].toFixed(2) + " s" : "");
    now.textContent = running(time);
    cursors.forEach((c) => c.style.setProperty("--now", first.end > 0 ? time / first.end : 0));
    document.body.dataset.time = time.toFixed(3);
  }
  function want() {
    if (!wanted) requestAnimationFrame(refresh);
    wanted = true;
  }

  function remember() {
    const marked = (location.hash.match(/flaw=(\d+)/) || [])[1];
    history.replaceState(null, "", "#t=" + time.toFixed(2) + (marked ? "&flaw=" + marked : ""));
  }
  function seek(t, quiet) {
    time = clamp(t, 0, first.end);
    if (!runs && !quiet) remember();
    want();
  }
  function play(on) {
    runs = on && first.end > 0;
    if (runs && time >= first.end) time = 0;
    playing.textContent = runs ? "Pause" : "Play";
    playing.setAttribute("aria-pressed", runs);
    stamp = performance.now();
    if (runs) requestAnimationFrame(tick);
    else {
      remember();
      want();
    }
  }
  function tick(t) {
    if (!runs) return;
    time = Math.min(time + Math.max(t - stamp, 0) / 1000 * Number(speed.value), first.end);
    stamp = t;
    adapt(t);
    ratio = moving;
    refresh();
    if (time >= first.end) play(false);
    else requestAnimationFrame(tick);
  }

  // Goes to a flaw: its beginning, its place in the story, and the first thing that it is about.
  function showFlaw(id) {
    const flaw = first.flaws.find((f) => f.id === id);
    if (!flaw) return;
    play(false);
    const about = flaw.bodies.find((b) => players[0] && players[0].byName.has(b) && !players[0].byName.get(b).thing.fixed);
    if (about) follow.value = show.follow = about;
    history.replaceState(null, "", "#t=" + flaw.from.toFixed(2) + "&flaw=" + id);
    all("article.flaw").forEach((a) => a.classList.toggle("marked", a.id === "flaw-" + id));
    seek(flaw.from);
  }
  function openLink() {
    const t = location.hash.match(/[#&]t=([\d.]+)/), id = location.hash.match(/flaw[=-](\d+)/);
    if (id) {
      showFlaw(Number(id[1]));
      const article = $("#flaw-" + id[1]);
      if (article) article.scrollIntoView({ block: "nearest" });
    }
    if (t) seek(Number(t[1]));
  }

  // ---- Tasks as a chart that nests
  const flame = $("#flame");
  const ROW = 17, DEEPEST = 60, LETTER = 6.5; // px; rows; px
  let chosen = null;
  const bars = new Map();
  function buildFlame() {
    if (!flame || !first.end) return;
    // The tasks of each robot have rows of their own, below those of the robot before.
    const deep = new Map(), above = new Map();
    let rows = 0, hidden = 0;
    first.tasks.forEach((task) => { if (task.depth <= DEEPEST) deep.set(task.robot, Math.max(deep.get(task.robot) || 0, task.depth)); });
    deep.forEach((depth, robot) => { above.set(robot, rows); rows += depth + 1; });
    first.tasks.forEach((task) => {
      if (task.depth > DEEPEST) { hidden++; return; }
      const bar = make("div", "fl " + (task.state || ""));
      bar.style.left = task.from / first.end * 100 + "%";
      bar.style.width = Math.max((task.ends - task.from) / first.end * 100, 0.05) + "%";
      bar.style.top = (above.get(task.robot) + task.depth) * ROW + "px";
      bar.title = task.id + " " + (task.robot && task.depth ? task.robot + ": " : "") + (task.expr || task.tag) + "\n" + (task.state || "") + ", " + task.from.toFixed(2) + " to " + task.ends.toFixed(2) + " s\n" + (task.path || "");
      bar.addEventListener("click", (event) => { choose(task); seek(task.from); event.stopPropagation(); });
      flame.append(bar);
      bars.set(task, bar);
    });
    flame.style.height = rows * ROW + 2 + "px";
    const left = hidden + first.more_tasks;
    $("#flame-left").textContent = left ? left + " smaller steps are left out" : "";
    new ResizeObserver(([seen]) => nameBars(seen.contentRect.width)).observe(flame);
  }
  // Writes on each bar its number and as much of its tag as there is room for; nothing where there is none for the number.
  function nameBars(wide) {
    bars.forEach((bar, task) => {
      const room = (task.ends - task.from) / first.end * wide - 4, text = room < LETTER * String(task.id).length ? "" : task.id + " " + task.label;
      if (bar.textContent !== text) bar.textContent = text;
    });
  }
  function choose(task) {
    if (chosen) bars.get(chosen).classList.remove("chosen");
    chosen = task;
    if (!task || !bars.has(task)) { chosen = null; return; }
    bars.get(task).classList.add("chosen");
    bars.get(task).scrollIntoView({ block: "nearest", inline: "nearest" });
    $("#chosen").textContent = bars.get(task).title.replace(/\n/g, " \u00b7 ");
  }
  // Arrows: to the task above, the first below, the one before, the next one.
  function walk(key) {
    const siblings = (t) => first.tasks.filter((x) => x.parent === t.parent && bars.has(x));
    if (!chosen) return choose(first.tasks[0]);
    const around = siblings(chosen), i = around.indexOf(chosen);
    const to = { ArrowUp: first.tasks.find((x) => x.id === chosen.parent), ArrowDown: first.tasks.find((x) => x.parent === chosen.id && bars.has(x)),
      ArrowLeft: around[i - 1], ArrowRight: around[i + 1] }[key];
    if (to) { choose(to); seek(to.from); }
  }
  function search() {
    const text = $("#search").value.trim().toLowerCase(), failed = $("#failed").checked;
    let found = 0;
    bars.forEach((bar, task) => {
      const fits = (!text || bar.title.toLowerCase().includes(text)) && (!failed || task.state === "failed");
      bar.classList.toggle("away", !fits);
      found += fits;
    });
    $("#found-tasks").textContent = text || failed ? found + " of " + first.tasks.length : "";
  }
  function nextFound(step) {
    const fit = first.tasks.filter((t) => bars.has(t) && !bars.get(t).classList.contains("away"));
    const i = fit.indexOf(chosen), to = fit[(i + step + fit.length) % fit.length];
    if (to) { choose(to); seek(to.from); }
  }

  // ---- Hands and keys
  function set(name, on) {
    show[name] = on;
    $("#" + name).checked = on;
    want();
  }
  function camera(way) {
    follow.value = show.follow = "";
    players.forEach((p) => p.look(way));
    want();
  }
  function nextFlaw(step) {
    const times = first.flaws.map((f) => f.from), way = step > 0 ? times.findIndex((t) => t > time + 0.01) : times.length - 1 - times.slice().reverse().findIndex((t) => t < time - 0.01);
    if (first.flaws[way] && times[way] !== undefined) showFlaw(first.flaws[way].id);
  }
  const keys = {
    " ": () => play(!runs), k: () => play(!runs),
    ArrowLeft: (e) => seek(time - (e.shiftKey ? 1 : FRAME)), ArrowRight: (e) => seek(time + (e.shiftKey ? 1 : FRAME)),
    Home: () => seek(0), End: () => seek(first.end),
    "[": () => { speed.selectedIndex = Math.max(speed.selectedIndex - 1, 0); }, "]": () => { speed.selectedIndex = Math.min(speed.selectedIndex + 1, speed.options.length - 1); },
    n: () => nextFlaw(1), p: () => nextFlaw(-1),
    b: () => set("belief", !show.belief), f: () => set("forces", !show.forces), l: () => set("labels", !show.labels), t: () => set("trails", !show.trails), v: () => set("levels", !show.levels),
    o: () => camera("top"), c: () => camera("corner"),
    g: () => { const names = [""].concat(players[0] ? players[0].names : []); follow.value = show.follow = names[(names.indexOf(show.follow) + 1) % names.length]; want(); },
    "/": () => $("#search").focus(),
    "?": () => { $("#keys").open = !$("#keys").open; }
  };
  document.addEventListener("keydown", (e) => {
    const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "checkbox" && e.target.type !== "range";
    if (e.ctrlKey || e.altKey || e.metaKey || inField) return;
    if (e.target === flame && e.key.startsWith("Arrow")) walk(e.key);
    else if ((e.key === " " && /^(BUTTON|SUMMARY|A)$/.test(e.target.tagName)) || !keys[e.key]) return;
    else keys[e.key](e);
    e.preventDefault();
  });
  playing.addEventListener("click", () => play(!runs));
  slider.addEventListener("input", () => seek(Number(slider.value)));
  follow.addEventListener("change", () => { show.follow = follow.value; want(); });
  ["belief", "forces", "trails", "labels", "levels"].forEach((name) => $("#" + name).addEventListener("change", () => set(name, $("#" + name).checked)));
  $("#top").addEventListener("click", () => camera("top"));
  $("#corner").addEventListener("click", () => camera("corner"));
  if ($("#align")) $("#align").addEventListener("change", want);
  $("#search").addEventListener("input", search);
  $("#search").addEventListener("keydown", (e) => { if (e.key === "Enter") nextFound(e.shiftKey ? -1 : 1); if (e.key === "Escape") flame.focus(); });
  $("#failed").addEventListener("change", search);
  $("#link").addEventListener("click", () => {
    remember();
    getSelection().selectAllChildren($("#address"));
    $("#address").textContent = location.href;
    getSelection().selectAllChildren($("#address"));
    document.execCommand("copy");
  });
  players.forEach((p, i) => {
    // Both scenes are looked at from one place.
    p.controls.addEventListener("change", () => {
      players.forEach((o, k) => { if (k !== i) { o.controls.object.position.copy(p.controls.object.position); o.controls.target.copy(p.controls.target); o.controls.object.lookAt(p.controls.target); } });
      if (!runs) want();
    });
    let down = null;
    p.canvas.addEventListener("pointerdown", (e) => { down = [e.clientX, e.clientY]; });
    p.canvas.addEventListener("pointermove", (e) => { if (!e.buttons) p.canvas.title = p.thingAt(e.clientX, e.clientY) || ""; });
    p.canvas.addEventListener("pointerup", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const name = p.thingAt(e.clientX, e.clientY);
      if (name) { follow.value = show.follow = name; want(); }
    });
  });
  const measure = () => { players.forEach((p) => p.measure()); want(); };
  addEventListener("resize", measure);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", measure);
  // While the page is read farther down, the scene stays in its corner.
  const stage = $("#stage"), scenes = $("#players");
  new IntersectionObserver(([seen]) => {
    const mini = !seen.isIntersecting && seen.boundingClientRect.bottom < 0;
    if (mini === scenes.classList.contains("mini")) return;
    if (mini) stage.style.minHeight = stage.offsetHeight + "px";
    else stage.style.minHeight = "";
    scenes.classList.toggle("mini", mini);
    measure();
  }).observe(stage);
  addEventListener("hashchange", openLink);
  document.addEventListener("lanes-seek", (e) => { play(false); seek(e.detail * first.end); });
  $("#theme").addEventListener("click", measure);

  if (players[0]) players[0].names.forEach((name) => follow.append(new Option(name, name)));
  slider.max = first.end;
  all("article.flaw").forEach((article) => {
    const flaw = first.flaws.find((f) => "flaw-" + f.id === article.id);
    if (!flaw) return;
    const button = make("button", "show-me", "Show me, " + flaw.from.toFixed(2) + " s");
    button.type = "button";
    button.addEventListener("click", () => { showFlaw(flaw.id); $("#stage").scrollIntoView({ block: "nearest" }); });
    $("h3", article).append(" ", button);
  });
  // Rows of the log that a proof rests on, as it is unfolded: each goes to its instant.
  document.addEventListener("toggle", (e) => all(".leaf", e.target).forEach((leaf) => {
    const t = leaf.dataset.t;
    if (!t || $(".show-me", leaf)) return;
    const button = make("button", "show-me", "Show me, " + Number(t).toFixed(2) + " s");
    button.type = "button";
    button.addEventListener("click", () => { play(false); seek(Number(t)); $("#stage").scrollIntoView({ block: "nearest" }); });
    leaf.append(" ", button);
  }), true);
  // A legend of the levels, where something was lowered.
  const levels = new Map();
  players.forEach((p) => p.e.things.forEach((thing) => thing.levels.forEach((l) => levels.set(l.name, l.color))));
  levels.forEach((color, name) => {
    const key = make("span", "key");
    key.style.background = "rgb(" + color.map((x) => Math.round(255 * x)).join() + ")";
    $("#levels-key").append(key, name);
  });
  $("#levels-label").hidden = levels.size === 0;
  buildFlame();
  set("labels", true);
  openLink();
  want();
})();
