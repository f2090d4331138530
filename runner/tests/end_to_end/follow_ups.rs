//! Where a follow-up works: in the workspace and session of the run before, while they are there.

use svc_api::factory::RunKind;
use svc_api::runner::{AssignedFollowUp, Assignment, Finish, FinishResult};

use super::machine::{Machine, assignment};
use super::stub::Stub;
use super::world;

const BRANCH: &str = "prj-7-greet-in-welsh";

/// A follow-up of `run-1`, which left `session` and pushed its branch.
fn follow_up(run: &str, session: Option<&String>) -> Assignment {
    Assignment {
        kind: RunKind::FollowUp,
        resume_session: session.cloned(),
        earlier_run_id: Some("run-1".into()),
        follow_up: Some(AssignedFollowUp {
            pull_request: None,
            pull_request_state: None,
            new_branch: "prj-7-again".into(),
        }),
        ..assignment(run, "")
    }
}

/// The end of a run of this assignment.
async fn played(stub: &Stub, assignment: Assignment) -> Finish {
    let run = assignment.run_id.clone();
    stub.queue(assignment);
    stub.finish_of(&run).await
}

/// Commits on top of `from` in another clone, and pushes that as the branch.
fn reviewed(machine: &Machine, file: &str, from: &str) {
    machine.git(".", &["clone", "-q", "origin.git", file]);
    machine.git(file, &["checkout", "-q", "-B", BRANCH, from]);
    std::fs::write(machine.path(file).join(file), "By a reviewer.\n").unwrap();
    machine.git(file, &["add", file]);
    machine.git(file, &["-c", "user.name=R", "-c", "user.email=r@x", "commit", "-qm", "Review"]);
    machine.git(file, &["push", "-qf", "origin", BRANCH]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_goes_on_in_the_earlier_workspace_and_session_with_what_was_pushed_since() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let session = played(&stub, assignment("run-1", "")).await.harness_session;
    let kept = machine.run_directory("run-1").join("repo");
    std::fs::write(kept.join("notes.txt"), "Not committed.\n").unwrap();
    reviewed(&machine, "review.txt", &format!("origin/{BRANCH}"));
    let finish = played(&stub, follow_up("run-2", session.as_ref())).await;
    assert_eq!((finish.result, &finish.harness_session), (FinishResult::Succeeded, &session), "{finish:?}");
    assert!(kept.join("review.txt").exists() && kept.join("notes.txt").exists(), "brought forward");
    assert!(!machine.run_directory("run-2").join("repo").exists(), "no checkout of its own");
    assert!(machine.at_origin(BRANCH, "review.txt").is_some());
    let third = Assignment { earlier_run_id: Some("run-2".into()), ..follow_up("run-3", session.as_ref()) };
    assert_eq!(played(&stub, third).await.harness_session, session, "and the next one after it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_whose_workspace_is_gone_or_outdated_begins_anew() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let session = played(&stub, assignment("run-1", "")).await.harness_session;
    reviewed(&machine, "other.txt", "origin/main");
    let outdated = played(&stub, follow_up("run-2", session.as_ref())).await;
    assert_eq!(outdated.result, FinishResult::Succeeded, "{outdated:?}");
    assert_ne!(outdated.harness_session, session);
    assert!(machine.run_directory("run-2").join("repo/other.txt").exists(), "what origin has counts");
    let gone = played(&stub, follow_up("run-3", session.as_ref())).await;
    assert_eq!(gone.result, FinishResult::Succeeded, "{gone:?}");
    assert!(gone.harness_session != session && gone.harness_session != outdated.harness_session);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_whose_session_the_harness_has_lost_begins_a_new_one() {
    let (stub, mut machine) = world().await;
    machine.harness(
        r#"case " $* " in *" --resume "*)
  printf '{"type":"result","subtype":"error_during_execution","is_error":true,'
  printf '"errors":["No conversation found with session ID: x"]}\n'
  exit 1;;
esac
date +%N >>notes.txt; git add notes.txt; git commit -qm Work"#,
    );
    let _runner = machine.start(&[]);
    let first = played(&stub, assignment("run-1", "")).await;
    assert_eq!(first.result, FinishResult::Succeeded, "{first:?}");
    let second = played(&stub, follow_up("run-2", first.harness_session.as_ref())).await;
    assert_eq!((second.result, second.failure_reason), (FinishResult::Succeeded, None));
    assert!(second.harness_session.is_some() && second.harness_session != first.harness_session);
    let text = stub.world().runs["run-2"].text();
    assert!(text.contains("no longer knows the earlier session"), "{text}");
    assert!(machine.run_directory("run-1").join("repo/notes.txt").exists(), "in the earlier checkout");
}
