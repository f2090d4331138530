//! What people type about themselves and their organizations: addresses, names and passwords, and what makes
//! them acceptable. Each check answers what to store, or what is wrong in words for people.
//!
//! Never looks at what exists already.

use crate::name::{UNSEEN, is_visible};

/// Fewest characters of a password.
pub const MIN_PASSWORD: usize = 10;

/// Most characters of a password.
pub const MAX_PASSWORD: usize = 200;

/// Most characters of a name.
pub const MAX_NAME: usize = 100;

/// Most bytes of an address, as mail systems have it.
pub const MAX_EMAIL: usize = 254;

/// Most bytes of a path to go to.
const MAX_PATH: usize = 1_000;

/// Most bytes of an address before its `@`.
const MAX_LOCAL_PART: usize = 64;

/// An e-mail address, without spaces around it. Whether it can receive mail only mail can tell.
///
/// # Errors
/// What is wrong with it.
pub fn email(text: &str) -> Result<String, &'static str> {
    const WRONG: &str = "this is not an e-mail address";
    let text = text.trim();
    if text.len() > MAX_EMAIL {
        return Err("an address has at most 254 characters");
    }
    let (local, domain) = text.rsplit_once('@').ok_or(WRONG)?;
    let local_part = (1..=MAX_LOCAL_PART).contains(&local.len()) && !local.contains('@');
    let edges = |c: char| c == '.' || c == '-';
    let host = !domain.is_empty() && !domain.starts_with(edges) && !domain.ends_with(edges);
    let clean = !text.chars().any(|c| c.is_whitespace() || c.is_control() || "<>,;\"()".contains(c));
    if local_part && host && clean { Ok(text.to_owned()) } else { Err(WRONG) }
}

/// An e-mail address that is new to this instance and that mail is sent to: not one of the machine itself, and none that
/// names a machine by its number.
///
/// # Errors
/// What is wrong with it.
pub fn public_email(text: &str) -> Result<String, &'static str> {
    let email = email(text)?;
    let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain).to_ascii_lowercase();
    let own = domain == "localhost" || domain.ends_with(".localhost");
    let number = domain.starts_with('[') || domain.contains(':') || domain.split('.').all(is_number);
    if !is_visible(&email) {
        return Err(UNSEEN);
    }
    if own || number { Err("mail is sent to the addresses of domains only") } else { Ok(email) }
}

/// Whether a part of a domain is a number, as addresses of machines have: decimal or hexadecimal.
fn is_number(label: &str) -> bool {
    let hexadecimal = label.strip_prefix("0x").unwrap_or("-");
    let decimal = !label.is_empty() && label.chars().all(|c| c.is_ascii_digit());
    decimal || hexadecimal.chars().all(|c| c.is_ascii_hexdigit())
}

/// A name that people see, without spaces around it.
///
/// # Errors
/// What is wrong with it.
pub fn name(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err("must not be empty");
    }
    if text.chars().count() > MAX_NAME {
        return Err("has at most 100 characters");
    }
    if text.chars().any(char::is_control) {
        return Err("must not contain line breaks or other control characters");
    }
    if !is_visible(text) {
        return Err(UNSEEN);
    }
    Ok(text.to_owned())
}

/// A name that strangers read in mail, of a person or an organization: as any, and no address of a page, which a mail
/// program would make a link of.
///
/// # Errors
/// What is wrong with it.
pub fn public_name(text: &str) -> Result<String, &'static str> {
    let name = name(text)?;
    let lower = name.to_lowercase();
    if lower.contains("://") || lower.contains("www.") {
        return Err("must not contain the address of a page");
    }
    Ok(name)
}

/// A password: long enough to resist guessing, short enough to be hashed. It is taken as typed.
///
/// # Errors
/// What is wrong with it.
pub fn password(text: &str) -> Result<(), &'static str> {
    match text.chars().count() {
        MIN_PASSWORD..=MAX_PASSWORD => Ok(()),
        count if count < MIN_PASSWORD => Err("has at least 10 characters"),
        _ => Err("has at most 200 characters"),
    }
}

