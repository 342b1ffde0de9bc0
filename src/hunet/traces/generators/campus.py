"""Students on a campus: the synthetic trace of MOPS (V-A), after its description.

A timetable gives each student classes: a building and hours of the week. In every slot of the day a student is in the
state of a Markov chain over buildings: at the class, if there is one (and they attend), else where free time takes
them: they stay, go to the library, to the union or to their department, or leave. Two students in the same building
in the same slot meet with probability 0.8, once, for a time that follows a power law.

Differs: the paper's map, class schedules and exponent are not available (AMB-62), so the timetable is drawn at
random: departments, courses with a room and two or three hours a week. The length's density falls with exponent 2 (a
tail of 1) and ends with the slot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import loop
from hunet.model.errors import InvalidValueError
from hunet.traces.generators.generated import (
    Generated,
    TraceGenerator,
    check_settings,
    heavy_tailed,
    nodes_table,
    seeded,
    setting,
    sorted_contacts,
)

Ids = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]

DEPARTMENTS_PER_QUARTER = 4
"""So many share a library and a union: as on the paper's campus, and a larger one does not crowd into one building."""

AWAY = -1
"""The state of a student who is in no building of the campus."""

DAY = 86400
FIRST_HOUR = 8
TEACHING_DAYS = 5
WEEK = 7
MOST_PAIRS = 100_000_000
"""Pairs in the same building in one slot: what a slot may hold in memory at once (several gigabytes)."""
PATTERNS = ((0, 2, 4), (1, 3))
"""Weekdays of a course: Monday, Wednesday, Friday, or Tuesday, Thursday."""


@dataclass(frozen=True)
class CampusSettings:
    """Day 0 is a Monday. A student's free time: the four shares add up to at most 1, the rest leaves the campus."""

    students: int = setting(200, "students", low=2, high=10_000_000)
    days: int = setting(10, "days, the first a Monday; Saturdays and Sundays have no classes", low=1, high=3650)
    departments: int = setting(4, "departments", low=1)
    buildings: int = setting(12, "buildings; every four departments share a library and a union", low=3)
    courses: int = setting(4, "courses per student", low=0, high=20)
    course_size: int = setting(25, "students per course, on average", low=1)
    at_home: float = setting(0.8, "share of courses taken in the own department", low=0, high=1)
    slots: int = setting(11, "slots of a day", low=1, high=24)
    slot: int = setting(3600, "seconds of a slot", low=1, high=DAY)
    attendance: float = setting(0.9, "probability to attend a class", low=0, high=1)
    stay: float = setting(0.4, "free time: stay where one is", low=0, high=1)
    library: float = setting(0.15, "free time: go to the library", low=0, high=1)
    union: float = setting(0.2, "free time: go to the student union", low=0, high=1)
    department: float = setting(0.1, "free time: go to one's department", low=0, high=1)
    drop_in: float = setting(0.03, "probability per slot to come to the campus without a class", low=0, high=1)
    meeting: float = setting(0.8, "probability that two in the same building in a slot meet", low=0, high=1)
    length_tail: float = setting(1.0, "tail exponent of contact lengths (density exponent 2)", low=0.05, high=10)
    shortest: float = setting(60.0, "shortest contact, seconds", low=0.001)

    def __post_init__(self) -> None:
        check_settings("campus", self)
        free = self.stay + self.library + self.union + self.department
        if free > 1:
            raise InvalidValueError(f"campus: stay + library + union + department is {free:g}, above its limit 1")
        if FIRST_HOUR * 3600 + self.slots * self.slot > DAY:
            raise InvalidValueError(
                f"campus: {self.slots} slots of {self.slot} s from {FIRST_HOUR}:00 on do not fit into a day"
            )
        if not self.shortest < self.slot:
            raise InvalidValueError(f"campus: shortest {self.shortest:g} must be below the slot, {self.slot} s")
        if self.buildings < self.first_department + self.departments:
            raise InvalidValueError(
                f"campus: {self.departments} departments need a building each beside libraries and unions: "
                f"buildings {self.buildings} must be at least {self.first_department + self.departments}"
            )

    @property
    def first_department(self) -> int:
        """Buildings below this one are libraries (even) and unions (odd), one of each per quarter of the campus."""
        return 2 * math.ceil(self.departments / DEPARTMENTS_PER_QUARTER)


