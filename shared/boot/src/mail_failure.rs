//! Why a mail server took no mail, and what an operator can do about it.

use std::fmt;
use std::time::Duration;

use lettre::transport::smtp;
use svc_app::ports::MailError;

/// Why a mail server took no mail.
#[derive(Debug)]
pub struct MailFailure {
    /// Host and port of the server.
    pub(crate) server: String,
    pub(crate) cause: Cause,
}

#[derive(Debug)]
pub(crate) enum Cause {
    /// The mail or its address cannot be written.
    Unwritten(String),
    /// The server is silent for so long.
    Silent(Duration),
    /// What the server said, or what keeps the connection from it.
    Smtp(smtp::Error),
}

impl Cause {
    /// The code of the server's answer, if it gave one.
    fn code(&self) -> Option<String> {
        match self {
            Self::Smtp(error) => error.status().map(|code| code.to_string()),
            Self::Unwritten(_) | Self::Silent(_) => None,
        }
    }

    /// Whether the server does not take who signs in: what is wrong is in the settings, and no mail is.
    fn is_about_signing_in(&self) -> bool {
        self.code().is_some_and(|code| matches!(code.as_str(), "530" | "534" | "535" | "538"))
    }

    fn is_for_good(&self) -> bool {
        match self {
            Self::Unwritten(_) => true,
            Self::Silent(_) => false,
            Self::Smtp(error) => error.is_permanent() && !self.is_about_signing_in(),
        }
    }
}

impl MailFailure {
    /// What an operator can do.
    pub fn advice(&self) -> &'static str {
        let Cause::Smtp(error) = &self.cause else {
            return match self.cause {
                Cause::Unwritten(_) => "Check the address.",
                Cause::Silent(_) | Cause::Smtp(_) => {
                    "Check Mail:Host and Mail:Port, and whether Mail:Encryption is what the server speaks there."
                }
            };
        };
        if self.cause.is_about_signing_in() {
            return "Check Mail:User and Mail:Password: the server does not accept them.";
        }
        if error.is_permanent() {
            return "Check the address, and whether the server lets Mail:User send as Mail:From.";
        }
        if error.is_transient() {
            return "The server asks to try later. Mails wait meanwhile and are tried again; if this stays, ask its operator.";
        }
        if error.is_tls() {
            return "Check Mail:Encryption. If the server's certificate is of an authority of your own, set Mail:CaFile.";
        }
        "Check Mail:Host and Mail:Port, Mail:Encryption, and whether a firewall lets this machine connect."
    }
}

impl fmt::Display for MailFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = &self.server;
        match &self.cause {
            Cause::Unwritten(why) => f.write_str(why),
            Cause::Silent(time) => write!(f, "{server}: no answer within {} seconds", time.as_secs()),
            Cause::Smtp(error) => write!(f, "{server}: {error}"),
        }
    }
}

impl std::error::Error for MailFailure {}

impl From<MailFailure> for MailError {
    fn from(failure: MailFailure) -> Self {
        match &failure.cause {
            Cause::Unwritten(why) => Self::Refused(why.clone()),
            Cause::Smtp(error) if failure.cause.is_for_good() => Self::Refused(error.to_string()),
            Cause::Smtp(_) | Cause::Silent(_) => Self::Unavailable(Box::new(failure)),
        }
    }
}
