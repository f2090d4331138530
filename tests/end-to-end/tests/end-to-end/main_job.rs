//! The main job: an item is handed to an agent, a harness works in a worktree, the branch is pushed, the item
//! moves on, and the run's token shows nowhere.

use std::fs;
use std::path::{Path, PathBuf};

use svc_api::factory::{LogStream, RunStatus};
use svc_end_to_end::{Agent, Stage, program};

/// The bundled agent, started by a script that notes what it was given.
fn watched_demo_agent(stage: &Stage) -> Agent {
    stage.agent(&format!(
        "tr '\\0' ' ' </proc/$$/cmdline >\"$notes/argv\"\n\
         tr '\\0' ' ' </proc/$PPID/cmdline >>\"$notes/argv\"\n\
         pwd >\"$notes/directory\"\n\
         note token \"$SVC_TOKEN\"\n\
         exec '{}' \"$@\"",
        program("demo-agent").display()
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_handed_to_an_agent_becomes_a_pushed_branch() {
    let stage = Stage::set(&[]).await;
    let agent = watched_demo_agent(&stage);
    let _runner = stage.runner(agent.program()).await;
    let key = format!("{}-1", stage.project());
    let before = stage.item(&key).await;

    let queued = stage.start_run(&key).await;
    let shown = stage.home.svc_ok(&["run", "logs", &queued.id, "--follow"]).await;

    let run = stage.client().run(&queued.id).await.unwrap();
    let why = (&run.failure_reason, &run.failure_detail);
    assert_eq!(run.status, RunStatus::Succeeded, "{why:?}\n{shown}");
    assert!(run.started_at.is_some() && run.finished_at.is_some(), "{run:?}");
    the_origin_has_the_agents_commit(&stage, &run.branch, &run.agent.name).await;
    the_item_moved_on_and_is_free(&stage, &key, &before.state, &run.id).await;
    the_log_is_whole(&stage, &run.id, &shown).await;
    let patch = stage.home.svc_ok(&["run", "diff", &run.id]).await;
    assert!(patch.starts_with("diff --git "), "people can look at what it changed: {patch}");

    let token = agent.note("token").await;
    assert!(token.len() >= 20, "the harness got no token");
    let me = stage.server.client_of(&token).me().await.unwrap_err();
    assert_eq!(me.status(), Some(401), "a run's token dies with the run");
    let argv = agent.note("argv").await;
    assert!(!argv.contains(&token), "the token is in argv: {argv}");
    agent.forget("token");
    credentials_are_where_they_belong(&stage, &token);
    let worktree = agent.note("directory").await;
    assert!(Path::new(worktree.trim()).starts_with(stage.home.runs()), "the harness worked in {worktree}");
}

async fn the_origin_has_the_agents_commit(stage: &Stage, branch: &str, agent: &str) {
    let range = format!("main..refs/heads/{branch}");
    let authors = stage.repo.in_origin(&["log", "--format=%an", &range]).await;
    assert!(!authors.is_empty(), "the branch {branch} has no commit of its own");
    assert!(authors.lines().all(|author| author == agent), "{authors:?} is not all {agent}");
    let commits_of_main = stage.repo.in_origin(&["rev-list", "--count", "main"]).await;
    assert_eq!(commits_of_main, "1", "the default branch is left alone");
}

async fn the_item_moved_on_and_is_free(stage: &Stage, key: &str, old_state: &str, run: &str) {
    let org = stage.client().org(stage.org());
    let playbooks = org.playbooks(stage.project()).await.unwrap();
    let playbook = playbooks.iter().find(|playbook| playbook.project_default).unwrap();
    let item = stage.item(key).await;
    assert_eq!(Some(&item.state), playbook.success_state.as_ref());
    assert_ne!(item.state, old_state);
    assert_eq!((item.claim, item.live_run), (None, None), "claim and item are free");
    let comments = stage.comments(key).await;
    let outcomes: Vec<_> =
        comments.iter().filter(|comment| comment.body.starts_with("Run succeeded.")).collect();
    assert_eq!(outcomes.len(), 1, "{comments:?}");
    assert!(outcomes[0].author.agent);
    let runs = org.item_runs(key, &svc_api::page::PageQuery::default()).await.unwrap();
    assert_eq!(runs.items.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), [run]);
}

async fn the_log_is_whole(stage: &Stage, run: &str, shown: &str) {
    let log = stage.log(run).await;
    let seqs: Vec<u64> = log.iter().map(|entry| entry.seq).collect();
    assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>(), "numbered from 1 without gaps");
    assert!(log.iter().any(|entry| entry.stream == LogStream::Stdout), "the agent's words are there");
    assert!(log.iter().any(|entry| entry.stream == LogStream::Event), "what the runner did is there");
    for entry in &log {
        for line in entry.text.lines().map(str::trim).filter(|line| line.is_ascii()) {
            assert!(shown.contains(line), "--follow did not print {line:?} of:\n{shown}");
        }
    }
}

/// Looks into every file of the test: data, logs, configuration, run directory, worktree, repositories.
fn credentials_are_where_they_belong(stage: &Stage, run_token: &str) {
    let demo = stage.server.data().join("demo.json");
    let config = stage.home.directory().join("config/svc");
    for (secret, places) in [
        (run_token, vec![]),
        (&stage.server.demo.token, vec![demo.clone(), config.join("config.json")]),
        (&stage.server.demo.runner_secret, vec![demo, config.join("runner.json")]),
    ] {
        let mut found = Vec::new();
        files_with(stage.directory(), secret, &mut found);
        found.sort();
        assert_eq!(found, places);
    }
}

fn files_with(directory: &Path, secret: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        // A file that went while we looked, such as a lock, holds nothing any more.
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() {
            files_with(&path, secret, found);
        } else if let Ok(bytes) = fs::read(&path)
            && bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
        {
            found.push(path);
        }
    }
}
