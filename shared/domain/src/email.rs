//! What the service writes to people by mail: about their account in plain text, one purpose each; about what is new in
//! the file below.
//!
//! Names that people chose stand in lines of text only. Sends nothing and holds no address.

mod notifications;

use jiff::Timestamp;

pub use notifications::{Digest, Section, broken_channel, notifications};

/// An email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    /// Subject: one line.
    pub subject: String,
    /// Text.
    pub text: String,
    /// The same as a page, for programs that show it instead.
    pub html: Option<String>,
}

/// An invitation to an organization. Strangers get it: no name in it is an address that their programs make a link of.
pub fn invitation(org: &str, by: &str, link: &str, until: Timestamp) -> Email {
    let (org, by) = (unlinked(org), unlinked(by));
    Email {
        subject: format!("{by} invites you to {org}"),
        text: format!(
            "{by} invites you to work in {org}.\n\n\
             Join with this link, which works once and expires on {}:\n\n{link}\n\n\
             Anyone who has the link can join with your address, so keep it to yourself. If you did not \
             expect this e-mail, ignore it.\n",
            day(until)
        ),
        html: None,
    }
}

/// A link to choose a new password.
pub fn password_reset(name: &str, link: &str, minutes: i64) -> Email {
    Email {
        subject: "Choose a new password".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             somebody, probably you, asked for a new password. Choose one with this link, which works once and \
             expires in {minutes} minutes:\n\n{link}\n\n\
             This signs you out everywhere. If it was not you, ignore this e-mail: your password stays the same.\n"
        ),
        html: None,
    }
}

/// A link to confirm a new address.
pub fn new_address(name: &str, link: &str, hours: i64) -> Email {
    Email {
        subject: "Confirm your new address".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             you asked to sign in with this address from now on. Confirm it with this link, which works once and \
             expires in {hours} hours:\n\n{link}\n\n\
             If you did not ask for this, ignore this e-mail: nothing changes.\n"
        ),
        html: None,
    }
}

/// Tells an address that its account is about to get another one.
pub fn address_leaves(name: &str, new: &str) -> Email {
    Email {
        subject: "The address of your account is changing".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             somebody who is signed in as you, probably you, asked to change the address of your account to \
             {new}. The change takes effect when it is confirmed from there. After that, mail goes to {new} \
             only.\n\n\
             If it was not you, change your password now: that stops the change.\n"
        ),
        html: None,
    }
}

/// A mail that an operator sends to see whether it arrives.
pub fn test(base_url: &str) -> Email {
    Email {
        subject: "Mail works".to_owned(),
        text: format!(
            "This is the test that you asked for: {base_url} sends mail.\n\n\
             It came from `svc-server mail-test`; nothing is to be done.\n"
        ),
        html: None,
    }
}

/// A name in which nothing is read as an address of a page or of a person: its dots and marks are others that look the
/// same, where a letter follows.
fn unlinked(name: &str) -> String {
    let mut unlinked = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let followed = rest.peek().is_some_and(|next| next.is_alphanumeric() || *next == '/');
        unlinked.push(match c {
            '.' if followed => '\u{2024}',
            '@' if followed => '\u{ff20}',
            ':' if followed => '\u{a789}',
            c if c.is_control() => ' ',
            c => c,
        });
    }
    unlinked
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    /// An organization called like this mailed its address to strangers as a link.
    #[test]
    fn an_invitation_has_one_link_whatever_names_say() {
        let link = "https://work.example.com/join#svi_x";
        let lure = "URGENT: verify at https://evil.example/x or evil.example, ask help@evil.example, www.evil.example";
        let mail = super::invitation(lure, lure, link, Timestamp::UNIX_EPOCH);
        let linked = |text: &str| {
            text.split_whitespace()
                .filter(|word| word.contains("://") || word.contains(".e") || word.contains('@'))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!((linked(&mail.subject), linked(&mail.text)), (vec![], vec![link.to_owned()]));
        assert!(mail.subject.starts_with("URGENT: verify at"), "{}", mail.subject);
        assert!(
            super::invitation("Acme Inc.", "Ada", link, Timestamp::UNIX_EPOCH)
                .subject
                .ends_with("to Acme Inc.")
        );
    }

    #[test]
    fn emails() {
        let invitation =
            super::invitation("Demo", "Ada", "https://work.example.com/join#svi_x", Timestamp::UNIX_EPOCH);
        let reset = super::password_reset("Ada", "https://work.example.com/reset-password#svr_x", 60);
        let address = super::new_address("Ada", "https://work.example.com/confirm-address#sve_x", 24);
        let leaves = super::address_leaves("Ada", "lovelace@example.com");
        let show = |email: &super::Email| format!("{}\n\n{}", email.subject, email.text);
        let test = super::test("https://work.example.com");
        let all = [invitation, reset, address, leaves, test];
        insta::assert_snapshot!(all.iter().map(show).collect::<Vec<_>>().join("\n----\n"));
    }
}
