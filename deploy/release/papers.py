"""What is in the programs (CycloneDX 1.5), and what they were built from (SLSA provenance 1, in an in-toto statement)."""

import hashlib
import json
import subprocess
import tomllib
import uuid
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("svc-local", "svc-cli", "svc-runner")
WEB = ROOT / "functions/portal/web/package-lock.json"
# Names this way of building; a reader finds it in the Makefile of the commit.
BUILD_TYPE = "urn:svc:make-release:1"


def crates() -> dict:
    # All platforms: nothing must be fetched, and what a platform leaves out does no harm in a list.
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline"]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def sbom(version: str, commit: str, seconds: int, libraries: dict[str, bytes]) -> dict:
    """Crates that the programs are linked from, npm packages of the web app, and the files of the image that are not ours."""
    metadata = crates()
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    sums = {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock["package"]}
    used, left = set(), [id for id, package in packages.items() if package["name"] in PACKAGES]
    while left:
        id = left.pop()
        if id not in used:
            used.add(id)
            left += linked(nodes[id])
    reference = {id: f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}" for id in used}
    components = [crate(packages[id], reference[id], sums) for id in used]
    depends = [
        {"ref": reference[id], "dependsOn": sorted({reference[on] for on in linked(nodes[id])})} for id in used
    ]
    components += web()
    for path, content in libraries.items():
        digest = hashlib.sha256(content).hexdigest()
        components.append(
            {"type": "file", "bom-ref": f"file:/{path}", "name": f"/{path}", "hashes": [{"alg": "SHA-256", "content": digest}]}
        )
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'urn:svc:{version}:{commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": "svc", "name": "svc", "version": version},
        },
        "components": sorted(components, key=lambda component: component["bom-ref"]),
        "dependencies": sorted(depends, key=lambda one: one["ref"]),
    }


def linked(node: dict) -> list[str]:
    """The crates that one is linked with: not those of its tests and its build script."""
    return [on["pkg"] for on in node["deps"] if any(kind["kind"] is None for kind in on["dep_kinds"])]


def crate(package: dict, reference: str, sums: dict) -> dict:
    component = {
        "type": "library",
        "bom-ref": reference,
        "name": package["name"],
        "version": package["version"],
        "purl": reference,
    }
    if package["license"]:
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := sums.get((package["name"], package["version"])):
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return component


def web() -> list[dict]:
    """The npm packages that the web app is bundled from."""
    found = {}
    for path, entry in json.loads(WEB.read_text())["packages"].items():
        if "node_modules/" not in path or entry.get("dev") or entry.get("optional") or entry.get("link"):
            continue
        name = path.rsplit("node_modules/", 1)[1]
        purl = f"pkg:npm/{quote(name, safe='/')}@{entry['version']}"
        component = {"type": "library", "bom-ref": purl, "name": name, "version": entry["version"], "purl": purl}
        if "license" in entry:
            component["licenses"] = [{"expression": entry["license"]}]
        found[purl] = component
    return list(found.values())


def provenance(commit: str, how: dict, inputs: dict[str, str], outputs: dict[str, str], builder: str) -> dict:
    """What was built from what, and how. `inputs` and `outputs` are names with their SHA-256."""
    sources = [
        {"uri": f"git+file:.@{commit}", "digest": {"gitCommit": commit}},
        *({"uri": f"file:{name}", "digest": {"sha256": digest}} for name, digest in sorted(inputs.items())),
    ]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sorted(outputs.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"command": "make release", "commit": commit},
                "internalParameters": how,
                "resolvedDependencies": sources,
            },
            "runDetails": {"builder": {"id": builder}},
        },
    }
