//! What the agent of a run leaves for people reaches the instance.

use std::os::unix::fs::PermissionsExt;

use svc_api::runner::FinishResult;

use crate::machine::{TOKEN, assignment};
use crate::world;

#[tokio::test(flavor = "multi_thread")]
async fn files_in_the_artifacts_directory_are_sent_without_secrets_before_the_end() {
    let (stub, mut machine) = world().await;
    let harness = machine.path("harness");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo '2.0 (Claude Code)'; exit; }\ncat >/dev/null\n\
        printf '<testsuite token=\"%s\"/>' \"$SVC_TOKEN\" >\"$SVC_ARTIFACTS/report.xml\"\n\
        printf 'PNG\\377' >\"$SVC_ARTIFACTS/a shot.png\"\n\
        ln -s /etc/passwd \"$SVC_ARTIFACTS/passwd\"\nmkdir \"$SVC_ARTIFACTS/folder\"\n\
        echo x >f; git add f; git commit -qm Work; git push -q origin HEAD\n\
        echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"done\"}'\n";
    std::fs::write(&harness, script).unwrap();
    std::fs::set_permissions(&harness, std::fs::Permissions::from_mode(0o755)).unwrap();
    machine.environment.push(("SVC_RUNNER_HARNESS_1".into(), harness.display().to_string()));
    let _runner = machine.start(&["--keep-workspaces"]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?} {}", machine.told());

    let world = stub.world();
    let heard = &world.runs["run-1"];
    let mut names: Vec<&str> = heard.artifacts.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["a shot.png", "report.xml"], "{}", heard.text());
    assert_eq!(heard.artifacts["a shot.png"], b"PNG\xff");
    let report = String::from_utf8(heard.artifacts["report.xml"].clone()).unwrap();
    assert!(report.starts_with("<testsuite") && !report.contains(TOKEN), "{report}");
    assert!(heard.text().contains("\"passwd\" was skipped: it is a symbolic link"), "{}", heard.text());
    let prompt = std::fs::read_to_string(machine.run_directory("run-1").join("prompt.md")).unwrap();
    assert!(
        prompt.contains(&machine.run_directory("run-1").join("artifacts").display().to_string()),
        "{prompt}"
    );
}
