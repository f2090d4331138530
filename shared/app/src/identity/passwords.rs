//! Argon2id over passwords, away from the threads that answer requests.
//!
//! A hash takes tens of milliseconds and 19 MiB. No more than a few are made at once, so that a crowd at the
//! sign-in page can exhaust neither the processors nor the memory.

use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Argon2, RECOMMENDED_SALT_LEN};
use svc_domain::identity::User;
use svc_domain::refusal::Refusal;
use svc_storage::StorageError;

use crate::App;
use crate::error::{Error, Result};
use crate::heavy::Lane;

/// Hashes at once, and those that may wait: a few seconds' worth.
static HASHERS: Lane = Lane::new(4, 200);

/// What is compared where there is no account, so that it takes as long as where there is one.
static NOBODY: LazyLock<String> = LazyLock::new(|| hashed("nobody", &[0; RECOMMENDED_SALT_LEN]));

/// Hash of a password, in PHC form, with a salt of its own.
///
/// # Errors
/// [`StorageError::Unavailable`] when the process is stopping.
pub async fn hash(app: &App, password: &str) -> Result<String> {
    let password = password.to_owned();
    let random = app.ids.secret();
    HASHERS.run(move || hashed(&password, &random[..RECOMMENDED_SALT_LEN])).await
}

/// Whether a password belongs to a hash. Without a hash it does not, which takes as long to find.
///
/// # Errors
/// [`StorageError::Corrupt`] when the hash is none; [`StorageError::Unavailable`] when the process is
/// stopping.
pub async fn verify(password: &str, hash: Option<String>) -> Result<bool> {
    let password = password.to_owned();
    HASHERS
        .run(move || {
            let known = hash.is_some();
            let hash = hash.as_deref().unwrap_or_else(|| NOBODY.as_str());
            let hash = PasswordHash::new(hash).map_err(|error| {
                Error::Storage(StorageError::Corrupt(format!("a password hash: {error}")))
            })?;
            Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok() && known)
        })
        .await?
}

fn hashed(password: &str, salt: &[u8]) -> String {
    Argon2::default()
        .hash_password_with_salt(password.as_bytes(), salt)
        .expect("the parameters and the length of the salt are the library's own")
        .to_string()
}

/// Refuses who does not know the password of an account that has one.
pub(super) async fn knows(account: &User, password: Option<&str>) -> Result<()> {
    let Some(hash) = account.password() else { return Ok(()) };
    let given = password.ok_or_else(|| Refusal::invalid("currentPassword", "required"))?;
    if verify(given, Some(hash.to_owned())).await? {
        Ok(())
    } else {
        Err(Refusal::invalid("currentPassword", "this is not your password").into())
    }
}
