//! What is attached to an item reaches the agent of a run.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use svc_api::runner::FinishResult;

use crate::machine::assignment;
use crate::world;

fn attached(id: &str, name: &str, size: usize, image: bool) -> Value {
    json!({
        "id": id, "item": "PRJ-7", "name": name, "size": size, "isImage": image, "committed": true,
        "comment": image.then_some("c"), "contentType": if image { "image/png" } else { "text/plain" },
        "url": format!("/api/v1/orgs/demo/attachments/{id}/content"),
        "author": {"id": "p", "name": "Pat", "agent": false}, "createdAt": "2026-01-01T00:00:00Z",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn attachments_are_downloaded_within_the_limits_and_named_in_the_prompt() {
    let (stub, machine) = world().await;
    stub.world().attached = vec![
        (attached("a1", "../shot \"x\".png", 5, true), b"PNG!!".to_vec()),
        (attached("a2", "short.txt", 9, false), b"cut".to_vec()),
        (attached("a3", "gone.txt", 4, false), Vec::new()),
        (attached("a4", "huge.bin", 60, false), vec![7; 60]),
        (attached("a5", "notes.txt", 4, false), b"note".to_vec()),
        (attached("a6", "one-more.txt", 4, false), b"more".to_vec()),
    ];
    std::fs::create_dir_all(machine.path("config/svc")).unwrap();
    let limits = json!({"attachments": {"maxCount": 2, "maxBytes": 20}});
    std::fs::write(machine.path("config/svc/runner.json"), limits.to_string()).unwrap();
    let _runner = machine.start(&["--keep-workspaces"]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "a file that does not come fails nothing: {finish:?}");

    let directory = machine.run_directory("run-1").join("attachments");
    let names: std::collections::BTreeSet<_> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["01-_shot__x_.png", "02-notes.txt"]);
    let shot = directory.join("01-_shot__x_.png");
    assert_eq!(std::fs::read(&shot).unwrap(), b"PNG!!");
    assert_eq!(std::fs::metadata(&shot).unwrap().permissions().mode() & 0o777, 0o600);

    let prompt = std::fs::read_to_string(machine.run_directory("run-1").join("prompt.md")).unwrap();
    let line = format!(
        "- an image, look at it: `{}`: \"../shot 'x'.png\" by \"Pat\", attached to a comment, image/png, 5 bytes, \
         from {}/api/v1/orgs/demo/attachments/a1/content\n",
        shot.display(),
        machine.url,
    );
    assert!(prompt.contains(&line), "{prompt}");
    assert!(prompt.contains("attached to the item, text/plain, 4 bytes"), "{prompt}");
    let log = stub.world().runs["run-1"].text();
    for told in [
        "Attachment \"short.txt\" could not be downloaded: it was cut off",
        "Attachment \"gone.txt\" could not be downloaded",
        "Attachment \"huge.bin\" was skipped: a run gets 20 bytes in all",
        "Attachment \"one-more.txt\" was skipped: a run gets 2 files",
    ] {
        assert!(log.contains(told), "{told}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_zero_downloads_nothing_and_an_instance_without_attachments_fails_nothing() {
    let (stub, machine) = world().await;
    stub.world().attached = vec![(attached("a1", "a.txt", 1, false), b"a".to_vec())];
    std::fs::create_dir_all(machine.path("config/svc")).unwrap();
    std::fs::write(machine.path("config/svc/runner.json"), r#"{"attachments":{"maxCount":0}}"#).unwrap();
    let _runner = machine.start(&["--keep-workspaces"]);
    stub.queue(assignment("run-1", ""));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    let directory = machine.run_directory("run-1");
    assert_eq!(std::fs::read_dir(directory.join("attachments")).unwrap().count(), 0);
    assert!(!std::fs::read_to_string(directory.join("prompt.md")).unwrap().contains("## Attachments"));
}
