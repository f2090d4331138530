//! The demo agent's piece of work: one file, one commit, one push.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::events::Events;
use crate::pause;
use crate::prompt::Item;

/// Between two steps, so that a person can follow them.
const STEP: Duration = Duration::from_millis(300);

/// How much of the work is done.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) commit: bool,
    pub(crate) push: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { commit: true, push: true }
    }
}

/// Does the work; answers the last words.
pub(crate) fn run(events: &mut Events, item: &Item, plan: &Plan) -> Result<String, String> {
    events.say(&format!("The item is {}: {}", item.key, item.title));
    pause(STEP);
    let current = git(events, &["rev-parse", "--abbrev-ref", "HEAD"])?;
    let branch = item.push_to.clone().unwrap_or(current);
    pause(STEP);
    let path = PathBuf::from("docs").join("work").join(format!("{}.md", item.key));
    if !plan.commit {
        return Ok(format!("I changed nothing for {}, as the demo directive asked.", item.key));
    }
    let content = page(item);
    std::fs::create_dir_all("docs/work").map_err(|error| error.to_string())?;
    std::fs::write(&path, &content).map_err(|error| error.to_string())?;
    let shown = path.display().to_string();
    events.tool("Write", json!({"file_path": shown}), &format!("{} lines", content.lines().count()), false);
    pause(STEP);
    git(events, &["add", "--", &shown])?;
    let nothing_new = Command::new("git").args(["diff", "--cached", "--quiet"]).status();
    if nothing_new.is_ok_and(|status| status.success()) {
        return Ok(format!("{shown} already says what {} asks for; there was nothing to commit.", item.key));
    }
    pause(STEP);
    git(events, &["commit", "--quiet", "-m", &format!("{}: {}", item.key, item.title)])?;
    pause(STEP);
    if !plan.push {
        return Ok(format!("I wrote {shown} and committed it on {branch}. I did not push."));
    }
    git(events, &["push", "--quiet", "origin", &format!("HEAD:refs/heads/{branch}")])?;
    pause(STEP);
    Ok(format!(
        "I wrote the title and description of {} to {shown}, committed it and pushed {branch}. I am the demo \
         agent: no model worked on this, so the item itself is not solved.",
        item.key
    ))
}

fn page(item: &Item) -> String {
    let description =
        if item.description.is_empty() { "The item has no description." } else { &item.description };
    format!(
        "# {}: {}\n\n{description}\n\n---\nWritten by the demo agent, a program without a model.\n",
        item.key, item.title
    )
}

fn git(events: &mut Events, args: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(args).output().map_err(|error| format!("git: {error}"))?;
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let failed = !output.status.success();
    events.tool("Bash", json!({"command": format!("git {}", args.join(" "))}), &said, failed);
    if failed { Err(format!("git {}: {said}", args.first().unwrap_or(&""))) } else { Ok(said) }
}
