"""The container image: one layer with `svc-server`, the libraries that it loads, and certificate authorities. No shell.

One tar in the layout of the OCI image specification, with the `manifest.json` that `docker load` reads beside it.
"""

import hashlib
import json
from datetime import UTC, datetime

from archive import Entry, folder, gzipped, tar

USER = 65532
ROOTS = "etc/ssl/certs/ca-certificates.crt"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


def root(program: bytes, foreign: dict[str, bytes], licence: bytes) -> list[Entry]:
    """The file system of a container. `foreign` are the libraries and the certificate authorities, by path."""
    return [
        Entry("usr/bin/svc-server", program, 0o755),
        *(Entry(path, content, 0o644 if path == ROOTS else 0o755) for path, content in foreign.items()),
        Entry("etc/passwd", f"svc:x:{USER}:{USER}:svc:/data:/sbin/nologin\n".encode()),
        Entry("etc/group", f"svc:x:{USER}:\n".encode()),
        Entry("etc/nsswitch.conf", b"hosts: files dns\n"),
        folder("data", 0o700, USER),
        folder("tmp", 0o1777),
        Entry("usr/share/doc/svc-server/LICENSE", licence),
    ]


def written(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def image(files: list[Entry], release, architecture: str) -> bytes:
    version, seconds = release.version, release.seconds
    name = f"svc-server:{version}"
    created = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.revision": release.commit,
        "org.opencontainers.image.title": "svc-server",
        "org.opencontainers.image.version": version,
    }
    blobs: dict[str, bytes] = {}

    def blob(media: str, content: bytes) -> dict:
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": media, "digest": f"sha256:{digest}", "size": len(content)}

    inner = tar(files, seconds)
    layer = blob(LAYER, gzipped(inner, release.level or 1))
    config = {
        "architecture": architecture,
        "os": "linux",
        "created": created,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(inner).hexdigest()}"]},
        "history": [{"created": created, "created_by": "make release"}],
        "config": {
            "User": f"{USER}:{USER}",
            "Env": [
                "PATH=/usr/bin",
                f"SSL_CERT_FILE=/{ROOTS}",
                "SVC_LISTEN=0.0.0.0:8080",
                "Storage__Directory=/data",
            ],
            "Entrypoint": ["/usr/bin/svc-server"],
            "WorkingDir": "/data",
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {"/data": {}},
            "StopSignal": "SIGTERM",
            "Labels": labels,
            # Docker asks so; nanoseconds. The server gives each step of its answer five seconds.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/svc-server", "healthcheck"],
                "Interval": 30 * 10**9,
                "Timeout": 12 * 10**9,
                "StartPeriod": 30 * 10**9,
            },
        },
    }
    configured = blob(CONFIG, written(config))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": configured, "layers": [layer], "annotations": labels}
    described = blob(MANIFEST, written(manifest))
    described["platform"] = {"architecture": architecture, "os": "linux"}
    described["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/{name}",
        "org.opencontainers.image.ref.name": version,
    }
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [described]}
    path = lambda of: "blobs/sha256/" + of["digest"].removeprefix("sha256:")
    docker = [{"Config": path(configured), "RepoTags": [name], "Layers": [path(layer)]}]
    files = {
        "oci-layout": written({"imageLayoutVersion": "1.0.0"}),
        "index.json": written(index),
        "manifest.json": written(docker),
        **blobs,
    }
    return tar([Entry(path, content) for path, content in files.items()], seconds)
