#!/usr/bin/env python3
"""kinds.py NAME FOLDER
Writes the URDF of one of the kinds of robots that public collections hold, with its meshes, into a folder. Lengths of links, axes and limits are
those that the makers publish; bodies are simple meshes about them. Each has what made robots of its kind fail: KINDS says what."""

import math
import sys
from pathlib import Path


class Urdf:
    def __init__(self, name, folder):
        self.name, self.folder, self.lines = name, Path(folder), []
        (self.folder / f"{name}_description" / "meshes").mkdir(parents=True, exist_ok=True)

    def link(self, name, mass=0.0, at=(0, 0, 0), meshes=(), size=0.1, inertia=None):
        """A link of a mass at a point. Meshes are (name, vertices, faces); size is what its inertia is that of a ball of."""
        body = ""
        if mass:
            moment = 0.1 * mass * size * size
            i = inertia or (moment, 0, 0, moment, 0, moment)
            words = " ".join(f'{key}="{value:.9g}"' for key, value in zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), i))
            body += f'<inertial><origin xyz="{xyz(at)}" rpy="0 0 0"/><mass value="{mass}"/><inertia {words}/></inertial>'
        for mesh, vertices, faces in meshes:
            path = self.folder / f"{self.name}_description" / "meshes" / f"{mesh}.obj"
            path.write_text("".join(f"v {xyz(v)}\n" for v in vertices) + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces))
            geometry = f'<geometry><mesh filename="package://{self.name}_description/meshes/{mesh}.obj"/></geometry>'
            body += f"<visual>{geometry}</visual><collision>{geometry}</collision>"
        self.lines.append(f'  <link name="{name}">{body}</link>' if body else f'  <link name="{name}"/>')

    def joint(self, name, kind, parent, child, at=(0, 0, 0), rpy=(0, 0, 0), axis=None, limit=None, mimic=None):
        """A limit is (lower, upper, effort, velocity)."""
        body = f'<origin xyz="{xyz(at)}" rpy="{xyz(rpy)}"/><parent link="{parent}"/><child link="{child}"/>'
        if axis:
            body += f'<axis xyz="{xyz(axis)}"/>'
        if limit:
            bounds = f'lower="{limit[0]}" upper="{limit[1]}" ' if kind != "continuous" else ""
            body += f'<limit {bounds}effort="{limit[2]}" velocity="{limit[3]}"/>'
        if mimic:
            body += f'<mimic joint="{mimic[0]}" multiplier="{mimic[1]}" offset="0"/>'
        self.lines.append(f'  <joint name="{name}" type="{kind}">{body}</joint>')

    def write(self):
        text = "\n".join(['<?xml version="1.0"?>', f'<robot name="{self.name}">', *self.lines, "</robot>", ""])
        (self.folder / f"{self.name}.urdf").write_text(text)


def xyz(v):
    return " ".join(f"{c:.9g}" for c in v)


# ---- meshes ----


def prism(name, start, end, radius, sides=8):
    """A prism about the line from start to end."""
    along = [b - a for a, b in zip(start, end)]
    length = math.sqrt(sum(c * c for c in along))
    z = [c / length for c in along]
    helper = (1, 0, 0) if abs(z[0]) < 0.9 else (0, 1, 0)
    x = cross(helper, z)
    norm = math.sqrt(sum(c * c for c in x))
    x = [c / norm for c in x]
    y = cross(z, x)
    vertices = []
    for base in (start, end):
        for k in range(sides):
            a = 2 * math.pi * k / sides
            vertices.append([base[i] + radius * (math.cos(a) * x[i] + math.sin(a) * y[i]) for i in range(3)])
    faces = [[k, (k + 1) % sides, sides + (k + 1) % sides, sides + k] for k in range(sides)]
    return name, vertices, [list(reversed(range(sides))), *faces, list(range(sides, 2 * sides))]


