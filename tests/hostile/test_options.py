"""Every command that takes a path to write, a number, a word or a name, with values of every wrong kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.dice import dice, letters
from tests.hostile.harness import Case, Tally
from tests.hostile.scene import LOG, STUDY, Scene, toml
from tests.hostile.test_files import check, shown

FOLDERS = {
    "filter tour": ("filter", "tour", "--out"),
    "compare": ("compare", "tiny", "--protocol", "push", "--seeds", "1", "--out"),
    "tune": ("tune", "tiny", "--out"),
    "reproduce": ("reproduce", "bsub10", "--quick", "--out"),
    "communities": ("trace", "communities", "tiny", "--out"),
    "study run": ("study", "run", "STUDY", "--out"),
}
PLACES = {
    "export": ("trace", "export", "tiny"),
    "study new": ("study", "new"),
    "simulate --log": ("simulate", "tiny", "--protocol", "push", "--log"),
    "report --out": ("report", "OUT", "--out"),
    "watch --out": ("watch", "tiny", "--out"),
}
NOTHING = {"no name": ""}
STORE = {
    "list": ("trace", "list"),
    "describe": ("trace", "describe", "tiny"),
    "export": ("trace", "export", "tiny", "x.csv"),
    "remove": ("trace", "remove", "tiny", "--yes"),
    "communities": ("trace", "communities", "tiny"),
    "generate": ("trace", "generate", "conference", "--nodes", "5", "--days", "1", "--contacts-per-day", "5",
                 "--acquaintances", "2"),
    "simulate": ("simulate", "tiny", "--protocol", "push"),
    "share": ("share", "tiny"),
    "tune": ("tune", "tiny"),
    "compare": ("compare", "tiny"),
    "study check": ("study", "check", "STUDY"),
    "bound": ("bound", "tiny"),
    "watch": ("watch", "tiny", "--out", "page.html"),
}  # fmt: skip


def words(scene: Scene, found: tuple[str, ...]) -> list[str]:
    known = {"OUT": str(scene.out), "STUDY": scene.file(toml(STUDY), ".toml")}
    return [known.get(word, word) for word in found]


def test_a_place_that_cannot_be_written_is_refused_before_any_work(scene: Scene, tally: Tally) -> None:
    def cases() -> Iterator[Case]:
        for name, command in FOLDERS.items():
            for label, path in (scene.no_folders() | scene.in_store() | NOTHING).items():
                yield Case(
                    f"{name}, {label}", [*words(scene, command), path], [shown(path.removesuffix("/below")) or "''"]
                )
        for name, command in PLACES.items():
            for label, path in (scene.no_places() | scene.in_store() | NOTHING).items():
                yield Case(
                    f"{name}, {label}", [*words(scene, command), path], [shown(path.removesuffix("/below")) or "''"]
                )
        for label, path in scene.no_places().items():
            ended = f"{path}/x.png" if label == "a full device" else f"{path}.png" if label == "a long name" else path
            yield Case(
                f"--plot, {label}",
                ["trace", "communities", "tiny", "--plot", ended],
                [shown(path.removesuffix("/below"))],
            )

    check(cases(), scene, tally)


def test_a_home_that_is_no_folder_is_refused(scene: Scene, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    def cases() -> Iterator[Case]:
        for label, path in scene.no_folders().items():
            monkeypatch.setenv("HUNET_HOME", path)
            for name, command in STORE.items():
                yield Case(f"{name}, home is {label}", words(scene, command), [shown(path.removesuffix("/below"))])

    check(cases(), scene, tally)


NO_NUMBERS = ("", " ", "nan", "many", "[/b]", "\x1b[31m", "0x10", "1,5", "--", "9" * 5000, "1e", "٣x", "٣", "1_0")
NO_COUNTS = (*NO_NUMBERS, "-1", "1.5", "inf", "1e3", str(1 << 64), str(-(1 << 70)))
NO_TIMES = (*NO_NUMBERS, "-1", "0", "1e999", "10 parsecs", "h", "1_000", "inf h")
NO_WORDS = ("", " ", "nonsense", "[/b]", "\x1b[31m", "\u202e", "x" * 5000, "../..", "push\n", "PUSH ")
NO_HOMES = ("/dev/null", "/dev/null/x", "/proc", "nowhere", "x" * 5000, "\x1b[31m", "[/b]", "\u202e", "~nobody-at-all")
SIMULATE = ("simulate", "tiny", "--protocol", "push")
OPTIONS: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {
    ("filter", "size"): {"--keys": NO_COUNTS[:-2]},
    ("filter", "size", "--keys", "3"): {"-m": (*NO_COUNTS, "0"), "-k": (*NO_COUNTS, "0")},
    ("simulate", "tiny"): {"--protocol": NO_WORDS},
    SIMULATE: {
        "--seed": NO_COUNTS,
        "--ttl": NO_TIMES,
        "--buffer": (*NO_NUMBERS, "0", "-1", "1.5"),
        "--bandwidth": (*NO_TIMES, "5"),
        "--min-contact": tuple(value for value in NO_TIMES if value != "0"),
        "--contacts": NO_WORDS,
        "--measures": NO_WORDS[2:],
        "--workload": (*NO_WORDS, "a\nb"),
        "--settings": ("", "nothing.toml", "a\nb", "/dev/zero"),
        "--parts": (*NO_COUNTS, "0"),
        "--set": (*NO_WORDS, "k=3", "=", "k=", "=3"),
    },
    ("simulate", "tiny", "--protocol", "pull"): {
        "--set": tuple(f"{key}={value}" for key in ("m", "k") for value in (*NO_COUNTS, "0", "true"))
        + tuple(f"any_holder={value}" for value in NO_WORDS)
    },
    ("bound", "tiny"): {
        "--seed": NO_COUNTS,
        "--ttl": NO_TIMES,
        "--contacts": NO_WORDS,
        "--workload": NO_WORDS[2:],
    },
    ("share", "tiny"): {
        "--percent": NO_COUNTS,
        "--applications": (*NO_COUNTS, "0"),
        "--hops": (*NO_COUNTS, "0", "4"),
        "--lifetime": (*NO_COUNTS, "0", "64"),
        "-m": NO_WORDS,
        "--m": (*NO_COUNTS, "0"),
        "--k": (*NO_COUNTS, "0"),
        "--period": (*NO_NUMBERS, "0", "-1", "inf", "1e-300"),
        "--loss": (*NO_NUMBERS, "-1", "2", "inf"),
        "--group": (
            *NO_WORDS,
            "0",
            "0=mean",
            "0=men:1",
            "0=mean:100",
            "100=mean:1",
            "0=mean:1:5:4",
            "0=mean:0",
            "0=mean:1:2",
        ),
        "--time": (*NO_TIMES, "unlimited"),
        "--seed": NO_COUNTS,
    },
    ("trace", "communities", "tiny"): {
        "--threshold": (*NO_NUMBERS, "-1", "2", "inf"),
        "--hops": (*NO_COUNTS, "0"),
        "--broker-share": (*NO_NUMBERS, "-1", "2", "inf"),
        "--training": (*NO_NUMBERS, "0", "-1", "2", "inf"),
        "--plot": ("x.txt", "x", "", "[/b]"),
    },
    ("trace", "generate", "conference"): {
        "--nodes": (*NO_COUNTS, "0", "1", "10000000000"),
        "--days": (*NO_COUNTS, "0", "10000000"),
        "--contacts-per-day": (*NO_NUMBERS, "0", "-1", "inf", "1e300"),
        "--gap-tail": (*NO_NUMBERS, "0", "inf"),
        "--seed": NO_COUNTS,
    },
    ("trace", "generate", "campus"): {"--seed": NO_COUNTS, "--nodes": (*NO_COUNTS, "0")},
    ("trace", "generate"): {"": NO_WORDS},
    ("tune", "tiny"): {
        "--min-delivery": (*NO_NUMBERS, "0", "-1"),
        "--minimise": NO_WORDS,
        "--protocol": NO_WORDS,
        "--workload": NO_WORDS,
        "--seed": NO_COUNTS,
    },
    ("compare", "tiny"): {
        "--seeds": (*NO_COUNTS, "0"),
        "--protocol": (*NO_WORDS, "push:", "push:m=3", "pull:m=", "pull:=3", ":m=3", "pull:m=0"),
        "--workload": NO_WORDS,
        "--ttl": NO_TIMES,
        "--buffer": (*NO_NUMBERS, "0", "-1", "1.5"),
        "--bandwidth": (*NO_TIMES, "5"),
        "--contacts": NO_WORDS,
    },
    ("watch", "tiny"): {"--message": NO_WORDS},
    ("tune", "tiny", "--send"): {
        "--in": (*(value for value in NO_TIMES if value != "0"), "inf", "8d", "604801"),
        "--protocol": (*NO_WORDS, "mops", "neighbors"),
        "--home": NO_HOMES,
    },
    ("node", "settings"): {"--home": NO_HOMES},
    ("node", "settings", "back"): {
        "--in": (*(value for value in NO_TIMES if value != "0"), "inf", "8d", "604801"),
        "--home": NO_HOMES,
    },
    ("reproduce",): {"": NO_WORDS},
    ("claims",): {"--paper": NO_WORDS, "--verdict": NO_WORDS},
    ("trace", "export", "tiny", "x.csv"): {"--as": NO_WORDS},
    ("trace", "look", "CSV"): {
        "--format": NO_WORDS,
        "--unit": NO_WORDS,
        "--columns": ("", "a", "nonsense=1", "a=99", "a=nothing", "[/b]=1", "=", "a=[/b]"),
        "--separator": ("", "ab", "\n", "1", "\x00"),
        "--lat-lon-origin": ("", "1", "x,y", "nan,nan", "91,0"),
    },
    ("trace", "fetch"): {"": NO_WORDS},
    ("trace", "follow", "LOG", "--once", "--name", "new"): {
        "--every": (*NO_NUMBERS, "0", "-1", "inf", "1e300"),
        "--name": ("", " ", "..", "a/b", ".hidden", "x" * 200, "\x00", "tiny"),
    },
    ("trace", "import", "CSV"): {
        "--format": NO_WORDS,
        "--unit": NO_WORDS,
        "--events": NO_WORDS,
        "--separator": ("", "ab", "\n", "\r", '"', "é", "٣", "a", "1", ".", "\x00", "[/b]", "\ud800"),
        "--lat-lon-origin": ("", "1", "1,2,3", "x,y", "nan,nan", "91,0", "0,181", "1_0,2", "٣,٤", "inf,0"),
        "--period": ("nan", "inf", "-1", "0", "many"),
        "--columns": ("", "a", "nonsense=1", "a=99", "a=nothing", "[/b]=1", "=", "a=[/b]", "a=" + "9" * 5000),
        "--radius": (*NO_NUMBERS, "-1", "0", "inf", "1e300"),
        "--step": (*NO_NUMBERS, "-1", "0", "inf", "1e-300", "1e13"),
        "--hold": ("nan", "many", "-1", "1e300"),
        "--gap": (*NO_NUMBERS, "-1", "inf", "1e13"),
        "--lengthen-to": (*NO_NUMBERS, "-1", "inf", "1e300"),
        "--min-length": (*NO_NUMBERS, "-1", "inf", "1e13"),
        "--origin": (*NO_NUMBERS, "inf", "1e13", "-1e300", "last"),
        "--internal": ("9-1", "", " ", ",", ", ,"),
        "--training": (*NO_NUMBERS, "0", "-1", "2", "inf"),
    },
}


@pytest.mark.parametrize("command", OPTIONS, ids=" ".join)
def test_a_wrong_value_of_an_option_is_refused(scene: Scene, tally: Tally, command: tuple[str, ...]) -> None:
    def cases() -> Iterator[Case]:
        csv = scene.file("a,b,start,end\nann,bob,0,100\nbob,cat,200,300\n", ".csv")
        log = scene.file(LOG, ".jsonl")
        for option, values in OPTIONS[command].items():
            for value in values:
                line = [{"CSV": csv, "LOG": log}.get(word, word) for word in command]
                plain = option.lstrip("-")
                named = [
                    plain,
                    plain.replace("-", "_"),
                    plain.replace("-", " "),
                    shown(value)[:40],
                    "there is no",
                    "No such",
                ]
                named += [value.partition("=")[0]] if option == "--set" else []
                named += ["shorter"] if option == "--min-length" else []
                named += ["lat,lon"] if option == "--lat-lon-origin" else []
                given = [option, value] if option else [value]
                yield Case(f"{option} = {value[:30]!r}", [*line, *given], [name for name in named if name])

    check(cases(), scene, tally)


NAMED = {name: command for name, command in STORE.items() if "tiny" in command} | {
    "generate": ("trace", "generate", "conference", "--nodes", "5", "--name", "tiny"),
    "reproduce": ("reproduce", "bsub10", "--quick", "--trace", "tiny"),
}


def test_a_name_of_a_trace_that_is_none_is_refused(scene: Scene, tally: Tally) -> None:
    chance = dice("names")
    names = ["", " ", ".", "..", "../tiny", "tiny/", "/tiny", "a/b", ".hidden", "[/b]", "[bold]", "\x1b[31m",
             "\u202eynit", "x" * 101, "x" * 100_000, "tiny\n", "tiny\0", "\udcff", "tiny ", "TINY?", "漢字", "*",
             "%s", "{0}", "a\0b/*", "x" * 5000 + "/[a]",
             *(letters(chance, chance.randint(1, 60)) for _ in range(8))]  # fmt: skip

    def cases() -> Iterator[Case]:
        for label, command in NAMED.items():
            for name in names:
                line = [name if word == "tiny" else word for word in words(scene, command)]
                yield Case(
                    f"{label}, {name[:30]!r}", line, ["name", "there is no trace", "trace file", "No such option"]
                )

    check(cases(), scene, tally)
