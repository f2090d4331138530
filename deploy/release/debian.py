"""The Debian packages: `svc-server` with its unit and settings, and `svc`, the command line. Written without Debian's tools."""

import hashlib
from pathlib import Path

from archive import Entry, ar, folder, gzipped, tar, with_parents, xzipped

HERE = Path(__file__).parent.parent / "debian"
SETTINGS = {"etc/svc/svc-server.toml": ("svc-server.toml", 0o640), "etc/default/svc-server": ("svc-server.default", 0o644)}


def server(program: bytes, common: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """What the package of the server unpacks, and what controls it."""
    read = lambda name: (HERE / name).read_bytes()
    files = [
        Entry("usr/bin/svc-server", program, 0o755),
        Entry("usr/lib/systemd/system/svc-server.service", read("svc-server.service")),
        folder("etc/svc"),
        *(Entry(path, read(name), mode) for path, (name, mode) in SETTINGS.items()),
        *common,
    ]
    control = [Entry(name, read(name), 0o755) for name in ("postinst", "prerm", "postrm")]
    conffiles = "".join(f"/{path}\n" for path in SETTINGS)
    return files, [*control, Entry("conffiles", conffiles.encode())]


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
