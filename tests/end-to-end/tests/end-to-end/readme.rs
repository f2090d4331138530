//! The commands of README and of the pages in docs/, typed as a newcomer does: every block, from the first to the last.
//!
//! A comment before a block says how it is typed: `by hand` by nobody here, `on a new instance`, `as Eve` on her
//! machine, `with a runner` before one is started. What differs from reader to reader is filled in: the address,
//! passwords, the runner's secret, the link of the invitation.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use svc_end_to_end::{Agent, Home, Process, Runner, Stage, eventually, program};
use tokio::io::AsyncWriteExt as _;

/// The pages, as they are read one after the other.
const PAGES: [&str; 10] = [
    "README.md",
    "docs/installing.md",
    "docs/command-line.md",
    "docs/importing.md",
    "docs/mcp.md",
    "docs/runner.md",
    "docs/operating.md",
    "docs/administering.md",
    "docs/sign-in.md",
    "docs/webhooks.md",
];
/// What they say where a reader's own instance is meant.
const ADDRESS: &str = "http://127.0.0.1:8080";
/// A password that Ada and Eve choose.
const PASSWORD: &str = "correct horse battery";

/// A block of commands, and how it is typed.
struct Block {
    how: String,
    commands: Vec<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_readme_says_can_be_typed() {
    let stage = Stage::set(&[]).await;
    let newcomer = Home::new(&stage.directory().join("newcomer"));
    let eve = Home::new(&stage.directory().join("eve"));
    let agent = Agent::script(stage.directory(), "begin\ndeliver\nsucceed 'Done.'");
    let mut runner = None;
    let blocks: Vec<Block> = PAGES.into_iter().flat_map(blocks).collect();
    assert!(blocks.len() > 15, "the pages have blocks of commands: {}", blocks.len());
    for Block { how, commands } in blocks {
        for command in commands {
            let command = command.replace(ADDRESS, &stage.server.url());
            match how.as_str() {
                "by hand" => continue,
                "on a new instance" => on_a_new_instance(&command, stage.directory()).await,
                "as Eve" if command.contains("<link>") => {
                    let command = command.replace("<link>", &link(&newcomer).await);
                    typed(&eve, &command, PASSWORD).await;
                }
                "as Eve" => typed(&eve, &command, "").await,
                "with a runner" if command.starts_with("svc runner start") => {
                    drop(runner.take());
                    runner = Some(Runner::start_again(&newcomer, agent.program()));
                }
                "with a runner" => {
                    let command = command.replace("jrn_...", &stage.server.demo.runner_secret);
                    let command = command.replace("~/src/greeter", &text(&stage.repo.clone));
                    typed(&newcomer, &command, "").await;
                }
                "" => typed(&newcomer, &command, &stage.server.demo.password).await,
                other => panic!("a page has a block of commands typed {other:?}"),
            }
        }
    }
    assert!(runner.is_some(), "a page starts a runner");
}

/// Every block of commands of a page.
fn blocks(page: &str) -> Vec<Block> {
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(text).expect("the page can be read");
    let mut blocks = Vec::new();
    let mut parts = text.split("```console\n");
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let (commands, after) = part.split_once("```").expect("a block ends");
        let comment = before.trim_end().lines().next_back().and_then(|line| line.strip_prefix("<!-- "));
        let how = comment.and_then(|text| text.strip_suffix(" -->")).unwrap_or_default();
        let commands = commands.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned);
        blocks.push(Block {
            how: how.split(':').next().unwrap_or_default().to_owned(),
            commands: commands.collect(),
        });
        before = after;
    }
    blocks
}

/// Types a command into a shell; it must succeed, and not find nothing.
async fn typed(home: &Home, command: &str, secret: &str) {
    let mut shell = home.command("bash");
    let programs = program("svc").parent().map(text).unwrap_or_default();
    let path = std::env::var("PATH").unwrap_or_default();
    shell.args(["-c", command]).current_dir(home.directory());
    shell.env("PATH", format!("{programs}:{path}")).env("EDITOR", "true");
    let mut shell = tokio::process::Command::from(shell);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = shell.spawn().expect("bash starts");
    let mut input = child.stdin.take().expect("stdin is a pipe");
    // A command that asks for nothing leaves it unread.
    let _ = input.write_all(format!("{secret}\n").as_bytes()).await;
    drop(input);
    let ended = tokio::time::timeout(Duration::from_secs(300), child.wait_with_output()).await;
    let output =
        ended.unwrap_or_else(|_| panic!("$ {command}: it does not end")).expect("a child can be waited for");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "$ {command}\n{}{said}", String::from_utf8_lossy(&output.stdout));
    assert!(!said.contains("match."), "$ {command} finds nothing: {said}");
}

/// Types a command that sets a new instance up.
async fn on_a_new_instance(command: &str, directory: &Path) {
    let (data, log) = (directory.join("new"), directory.join("new.log"));
    let mut server = std::process::Command::new(program("svc-server"));
    server.args(["--listen", "127.0.0.1:0", "--data"]).arg(&data).env_remove("RUST_LOG");
    let server = Process::start("svc-server", &mut server, &log);
    let address = eventually("the address of the new instance", Duration::from_secs(300), async || {
        let printed = server.printed();
        let address = printed.split("address=").nth(1)?.split_whitespace().next()?;
        Some(address.trim_matches('"').to_owned())
    })
    .await;
    let url = command.split("--url ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let address = if address.contains("://") { address } else { format!("http://{address}") };
    let ada = Home::new(&directory.join("ada"));
    typed(&ada, &command.replace(url, &address), PASSWORD).await;
    typed(&ada, "svc org view", "").await;
}

/// The link of Eve's invitation.
async fn link(newcomer: &Home) -> String {
    let again: Value = newcomer.svc_json(&["invite", "resend", "eve@example.com"]).await;
    again["link"].as_str().expect("without mail the link is told").to_owned()
}

fn text(path: impl AsRef<Path>) -> String {
    path.as_ref().to_str().expect("a temporary path is text").to_owned()
}
