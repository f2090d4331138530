//! The secrets with which git reaches the remotes of a checkout, as far as the runner can know them: they are taken out of
//! the log.
//!
//! | where                                                     | what                           |
//! |-----------------------------------------------------------|--------------------------------|
//! | an address in git's settings (`https://me:secret@host/…`) | the password                   |
//! | `http.*.extraHeader`                                      | the value of the header        |
//! | credential helpers                                        | the password for each remote   |
//! | `.netrc`                                                  | the password for each host     |

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use super::git::Git;
use super::origin::host_of;
use crate::environment::passwords_in;
use crate::plain;

/// How long a helper may take. Git itself waits for it as long as it likes.
const PATIENCE: Duration = Duration::from_secs(5);

/// All of them.
pub async fn secrets_of(git: &Git, home: Option<&Path>) -> BTreeSet<String> {
    let listed = git.run(["config", "--list", "--includes", "-z"]).await.unwrap_or_default();
    let settings = listed.split('\0').map(|one| one.split_once('\n').unwrap_or((one, "")));
    let (mut secrets, mut remotes) = (BTreeSet::new(), BTreeSet::new());
    for (name, value) in settings {
        for text in [name, value].into_iter().filter(|text| text.contains("://")) {
            secrets.extend(passwords_in(text));
        }
        if name.ends_with(".extraheader") {
            secrets.extend(value.split_once(':').map(|(_, value)| value.trim().to_owned()));
            secrets.extend(value.rsplit_once(' ').map(|(_, value)| value.to_owned()));
        }
        if name.starts_with("remote.") && value.starts_with("http") && value.contains("://") {
            remotes.insert(value.to_owned());
        }
    }
    let netrc = home.and_then(|home| plain::read_linked(&home.join(".netrc"), plain::RECORD).ok());
    let netrc = String::from_utf8_lossy(&netrc.unwrap_or_default()).into_owned();
    for remote in remotes {
        secrets.extend(git.clone().within(PATIENCE).password_for(&remote).await);
        secrets.extend(in_netrc(&netrc, host_of(&remote).unwrap_or_default()));
    }
    secrets
}

/// The passwords for a host, and those for every host.
fn in_netrc(text: &str, host: &str) -> Vec<String> {
    let (mut found, mut concerns) = (Vec::new(), false);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "machine" => concerns = words.next() == Some(host),
            "default" => concerns = true,
            "password" => found.extend(words.next().filter(|_| concerns).map(str::to_owned)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_netrc_is_read_for_the_host_alone() {
        let text = "machine a.example login me password one\nmachine b.example\n  login me\n  password two\n\
                    default login anonymous password three";
        assert_eq!(in_netrc(text, "b.example"), ["two", "three"]);
        assert_eq!(host_of("https://me:pw@b.example:8443/x.git"), Some("b.example"));
    }

    #[tokio::test]
    async fn addresses_headers_and_helpers_tell_their_secrets() {
        let place = tempfile::tempdir().unwrap();
        let git = Git::at(place.path());
        git.run(["init", "-q"]).await.unwrap();
        let helper = "!f() { echo username=me; echo password=of-the-helper; }; f";
        for (name, value) in [
            ("remote.origin.url", "https://me:in%20the-address@a.example/x.git"),
            ("remote.other.pushurl", "https://b.example/x.git"),
            ("url.https://t:in-a-rule@c.example/.insteadOf", "c:"),
            ("http.https://d.example/.extraHeader", "Authorization: basic aGVhZGVy"),
            ("credential.https://b.example.helper", helper),
        ] {
            git.run(["config", name, value]).await.unwrap();
        }
        std::fs::write(place.path().join(".netrc"), "machine b.example login x password in-netrc").unwrap();
        let secrets = secrets_of(&git, Some(place.path())).await;
        for secret in
            ["in the-address", "in%20the-address", "in-a-rule", "aGVhZGVy", "of-the-helper", "in-netrc"]
        {
            assert!(secrets.contains(secret), "{secret}: {secrets:?}");
        }
    }
}
