//! `svc-server mail-test`, and what `svc-server doctor` says of mail.

use std::fmt;

use svc_app::ports::{Envelope, Ids as _};
use svc_boot::{Config, MailFailure, OsIds, SmtpMail, init_telemetry};
use svc_domain::email;
use svc_domain::mail::{MailHealth, said};

use crate::args::Args;
use crate::failure::Failure;

/// What an operator does who wants mail.
const OFF: &str = "set Mail:Host and Mail:From, see docs/settings.md";

/// Sends one mail to an address, and prints what the server answered.
///
/// # Errors
/// What is wrong with the settings; what the server said, and what to do about it.
pub async fn mail_test(args: &Args, address: &str) -> Result<(), Failure> {
    let config = args.config()?;
    init_telemetry(&config.logging);
    let Some(mail) = SmtpMail::of(&config.mail)? else {
        return Err(format!("mail is off: {OFF}").into());
    };
    let envelope = Envelope {
        to: address.to_owned(),
        email: email::test(&config.settings.service.base_url),
        id: format!("test.{}", OsIds.uuid()),
        list: None,
    };
    let answer = mail.submit(&envelope).await.map_err(|failure| advised(&failure))?;
    println!("{} took the mail for {address}: {}", mail.server(), said(&answer));
    println!("If it does not arrive, look among spam: a server that takes a mail may still not deliver it.");
    Ok(())
}

fn advised(failure: &MailFailure) -> String {
    format!("{}\n{}", said(&failure.to_string()), failure.advice())
}

/// Whether mail works, for an operator.
pub(crate) struct Mail {
    /// What is wrong now with reaching the server; `None` where mail is off.
    now: Option<Result<String, String>>,
    /// What came of the last mails.
    known: MailHealth,
    /// Whether the settings were read from a file: without one, the server may have others.
    has_file: bool,
}

impl Mail {
    /// Tries whether the server can be reached and takes the sign-in.
    pub(crate) async fn look(config: &Config, known: MailHealth, has_file: bool) -> Result<Self, Failure> {
        let now = match SmtpMail::of(&config.mail)? {
            Some(mail) => {
                let probed = mail.probe().await.map_err(|failure| advised(&failure));
                Some(probed.map(|()| mail.server().to_owned()))
            }
            None => None,
        };
        Ok(Self { now, known, has_file })
    }

    /// Whether nothing is wrong with it.
    pub(crate) fn works(&self) -> bool {
        match &self.now {
            Some(now) => now.is_ok() && self.known.failure().is_none(),
            None => true,
        }
    }
}

impl fmt::Display for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.now {
            None if !self.has_file => {
                return writeln!(
                    f,
                    "Mail was not looked at: no settings file given. Name the server's with --config; if it has none, mail is \
                     off."
                );
            }
            None => {
                return writeln!(
                    f,
                    "Mail is off; links are handed to whoever asks for them. To send mail, {OFF}."
                );
            }
            Some(Ok(server)) => {
                writeln!(f, "The mail server {server} can be reached and takes the sign-in.")?
            }
            Some(Err(why)) => writeln!(f, "The mail server takes no mail: {why}")?,
        }
        if let (Some(since), Some(why)) = (self.known.failing_since, self.known.failure()) {
            writeln!(f, "Mail has not been taken since {since}: {why}")?;
            writeln!(f, "Try it with `svc-server mail-test you@example.com`.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Mail;
    use svc_domain::mail::MailHealth;

    #[test]
    fn an_operator_reads_what_is_wrong_and_what_to_do() {
        let well = Mail {
            now: Some(Ok("mail.example.com:587".into())),
            known: MailHealth::default(),
            has_file: true,
        };
        assert!(well.works());
        assert_eq!(
            well.to_string(),
            "The mail server mail.example.com:587 can be reached and takes the sign-in.\n"
        );
        let off = Mail { now: None, known: MailHealth::default(), has_file: true };
        assert!(off.works() && off.to_string().contains("Mail:Host"), "{off}");
        let unknown = Mail { has_file: false, ..off };
        assert!(unknown.to_string().contains("no settings file given"), "{unknown}");
        let mut known = MailHealth::default();
        known.failed("535 wrong password", "2026-01-01T12:00:00Z".parse().unwrap());
        let fails =
            Mail { now: Some(Err("535 wrong password\nCheck Mail:User".into())), known, has_file: true };
        assert!(!fails.works());
        assert_eq!(
            fails.to_string(),
            "The mail server takes no mail: 535 wrong password\nCheck Mail:User\n\
             Mail has not been taken since 2026-01-01T12:00:00Z: 535 wrong password\n\
             Try it with `svc-server mail-test you@example.com`.\n"
        );
    }
}
