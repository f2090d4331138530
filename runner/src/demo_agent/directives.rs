//! Lines of the prompt that tell the demo agent to misbehave.

use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::events::Events;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Directive {
    Sleep(f64),
    Lines(u32),
    Silent,
    PrintSecret,
    SpawnGrandchild,
    CommitOnly,
    NoCommit,
    Dirty,
    GiveUp(String),
    Git(Vec<String>),
    Fail(&'static str, String),
    Exit(u8),
}

/// The directives of a prompt, in their order. Everything else is text.
pub(crate) fn read(prompt: &str) -> Vec<Directive> {
    prompt.lines().filter_map(|line| line.trim().strip_prefix("demo-agent:")).filter_map(parse).collect()
}

fn parse(text: &str) -> Option<Directive> {
    let mut words = text.split_whitespace();
    let (name, value) = (words.next()?, words.next().unwrap_or_default());
    Some(match name {
        "sleep" => Directive::Sleep(value.parse().ok().filter(|seconds| (0.0..86_400.0).contains(seconds))?),
        "lines" => Directive::Lines(value.parse().ok()?),
        "silent" => Directive::Silent,
        "print-secret" => Directive::PrintSecret,
        "spawn-grandchild" => Directive::SpawnGrandchild,
        "no-push" | "commit-only" => Directive::CommitOnly,
        "no-commit" => Directive::NoCommit,
        "dirty" => Directive::Dirty,
        "give-up" => Directive::GiveUp(rest(text)),
        "git" => Directive::Git(rest(text).split_whitespace().map(str::to_owned).collect()),
        "exit" => Directive::Exit(value.parse().ok()?),
        "fail" => {
            let (error, words) = match value {
                "rate-limited" => ("rate_limit", "API Error: Request rejected (429)"),
                "overloaded" => ("server_error", "API Error: 529 Overloaded"),
                "not-authenticated" => ("authentication_failed", "Not logged in · Please run /login"),
                "model-not-found" => ("model_not_found", "There's an issue with the selected model"),
                _ => ("invalid_request", "The work could not be done"),
            };
            Directive::Fail(error, format!("{words} (as the demo directive asked)"))
        }
        _ => return None,
    })
}

/// What follows the directive's name.
fn rest(text: &str) -> String {
    text.trim().split_once(char::is_whitespace).map_or_else(String::new, |(_, rest)| rest.trim().to_owned())
}

/// Leaves an uncommitted file.
pub(crate) fn dirty(events: &mut Events) {
    let written = std::fs::write("left-over.txt", "not committed\n");
    events.say(&format!("A file is left: {written:?}"));
}

/// Says that the work cannot be done, as `svc run fail` does.
pub(crate) fn give_up(events: &mut Events, why: &str) {
    let file = std::env::var_os("SVC_FAILURE_FILE").unwrap_or_default();
    match std::fs::write(file, why) {
        Ok(()) => events.say(&format!("I give up: {why}")),
        Err(error) => events.say(&format!("I give up: {why} (the reason could not be left: {error})")),
    }
}

/// Calls git, whatever comes of it.
pub(crate) fn git(events: &mut Events, args: &[String]) {
    let said = Command::new("git").args(args).output();
    events.say(&format!("git {}: {:?}", args.join(" "), said.map(|output| output.status)));
}

/// Prints the run's token in several forms.
pub(crate) fn print_secret(events: &mut Events) {
    let token = std::env::var("SVC_TOKEN").unwrap_or_default();
    events.say(&format!("SVC_TOKEN={token}"));
    for prefix in ["", "a", "ab"] {
        events.say(&format!("base64 {}", STANDARD.encode(format!("{prefix}{token}"))));
    }
    events.say(&format!("hex {}", hex::encode(&token)));
    eprintln!("on stderr too: {token}");
}

/// Starts a process that outlives its parent, in a session of its own. Its id goes into `grandchild.pid`
/// beside the checkout.
pub(crate) fn spawn_grandchild(events: &mut Events) {
    let script = "echo $$ > ../grandchild.pid; exec sleep 3600";
    let mut command = Command::new("setsid");
    command.args(["sh", "-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(_) => events.say("A process of mine goes on in a session of its own."),
        Err(error) => events.say(&format!("No grandchild: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Directive, read};

    #[test]
    fn directives_stand_on_lines_of_their_own() {
        let prompt = "Say demo-agent: exit 3 twice\n  demo-agent: sleep 1.5\ndemo-agent: lines 2000\ndemo-agent: dance\n";
        assert_eq!(read(prompt), [Directive::Sleep(1.5), Directive::Lines(2000)]);
    }
}
