"""What the template must say, and that each function's role permits the calls of its adapters and no other.

    python -m unittest infra/template_test.py
"""

import json
import os
import re
import tempfile
import unittest
import zipfile
from pathlib import Path

os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")

from samtranslator.translator.transform import transform  # noqa: E402
from samtranslator.yaml_helper import yaml_parse  # noqa: E402

import cost  # noqa: E402
import package  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "infra/template.yaml"
ADAPTERS = ROOT / "shared/storage-aws/src"

# Calls that are an operation of another name for a role.
SPELLED = {
    "transact_write_items": ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
    "list_objects_v2": ["ListBucket"],
    "head_object": ["GetObject"],
}
# Files of the adapter whose calls only servers make: `check` reads everything, and servers make and look for engines.
FOR_SERVERS = {"setup.rs", "look.rs", "store.rs"}
CALLS_OF_SERVERS = {"scan", "receive_message", "delete_message", "change_message_visibility"}
SERVICES = {"table.rs": "dynamodb", "commit.rs": "dynamodb", "blobs.rs": "s3", "queue.rs": "sqs"}


def resources() -> dict:
    template = yaml_parse(TEMPLATE.read_text())
    template["Globals"]["Function"]["CodeUri"] = {"Bucket": "bucket", "Key": "key"}
    managed = type("Managed", (), {"load": lambda self: {}})()
    return transform(template, {}, managed)["Resources"]


def camel(call: str) -> str:
    return "".join(word.capitalize() for word in call.split("_"))


def calls_of_adapters() -> set[str]:
    """The actions that the adapters' calls need, read from their source."""
    actions = set()
    for file in ADAPTERS.glob("*.rs"):
        source = file.read_text().split("#[cfg(test)]")[0]
        calls = re.findall(r"\bclient\s*\.([a-z_0-9]+)\(", source)
        calls = [call for call in calls if call not in ("config", "clone")]
        if file.name in FOR_SERVERS or not calls:
            continue
        service = SERVICES[file.name]
        for call in set(calls) - CALLS_OF_SERVERS:
            actions |= {f"{service}:{action}" for action in SPELLED.get(call, [camel(call)])}
    return actions


