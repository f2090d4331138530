//! `demo-agent`: a harness without a model.
//!
//! Speaks the arguments and the stream-json output of `harness_1`, reads a prompt on stdin, and does a small
//! real piece of work by rule: it writes down the item in `docs/work/`, commits and pushes. It says in its
//! output that it is no model. It exists so that the whole way of a run can be seen and tested without one.

mod directives;
mod events;
mod prompt;
mod work;

use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use directives::Directive;
use events::Events;

const ABOUT: &str = "A harness without a model, for demos and tests";
const LONG_ABOUT: &str = "\
A harness without a model, for demos and tests.

Takes the arguments of Claude Code and prints its stream-json events. It reads a prompt on stdin, writes the \
item's title and description to docs/work/<KEY>.md in the current directory, commits, and pushes the branch \
to origin. No model is asked and nothing is understood: what it writes is the text of the prompt.

Lines in the prompt of the form `demo-agent: <directive>` change what it does, in their order:
  sleep <seconds>      be silent for so long
  lines <n>            print n lines
  silent               print no words besides the first and last event
  print-secret         print SVC_TOKEN, plain and encoded, to see that logs hide it
  spawn-grandchild     leave a process running in a session of its own
  commit-only, no-push commit, but do not push
  no-commit            change nothing
  dirty                leave a file that is not committed
  give-up <why>        say that the work cannot be done, as `svc run fail` does
  git <arguments>      call git so, before anything else; what it says does not matter
  fail <cause>         end as after a failed API call: rate-limited, overloaded, not-authenticated,
                       model-not-found, or anything else
  exit <code>          end at once with this code and without a result";

#[derive(Parser)]
#[command(name = "demo-agent", version, about = ABOUT, long_about = LONG_ABOUT)]
struct Args {
    /// Read a prompt on stdin, work, and end
    #[arg(short, long)]
    print: bool,
    /// Must be stream-json
    #[arg(long, default_value = "stream-json")]
    output_format: String,
    /// Id of the new session
    #[arg(long)]
    session_id: Option<String>,
    /// Id of the session to continue
    #[arg(long, conflicts_with = "session_id")]
    resume: Option<String>,
    /// Accepted; there is no model
    #[arg(long)]
    model: Option<String>,
    /// Accepted
    #[arg(long)]
    verbose: bool,
    /// Accepted
    #[arg(long)]
    dangerously_skip_permissions: bool,
    /// Accepted
    #[arg(long)]
    strict_mcp_config: bool,
    /// Accepted; there are no settings
    #[arg(long)]
    setting_sources: Option<String>,
    /// Accepted; no MCP server is called
    #[arg(long, num_args = 1..)]
    mcp_config: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if !args.print || args.output_format != "stream-json" {
        eprintln!("demo-agent: only -p with --output-format stream-json is supported");
        return ExitCode::from(2);
    }
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("demo-agent: the prompt cannot be read: {error}");
        return ExitCode::from(2);
    }
    let session = args.session_id.or(args.resume).unwrap_or_else(|| "demo".to_owned());
    let directives = directives::read(&text);
    let mut events = Events::new(session, directives.contains(&Directive::Silent));
    events.init();
    match act(&mut events, &text, &directives) {
        Ended::Done(words) => {
            events.result(&words, None);
            ExitCode::SUCCESS
        }
        Ended::Failed(error, words) => {
            events.api_error(error, &words);
            ExitCode::from(1)
        }
        Ended::Died(code) => ExitCode::from(code),
    }
}

enum Ended {
    /// With these last words.
    Done(String),
    /// As after an API call that failed with this error.
    Failed(&'static str, String),
    /// Without a result.
    Died(u8),
}

fn act(events: &mut Events, text: &str, directives: &[Directive]) -> Ended {
    events
        .say("I am the demo agent: a program without a model. I follow a fixed rule and understand nothing.");
    let mut plan = work::Plan::default();
    for directive in directives {
        match directive {
            Directive::Sleep(seconds) => pause(Duration::from_secs_f64(*seconds)),
            Directive::Lines(count) => (1..=*count).for_each(|n| events.say(&format!("line {n} of {count}"))),
            Directive::Silent => {}
            Directive::PrintSecret => directives::print_secret(events),
            Directive::SpawnGrandchild => directives::spawn_grandchild(events),
            Directive::Dirty => directives::dirty(events),
            Directive::GiveUp(why) => directives::give_up(events, why),
            Directive::Git(args) => directives::git(events, args),
            Directive::CommitOnly => plan.push = false,
            Directive::NoCommit => plan.commit = false,
            Directive::Fail(error, words) => return Ended::Failed(error, words.clone()),
            Directive::Exit(code) => return Ended::Died(*code),
        }
    }
    let Some(item) = prompt::item(text, std::env::var("SVC_ITEM").ok().as_deref()) else {
        return Ended::Failed(
            "invalid_request",
            "The prompt names no item; there is nothing to do.".to_owned(),
        );
    };
    match work::run(events, &item, &plan) {
        Ok(words) => Ended::Done(words),
        Err(why) => Ended::Failed("invalid_request", format!("I could not do it: {why}")),
    }
}

fn pause(length: Duration) {
    std::thread::sleep(length);
}
