"""What a program asks of the machine that it runs on: processor, C library, shared libraries."""

import re
import subprocess
from pathlib import Path

# By the ELF header's number: as Go and containers, and as the kernel call it.
MACHINES = {62: ("amd64", "x86_64"), 183: ("arm64", "aarch64")}


def machine(program: bytes) -> tuple[str, str]:
    number = int.from_bytes(program[18:20], "little")
    if program[:4] != b"\x7fELF" or number not in MACHINES:
        raise SystemExit("a program is for no processor that packages are made for")
    return MACHINES[number]


def glibc(program: bytes) -> str:
    """The oldest C library that has all that the program names."""
    versions = {tuple(map(int, found.split(b"."))) for found in re.findall(rb"GLIBC_(\d+\.\d+)\b", program)}
    return ".".join(map(str, max(versions, default=(2, 17))))


def libraries(program: Path) -> list[Path]:
    """The shared libraries of the program, and what loads them, where they lie on this machine."""
    told = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return sorted({Path(found) for found in re.findall(r"(/\S+) \(0x", told)})
