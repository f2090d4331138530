"""The package of the functions: one program as `bootstrap` in a zip, the same bytes for the same program.

    python infra/package.py PROGRAM    writes infra/build/svc-lambda.zip, and prints its size and digest
"""

import hashlib
import sys
import zipfile
from pathlib import Path

# Where the template says that it is.
CODE = "build/svc-lambda.zip"
# Lambda takes 250 MB unpacked; what is loaded from S3 at a cold start should be much less.
MOST = 15 * 1000 * 1000


def write(program: Path, archive: Path, level: int = 9) -> Path:
    """Writes the zip. Nothing in it depends on the time, the user or the folder."""
    entry = zipfile.ZipInfo("bootstrap", date_time=(1980, 1, 1, 0, 0, 0))
    entry.external_attr = 0o755 << 16
    entry.create_system = 3
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr(entry, program.read_bytes(), compresslevel=level)
    return archive


def digest(archive: Path) -> str:
    return hashlib.sha256(archive.read_bytes()).hexdigest()


if __name__ == "__main__":
    written = write(Path(sys.argv[1]), Path(__file__).parent / CODE)
    size = written.stat().st_size
    print(f"{written}: {size / 1e6:.1f} MB, sha256 {digest(written)}")
    if size > MOST:
        sys.exit(f"the package is larger than {MOST // 1000000} MB")