def extrusion(name, outline, depth):
    """What an outline in x and z, counter-clockwise as seen from -y, covers from y = -depth / 2 to depth / 2. It need not be convex: its two
    ends are cut into triangles that share its first corner, from which all others must be seen."""
    n = len(outline)
    vertices = [(x, -depth / 2, z) for x, z in outline] + [(x, depth / 2, z) for x, z in outline]
    faces = [[0, k, k + 1] for k in range(1, n - 1)] + [[n, n + k + 1, n + k] for k in range(1, n - 1)]
    return name, vertices, faces + [[(k + 1) % n, k, n + k, n + (k + 1) % n] for k in range(n)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def chain(robot, parent, joints, radius, masses):
    """Serial joints (name, link, kind, at, rpy, axis, limit); each link is a prism up to the next joint."""
    for k, (name, link, kind, at, rpy, axis, limit) in enumerate(joints):
        ahead = joints[k + 1][3] if k + 1 < len(joints) else None
        long = ahead and math.sqrt(sum(c * c for c in ahead)) > 0.05
        body = [prism(link, (0, 0, 0), ahead, radius[k])] if long else []
        middle = [c / 2 for c in ahead] if long else (0, 0, 0)
        robot.joint(name, kind, parent, link, at, rpy, axis, limit)
        robot.link(link, masses[k], middle, body, size=max(0.12, 2 * radius[k]))
        parent = link
    return parent


Q = math.pi / 2
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)

# ---- arms on a pedestal ----


def panda(robot):
    """Seven joints; fingers of which one mimics the other."""
    robot.link("panda_link0", 2.9, (-0.04, 0, 0.07), [prism("link0", (0, 0, 0), (0, 0, 0.14), 0.07)])
    limits = [(-2.8973, 2.8973, 87, 2.175), (-1.7628, 1.7628, 87, 2.175), (-2.8973, 2.8973, 87, 2.175), (-3.0718, -0.0698, 87, 2.175),
              (-2.8973, 2.8973, 12, 2.61), (-0.0175, 3.7525, 12, 2.61), (-2.8973, 2.8973, 12, 2.61)]
    frames = [((0, 0, 0.333), (0, 0, 0)), ((0, 0, 0), (-Q, 0, 0)), ((0, -0.316, 0), (Q, 0, 0)), ((0.0825, 0, 0), (Q, 0, 0)),
              ((-0.0825, 0.384, 0), (-Q, 0, 0)), ((0, 0, 0), (Q, 0, 0)), ((0.088, 0, 0), (Q, 0, 0))]
    end = chain(robot, "panda_link0", [(f"panda_joint{k + 1}", f"panda_link{k + 1}", "revolute", at, rpy, Z, limit)
                                       for k, ((at, rpy), limit) in enumerate(zip(frames, limits))],
                [0.06, 0.055, 0.05, 0.05, 0.045, 0.045, 0.04], [2.7, 2.7, 2.4, 2.4, 2.6, 1.5, 0.7])
    robot.joint("panda_joint8", "fixed", end, "panda_link8", (0, 0, 0.107))
    robot.link("panda_link8")
    robot.joint("panda_hand_joint", "fixed", "panda_link8", "panda_hand", (0, 0, 0), (0, 0, -math.pi / 4))
    robot.link("panda_hand", 0.73, (0, 0, 0.04), [prism("hand", (0, -0.08, 0.03), (0, 0.08, 0.03), 0.03)])
    for side, axis, mimic in (("left", (0, 1, 0), None), ("right", (0, -1, 0), ("panda_finger_joint1", 1))):
        number = 1 if side == "left" else 2
        robot.joint(f"panda_finger_joint{number}", "prismatic", "panda_hand", f"panda_{side}finger", (0, 0, 0.0584), (0, 0, 0), axis, (0, 0.04, 20, 0.2), mimic)
        robot.link(f"panda_{side}finger", 0.1, (0, 0, 0.02), [prism(f"{side}finger", (0, 0, 0), (0, 0, 0.05), 0.01)], size=0.05)


