//! Encrypts what must be read again but by nobody who only reads the store: addresses of channels.
//!
//! The key is the instance's. It is not in the store.

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::ports::Ids;

/// The instance's key.
pub struct Sealing {
    seals: LessSafeKey,
    names: hmac::Key,
}

impl Sealing {
    /// Seals with this key.
    ///
    /// # Panics
    /// Never: every 32 bytes are a key.
    pub fn new(key: &[u8; 32]) -> Self {
        let seals = UnboundKey::new(&CHACHA20_POLY1305, key).expect("32 bytes are a key");
        // A key for each of the two: what signs never encrypts.
        let names = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"names");
        Self { seals: LessSafeKey::new(seals), names: hmac::Key::new(hmac::HMAC_SHA256, names.as_ref()) }
    }

    /// A name of a text for one purpose, to find rows by: the same each time, and nothing can be read or guessed from it
    /// without the key.
    pub fn name(&self, purpose: &str, text: &str) -> String {
        hex::encode(hmac::sign(&self.names, format!("{purpose} {text}").as_bytes()))
    }

    /// Seals a text for one purpose, such as the id of what it belongs to: nothing else opens it.
    ///
    /// # Panics
    /// Never: a text that is held in memory is short enough.
    pub fn seal(&self, ids: &dyn Ids, purpose: &str, text: &str) -> String {
        let mut nonce = [0; NONCE_LEN];
        nonce.copy_from_slice(&ids.secret()[..NONCE_LEN]);
        let mut sealed = text.as_bytes().to_vec();
        self.seals
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(purpose.as_bytes()),
                &mut sealed,
            )
            .expect("a text that is held in memory is short enough");
        STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat())
    }

    /// The text; `None` where another key sealed it, or for another purpose.
    pub fn open(&self, purpose: &str, sealed: &str) -> Option<String> {
        let mut bytes = STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk_mut::<NONCE_LEN>()?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let clear = self.seals.open_in_place(nonce, Aad::from(purpose.as_bytes()), sealed).ok()?;
        String::from_utf8(clear.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Sealing;
    use crate::ports::Ids;
    use std::sync::atomic::{AtomicU8, Ordering};
    use uuid::Uuid;

    /// Another secret each time.
    #[derive(Default)]
    struct Counting(AtomicU8);

    impl Ids for Counting {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }

        fn trace_id(&self) -> u128 {
            0
        }

        fn secret(&self) -> [u8; 32] {
            [self.0.fetch_add(1, Ordering::Relaxed); 32]
        }
    }

    #[test]
    fn a_sealed_text_opens_for_its_purpose_with_its_key_alone() {
        let ids = Counting::default();
        let sealing = Sealing::new(&[1; 32]);
        let sealed = sealing.seal(&ids, "channel 1", "https://hooks.example/secret");
        assert!(!sealed.contains("hooks"));
        assert_eq!(sealing.open("channel 1", &sealed).as_deref(), Some("https://hooks.example/secret"));
        assert_eq!(sealing.open("channel 2", &sealed), None);
        assert_eq!(Sealing::new(&[2; 32]).open("channel 1", &sealed), None);
        assert_eq!(sealing.open("channel 1", "nonsense"), None);
        assert_ne!(sealed, sealing.seal(&ids, "channel 1", "https://hooks.example/secret"));
    }
}
