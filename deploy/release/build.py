"""Makes what is shipped from built programs, in one folder: the same bytes from the same programs and commit.

    python3 deploy/release/build.py BIN OUT [--quick]

BIN holds svc-server, svc and svc-runner; OUT is made anew. `--quick` hardly compresses, and makes no npm packages: for tests.

    SOURCE_DATE_EPOCH   the time of everything, in seconds (default: that of the commit)
    CA_ROOTS            PEM file of the certificate authorities in the image (default: Mozilla's, of Debian's ca-certificates)
    BUILDER             address of who builds, for the provenance (default: urn:svc:make-release)
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

import debian  # noqa: E402
import elf  # noqa: E402
import image  # noqa: E402
import papers  # noqa: E402

ROOT = papers.ROOT
PROGRAMS = ("svc-server", "svc", "svc-runner")
LOCKS = ("Cargo.lock", "functions/portal/web/package-lock.json")
MOZILLA = Path("/usr/share/ca-certificates/mozilla")


def git(*args: str) -> str:
    return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def stripped(program: Path) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / program.name
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy.read_bytes()


def authorities() -> bytes:
    """The certificate authorities of the image: never those that only this machine trusts."""
    if named := os.environ.get("CA_ROOTS"):
        return Path(named).read_bytes()
    roots = b"".join(file.read_bytes().rstrip() + b"\n" for file in sorted(MOZILLA.glob("*.crt")))
    if not roots:
        sys.exit(f"there are no certificate authorities in {MOZILLA}: install ca-certificates, or name a file in CA_ROOTS")
    return roots


@dataclass(frozen=True)
class Release:
    """What a release is made from, besides its programs."""

    version: str
    commit: str
    seconds: int
    level: int

    @classmethod
    def of_this_commit(cls, quick: bool) -> "Release":
        version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
        seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct"))
        return cls(version, git("rev-parse", "HEAD"), seconds, 0 if quick else 9)


def make(bin: Path, out: Path, quick: bool) -> None:
    if out.exists() and any(out.iterdir()) and not (out / "SHA256SUMS").exists():
        sys.exit(f"{out} holds something else than a release: name another folder")
    release = Release.of_this_commit(quick)
    programs = {name: stripped(bin / name) for name in PROGRAMS}
    architecture, machine = elf.machine(programs["svc-server"])
    foreign = {str(path).lstrip("/"): path.read_bytes() for path in elf.libraries(bin / "svc-server")}
    foreign[image.ROOTS] = authorities()

    files = dict(programs)
    for name, package in debian.packages(programs, release, architecture):
        files[f"{name}_{release.version}_{architecture}.deb"] = package
    container = image.root(programs["svc-server"], foreign, (ROOT / "LICENSE").read_bytes())
    files[f"svc-server-{release.version}-{architecture}.oci.tar"] = image.image(container, release, architecture)
    bom = papers.sbom(release.version, release.commit, release.seconds, foreign)
    files["sbom.cdx.json"] = json.dumps(bom, indent=1).encode()

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
        (out / name).chmod(0o755 if name in programs else 0o644)
    files |= {} if quick else npm(out, release.version, machine)
    outputs = {name: digest(content) for name, content in files.items()}
    built = {f"/{path}": digest(content) for path, content in foreign.items()}
    built |= {path: digest((ROOT / path).read_bytes()) for path in LOCKS}
    # The contract that a release promises is written by it.
    clean = not git("status", "--porcelain", "--", ".", ":!functions/portal/openapi/released")
    rust = subprocess.run(["rustc", "--version"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    builder = os.environ.get("BUILDER", "urn:svc:make-release")
    provenance = papers.provenance(release.commit, {"clean": clean, "rustc": rust}, built, outputs, builder)
    (out / "provenance.intoto.json").write_text(json.dumps(provenance, indent=1))
    outputs["provenance.intoto.json"] = digest((out / "provenance.intoto.json").read_bytes())
    (out / "SHA256SUMS").write_text("".join(f"{outputs[name]}  {name}\n" for name in sorted(outputs)))


def npm(out: Path, version: str, machine: str) -> dict[str, bytes]:
    """The packages of the command line for npm, where Node.js is."""
    if not shutil.which("npm"):
        print("release: Node.js is not installed: the npm packages are left out", file=sys.stderr)
        return {}
    platform = "linux-x64" if machine == "x86_64" else "linux-arm64"
    command = ["node", ROOT / "cli/npm/pack.mjs", out, version, f"{platform}={out / 'svc'}"]
    packed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return {Path(path).name: Path(path).read_bytes() for path in packed}


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    make(Path(arguments[0]), Path(arguments[1]), "--quick" in sys.argv)
    for made in sorted(Path(arguments[1]).iterdir()):
        print(f"{made.stat().st_size / 1e6:9.1f} MB  {made}")
