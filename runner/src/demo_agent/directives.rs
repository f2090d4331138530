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
    Fail(&'static str, String),
    Exit(u8),
}

/// The directives of a prompt, in their order. What is no directive is somebody's text.
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
