"""The robots of the cases: shipped files, copied beside the case, and what the independent check has to know of them."""

from dataclasses import dataclass


@dataclass
class Robot:
    name: str
    files: tuple  # in examples/robots; the first one is what the plan names
    arms: tuple
    radius: int  # of the base's footprint, mm
    shoulder: tuple  # lowest and highest over the floor, mm
    ahead: int  # how far the shoulder can be brought towards something from the middle of the base
    reach: int  # from the shoulder to the wrist, with some joints in hand
    least: int  # nearest, likewise
    tool: int  # from the wrist to between the pads
    opening: int
    force: int  # N
    pad: int  # height of the pads, mm


TWO_ARMS = Robot("two_arms", ("two_arms.yaml",), ("left", "right"), 300, (750, 1200), 200, 680, 200, 180, 120, 60, 40)
ONE_ARM = Robot("one_arm", ("one_arm.yaml", "one_arm.urdf"), ("left",), 340, (1020, 1420), 140, 670, 200, 180, 120, 60, 40)
SIX_AXIS = Robot("six_axis", ("six_axis.yaml", "six_axis.urdf"), ("left",), 300, (950, 950), 60, 740, 200, 165, 100, 40, 30)

ROBOTS = {robot.name: robot for robot in (TWO_ARMS, ONE_ARM, SIX_AXIS)}


def draw_robot(d, arms):
    """A robot with at least so many arms."""
    if arms > 1:
        return TWO_ARMS
    return d.choice("robot", [TWO_ARMS] * 6 + [ONE_ARM] * 2 + [SIX_AXIS] * 2)