def _timetable(chance: np.random.Generator, settings: CampusSettings, department: Ints) -> Ids:
    """Where each student should be: an array student x weekday x slot of buildings, AWAY where there is no class."""
    students, slots = settings.students, settings.slots
    # Department d owns every so many-th building from its own on.
    count = settings.departments
    own = [np.arange(settings.first_department + d, settings.buildings, count) for d in range(count)]
    enrolments = np.bincount(department, minlength=count) * settings.courses
    offered = np.maximum(1, enrolments // settings.course_size)
    first_course = np.append(0, np.cumsum(offered))
    of_department = np.repeat(np.arange(count), offered)
    room = np.array([chance.choice(own[d]) for d in of_department.tolist()])
    hour = chance.integers(0, slots, len(room))
    pattern = chance.integers(0, len(PATTERNS), len(room))
    where = np.full((students, TEACHING_DAYS, slots), AWAY, dtype=np.int32)
    everyone = np.arange(students)
    for _ in range(settings.courses):
        elsewhere = chance.integers(0, count, students)
        faculty = np.where(chance.random(students) < settings.at_home, department, elsewhere)
        course = first_course[faculty] + (chance.random(students) * offered[faculty]).astype(np.int64)
        for days, kind in zip(PATTERNS, range(len(PATTERNS)), strict=True):
            for weekday in days:
                # A class at an hour that is taken already is not enrolled in.
                free = (pattern[course] == kind) & (where[everyone, weekday, hour[course]] == AWAY)
                who = everyone[free]
                where[who, weekday, hour[course[who]]] = room[course[who]]
    return where


class _Haunts(NamedTuple):
    """Where each student goes without a class."""

    library: Ids
    union: Ids
    department: Ids


def _haunts(settings: CampusSettings, department: Ints) -> _Haunts:
    quarter = (department // DEPARTMENTS_PER_QUARTER).astype(np.int32)
    return _Haunts(2 * quarter, 2 * quarter + 1, (settings.first_department + department).astype(np.int32))


def _move(chance: np.random.Generator, settings: CampusSettings, place: Ids, class_room: Ids, haunts: _Haunts) -> Ids:
    """One step of the Markov chain: to the class, or wherever free time leads."""
    count = len(place)
    limits = np.cumsum([settings.stay, settings.library, settings.union, settings.department])
    wish = np.searchsorted(limits, chance.random(count), side="right")
    free = np.choose(wish, [place, *haunts, np.full(count, AWAY, dtype=np.int32)])
    # Who is away stays away, unless they drop in.
    comes = chance.random(count) < settings.drop_in
    goal = np.where(chance.random(count) < 0.5, haunts.department, haunts.union)
    free = np.where(place == AWAY, np.where(comes, goal, AWAY), free)
    attends = (class_room != AWAY) & (chance.random(count) < settings.attendance)
    return np.where(attends, class_room, free).astype(np.int32)


@loop
def _pairs_of_groups(members: Ids, bounds: Ints, a: Ids, b: Ids) -> None:
    """All pairs within each group of sorted members."""
    place = 0
    for group in range(bounds.shape[0] - 1):
        for i in range(bounds[group], bounds[group + 1]):
            for j in range(i + 1, bounds[group + 1]):
                a[place] = members[i]
                b[place] = members[j]
                place += 1


def _same_building(place: Ids, buildings: int) -> tuple[Ids, Ids]:
    """The pairs of students that are in the same building."""
    members = np.argsort(place, kind="stable").astype(np.int32)
    bounds = np.searchsorted(place[members], np.arange(buildings + 1))
    size = np.diff(bounds)
    pairs = int((size * (size - 1) // 2).sum())
    if pairs > MOST_PAIRS:
        raise InvalidValueError(
            f"campus: {pairs} pairs share a building in one slot, above the limit {MOST_PAIRS}: "
            f"raise buildings (now {buildings}) with the number of students"
        )
    a, b = np.empty(pairs, dtype=np.int32), np.empty(pairs, dtype=np.int32)
    _pairs_of_groups(members, bounds, a, b)
    return a, b


def generate(settings: CampusSettings, seed: int) -> Generated:
    """A campus trace. Cost: students per slot, and pairs in the same building (most of which meet)."""
    chance = seeded("campus", seed)
    department = np.arange(settings.students) * settings.departments // settings.students
    timetable = _timetable(chance, settings, department)
    haunts = _haunts(settings, department)
    no_class = np.full(settings.students, AWAY, dtype=np.int32)
    found: list[tuple[Ids, Ids, npt.NDArray[np.float64], npt.NDArray[np.float64]]] = []
    for day in range(settings.days):
        place = no_class  # everybody comes anew in the morning
        for slot in range(settings.slots):
            weekday = day % WEEK
            class_room = timetable[:, weekday, slot] if weekday < TEACHING_DAYS else no_class
            place = _move(chance, settings, place, class_room, haunts)
            a, b = _same_building(place, settings.buildings)
            meets = chance.random(len(a)) < settings.meeting
            a, b = a[meets], b[meets]
            length = heavy_tailed(chance, settings.length_tail, settings.shortest, float(settings.slot), len(a))
            begins = day * DAY + FIRST_HOUR * 3600 + slot * settings.slot
            start = begins + chance.random(len(a)) * (settings.slot - length)
            found.append((a, b, start, start + length))
    a, b, start, end = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((start, b, a))
    names = [f"s{student}" for student in range(settings.students)]
    classes = [f"department {d}" for d in department.tolist()]
    contacts = sorted_contacts(a[order], b[order], start[order], end[order])
    return Generated(contacts, nodes_table(names, classes))


CAMPUS = TraceGenerator(
    name="campus",
    title="a campus: timetables, a Markov chain over buildings (the synthetic trace of MOPS)",
    settings=CampusSettings,
    generate=generate,
)
