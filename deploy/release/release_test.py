"""What is shipped has the same bytes twice, and the form that its readers expect."""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEPLOY = HERE.parent
sys.path.insert(0, str(HERE))

import image  # noqa: E402


def made(out: Path, **environment: str) -> dict[str, bytes]:
    """A release of programs that stand in for ours."""
    bin = out / "bin"
    bin.mkdir(parents=True)
    for name in ("svc-server", "svc", "svc-runner"):
        shutil.copy(shutil.which("true"), bin / name)
    command = [sys.executable, "-B", HERE / "build.py", bin, out / "made"]
    roots = out / "roots.pem"
    roots.write_text("-----BEGIN CERTIFICATE-----\n")
    given = {**os.environ, "CA_ROOTS": str(roots), **environment}
    subprocess.run(command, check=True, cwd=out, env=given, stdout=subprocess.DEVNULL)
    return {file.name: file.read_bytes() for file in (out / "made").iterdir()}


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp())
        cls.files = made(cls.scratch / "first")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def named(self, ending: str) -> bytes:
        return next(content for name, content in self.files.items() if name.endswith(ending))

    def test_it_is_the_same_twice_elsewhere_and_for_another_user(self):
        before = os.umask(0o077)
        try:
            again = made(self.scratch / "second", TZ="Asia/Tokyo", LC_ALL="C")
        finally:
            os.umask(before)
        self.assertEqual(again.keys(), self.files.keys())
        self.assertEqual([name for name in again if again[name] != self.files[name]], [])

    def test_a_folder_of_something_else_is_left_alone(self):
        kept = self.scratch / "first/bin"
        ran = subprocess.run([sys.executable, "-B", HERE / "build.py", kept, kept], capture_output=True, text=True)
        self.assertIn("holds something else", ran.stderr)
        self.assertTrue((kept / "svc").exists())

    def test_checksums_and_provenance_name_every_file(self):
        sums = dict(reversed(line.split("  ")) for line in self.files["SHA256SUMS"].decode().splitlines())
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in self.files.items()}
        self.assertEqual(sums, {name: digest for name, digest in digests.items() if name != "SHA256SUMS"})
        told = json.loads(self.files["provenance.intoto.json"])
        subjects = {one["name"]: one["digest"]["sha256"] for one in told["subject"]}
        self.assertEqual(subjects.keys(), self.files.keys() - {"SHA256SUMS", "provenance.intoto.json"})
        self.assertTrue(all(digests[name] == digest for name, digest in subjects.items()))
        self.assertEqual((told["_type"], told["predicateType"]), ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"))
        definition = told["predicate"]["buildDefinition"]
        self.assertTrue(definition["buildType"] and told["predicate"]["runDetails"]["builder"]["id"])
        self.assertEqual(definition["resolvedDependencies"][0]["digest"]["gitCommit"], definition["externalParameters"]["commit"])

    def test_the_sbom_names_what_is_linked_and_bundled_and_no_more(self):
        bom = json.loads(self.files["sbom.cdx.json"])
        names = {component["name"] for component in bom["components"]}
        self.assertLessEqual({"tokio", "rusqlite", "svc-domain", "react", "/etc/ssl/certs/ca-certificates.crt"}, names)
        # Of tests, and of the web app's build.
        self.assertEqual(names & {"insta", "proptest", "svc-testkit", "vite", "playwright-core"}, set())
        references = [component["bom-ref"] for component in bom["components"]]
        self.assertEqual(len(references), len(set(references)))
        self.assertLessEqual({on for one in bom["dependencies"] for on in one["dependsOn"]}, set(references))
        self.assertTrue(all("/" not in one["expression"] for of in bom["components"] for one in of.get("licenses", [])))

    def test_the_image_is_as_the_specification_says(self):
        with tarfile.open(fileobj=io.BytesIO(self.named(".oci.tar"))) as archive:
            files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        self.assertEqual(json.loads(files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})

        def blob(of: dict) -> bytes:
            algorithm, digest = of["digest"].split(":")
            content = files[f"blobs/{algorithm}/{digest}"]
            self.assertEqual((hashlib.sha256(content).hexdigest(), len(content)), (digest, of["size"]))
            return content

        index = json.loads(files["index.json"])
        self.assertEqual((index["schemaVersion"], index["mediaType"], len(index["manifests"])), (2, image.INDEX, 1))
        manifest = json.loads(blob(index["manifests"][0]))
        self.assertEqual((manifest["schemaVersion"], manifest["mediaType"]), (2, image.MANIFEST))
        self.assertEqual([layer["mediaType"] for layer in manifest["layers"]], [image.LAYER])
        self.assertEqual(manifest["config"]["mediaType"], image.CONFIG)
        config = json.loads(blob(manifest["config"]))
        inner = gzip.decompress(blob(manifest["layers"][0]))
        self.assertEqual(config["rootfs"], {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(inner).hexdigest()]})
        self.assertEqual((config["os"], index["manifests"][0]["platform"]["architecture"]), ("linux", config["architecture"]))
        self.assertEqual(config["config"]["User"], "65532:65532")
        self.assertEqual(len(files), 3 + 3, "no blob that nothing names")
        docker = json.loads(files["manifest.json"])[0]
        self.assertLessEqual({docker["Config"], *docker["Layers"]}, files.keys())
        with tarfile.open(fileobj=io.BytesIO(inner)) as layer:
            members = {member.name: member for member in layer}
        self.assertTrue(all(not name.startswith("/") and ".." not in name for name in members))
        self.assertTrue(all(not member.mode & 0o6000 for member in members.values()))
        data = members["data"]
        self.assertEqual((data.uid, data.mode), (65532, 0o700))
        self.assertNotIn("bin/sh", members)

    def test_the_packages_are_debians(self):
        if not shutil.which("dpkg-deb"):
            self.skipTest("dpkg-deb is not installed")
        for name in self.files:
            if name.endswith(".deb"):
                file = self.scratch / "first/made" / name
                fields = subprocess.run(["dpkg-deb", "--field", file], capture_output=True, text=True, check=True).stdout
                self.assertIn("Version: 0.1.0\n", fields)
                subprocess.run(["dpkg-deb", "--contents", file], stdout=subprocess.DEVNULL, check=True)