/// An address inside this service for a browser to go to: a path and what follows it, which no browser reads
/// as the address of another site. Without a fragment: what stands there, such as the secret of a link, is not
/// to be kept.
///
/// # Errors
/// What is wrong with it.
pub fn own_path(text: &str) -> Result<String, &'static str> {
    const WRONG: &str = "must be a path of this service, such as /orgs/demo";
    let visible = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\#".contains(&byte));
    let own = text.starts_with('/') && !text.starts_with("//");
    if text.len() > MAX_PATH {
        return Err("has at most 1000 characters");
    }
    if visible && own { Ok(text.to_owned()) } else { Err(WRONG) }
}

#[cfg(test)]
mod tests {
    use super::{email, name, own_path, password, public_email, public_name};

    #[test]
    fn names_that_strangers_read_are_no_addresses_of_pages() {
        for good in ["Acme Inc.", "Node.js fans", "a/b: c", "R&D @ Acme"] {
            assert_eq!(public_name(good), Ok(good.to_owned()));
        }
        for bad in ["URGENT: verify at https://evil.example", "HTTPS://x", "WWW.evil.example", "see www.x"] {
            assert_eq!(public_name(bad), Err("must not contain the address of a page"), "{bad}");
        }
        assert!(public_name(" ").is_err());
    }

    #[test]
    fn addresses_are_sane() {
        for good in ["ada@example.com", " Ada.L+x@mail.example.org ", "a@localhost", "ü@exämple.de"] {
            assert_eq!(email(good), Ok(good.trim().to_owned()));
        }
        let long = format!("{}@example.com", "a".repeat(65));
        let longer = format!("a@{}", "b".repeat(254));
        for bad in
            ["", "@", "a@", "@b", "a b@c", "a@b@c", "a@.b", "a@b.", "a\n@b", "<a@b>", "a,b@c", &long, &longer]
        {
            assert!(email(bad).is_err(), "{bad:?}");
        }
    }

    /// Invitations reached the machine's own users.
    #[test]
    fn mail_is_sent_to_domains_only() {
        for good in ["ada@example.com", "ada@3com.example", "ada@mail.4711.de", "ü@exämple.de", "ada@corp"]
        {
            assert_eq!(public_email(good), Ok(good.to_owned()));
        }
        for bad in [
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@localhost",
            "a@LOCALHOST",
            "a@mail.localhost",
            "root@127.0.0.1",
            "root@2130706433",
            "root@0x7f.1",
            "a@::1",
            "a\u{200b}da@example.com",
            "ada@exam\u{202e}ple.com",
            "ada@exa\u{2028}mple.com",
        ] {
            assert!(public_email(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_are_one_short_line() {
        assert_eq!(name("  Ada Lovelace "), Ok("Ada Lovelace".to_owned()));
        assert!(name(&"ü".repeat(100)).is_ok());
        for bad in ["", "   ", "a\nb", "a\u{0}b", &"x".repeat(101)] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_path_leads_nowhere_else() {
        for good in ["/", "/orgs/demo?tab=1", "/a//b", "/%2F%2Fevil.example"] {
            assert_eq!(own_path(good), Ok(good.to_owned()));
        }
        let long = format!("/{}", "a".repeat(1_000));
        for bad in [
            "",
            "orgs",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "/\n",
            " /",
            "/ ",
            "javascript:alert(1)",
            "/ü",
            "/join#svi_x",
            &long,
        ] {
            assert!(own_path(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn passwords_count_characters() {
        assert!(password(&"ü".repeat(10)).is_ok());
        assert!(password(&"x".repeat(200)).is_ok());
        assert!(password("123456789").is_err());
        assert!(password(&"x".repeat(201)).is_err());
    }
}