def iiwa(robot):
    """Seven joints, a root `world` without a body, and no gripper at all."""
    robot.link("world")
    robot.joint("world_iiwa_joint", "fixed", "world", "iiwa_link_0")
    robot.link("iiwa_link_0", 5, (-0.1, 0, 0.07), [prism("link_0", (0, 0, 0), (0, 0, 0.14), 0.1)])
    frames = [((0, 0, 0.1575), (0, 0, 0)), ((0, 0, 0.2025), (Q, 0, math.pi)), ((0, 0.2045, 0), (Q, 0, math.pi)), ((0, 0, 0.2155), (Q, 0, 0)),
              ((0, 0.1845, 0), (-Q, math.pi, 0)), ((0, 0, 0.2155), (Q, 0, 0)), ((0, 0.081, 0), (-Q, math.pi, 0))]
    bounds = [2.9668, 2.0942, 2.9668, 2.0942, 2.9668, 2.0942, 3.0541]
    end = chain(robot, "iiwa_link_0", [(f"iiwa_joint_{k + 1}", f"iiwa_link_{k + 1}", "revolute", at, rpy, Z, (-b, b, 300, 10))
                                       for k, ((at, rpy), b) in enumerate(zip(frames, bounds))],
                [0.075, 0.07, 0.065, 0.06, 0.055, 0.05, 0.045], [4, 4, 3, 2.7, 1.7, 1.8, 0.3])
    robot.joint("iiwa_joint_ee", "fixed", end, "iiwa_link_ee", (0, 0, 0.045))
    robot.link("iiwa_link_ee")


def ur(robot):
    """Six joints, and a link called `base` that is turned by half a turn."""
    robot.link("base_link")
    robot.joint("base_link-base_fixed_joint", "fixed", "base_link", "base", (0, 0, 0), (0, 0, math.pi))
    robot.link("base")
    robot.joint("base_link-base_link_inertia", "fixed", "base_link", "base_link_inertia", (0, 0, 0), (0, 0, math.pi))
    robot.link("base_link_inertia", 4, (0, 0, 0), [prism("base", (0, 0, 0), (0, 0, 0.08), 0.075)])
    full = 2 * math.pi
    joints = [("shoulder_pan", "shoulder_link", (0, 0, 0.089159), (0, 0, 0), (-full, full, 150, 3.14)),
              ("shoulder_lift", "upper_arm_link", (0, 0, 0), (Q, 0, 0), (-full, full, 150, 3.14)),
              ("elbow", "forearm_link", (-0.425, 0, 0), (0, 0, 0), (-math.pi, math.pi, 150, 3.14)),
              ("wrist_1", "wrist_1_link", (-0.39225, 0, 0.10915), (0, 0, 0), (-full, full, 28, 3.14)),
              ("wrist_2", "wrist_2_link", (0, -0.09465, 0), (Q, 0, 0), (-full, full, 28, 3.14)),
              ("wrist_3", "wrist_3_link", (0, 0.0823, 0), (Q, math.pi, math.pi), (-full, full, 28, 3.14))]
    end = chain(robot, "base_link_inertia", [(f"{name}_joint", link, "revolute", at, rpy, Z, limit) for name, link, at, rpy, limit in joints],
                [0.06, 0.055, 0.045, 0.04, 0.04, 0.035], [3.7, 8.4, 2.3, 1.2, 1.2, 0.25])
    robot.joint("wrist_3-flange", "fixed", end, "flange", (0, 0, 0), (0, -Q, -Q))
    robot.link("flange")
    robot.joint("flange-tool0", "fixed", "flange", "tool0", (0, 0, 0), (Q, 0, Q))
    robot.link("tool0")


# ---- mobile manipulators ----


def wheels(robot, parent, at, mass=0.4):
    for side, y in (("l", at[1]), ("r", -at[1])):
        robot.joint(f"{side}_wheel_joint", "continuous", parent, f"{side}_wheel_link", (at[0], y, at[2]), (-Q, 0, 0), Z, (0, 0, 9, 17))
        robot.link(f"{side}_wheel_link", mass, (0, 0, 0), [prism(f"{side}_wheel", (0, 0, -0.015), (0, 0, 0.015), at[2])])