def as_list(value) -> list:
    return value if isinstance(value, list) else [value]


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.resources = resources()
        cls.functions = cls.of("AWS::Lambda::Function")

    @classmethod
    def of(cls, kind: str) -> dict:
        return {name: one["Properties"] for name, one in cls.resources.items() if one["Type"] == kind}

    def statements(self, function: str) -> list[dict]:
        role = self.resources[f"{function}Role"]["Properties"]
        return [
            statement for policy in role.get("Policies", []) for statement in policy["PolicyDocument"]["Statement"]
        ]

    def actions(self, function: str) -> set[str]:
        return {action for statement in self.statements(function) for action in as_list(statement["Action"])}

    def test_each_function_has_a_role_of_its_own_that_permits_calls_of_the_adapters_only(self):
        needed, permitted = calls_of_adapters(), set()
        roles = [json.dumps(function["Role"]) for function in self.functions.values()]
        self.assertEqual(len(set(roles)), len(roles))
        for name in self.functions:
            self.assertLessEqual(self.actions(name), needed, f"{name} may do what no adapter does")
            permitted |= self.actions(name)
            for statement in self.statements(name):
                self.assertEqual(statement["Effect"], "Allow")
                for resource in as_list(statement["Resource"]):
                    self.assertNotEqual(resource, "*", f"{name}: {statement['Sid']}")
        self.assertEqual(permitted, needed, "a call of the adapters that no function may make")

    def test_rows_are_for_all_and_files_for_those_whose_area_has_them(self):
        for name in self.functions:
            rows = {action for action in self.actions(name) if action.startswith("dynamodb:")}
            self.assertEqual(rows, {action for action in calls_of_adapters() if action.startswith("dynamodb:")}, name)
        files = {
            name: {
                resource["Fn::Sub"].split("/")[1]
                for statement in self.statements(name)
                if statement["Sid"] in ("WriteFiles", "DeleteFiles")
                for resource in as_list(statement["Resource"])
            }
            for name in self.functions
        }
        everything = {"attachment", "log", "result", "snapshot"}
        writers = {name: kinds for name, kinds in files.items() if kinds}
        self.assertEqual(
            writers,
            {
                "Tracker": {"attachment"},
                "RunnerApi": {"log", "result"},
                "Workers": everything,
                "Minute": everything,
            },
        )

    def test_what_is_read_can_be_found_missing(self):
        for name in self.functions:
            if "s3:GetObject" in self.actions(name):
                self.assertIn("s3:ListBucket", self.actions(name), name)

    def test_rows_survive_a_mistake(self):
        table = self.of("AWS::DynamoDB::Table")["Table"]
        self.assertEqual(table["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(table["TimeToLiveSpecification"], {"AttributeName": "ttl", "Enabled": True})
        self.assertTrue(table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"])
        self.assertTrue(table["SSESpecification"]["SSEEnabled"] and table["DeletionProtectionEnabled"])
        for name in ("Table", "Bucket"):
            policies = self.resources[name]["DeletionPolicy"], self.resources[name]["UpdateReplacePolicy"]
            self.assertEqual(policies, ("Retain", "Retain"), name)

    def test_files_are_private_and_go_when_they_should(self):
        bucket = self.of("AWS::S3::Bucket")["Bucket"]
        self.assertTrue(all(bucket["PublicAccessBlockConfiguration"].values()))
        rules = {rule["Id"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"]}
        prefixes = re.findall(r'=> "([a-z]+/)"', (ROOT / "shared/storage/src/blobs.rs").read_text())
        self.assertEqual({rule["Prefix"] for rule in rules.values() if "Prefix" in rule}, set(prefixes))
        self.assertEqual(rules["logs"]["ExpirationInDays"], {"Ref": "HostedRunLogDays"})
        self.assertEqual(rules["logs"]["NoncurrentVersionExpiration"], {"NoncurrentDays": 1})

    def test_messages_outlast_their_worker_and_none_is_lost(self):
        queue, workers = self.of("AWS::SQS::Queue")["Queue"], self.functions["Workers"]
        self.assertEqual(queue["VisibilityTimeout"], 6 * workers["Timeout"])
        self.assertIn("deadLetterTargetArn", queue["RedrivePolicy"])
        retries = (ROOT / "functions/workers/src/retries.rs").read_text()
        attempts = int(re.search(r"USUAL: Self =\s*Self \{ attempts: (\d+)", retries)[1])
        self.assertGreater(queue["RedrivePolicy"]["maxReceiveCount"], attempts, "workers give a message up first")
        (source,) = self.of("AWS::Lambda::EventSourceMapping").values()
        self.assertEqual(source["FunctionResponseTypes"], ["ReportBatchItemFailures"])
        attempt = (ROOT / "functions/workers/src/attempt.rs").read_text()
        longest = 60 * int(re.search(r"LONGEST_ATTEMPT: Duration = Duration::from_mins\((\d+)\)", attempt)[1])
        self.assertGreaterEqual(workers["Timeout"], longest + 30)
        (rule,) = self.of("AWS::Events::Rule").values()
        self.assertEqual(rule["ScheduleExpression"], "rate(1 minute)")

    def test_each_function_names_an_area_and_keeps_its_log_for_a_while(self):
        areas = set(re.findall(r'Self::\w+ => "([a-z-]+)"', (ROOT / "functions/lambda/src/area.rs").read_text()))
        named = {function["Environment"]["Variables"]["SVC_AREA"] for function in self.functions.values()}
        self.assertEqual(named, areas)
        for name, function in self.functions.items():
            log = function["LoggingConfig"]["LogGroup"]["Ref"]
            self.assertEqual(self.resources[log]["Properties"]["RetentionInDays"], {"Ref": "LogRetentionDays"}, name)
            self.assertLessEqual(function["Timeout"], 29 if name not in ("Workers", "Minute") else 900)

    def test_settings_are_ones_that_the_program_knows(self):
        known = (ROOT / "docs/settings.md").read_text()
        for name in self.functions["Tracker"]["Environment"]["Variables"]:
            if "__" in name:
                self.assertRegex(known, rf"[`:]{name.split('__')[-1]}`", name)

    def test_secrets_are_not_shown(self):
        parameters = yaml_parse(TEMPLATE.read_text())["Parameters"]
        for name, parameter in parameters.items():
            if re.search("Password|Secret|PrivateKey", name):
                self.assertTrue(parameter.get("NoEcho"), name)
                self.assertEqual(parameter["Default"], "", name)

    def test_the_costs_are_those_of_the_counted_calls(self):
        page = (ROOT / "infra/COST.md").read_text()
        self.assertEqual(page, cost.written(page), "python infra/cost.py --write")

    def test_a_package_is_the_same_whenever_and_wherever_it_is_made(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "svc-lambda"
            program.write_bytes(b"\x7fELF" * 10_000)
            first = package.digest(package.write(program, Path(folder) / "a" / "1.zip"))
            os.utime(program, (1, 1))
            self.assertEqual(first, package.digest(package.write(program, Path(folder) / "b" / "2.zip")))
            with zipfile.ZipFile(Path(folder) / "a" / "1.zip") as zipped:
                (entry,) = zipped.infolist()
                self.assertEqual((entry.filename, entry.external_attr >> 16), ("bootstrap", 0o755))
        self.assertIn(f"CodeUri: {package.CODE}", TEMPLATE.read_text())

    def test_somebody_hears_of_it(self):
        watched = set()
        for alarm in self.of("AWS::CloudWatch::Alarm").values():
            self.assertEqual(alarm["AlarmActions"], [{"Ref": "Alarms"}])
            watched.add(alarm["MetricName"])
        expected = {"5xx", "Latency", "Errors", "Throttles", "Duration", "Invocations", "GivenUp", "ReadThrottleEvents", "WriteThrottleEvents"}
        expected |= {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"}
        self.assertLessEqual(expected, watched)
        told = (ROOT / "functions/workers/src/attempt.rs").read_text()
        (pattern,) = [one["FilterPattern"] for one in self.of("AWS::Logs::MetricFilter").values()]
        self.assertIn(pattern.strip('"'), told, "the log says it in these words")


if __name__ == "__main__":
    unittest.main()
