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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

import debian  # noqa: E402
import elf  # noqa: E402
import image  # noqa: E402
import papers  # noqa: E402
from archive import Entry  # noqa: E402

ROOT = papers.ROOT
PROGRAMS = ("svc-server", "svc", "svc-runner")
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


def make(bin: Path, out: Path, quick: bool) -> None:
    commit = git("rev-parse", "HEAD")
    # The contract that a release promises is written by it.
    clean = not git("status", "--porcelain", "--", ".", ":!functions/portal/openapi/released")
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct"))
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    programs = {name: stripped(bin / name) for name in PROGRAMS}
    architecture, machine = elf.machine(programs["svc-server"])
    licence = (ROOT / "LICENSE").read_bytes()
    level = 0 if quick else 9
    files: dict[str, bytes] = dict(programs)

    fields = {
        "Version": version,
        "Architecture": architecture,
        "Maintainer": "The svc developers <svc@localhost>",
        "Priority": "optional",
    }
    copyright = lambda name: [Entry(f"usr/share/doc/{name}/copyright", licence)]
    needs = lambda name: f"libc6 (>= {elf.glibc(programs[name])}), libgcc-s1, ca-certificates"
    laid, control = debian.server(programs["svc-server"], copyright("svc-server"))
    told = fields | {
        "Section": "net",
        "Depends": needs("svc-server") + ", passwd",
        "Description": "work tracker that hands items to coding agents\n"
        " One server with the web app in it. It keeps its data in /var/lib/svc, and is set\n"
        " up in /etc/svc/svc-server.toml.",
    }
    name = f"svc-server_{version}_{architecture}.deb"
    files[name] = debian.package("svc-server", told, laid, control, seconds, level)
    told = fields | {
        "Section": "utils",
        "Depends": needs("svc"),
        "Recommends": "git",
        "Description": "command line and runner of the svc work tracker\n"
        " People and machines use it to work with items and to run coding agents.",
    }
    laid = [Entry("usr/bin/svc", programs["svc"], 0o755), *copyright("svc")]
    files[f"svc_{version}_{architecture}.deb"] = debian.package("svc", told, laid, [], seconds, level)

    libraries = {str(path).lstrip("/"): path.read_bytes() for path in elf.libraries(bin / "svc-server")}
    roots = authorities()
    loaded = [Entry(path, content, 0o755) for path, content in libraries.items()]
    container = image.root(programs["svc-server"], loaded, roots, [Entry("usr/share/doc/svc-server/LICENSE", licence)])
    name = f"svc-server-{version}-{architecture}.oci.tar"
    files[name] = image.image(container, version, commit, architecture, seconds, level or 1)
    foreign = {**libraries, image.ROOTS: roots}
    files["sbom.cdx.json"] = json.dumps(papers.sbom(version, commit, seconds, foreign), indent=1).encode()

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
        (out / name).chmod(0o755 if name in programs else 0o644)
    files |= {} if quick else npm(out, version, machine)
    rust = subprocess.run(["rustc", "--version"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    inputs = {path: digest((ROOT / path).read_bytes()) for path in ("Cargo.lock", "functions/portal/web/package-lock.json")}
    inputs |= {f"/{path}": digest(content) for path, content in foreign.items()}
    outputs = {name: digest(content) for name, content in files.items()}
    told = papers.provenance(commit, clean, inputs, outputs, os.environ.get("BUILDER", "urn:svc:make-release"))
    told["predicate"]["buildDefinition"]["internalParameters"]["rustc"] = rust
    files["provenance.intoto.json"] = json.dumps(told, indent=1).encode()
    (out / "provenance.intoto.json").write_bytes(files["provenance.intoto.json"])
    sums = "".join(f"{digest(files[name])}  {name}\n" for name in sorted(files))
    (out / "SHA256SUMS").write_text(sums)


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