def head(robot, parent, pan_at, tilt_at, camera_at, names=("head_pan", "head_tilt"), limit=(-0.76, 1.45, 0.68, 1.57)):
    pan, tilt = names
    robot.joint(f"{pan}_joint", "revolute", parent, f"{pan}_link", pan_at, (0, 0, 0), Z, (-1.57, 1.57, 0.32, 1.57))
    robot.link(f"{pan}_link", 0.8, (0.03, 0, 0.02))
    robot.joint(f"{tilt}_joint", "revolute", f"{pan}_link", f"{tilt}_link", tilt_at, (0, 0, 0), Y, limit)
    robot.link(f"{tilt}_link", 0.8, (0, 0, 0.03), [prism("head", (0, -0.08, 0.02), (0, 0.08, 0.02), 0.05)])
    robot.joint("head_camera_joint", "fixed", f"{tilt}_link", "head_camera_link", camera_at)
    robot.link("head_camera_link")


def fetch(robot):
    """An arm of seven joints, tucked around its torso, on a lift."""
    robot.link("base_link", 70.1, (-0.0036, 0, 0.1486), [prism("base", (0, 0, 0.03), (0, 0, 0.36), 0.275)], size=0.5)
    wheels(robot, "base_link", (0.0013, 0.186, 0.0603))
    robot.joint("torso_lift_joint", "prismatic", "base_link", "torso_lift_link", (-0.086875, 0, 0.37743), (0, 0, 0), Z, (0, 0.38615, 450, 0.1))
    robot.link("torso_lift_link", 13.3, (-0.0013, 0, 0.2935), [prism("torso", (-0.03, 0, 0.0), (-0.03, 0, 0.60), 0.11)], size=0.4)
    head(robot, "torso_lift_link", (0.053125, 0, 0.603), (0.14253, 0, 0.058), (0.055, 0, 0.0225))
    joints = [("shoulder_pan", "revolute", (0.119525, 0, 0.34858), Z, (-1.6056, 1.6056, 33.82, 1.256)),
              ("shoulder_lift", "revolute", (0.117, 0, 0.06), Y, (-1.221, 1.518, 131.76, 1.454)),
              ("upperarm_roll", "continuous", (0.219, 0, 0), X, (0, 0, 76.94, 1.571)),
              ("elbow_flex", "revolute", (0.133, 0, 0), Y, (-2.251, 2.251, 66.18, 1.521)),
              ("forearm_roll", "continuous", (0.197, 0, 0), X, (0, 0, 29.35, 1.571)),
              ("wrist_flex", "revolute", (0.1245, 0, 0), Y, (-2.16, 2.16, 25.7, 2.268)),
              ("wrist_roll", "continuous", (0.1385, 0, 0), X, (0, 0, 7.36, 2.268))]
    end = chain(robot, "torso_lift_link", [(f"{name}_joint", f"{name}_link", kind, at, (0, 0, 0), axis, limit) for name, kind, at, axis, limit in joints],
                [0.055, 0.055, 0.05, 0.05, 0.045, 0.045, 0.04], [2.56, 2.66, 2.33, 2.1, 1.66, 1.73, 0.14])
    robot.joint("gripper_axis", "fixed", end, "gripper_link", (0.16645, 0, 0))
    robot.link("gripper_link", 1.5, (-0.09, 0, 0), [prism("gripper", (-0.09, -0.06, 0), (-0.09, 0.06, 0), 0.03)])
    for side, sign in (("r", 1), ("l", -1)):
        robot.joint(f"{side}_gripper_finger_joint", "prismatic", "gripper_link", f"{side}_gripper_finger_link", (0, 0.015425 * sign, 0), (0, 0, 0),
                    (0, sign, 0), (0, 0.05, 60, 0.05))
        robot.link(f"{side}_gripper_finger_link", 0.126, (-0.01, 0, 0), [prism(f"{side}_finger", (-0.03, 0, 0), (0.03, 0, 0), 0.012)], size=0.06)
    robot.joint("laser_joint", "fixed", "base_link", "laser_link", (0.235, 0, 0.2878))
    robot.link("laser_link")


