"""Archives whose bytes follow from what is in them: no clock, user, umask or order of a folder is in them."""

import gzip
import io
import lzma
import tarfile
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A file, or a folder where `content` is `None`."""

    path: str
    content: bytes | None = None
    mode: int = 0o644
    owner: int = 0


def folder(path: str, mode: int = 0o755, owner: int = 0) -> Entry:
    return Entry(path, None, mode, owner)


def with_parents(entries: list[Entry]) -> list[Entry]:
    """The entries by path, each after the folders that it lies in."""
    known = {entry.path: entry for entry in entries}
    for entry in entries:
        parts = entry.path.split("/")[:-1]
        for end in range(1, len(parts) + 1):
            known.setdefault("/".join(parts[:end]), folder("/".join(parts[:end])))
    return [known[path] for path in sorted(known)]


def tar(entries: list[Entry], seconds: int, prefix: str = "") -> bytes:
    """A tar of the entries with their parents, all of the same time (seconds since 1970)."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for entry in with_parents(entries):
            info = tarfile.TarInfo(prefix + entry.path)
            info.mtime, info.mode, info.uid, info.gid = seconds, entry.mode, entry.owner, entry.owner
            if entry.content is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(entry.content)
                archive.addfile(info, io.BytesIO(entry.content))
    return written.getvalue()


def gzipped(data: bytes, level: int = 9) -> bytes:
    return gzip.compress(data, level, mtime=0)


def xzipped(data: bytes, level: int = 9) -> bytes:
    return lzma.compress(data, check=lzma.CHECK_CRC32, preset=level)


def ar(members: list[tuple[str, bytes]], seconds: int) -> bytes:
    """The archive that a Debian package is."""
    written = [b"!<arch>\n"]
    for name, content in members:
        written.append(f"{name:<16}{seconds:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode())
        written.append(content + b"\n" * (len(content) % 2))
    return b"".join(written)
