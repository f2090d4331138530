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
    /// A link that invites to an organization.
    Invitation,
    /// A link to choose a new password.
    PasswordReset,
    /// A link to confirm a new address.
    NewAddress,
    /// An attempt to sign in with an identity provider.
    SignIn,
    /// An attempt to connect an organization with the code host.
    CodeHost,
    /// The address that a code host delivers to.
    WebhookAddress,
    /// What a code host signs its deliveries with.
    WebhookSecret,
    /// A code that connects a chat.
    ChatCode,
    /// A token of an organization's directory (SCIM).
    Directory,
    /// The address of an intake.
    IntakeAddress,
}

impl SecretKind {
    /// The first letters.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "svs_",
            Self::PersonalToken => "svp_",
            Self::Runner => "jrn_",
            Self::AgentRun => "sva_",
            Self::Invitation => "svi_",
            Self::PasswordReset => "svr_",
            Self::NewAddress => "sve_",
            Self::SignIn => "svo_",
            Self::CodeHost => "svh_",
            Self::WebhookAddress => "svw_",
            Self::WebhookSecret => "svk_",
            Self::ChatCode => "svn_",
            Self::Directory => "svd_",
            Self::IntakeAddress => "svx_",
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

/// A key made of a secret, from which further secrets can be made again and again without being stored. It
/// cannot be made from the secret's hash, which is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DerivationKey([u8; 32]);

impl DerivationKey {
    /// The key of a secret.
    pub(crate) fn of(secret: &str) -> Self {
        let digest = Sha256::new().chain_update(b"svc derivation key\0").chain_update(secret.as_bytes());
        Self(digest.finalize().into())
    }

    /// The key for this purpose.
    pub(crate) fn key(&self, purpose: &str) -> [u8; 32] {
        Sha256::new().chain_update(self.0).chain_update(purpose.as_bytes()).finalize().into()
    }

    /// The secret for this purpose, named by parts that are told apart by their lengths.
    pub(crate) fn derive(&self, kind: SecretKind, parts: &[&[u8]]) -> String {
        let mut digest = Sha256::new().chain_update(self.0);
        for part in parts {
            digest = digest.chain_update(part.len().to_be_bytes()).chain_update(part);
        }
        format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(digest.finalize()))
    }
}

impl std::fmt::Debug for DerivationKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DerivationKey(…)")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn derived_secrets_come_again_and_differ_by_every_part() {
        let derive = |secret, parts: &[&[u8]]| {
            super::DerivationKey::of(secret).derive(super::SecretKind::AgentRun, parts)
        };
        assert_eq!(derive("s", &[b"run", b"1"]), derive("s", &[b"run", b"1"]));
        assert!(derive("s", &[b"run", b"1"]).starts_with("sva_"));
        for other in
            [derive("t", &[b"run", b"1"]), derive("s", &[b"run", b"2"]), derive("s", &[b"ru", b"n1"])]
        {
            assert_ne!(other, derive("s", &[b"run", b"1"]));
        }
    }

    #[test]
    fn the_stored_name_is_the_sha256() {
        assert_eq!(super::hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