def tiago(robot):
    """An arm of seven joints on a lift; one link's products of inertia leave a moment that is negative by rounding."""
    robot.link("base_link", 28.3, (-0.05, 0, 0.15), [prism("base", (0, 0, 0.03), (0, 0, 0.30), 0.27)], size=0.5)
    wheels(robot, "base_link", (0, 0.2022, 0.0985))
    robot.joint("torso_fixed_joint", "fixed", "base_link", "torso_fixed_link", (-0.062, 0, 0.193))
    robot.link("torso_fixed_link", 8, (0, 0, 0.3), [prism("torso_fixed", (-0.06, 0, 0.1), (-0.06, 0, 0.55), 0.1)], size=0.4)
    robot.joint("torso_lift_joint", "prismatic", "torso_fixed_link", "torso_lift_link", (0, 0, 0.597), (0, 0, 0), Z, (0, 0.35, 2000, 0.07))
    robot.link("torso_lift_link", 16, (-0.05, 0, -0.1), [prism("torso_lift", (-0.01, 0, -0.2), (-0.01, 0, 0.03), 0.11)], size=0.4)
    head(robot, "torso_lift_link", (0.1, 0, 0.10), (0.05, 0, 0.10), (0.06, 0, 0.02), ("head_1", "head_2"), (-1.0, 0.72, 5, 3))
    joints = [((0.155, 0.014, -0.151), (0, 0, -Q), Z, (0, 2.748, 43, 2.7)), ((0.125, 0.0195, -0.031), (0, 0, 0), Y, (-1.09, 1.57, 43, 3.66)),
              ((0.0895, 0, 0), (0, 0, 0), X, (-3.53, 1.57, 26, 4.58)), ((0.222, 0, -0.027), (0, 0, 0), Y, (-0.39, 2.356, 26, 4.58)),
              ((0.162, 0.02, 0.027), (0, 0, 0), X, (-2.09, 2.09, 3, 1.95)), ((0.15, 0, 0), (0, 0, 0), Y, (-1.41, 1.41, 6.6, 1.76)),
              ((0, 0, 0), (0, 0, 0), Z, (-2.09, 2.09, 6.6, 1.76))]
    end = chain(robot, "torso_lift_link",
                [(f"arm_{k + 1}_joint", f"arm_{k + 1}_link", "revolute", at, rpy, axis, limit) for k, (at, rpy, axis, limit) in enumerate(joints)],
                [0.055, 0.05, 0.05, 0.045, 0.04, 0.04, 0.035], [3, 2.8, 1.5, 1.9, 1.9, 0.5, 0.1])
    robot.joint("arm_tool_joint", "fixed", end, "arm_tool_link", (0.0573, 0, 0))
    robot.link("arm_tool_link", 0.2, (0, 0, 0), inertia=(2.4e-4, 0, 0, 2.4e-4, 0, -2.4e-35))
    robot.joint("base_laser_joint", "fixed", "base_link", "base_laser_link", (0.22, 0, 0.25))
    robot.link("base_laser_link")


