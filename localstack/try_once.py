"""Deploys the template on this machine, and asks each function once, with roles enforced.

    python localstack/try_once.py PROGRAM
"""

import http.cookiejar
import json
import secrets
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from stack import Stack, wait

PASSWORD = secrets.token_urlsafe(18)


class Client:
    """A person's browser, as far as it sends requests."""

    def __init__(self, url: str, quiet: bool = False):
        self.url, self.quiet = url, quiet
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)

    def call(self, method: str, path: str, body=None, expect: int = 200, **headers):
        data = None if body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json", "accept": "application/json", "x-svc-request": "1"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        begun = time.monotonic()
        try:
            with self.opener.open(request, timeout=60) as answer:
                status, text, kind = answer.status, answer.read().decode(), answer.headers.get("content-type", "")
        except urllib.error.HTTPError as error:
            status, text, kind = error.code, error.read().decode(), error.headers.get("content-type", "")
        took = (time.monotonic() - begun) * 1000
        if status != expect:
            raise SystemExit(f"{method} {path} answered {status}, not {expect}: {text[:600]}")
        if not self.quiet:
            print(f"  {method} {path}: {status} in {took:.0f} ms")
        return json.loads(text) if "json" in kind and text else text


def ask_each_function(stack: Stack) -> None:
    person = Client(stack.url)
    # identity
    organization = {"slug": "acme", "name": "Acme"}
    account = {"email": "ada@example.com", "displayName": "Ada", "password": PASSWORD, "organization": organization}
    person.call("POST", "/api/v1/auth/register", account, 201)
    # tracker
    person.call("POST", "/api/v1/orgs/acme/projects", {"key": "WEB", "name": "Web"}, 201)
    item = {"type": "task", "title": "Show the zeppelin", "body": "See the wiki."}
    made = person.call("POST", "/api/v1/orgs/acme/projects/WEB/items", item, 201)
    listed = person.call("GET", "/api/v1/orgs/acme/projects/WEB/items?q=zeppelin")
    assert [one["key"] for one in listed["items"]] == [made["key"]], listed
    page = person.call("GET", "/api/v1/orgs/acme/projects/WEB/changes/stream", accept="text/event-stream")
    assert page.startswith("event: changes") or "\nevent: changes" in page, page
    assert "retry: 5000" in page and "\nid: " in page, page
    # factory, and its runner
    runner = person.call("POST", "/api/v1/orgs/acme/runners", {"name": "laptop"}, 201)
    secret = {"authorization": f"Bearer {runner['secret']}"}
    hello = {"machineId": "m", "clientVersion": "0", "platform": "linux", "harnesses": [], "parallel": 1}
    machine = Client(stack.url)
    greeted = machine.call("POST", "/api/v1/runner/hello", hello, **secret)
    assert greeted["takeWaitSeconds"] == 0 and greeted["takeEverySeconds"] > 1, greeted
    take = {"harnesses": ["harness_1"], "waitSeconds": 20, "requestId": "1"}
    begun = time.monotonic()
    machine.call("POST", "/api/v1/runner/take", take, 204, **secret)
    assert time.monotonic() - begun < 10, "a request for work is not held"
    # wiki, notifications, portal, what there is not
    person.call("GET", "/api/v1/orgs/acme/projects/WEB/wiki")
    person.call("GET", "/api/v1/me/notifications")
    assert "openapi" in person.call("GET", "/openapi/v1.json")
    person.call("GET", "/", accept="text/html")
    unknown = person.call("GET", "/api/v1/nothing", expect=404)
    assert unknown["type"].endswith("not-found"), unknown
    # mcp
    scopes = {"name": "agent", "scopes": ["read", "write", "mcp"], "organization": "acme"}
    token = person.call("POST", "/api/v1/me/tokens", scopes, 201)["secret"]
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
    }
    accepts = "application/json, text/event-stream"
    answer = machine.call("POST", "/mcp", initialize, accept=accepts, authorization=f"Bearer {token}")
    assert "serverInfo" in json.dumps(answer), answer
    # The minute tick indexes what was written, search finds it, and the workers give up what nobody can read.
    functions = stack.engine.client("lambda")
    minute = next(one["FunctionName"] for one in functions.list_functions()["Functions"] if "Minute" in one["FunctionName"])
    tick = {"time": time.strftime("%Y-%m-%dT%H:%M:00Z", time.gmtime())}
    ticked = functions.invoke(FunctionName=minute, Payload=json.dumps(tick))
    assert "FunctionError" not in ticked, ticked["Payload"].read()
    found = person.call("GET", "/api/v1/orgs/acme/search?q=zeppelin")
    assert [one.get("key") for one in found["results"]] == [made["key"]], found
    queue, sqs = stack.outputs["QueueUrl"], stack.engine.client("sqs")
    sqs.send_message(QueueUrl=queue, MessageBody="no message of any version")
    dead = stack.engine.client("dynamodb").query
    buried = lambda: dead(  # noqa: E731
        TableName=stack.outputs["TableName"],
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "DEADLETTERS"}},
    )["Count"]
    wait(30, "the poisoned message to be given up", lambda: buried() >= 1)


def main() -> None:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="svc-cloud-") as folder:
        stack = Stack(Path(sys.argv[1]), Path(folder))
        print(f"deployed in {time.monotonic() - begun:.1f} s")
        try:
            ask_each_function(stack)
        finally:
            stack.stop()
    print(f"every function answered; {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
