"""The Debian packages: `svc-server` with its unit and settings, and `svc`, the command line. Written without Debian's tools."""

import hashlib
from pathlib import Path

import elf
from archive import Entry, ar, gzipped, tar, with_parents, xzipped

HERE = Path(__file__).parent.parent / "debian"
SETTINGS = {"etc/svc/svc-server.toml": ("svc-server.toml", 0o640), "etc/default/svc-server": ("svc-server.default", 0o644)}


def packages(programs: dict[str, bytes], release, architecture: str) -> list[tuple[str, bytes]]:
    """Both packages, by name."""
    licence = (HERE.parent.parent / "LICENSE").read_bytes()
    common = {
        "Version": release.version,
        "Architecture": architecture,
        "Maintainer": "The svc developers <svc@localhost>",
        "Priority": "optional",
    }
    server = common | {
        "Section": "net",
        "Depends": needs(programs["svc-server"]) + ", passwd",
        "Description": "work tracker that hands items to coding agents\n"
        " One server with the web app in it. It keeps its data in /var/lib/svc, and is set\n"
        " up in /etc/svc/svc-server.toml.",
    }
    line = common | {
        "Section": "utils",
        "Depends": needs(programs["svc"]),
        "Recommends": "git",
        "Description": "command line and runner of the svc work tracker\n"
        " People and machines use it to work with items and to run coding agents.",
    }
    read = lambda name: (HERE / name).read_bytes()
    unit = "svc-server.service"
    service = [
        Entry(f"usr/lib/systemd/system/{unit}", read(unit)),
        *(Entry(path, read(name), mode) for path, (name, mode) in SETTINGS.items()),
    ]
    scripts = [Entry(name, read(name), 0o755) for name in ("postinst", "prerm", "postrm")]
    scripts.append(Entry("conffiles", "".join(f"/{path}\n" for path in SETTINGS).encode()))
    made = []
    for name, fields, files, control in (("svc-server", server, service, scripts), ("svc", line, [], [])):
        files = [*files, Entry(f"usr/bin/{name}", programs[name], 0o755), Entry(f"usr/share/doc/{name}/copyright", licence)]
        made.append((name, package(name, fields, files, control, release.seconds, release.level)))
    return made


def needs(program: bytes) -> str:
    return f"libc6 (>= {elf.glibc(program)}), libgcc-s1, ca-certificates"


def package(name: str, fields: dict[str, str], files: list[Entry], control: list[Entry], seconds: int, level: int) -> bytes:
    """The bytes of a package. `level` is how hard it is compressed; 0 is for tests."""
    laid = with_parents(files)
    contents = {entry.path: entry.content for entry in laid if entry.content is not None}
    kilobytes = sum((len(content) + 1023) // 1024 for content in contents.values()) + len(laid)
    told = {"Package": name, **fields, "Installed-Size": str(kilobytes)}
    # The description is last, as its lines go on.
    told["Description"] = told.pop("Description")
    sums = "".join(
        f"{hashlib.md5(content, usedforsecurity=False).hexdigest()}  {path}\n"
        for path, content in contents.items()
        if path not in SETTINGS
    )
    control = [
        *control,
        Entry("control", "".join(f"{field}: {value}\n" for field, value in told.items()).encode()),
        Entry("md5sums", sums.encode()),
    ]
    inner = tar(laid, seconds, "./")
    data = ("data.tar.xz", xzipped(inner, level)) if level else ("data.tar.gz", gzipped(inner, 1))
    members = [("debian-binary", b"2.0\n"), ("control.tar.gz", gzipped(tar(control, seconds, "./"))), data]
    return ar(members, seconds)