def pr2(robot):
    """Two arms whose shoulders a spring holds up that no URDF tells of, and a base with a column at its back, in one concave mesh."""
    robot.link("base_link", 116, (-0.061, 0, 0.29), size=0.6,
               meshes=[extrusion("base", [(-0.325, 0.04), (0.325, 0.04), (0.325, 0.30), (-0.12, 0.30), (-0.12, 0.66), (-0.325, 0.66)], 0.65)])
    wheels(robot, "base_link", (-0.2246, 0.2246, 0.0792))
    robot.joint("torso_lift_joint", "prismatic", "base_link", "torso_lift_link", (-0.05, 0, 0.739675), (0, 0, 0), Z, (0.0115, 0.325, 10000, 0.013))
    robot.link("torso_lift_link", 36.2, (-0.1, 0, 0), [prism("torso", (-0.12, 0, 0.02), (-0.12, 0, 0.36), 0.14)], size=0.5)
    head(robot, "torso_lift_link", (-0.017, 0, 0.381), (0.068, 0, 0), (0.05, 0, 0.06), limit=(-0.47, 1.39, 15, 5))
    for side, sign in (("r", -1), ("l", 1)):
        pan = (-2.1353981634, 0.564601836603) if side == "r" else (-0.564601836603, 2.1353981634)
        roll = (-3.75, 0.65) if side == "r" else (-0.65, 3.75)
        joints = [("shoulder_pan", "revolute", (0, 0.188 * sign, 0), Z, (*pan, 30, 2.1)), ("shoulder_lift", "revolute", (0.1, 0, 0), Y, (-0.3536, 1.2963, 30, 2.1)),
                  ("upper_arm_roll", "revolute", (0, 0, 0), X, (*roll, 30, 3.27)), ("elbow_flex", "revolute", (0.4, 0, 0), Y, (-2.1213, -0.15, 30, 3.3)),
                  ("forearm_roll", "continuous", (0, 0, 0), X, (0, 0, 30, 3.6)), ("wrist_flex", "revolute", (0.321, 0, 0), Y, (-2.0, -0.1, 10, 3.1)),
                  ("wrist_roll", "continuous", (0, 0, 0), X, (0, 0, 10, 3.6))]
        end = chain(robot, "torso_lift_link", [(f"{side}_{name}_joint", f"{side}_{name}_link", kind, at, (0, 0, 0), axis, limit)
                                               for name, kind, at, axis, limit in joints],
                    [0.08, 0.07, 0.06, 0.055, 0.05, 0.045, 0.045], [8, 2.7, 6, 1.9, 2.7, 0.6, 0.7])
        robot.joint(f"{side}_gripper_palm_joint", "fixed", end, f"{side}_gripper_palm_link", (0.07691, 0, 0))
        robot.link(f"{side}_gripper_palm_link", 0.58, (0.06, 0, 0), [prism(f"{side}_palm", (-0.02, 0, 0), (0.03, 0, 0), 0.04)])
        master = f"{side}_gripper_l_finger_joint"
        for finger, turn in (("l", 1), ("r", -1)):
            tip = f"{side}_gripper_{finger}_finger"
            robot.joint(f"{tip}_joint", "revolute", f"{side}_gripper_palm_link", f"{tip}_link", (0.07691, 0.01 * turn, 0), (0, 0, 0), (0, 0, turn),
                        (0, 0.548, 1000, 0.5), None if finger == "l" else (master, 1))
            robot.link(f"{tip}_link", 0.17, (0.03, 0, 0), [prism(f"{side}_{finger}_finger", (0, 0, 0), (0.09, 0, 0), 0.012)], size=0.08)
            robot.joint(f"{tip}_tip_joint", "revolute", f"{tip}_link", f"{tip}_tip_link", (0.09137, 0.00495 * turn, 0), (0, 0, 0), (0, 0, -turn),
                        (0, 0.548, 1000, 0.5), (master, 1))
            robot.link(f"{tip}_tip_link", 0.04, (0.01, 0, 0), [prism(f"{side}_{finger}_tip", (0, 0, 0), (0.03, 0, 0), 0.01)], size=0.03)
    robot.joint("base_laser_joint", "fixed", "base_link", "base_laser_link", (0.275, 0, 0.252))
    robot.link("base_laser_link")


KINDS = {kind.__name__: kind for kind in (panda, iiwa, ur, fetch, tiago, pr2)}


def main():
    name, folder = sys.argv[1:]
    robot = Urdf(name, folder)
    KINDS[name](robot)
    robot.write()


if __name__ == "__main__":
    main()
