//! `svc-server doctor` and `svc-server replay`: what workers gave up on, what nothing gets to, whether mail works, which
//! logs lack lines, and another try.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use svc_app::administration::{self, AdminCaller};
use svc_app::check::{self, Logs};
use svc_app::dead_letters::{self, DeadLetter};
use svc_app::mailing;
use svc_app::silent::{Silent, silent};
use svc_boot::{Room, Storage, Store, open, open_to_read};
use svc_domain::mail::said;

use crate::args::Args;
use crate::existing::{self, UNREADABLE};
use crate::failure::Failure;
use crate::mail::Mail;

/// Free bytes beside the store below which writes may fail soon: its log takes as much.
const LITTLE_ROOM: u64 = 64 * 1024 * 1024;

/// For how long logs of runs are read: `check` reads all.
const LOOK: Duration = Duration::from_secs(5);
/// Logs that are named.
const NAMED: usize = 10;

/// Names the messages that workers gave up on, the webhooks and chats that nothing gets to, what keeps the store from being
/// written, what is wrong with mail, and logs of runs that lack lines.
/// Exits with 0 when all is well, with 1 when something is not, with 2 when the store cannot be read.
pub async fn doctor(args: &Args) -> ExitCode {
    match looked_over(args).await {
        Ok(Found { unwritable, letters, silent, logs, mail }) => {
            let unwritable = unwritable.map(|why| why + "\n");
            print!(
                "{}{}{}{}{mail}",
                unwritable.as_deref().unwrap_or_default(),
                told(&letters),
                told_of_silent(&silent),
                told_of_logs(&logs)
            );
            let is_well = unwritable.is_none()
                && letters.is_empty()
                && silent.is_empty()
                && logs.lost.is_empty()
                && mail.works();
            if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(failure) => {
            eprintln!("svc-server: {failure:#}");
            ExitCode::from(UNREADABLE)
        }
    }
}

/// What a look at the store and its mail server found.
struct Found {
    /// Why nothing can be written.
    unwritable: Option<String>,
    letters: Vec<DeadLetter>,
    silent: Vec<Silent>,
    logs: Logs,
    mail: Mail,
}

async fn looked_over(args: &Args) -> Result<Found, Failure> {
    let config = existing::config(args)?;
    let opened = open_to_read(&config).await?;
    let found = async {
        let letters = dead_letters::list(&opened.app).await?;
        let logs = check::logs(&opened.app, LOOK).await?;
        Ok::<_, Failure>((letters, silent(&opened.app).await?, logs, mailing::health(&opened.app).await?))
    }
    .await;
    opened.close().await;
    let (letters, silent, logs, known) = found?;
    let mail = Mail::look(&config, known, args.config.is_some()).await?;
    Ok(Found { unwritable: unwritable(&config.storage), letters, silent, logs, mail })
}

/// Why nothing can be written to an embedded store, as far as its file system says.
fn unwritable(storage: &Storage) -> Option<String> {
    match storage.engine {
        Store::Embedded => told_of_room(&storage.directory, Room::of(&storage.directory)?),
        Store::Aws => None,
    }
}

fn told_of_room(directory: &Path, room: Room) -> Option<String> {
    let directory = directory.display();
    if room.read_only {
        return Some(format!(
            "Nothing can be saved: the file system of {directory} is mounted read-only. Mount it to be written."
        ));
    }
    (room.free < LITTLE_ROOM).then(|| {
        let mib = room.free / 1024 / 1024;
        format!(
            "The disk is full, or nearly: {mib} MiB are free beside {directory}. Free some: 64 MiB at least."
        )
    })
}

/// Sends the messages again that workers gave up on.
///
/// # Errors
/// What keeps the store from being opened, read or written.
pub async fn replay(args: &Args) -> Result<(), Failure> {
    let opened = open(&existing::config(args)?).await?;
    let sent = administration::replay(&opened.app, AdminCaller::Console).await?;
    opened.close().await;
    match sent {
        0 => println!("No message was given up: nothing to send again."),
        1 => println!("1 message sent again. A running server handles it."),
        sent => println!("{sent} messages sent again. A running server handles them."),
    }
    Ok(())
}

fn told(letters: &[DeadLetter]) -> String {
    if letters.is_empty() {
        return "No messages have failed for good.\n".to_owned();
    }
    let line = |letter: &DeadLetter| {
        let DeadLetter { at, body, why, .. } = letter;
        format!("{at}  {}: {why}\n  {body}\n", letter.tried())
    };
    let lines: String = letters.iter().map(line).collect();
    let messages = if letters.len() == 1 { "message" } else { "messages" };
    format!(
        "{lines}{} {messages} failed for good. Fix the cause, then run `svc-server replay`.\n",
        letters.len()
    )
}

fn told_of_silent(silent: &[Silent]) -> String {
    let lines = silent.iter().map(|Silent { what, why, .. }| format!("{what}: {}\n", said(why)));
    let mends: BTreeSet<&str> = silent.iter().map(|silent| silent.mend).collect();
    lines.chain(mends.into_iter().map(|mend| format!("{mend}\n"))).collect()
}

fn told_of_logs(Logs { read, all, lost }: &Logs) -> String {
    let looked = match (read, all) {
        (1, true) => "the log of the only run".to_owned(),
        (read, true) => format!("the logs of all {read} runs"),
        (read, false) => format!("the logs of the {read} newest runs; `svc-server check` reads all"),
    };
    if lost.is_empty() {
        return if *read == 0 && *all { String::new() } else { format!("No lines are lost of {looked}.\n") };
    }
    let lines: String = lost.iter().take(NAMED).map(|what| format!("{what}\n")).collect();
    let more = match lost.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("and {more} more\n"),
    };
    format!(
        "{lines}{more}Lines of logs are lost, of {looked}. A backup may have the files under `blobs/log`.\n"
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use svc_boot::Room;

    use super::{DeadLetter, LITTLE_ROOM, Logs, Silent, told, told_of_logs, told_of_room, told_of_silent};

    #[test]
    fn people_read_what_nothing_gets_to_and_what_to_do() {
        let silent = |what: &str, why: &str| Silent { what: what.into(), why: why.into(), mend: "Mend it." };
        let all = [
            silent("the webhook \"n8n\" of the organization acme", "it is disabled"),
            silent("b", "c\u{1b}[1m"),
        ];
        assert_eq!(
            told_of_silent(&all),
            "the webhook \"n8n\" of the organization acme: it is disabled\nb: c [1m\nMend it.\n"
        );
        assert_eq!(told_of_silent(&[]), "");
    }

    /// It said nothing of logs: only `check` did.
    #[test]
    fn people_read_which_logs_lack_lines_and_how_many_were_read() {
        let logs = |read, all, lost: usize| Logs { read, all, lost: vec!["a log lacks line 1".into(); lost] };
        assert_eq!(told_of_logs(&logs(0, true, 0)), "");
        assert_eq!(told_of_logs(&logs(3, true, 0)), "No lines are lost of the logs of all 3 runs.\n");
        let some = told_of_logs(&logs(300, false, 12));
        assert!(some.starts_with("a log lacks line 1\na log"), "{some}");
        assert!(
            some.contains("\nand 2 more\nLines of logs are lost, of the logs of the 300 newest runs; `svc-"),
            "{some}"
        );
    }

    /// It said that all was well while every write was refused.
    #[test]
    fn a_full_disk_and_a_read_only_mount_are_told() {
        let told = |free, read_only| told_of_room(Path::new("/data"), Room { free, read_only });
        assert_eq!(told(LITTLE_ROOM, false), None);
        assert!(told(0, false).unwrap().contains("0 MiB are free beside /data"));
        assert!(told(LITTLE_ROOM, true).unwrap().contains("mounted read-only"));
    }

    #[test]
    fn people_read_what_was_given_up_and_what_to_do() {
        let letter = DeadLetter {
            at: "2026-01-01T12:00:00Z".parse().unwrap(),
            body: r#"{"kind":"packFeed"}"#.into(),
            attempts: 15,
            why: "the store does not answer".into(),
        };
        let once = DeadLetter { attempts: 1, ..letter.clone() };
        assert!(told(std::slice::from_ref(&once)).starts_with("2026-01-01T12:00:00Z  1 attempt: the store"));
        assert!(told(&[once, letter.clone()]).contains("\n2 messages failed for good."));
        assert_eq!(
            told(&[letter]),
            "2026-01-01T12:00:00Z  15 attempts: the store does not answer\n  {\"kind\":\"packFeed\"}\n\
             1 message failed for good. Fix the cause, then run `svc-server replay`.\n"
        );
        assert_eq!(told(&[]), "No messages have failed for good.\n");
    }
}
