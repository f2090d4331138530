//! Encrypts messages for browsers: RFC 8291 over the content coding `aes128gcm` of RFC 8188, in one record.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};

/// Bytes of a public key: a point of P-256, not compressed.
pub(super) const POINT: usize = 65;
/// Bytes of the secret that a browser shares with the service.
pub(super) const AUTH: usize = 16;
/// Bytes of a record's salt.
pub(super) const SALT: usize = 16;
/// Bytes of a record at most. Every push service takes so many.
const RECORD: u32 = 4_096;
/// Bytes of a text at most: what is left of the record beside its header, its delimiter and its tag.
pub(super) const LONGEST: usize = RECORD as usize - (SALT + 4 + 1 + POINT) - 1 - 16;
/// Ends the last record.
const LAST: u8 = 2;

/// What a message is encrypted to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver<'a> {
    /// The public key of the browser.
    pub(super) key: &'a [u8],
    /// The secret that it shares with the service.
    pub(super) auth: &'a [u8],
}

/// The body of a message; `None` where a key is none, or the text is too long. `sender` is a private key and `salt` a number
/// that no other message has.
pub(super) fn encrypt(
    receiver: Receiver<'_>,
    sender: &[u8; 32],
    salt: &[u8; SALT],
    text: &[u8],
) -> Option<Vec<u8>> {
    if receiver.key.len() != POINT || receiver.auth.len() != AUTH || text.len() > LONGEST {
        return None;
    }
    let sender = PrivateKey::from_private_key(&ECDH_P256, sender).ok()?;
    let public = sender.compute_public_key().ok()?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, receiver.key);
    let shared = agree(&sender, theirs, (), |secret| Ok(secret.to_vec())).ok()?;
    let info = [b"WebPush: info\0", receiver.key, public.as_ref()].concat();
    let secret = derived(receiver.auth, &shared, &info)?;
    let key = derived(salt, &secret, b"Content-Encoding: aes128gcm\0")?;
    let nonce = derived(salt, &secret, b"Content-Encoding: nonce\0")?;
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).ok()?);
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..NONCE_LEN]).ok()?;
    let mut record = [text, &[LAST]].concat();
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record).ok()?;
    let point = [POINT as u8];
    Some([salt.as_slice(), &RECORD.to_be_bytes(), &point, public.as_ref(), &record].concat())
}

/// The first bytes of what HKDF with SHA-256 derives of a secret.
fn derived(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; 32]> {
    let mut derived = [0; 32];
    let of_secret = Salt::new(HKDF_SHA256, salt).extract(secret);
    of_secret.expand(&[info], HKDF_SHA256).ok()?.fill(&mut derived).ok()?;
    Some(derived)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::{LONGEST, Receiver, encrypt};

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    const KEY: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    /// The example of RFC 8291, section 5.
    #[test]
    fn the_known_message() {
        let (key, auth) = (bytes(KEY), bytes("BTBZMqHH6r4Tts7J_aSIgg"));
        let sender = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw").try_into().unwrap();
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let text = b"When I grow up, I want to be a watermelon";
        let body = encrypt(Receiver { key: &key, auth: &auth }, &sender, &salt, text).unwrap();
        let known = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(body), known);
    }

    #[test]
    fn what_is_no_key_or_too_long_is_not_encrypted() {
        let (key, auth) = (bytes(KEY), [7; 16]);
        let encrypted =
            |key: &[u8], auth: &[u8], text: &[u8]| encrypt(Receiver { key, auth }, &[1; 32], &[2; 16], text);
        assert_eq!(encrypted(&key, &auth, &[0; LONGEST]).unwrap().len(), 4_096);
        assert!(encrypted(&key, &auth, &[0; LONGEST + 1]).is_none());
        assert!(encrypted(&[4; 65], &auth, b"x").is_none(), "no point of the curve");
        assert!(encrypted(&key[1..], &auth, b"x").is_none() && encrypted(&key, &auth[1..], b"x").is_none());
    }
}
