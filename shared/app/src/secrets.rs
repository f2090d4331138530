//! Secrets: how they look, and the hash under which they are stored. No secret is ever stored in clear.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::App;

/// What a secret is for; the first letters of it, so that people and scanners recognise a leaked one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// A browser session.
    Session,
    /// A personal access token.
    PersonalToken,
    /// A runner secret (specification section 5).
    Runner,
    /// A run's own agent token.
    AgentRun,
}

impl SecretKind {
    /// The first letters.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "svs_",
            Self::PersonalToken => "svp_",
            Self::Runner => "jrn_",
            Self::AgentRun => "sva_",
        }
    }
}

/// A new secret: prefix and 32 random bytes.
pub fn mint(app: &App, kind: SecretKind) -> String {
    format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(app.ids.secret()))
}

/// Hex SHA-256 of a secret: the name of its credential's row.
pub fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_name_is_the_sha256() {
        assert_eq!(
            super::hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
