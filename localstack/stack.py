"""The stack of infra/template.yaml on this machine: an engine without containers, the template as it is, an HTTP front.

    python localstack/stack.py PROGRAM [--port N] [--data DIR]

PROGRAM is svc-lambda. Prints one line of JSON when the service answers (url, endpoint, region, outputs of the stack), and
runs until its standard input ends. Roles are enforced: a function may do what the template says, and nothing else.
"""

import argparse
import http.client
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import boto3

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "infra"))
import package  # noqa: E402

REGION = "eu-central-1"
START = 60
DEPLOY = 180
# Headers that say something about one connection only.
HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Engine:
    """The local engine, with everything it writes in one folder."""

    def __init__(self, folder: Path):
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        (folder / "tmp").mkdir(parents=True, exist_ok=True)
        self.log = folder / "engine.log"
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AWS_") and "__" not in name},
            "AUTH": "true",
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(self.port),
            "MINISTACK_REGION": REGION,
            # Functions inherit it, and call back there.
            "AWS_ENDPOINT_URL": self.endpoint,
            "TMPDIR": str(folder / "tmp"),
        }
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ministack"], env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        wait(START, "the engine to answer", self._answers)

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise SystemExit(f"the engine ended at its start; see {self.log}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def client(self, service: str):
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def wait(seconds: float, what: str, holds) -> None:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise SystemExit(f"waited {seconds} s for {what}")
        time.sleep(0.05)


def deploy(engine: Engine, program: Path, folder: Path, parameters: dict[str, str], name: str = "svc") -> dict[str, str]:
    """Uploads the package, and creates or updates the stack. Answers its outputs."""
    # A program of a test build is mostly for debuggers, and packing it well takes longer than all else.
    stripped = folder / "svc-lambda"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    archive = package.write(stripped, folder / "svc-lambda.zip", level=1)
    s3, formation = engine.client("s3"), engine.client("cloudformation")
    s3.create_bucket(Bucket="deployments", CreateBucketConfiguration={"LocationConstraint": REGION})
    key = f"{package.digest(archive)}.zip"
    s3.upload_file(str(archive), "deployments", key)
    # What `sam package` does.
    template = (ROOT / "infra/template.yaml").read_text()
    packaged = template.replace(
        f"CodeUri: {package.CODE}", json.dumps({"CodeUri": {"Bucket": "deployments", "Key": key}})[1:-1]
    )
    assert packaged != template, "the template does not name the package"
    # The engine keeps the parameter as a text there, and then cannot compare it.
    packaged = packaged.replace("MaximumConcurrency: !Ref WorkersAtOnce", "MaximumConcurrency: 10")
    s3.put_object(Bucket="deployments", Key="template.yaml", Body=packaged.encode())
    change = formation.create_change_set(
        StackName=name,
        ChangeSetName=f"{name}-1",
        ChangeSetType="CREATE",
        TemplateURL=f"{engine.endpoint}/deployments/template.yaml",
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
    )
    described = lambda: formation.describe_change_set(StackName=name, ChangeSetName=change["Id"])["Status"]  # noqa: E731
    wait(DEPLOY, "the change set", lambda: described() not in ("CREATE_PENDING", "CREATE_IN_PROGRESS"))
    formation.execute_change_set(ChangeSetName=change["Id"], StackName=name)
    stack = lambda: formation.describe_stacks(StackName=name)["Stacks"][0]  # noqa: E731
    wait(DEPLOY, "the stack", lambda: not stack()["StackStatus"].endswith("_IN_PROGRESS"))
    made = stack()
    if made["StackStatus"] != "CREATE_COMPLETE":
        events = formation.describe_stack_events(StackName=name)["StackEvents"]
        reasons = [
            f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason')}"
            for event in events
            if "FAILED" in event["ResourceStatus"]
        ]
        raise SystemExit(f"the stack is {made['StackStatus']}:\n" + "\n".join(reasons))
    outputs = {output["OutputKey"]: output["OutputValue"] for output in made["Outputs"]}
    # It denies what is not encrypted, which nothing is on this machine. The engine enforces that, too.
    s3.delete_bucket_policy(Bucket=outputs["BucketName"])
    return outputs


class Front(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the API, under the name that it was asked by, as a domain of one's own would."""

    protocol_version = "HTTP/1.1"
    engine_port = 0
    stage = ""

    def pass_on(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length) if length else None
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
        headers["X-Forwarded-For"] = self.client_address[0]
        upstream = http.client.HTTPConnection("127.0.0.1", self.engine_port, timeout=60)
        try:
            upstream.request(self.command, self.stage + self.path, body, headers)
            answer = upstream.getresponse()
            content = answer.read()
        except OSError as error:
            self.send_error(502, str(error))
            return
        finally:
            upstream.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP | {"content-length", "date", "server"}:
                self.send_header(name, value)
        if answer.status != 204 and answer.status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = pass_on

    def log_message(self, *_) -> None:
        pass


class Threads(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Stack:
    """A deployed stack and the front before its API."""

    def __init__(self, program: Path, folder: Path, port: int = 0):
        folder.mkdir(parents=True, exist_ok=True)
        self.front = Threads(("127.0.0.1", port), Front)
        self.url = f"http://127.0.0.1:{self.front.server_address[1]}"
        self.engine = Engine(folder)
        try:
            self.outputs = deploy(self.engine, program, folder, {"BaseUrl": self.url})
        except BaseException:
            self.engine.stop()
            raise
        Front.engine_port = self.engine.port
        Front.stage = f"/_aws/execute-api/{self.outputs['ApiId']}/$default"
        threading.Thread(target=self.front.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.front.shutdown()
        self.engine.stop()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--data", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="svc-cloud-") as temporary:
        stack = Stack(given.program, given.data or Path(temporary), given.port)
        try:
            told = {"url": stack.url, "endpoint": stack.engine.endpoint, "region": REGION, "outputs": stack.outputs}
            print(json.dumps(told), flush=True)
            sys.stdin.read()
        finally:
            stack.stop()


if __name__ == "__main__":
    main()
