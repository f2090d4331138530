"""Two servers on one table, bucket and queue, beside the deployed functions: one is killed in the midst of writes.

    python localstack/replicas.py PROGRAM SERVER

PROGRAM is svc-lambda, SERVER is svc-server. Nothing may be lost or doubled, and clients go on within five seconds.
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from pathlib import Path

from stack import REGION, Stack, free_port, wait
from try_once import PASSWORD, Client

WRITES, WRITERS = 240, 8
PATIENCE = 5


class Server:
    def __init__(self, program: Path, stack: Stack, folder: Path):
        self.url = f"http://127.0.0.1:{free_port()}"
        environment = {
            **os.environ,
            "AWS_ENDPOINT_URL": stack.engine.endpoint,
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "Storage__Table": stack.outputs["TableName"],
            "Storage__Bucket": stack.outputs["BucketName"],
            "Storage__QueueUrl": stack.outputs["QueueUrl"],
            "Service__BaseUrl": stack.url,
            "RateLimits__RequestsPerMinute": "100000",
        }
        address = self.url.removeprefix("http://")
        with open(folder / f"server-{address}.log", "wb") as log:
            command = [program, "--store", "aws", "--listen", address]
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        wait(60, f"the server on {address}", self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server ended at its start"
        try:
            Client(self.url, quiet=True).call("GET", "/livez")
            return True
        except urllib.error.URLError:
            return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def story(stack: Stack, servers: list[Server]) -> None:
    owner = Client(servers[0].url)
    organization = {"slug": "acme", "name": "Acme"}
    account = {"email": "ada@example.com", "displayName": "Ada", "password": PASSWORD, "organization": organization}
    owner.call("POST", "/api/v1/auth/register", account, 201)
    owner.call("POST", "/api/v1/orgs/acme/projects", {"key": "WEB", "name": "Web"}, 201)
    token = owner.call("POST", "/api/v1/me/tokens", {"name": "t", "scopes": ["read", "write"]}, 201)["secret"]
    bearer = {"authorization": f"Bearer {token}"}
    written, slowest, lock = [0], [0.0], threading.Lock()

    def write(number: int) -> None:
        """One item, at either server, until one answers: the key makes repeating harmless."""
        item, key = {"type": "task", "title": f"Item {number}"}, {"idempotency_key": f"write-{number}"}
        begun, at = time.monotonic(), number
        while True:
            try:
                client = Client(servers[at % 2].url, quiet=True)
                client.call("POST", "/api/v1/orgs/acme/projects/WEB/items", item, 201, **bearer, **key)
                break
            except (OSError, SystemExit):
                assert time.monotonic() - begun < 4 * PATIENCE, f"nobody takes item {number}"
                at += 1
                time.sleep(0.05)
        with lock:
            written[0] += 1
            slowest[0] = max(slowest[0], time.monotonic() - begun)

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as writers:
        writes = [writers.submit(write, number) for number in range(WRITES)]
        wait(60, "a third of the writes", lambda: written[0] >= WRITES // 3 or any(one.done() and one.exception() for one in writes))
        servers[1].kill()
        killed_at = written[0]
        for one in writes:
            one.result()
    titles = []
    for page in range(1, WRITES // 100 + 2):
        path = f"/api/v1/orgs/acme/projects/WEB/items?pageSize=100&page={page}"
        titles += [one["title"] for one in Client(servers[0].url, quiet=True).call("GET", path, **bearer)["items"]]
    assert sorted(titles) == sorted(f"Item {number}" for number in range(WRITES)), f"{len(titles)} items"
    assert slowest[0] < PATIENCE * 2, f"a client waited {slowest[0]:.1f} s"
    # The functions serve the same rows.
    owner.url = stack.url
    seen = owner.call("GET", "/api/v1/orgs/acme/projects/WEB/items")
    assert seen["totalCount"] == WRITES, seen["totalCount"]
    print(f"killed after {killed_at} of {WRITES} writes: none lost, none doubled; the slowest took {slowest[0]:.1f} s")


def main() -> None:
    program, server = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="svc-cloud-") as temporary:
        folder = Path(temporary)
        stack, servers = Stack(program, folder), []
        try:
            for _ in range(2):
                servers.append(Server(server, stack, folder))
            story(stack, servers)
        finally:
            for one in servers:
                one.kill()
            stack.stop()


if __name__ == "__main__":
    main()
