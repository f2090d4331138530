"""What the service costs a month, reckoned from counted calls: the snapshots of the tests that count them.

    python infra/cost.py           prints the tables of COST.md
    python infra/cost.py --write   writes them into it; infra/template_test.py compares
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COUNTED = [
    ROOT / "functions/tracker/tests/tracker/snapshots"
    / "tracker__costs__requests_keep_to_their_budgets_of_round_trips_and_units.snap",
    ROOT / "functions/runner-api/tests/factory/snapshots"
    / "factory__short__what_runners_and_viewers_cost_where_nothing_is_held.snap",
    *(ROOT / "functions/notifications/tests/notifications/snapshots" / f"notifications__{name}.snap"
      for name in ("costs__telling_one_person", "costs__telling_a_thousand", "storm__a_page_of_a_long_inbox")),
]
BEGIN, END = "<!-- written by cost.py: begin -->\n", "<!-- written by cost.py: end -->\n"

# List prices of us-east-1 in dollars, without free tiers. Check them before you rely on the sums.
READ = 0.125e-6  # a unit, strongly consistent 4 KB
WRITE = 0.625e-6  # a unit of 1 KB; those of transactions are counted twice already
API = 1.0e-6  # a request of an HTTP API
CALL = 0.20e-6  # a call of a function
GB_SECOND = 16.6667e-6  # x86_64; arm64 costs a fifth less
MEMORY = 0.5
PUT, GET = 5.0e-6, 0.4e-6
MESSAGE = 0.4e-6
LOG_GB = 0.50
ROW_GB, BACKUP_GB, FILE_GB = 0.25, 0.20, 0.023
# Assumed, and to be compared with the dashboard: milliseconds of a call beside its round trips, and of a round trip.
OWN_MS, TRIP_MS = 5, 4
LOG_BYTES = 700  # the API's line and the function's START, END, REPORT
MONTH_MINUTES = 30 * 24 * 60
WORKDAYS, WORKHOURS = 21, 8


def counted() -> dict[str, tuple[int, int, int]]:
    line = re.compile(r"^(.+): (\d+) round trips, (\d+) read units, (\d+) write units$", re.M)
    return {work: tuple(map(int, rest)) for file in COUNTED for work, *rest in line.findall(file.read_text())}


COSTS = counted()


def function(work: str) -> dict[str, float]:
    trips, reads, writes = COSTS[work]
    seconds = (OWN_MS + trips * TRIP_MS) / 1000
    return {
        "functions": CALL + seconds * MEMORY * GB_SECOND,
        "table": reads * READ + writes * WRITE,
        "logs": LOG_BYTES * LOG_GB / 1e9,
    }


def request(work: str) -> dict[str, float]:
    return {**function(work), "API": API}


class Bill(dict):
    """Dollars by what they are for, and by service."""

    def __init__(self):
        super().__init__()
        self.services: dict[str, float] = {}

    def add(self, name: str, times: float, parts: dict[str, float]) -> None:
        self[name] = self.get(name, 0) + times * sum(parts.values())
        for service, dollars in parts.items():
            self.services[service] = self.services.get(service, 0) + times * dollars

    def total(self) -> float:
        return sum(self.values())


def minute() -> dict[str, float]:
    return function("minute tick, nothing to do")


def run(minutes: int, batches_a_minute: int) -> dict[str, float]:
    """A run from its start to what workers do after its end; heartbeats every 15 seconds."""
    parts: dict[str, float] = {}
    times = {
        "start a run": 1,
        "take a run": 1,
        "report its start": 1,
        "heartbeat": minutes * 4,
        "log batch": minutes * batches_a_minute,
        "finish a run": 1,
        "what workers do after it": 1,
    }
    for work, count in times.items():
        for service, dollars in request(work).items():
            parts[service] = parts.get(service, 0) + count * dollars
    parts["files"] = times["log batch"] * PUT
    return parts


def told(work: str) -> float:
    """An event by the worker that hears of it; a message of the queue is sent, received and deleted."""
    return sum(function(work).values()) + 3 * MESSAGE


def idle_runner(seconds: int = 25) -> dict[str, float]:
    asked = MONTH_MINUTES * 60 / seconds
    return {service: asked * dollars for service, dollars in request("take, nothing queued").items()}


def month(people: int, runners: int, runs: int, orgs: int = 1, poll_seconds: int = 5) -> Bill:
    bill = Bill()
    days = people * WORKDAYS
    bill.add("pages and lists that people open", days * 120, request("view an item"))
    bill.add("lists", days * 80, request("warm list"))
    bill.add("changes (claims, transitions, comments, new items)", days * 25, request("comment"))
    seconds = WORKDAYS * WORKHOURS * 3600 * people
    if poll_seconds:
        bill.add(f"open tabs that ask for news every {poll_seconds} s", seconds / poll_seconds,
                 request("a viewer asks for news, and there is none"))
    bill.add("runners that wait, asking every 25 s", runners, idle_runner())
    bill.add("runs of 20 minutes", runs, run(20, 20))
    bill.add("messages", days * 25 + runs * 6, {"queue": 3 * MESSAGE, **function("what workers do after it")})
    bill.add("minute tick", MONTH_MINUTES, minute())
    bill.add("the tick's look at each organization", MONTH_MINUTES * (orgs - 1), {"table": READ})
    gigabytes = people * 0.02 + runs * 0.0002
    bill.add("storage", gigabytes, {"table": ROW_GB + BACKUP_GB, "files": 5 * FILE_GB})
    bill.add("polling of the queue, alarms, dashboard", 1, {"queue": 15 * MONTH_MINUTES * MESSAGE, "watching": 13 * 0.10 + 3})
    return bill


SIZES = [
    ("a team of 10", dict(people=10, runners=2, runs=300)),
    ("a company of 500", dict(people=500, runners=40, runs=12_000)),
    ("10,000 organizations of 5, of which a tenth work", dict(people=5_000, runners=1_000, runs=60_000, orgs=10_000)),
]


def tables() -> str:
    lines = ["| | a month | with pages that are not live |", "|---|---|---|"]
    bills = [(name, month(**size), month(**size, poll_seconds=0)) for name, size in SIZES]
    for name, bill, still in bills:
        lines.append(f"| {name} | ${bill.total():,.2f} | ${still.total():,.2f} |")
    for name, bill, _ in bills:
        lines += ["", f"**{name[0].upper()}{name[1:]}**, the largest first:", "", "| for | a month |", "|---|---|"]
        largest = sorted(bill.items(), key=lambda entry: -entry[1])
        lines += [f"| {entry} | ${dollars:,.2f} |" for entry, dollars in largest[:5]]
        services = ", ".join(f"{one} ${dollars:,.2f}" for one, dollars in sorted(bill.services.items(), key=lambda e: -e[1]))
        lines.append(f"\nBy service: {services}.")
    single = [
        ("a run of 30 minutes, 20 log batches a minute", sum(run(30, 20).values())),
        ("telling one person of an event: inbox, and what waits to be sent", told("telling one person of an event")),
        ("telling 1,000 watchers of an event", told("telling 1,000 watchers of an event")),
        ("a page of an inbox of 1,000 entries", sum(request("a page of an inbox of 1,000 entries").values())),
        ("an idle runner, a month", sum(idle_runner().values())),
        ("an idle organization, a month (its line of the tick)", MONTH_MINUTES * READ),
        ("an idle stack, a month", month(0, 0, 0).total()),
    ]
    lines += ["", "| one | costs |", "|---|---|"] + [f"| {name} | ${dollars:,.4f} |" if dollars >= 0.001 else f"| {name} | ${dollars:,.6f} |" for name, dollars in single]
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + tables() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    page = ROOT / "infra/COST.md"
    if "--write" in sys.argv:
        page.write_text(written(page.read_text()))
    else:
        print(tables())
