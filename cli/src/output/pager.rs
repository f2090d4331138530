//! The pager: a program that shows what is longer than the screen, as in git and gh.
//!
//! Text is held back until it is complete, because only then it is known whether the screen has room for it. A pager
//! that ends early has shown what the person wanted to see.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use console::{Term, measure_text_width};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use super::interrupt::Interrupts;

/// Where a person names their pager; an empty value or `cat` means none.
const VARIABLES: [&str; 2] = ["SVC_PAGER", "PAGER"];
/// What is used where they name none, if it is there.
const USUAL: &str = "less";
/// What pagers are told unless the person tells them something else: to leave what fits into the screen, to let
/// colours through, and not to clear the screen.
const SETTINGS: [(&str, &str); 2] = [("LESS", "FRX"), ("LV", "-c")];
/// What a shell answers where it cannot start a program.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Text that is held back, while something is.
static HELD: Mutex<Option<String>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<String>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on text is held back.
pub(super) fn hold() {
    *held() = Some(String::new());
}

/// The text that was held back. From now on none is.
pub(super) fn release() -> String {
    held().take().unwrap_or_default()
}

/// Takes the text if text is held back.
pub(super) fn takes(text: &str) -> bool {
    let mut held = held();
    if let Some(held) = held.as_mut() {
        held.push_str(text);
    }
    held.is_some()
}

/// The pager to use, if there is one.
pub(super) fn program() -> Option<String> {
    let set = VARIABLES.iter().find_map(|name| std::env::var(name).ok());
    match set {
        Some(set) => Some(set.trim().to_owned()).filter(|set| !set.is_empty() && set != "cat"),
        None => is_on_path(USUAL).then(|| USUAL.to_owned()),
    }
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(Path::new(program)).is_file())
}

/// Whether the screen has room for the text and a line to type on.
pub(super) fn fits(text: &str) -> bool {
    let Some((rows, columns)) = Term::stdout().size_checked() else { return true };
    let columns = usize::from(columns).max(1);
    let taken = |line: &str| measure_text_width(line).div_ceil(columns).max(1);
    text.lines().map(taken).sum::<usize>() < usize::from(rows)
}

/// Shows the text in the pager until the person has seen enough. Ctrl-C is for the pager.
///
/// # Errors
/// The pager could not be started: nothing was shown.
pub(super) async fn show(text: &str, program: &str) -> io::Result<()> {
    let mut interrupts = Interrupts::from_now();
    // As in git: what the person set may have arguments, so a shell reads it.
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(program).stdin(Stdio::piped());
    shell.envs(SETTINGS.into_iter().filter(|(name, _)| std::env::var_os(OsStr::new(name)).is_none()));
    let ended = feed(shell.spawn()?, text);
    tokio::pin!(ended);
    let status = loop {
        tokio::select! {
            status = &mut ended => break status?,
            () = interrupts.next() => {}
        }
    };
    match status.code() {
        Some(code) if NOT_STARTED.contains(&code) => Err(io::Error::other("the pager could not be started")),
        _ => Ok(()),
    }
}

async fn feed(mut pager: Child, text: &str) -> io::Result<std::process::ExitStatus> {
    if let Some(mut stdin) = pager.stdin.take() {
        // It fails when the person has seen enough.
        let _ = stdin.write_all(text.as_bytes()).await;
    }
    pager.wait().await
}