class Unit(unittest.TestCase):
    def test_systemd_takes_the_unit_and_finds_it_hardened(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd is not installed")
        with tempfile.TemporaryDirectory() as scratch:
            unit = Path(scratch) / "svc-server.service"
            text = (DEPLOY / "debian/svc-server.service").read_text()
            unit.write_text(text.replace("/usr/bin/svc-server", shutil.which("true")))
            said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
            about = [line for line in said.stderr.splitlines() if unit.name in line]
            self.assertEqual((said.returncode, about), (0, []), said.stderr)
            command = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", unit]
            said = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stdout[-300:] + said.stderr)

    def test_docker_and_caddy_take_their_files(self):
        given = {**os.environ, "DOMAIN": "tracker.example"}
        if subprocess.run(["sh", "-c", "docker compose version"], capture_output=True).returncode == 0:
            command = ["docker", "compose", "--file", DEPLOY / "compose.yaml", "config", "--quiet"]
            subprocess.run(command, env=given, check=True)
        if shutil.which("caddy"):
            command = ["caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"]
            subprocess.run(command, env=given, check=True, capture_output=True)

    def test_shells_read_the_scripts(self):
        for name in ("postinst", "prerm", "postrm"):
            subprocess.run(["sh", "-n", DEPLOY / "debian" / name], check=True)


def failregex() -> list[re.Pattern]:
    """The expressions of the filter, as fail2ban reads them without the prefix of a journal."""
    text = (DEPLOY / "fail2ban/filter.d/svc.conf").read_text()
    said = re.search(r"^_said = (.*)$", text, re.M)[1]
    lines = re.search(r"^failregex = (.*?)^\w", text, re.M | re.S)[1].splitlines()
    filled = [line.strip().replace("%(_said)s", said).replace("(?:%(__prefix_line)s)?", "") for line in lines]
    return [re.compile(line.replace("<ADDR>", r"(?P<addr>[0-9a-f.:]+)")) for line in filled if line]


if __name__ == "__main__":
    unittest.main()
