//! `svc-server doctor` and `svc-server replay`: what workers gave up on, whether mail works, and another try.

use std::process::ExitCode;

use svc_app::dead_letters::{self, DeadLetter};
use svc_app::mailing;
use svc_app::webhooks::{Unsigned, unsigned};
use svc_boot::{open, open_to_read};

use crate::args::Args;
use crate::existing::{self, UNREADABLE};
use crate::failure::Failure;
use crate::mail::Mail;

/// Names the messages that workers gave up on, the webhooks that cannot sign, and what is wrong with mail. Exits with 0 when
/// all is well, with 1 when something is not, with 2 when the store cannot be read.
pub async fn doctor(args: &Args) -> ExitCode {
    match looked_over(args).await {
        Ok(Found { letters, unsigned, mail }) => {
            print!("{}{}{mail}", told(&letters), told_of_webhooks(&unsigned));
            let is_well = letters.is_empty() && unsigned.is_empty() && mail.works();
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
    letters: Vec<DeadLetter>,
    unsigned: Vec<Unsigned>,
    mail: Mail,
}

async fn looked_over(args: &Args) -> Result<Found, Failure> {
    let config = existing::config(args)?;
    let opened = open_to_read(&config).await?;
    let found = async {
        let letters = dead_letters::list(&opened.app).await?;
        Ok::<_, Failure>((letters, unsigned(&opened.app).await?, mailing::health(&opened.app).await?))
    }
    .await;
    opened.close().await;
    let (letters, unsigned, known) = found?;
    Ok(Found { letters, unsigned, mail: Mail::look(&config, known).await? })
}

/// Sends the messages again that workers gave up on.
///
/// # Errors
/// What keeps the store from being opened, read or written.
pub async fn replay(args: &Args) -> Result<(), Failure> {
    let opened = open(&existing::config(args)?).await?;
    let sent = dead_letters::replay(&opened.app).await?;
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

fn told_of_webhooks(unsigned: &[Unsigned]) -> String {
    if unsigned.is_empty() {
        return String::new();
    }
    let line =
        |webhook: &Unsigned| format!("the webhook {:?} of organization {}\n", webhook.name, webhook.org);
    let lines: String = unsigned.iter().map(line).collect();
    format!(
        "{lines}These webhooks send nothing: their secrets were encrypted with another key. Bring `secrets.key` (or \
         Secrets:Key) back from before the restore, or have their secrets rotated (`svc webhook rotate NAME`).\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{DeadLetter, Unsigned, told, told_of_webhooks};

    #[test]
    fn people_read_which_webhooks_cannot_sign() {
        let webhook =
            Unsigned { org: "00000000-0000-7000-8000-000000000000".parse().unwrap(), name: "n8n".into() };
        let said = told_of_webhooks(&[webhook]);
        assert!(said.starts_with("the webhook \"n8n\" of organization 00000000-"), "{said}");
        assert!(said.contains("svc webhook rotate"), "{said}");
        assert_eq!(told_of_webhooks(&[]), "");
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
