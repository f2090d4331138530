"""What is shipped, installed: the Debian package in a copy of this system, and the image's layer in a root of its own.

Both need root: the copy is an overlay in a mount namespace, so that nothing of this machine changes.
"""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from release_test import HERE, failregex

BIN = Path(os.environ.get("BIN", Path.home() / ".cache/svc/target/debug"))
PATIENCE = 120
ADA = {"email": "ada@example.com", "password": "correct horse battery"}
FIRST = ADA | {"displayName": "Ada", "organization": {"name": "Acme", "slug": "acme"}}
OVERLAY = """set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for place in dev proc; do mount --rbind "/$place" "$1/root/$place"; done
mount -t tmpfs tmpfs "$1/root/tmp"
rm -rf "$1/root/run/systemd/system"
echo ready
exec sleep infinity"""


def free_address() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


def ask(address: str, path: str, body: dict | None = None) -> tuple[int, str]:
    request = urllib.request.Request(f"http://{address}{path}", data=json.dumps(body).encode() if body else None)
    request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


class Server:
    """A server that runs until the end of the block."""

    def __init__(self, command: list, environment: dict[str, str]):
        self.address = free_address()
        self.log = tempfile.TemporaryFile("w+")
        given = {"PATH": os.environ["PATH"], "SVC_LISTEN": self.address, **environment}
        self.process = subprocess.Popen(command, env=given, stdout=self.log, stderr=self.log)

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def __enter__(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if ask(self.address, "/readyz")[0] == 200:
                    return self
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        self.process.kill()
        raise AssertionError(f"the server does not answer:\n{self.said()}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.log.close()


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "only root can make a root of its own")
class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp())
        cls.made = cls.scratch / "made"
        command = [sys.executable, "-B", HERE / "build.py", BIN, cls.made, "--quick"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def pick(self, pattern: str) -> Path:
        (found,) = self.made.glob(pattern)
        return found

    def test_a_package_is_installed_upgraded_removed_and_purged(self):
        if not shutil.which("dpkg"):
            self.skipTest("dpkg is not installed")
        place = self.scratch / "system"
        place.mkdir()
        command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", OVERLAY, "sh", place]
        system = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(system.communicate)
        self.addCleanup(system.kill)
        if system.stdout.readline() != "ready\n":
            self.skipTest("this machine permits no overlay")
        within = ["nsenter", "--mount", "--target", str(system.pid), "chroot"]
        root = Path(f"/proc/{system.pid}/root") / place.relative_to("/") / "root"
        package = self.pick("svc-server_*.deb")
        shutil.copy(package, root / "tmp")

        def run(*command: str) -> str:
            ran = subprocess.run([*within, place / "root", *command], capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, f"{command}: {ran.stdout}{ran.stderr}")
            return ran.stdout + ran.stderr

        def started() -> Server:
            unit = (root / "usr/lib/systemd/system/svc-server.service").read_text()
            line = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
            # As the unit has it: no capabilities, and none to gain.
            alone = ["setpriv", "--reuid=svc", "--regid=svc", "--clear-groups", "--no-new-privs"]
            alone += ["--bounding-set=-all", "--inh-caps=-all"]
            return Server([*within, place / "root", *alone, *shlex.split(line.removeprefix("ExecStart="))], {})

        run("dpkg", "--install", f"/tmp/{package.name}")
        settings = root / "etc/svc/svc-server.toml"
        data = root / "var/lib/svc"
        self.assertEqual((settings.stat().st_mode & 0o777, data.stat().st_mode & 0o777), (0o640, 0o700))
        self.assertEqual(settings.stat().st_gid, data.stat().st_gid)
        self.assertNotEqual(data.stat().st_uid, 0)
        with started() as server:
            status, told = ask(server.address, "/api/v1/auth/register", FIRST)
            self.assertIn(status, (200, 201), told)
            self.assertIn("<!doctype html>", ask(server.address, "/")[1].lower())
            self.assertEqual(ask(server.address, "/api/v1/auth/login", ADA | {"password": "wrong wrong wrong"})[0], 401)
            time_out = time.monotonic() + PATIENCE
            while "a sign-in failed" not in server.said() and time.monotonic() < time_out:
                time.sleep(0.05)
            lines = [line[27:] for line in server.said().splitlines() if "a sign-in failed" in line]
            matched = [regex.search(line) for line in lines for regex in failregex() if regex.search(line)]
            self.assertEqual([match["addr"] for match in matched], ["127.0.0.1"], lines)
        settings.write_text(settings.read_text() + '\n[Logging]\nFormat = "json"\n')

        # An upgrade keeps settings and data.
        run("dpkg", "--install", f"/tmp/{package.name}")
        self.assertIn('Format = "json"', settings.read_text())
        with started() as server:
            self.assertEqual(ask(server.address, "/api/v1/auth/login", ADA | {"password": "wrong wrong wrong"})[0], 401)
            self.assertEqual(ask(server.address, "/api/v1/auth/login", ADA)[0], 200)
            lines = [line for line in server.said().splitlines() if "a sign-in failed" in line]
            self.assertTrue(any(regex.search(line) for line in lines for regex in failregex()), lines)
        run("dpkg", "--remove", "svc-server")
        self.assertTrue(settings.exists() and not (root / "usr/bin/svc-server").exists())
        self.assertIn("the data stays in /var/lib/svc", run("dpkg", "--purge", "svc-server"))
        self.assertTrue((data / "store.db").exists() and not settings.exists())

    def test_the_layer_of_the_image_is_all_that_it_needs(self):
        with tarfile.open(self.pick("*.oci.tar")) as archive:
            read = lambda name: archive.extractfile(name).read()
            docker = json.loads(read("manifest.json"))[0]
            config = json.loads(read(docker["Config"]))["config"]
            (self.scratch / "layer.tar.gz").write_bytes(read(docker["Layers"][0]))
        root = self.scratch / "root"
        root.mkdir()
        subprocess.run(["tar", "--numeric-owner", "-xpf", self.scratch / "layer.tar.gz", "-C", root], check=True)
        environment = dict(line.split("=", 1) for line in config["Env"] if not line.startswith(("SVC_LISTEN", "PATH")))
        alone = ["chroot", f"--userspec={config['User']}", "--groups=", root]
        with Server([*alone, *config["Entrypoint"]], environment) as server:
            self.assertIn("<!doctype html>", ask(server.address, "/")[1].lower())
            given = {"PATH": os.environ["PATH"], "SVC_LISTEN": server.address}
            check = [*alone, *config["Healthcheck"]["Test"][1:]]
            self.assertEqual(subprocess.run(check, env=given, stdout=subprocess.DEVNULL).returncode, 0)
        self.assertTrue((root / "data/store.db").exists())
        self.assertNotEqual(subprocess.run(check, env=given, stderr=subprocess.DEVNULL).returncode, 0)


if __name__ == "__main__":
    unittest.main()
