//! Attachments: files on items and comments (specification sections 4.2, 4.3 rule 8 and 8).
//!
//! Owns the record, what a new one may be, and whether what arrived is what was announced. How an upload
//! proceeds is the machine in [`upload`]; what bytes are served as is [`content`].

pub mod content;
pub mod name;
mod target;
pub mod upload;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, AttachmentId, CommentId, ItemKey};
use crate::refusal::FieldErrors;
use content::Content;
use upload::State;

pub use target::Target;

/// An attachment as stored. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Id.
    pub id: AttachmentId,
    /// The item that it is on.
    pub item: ItemKey,
    /// What of the item it belongs to.
    pub target: Target,
    /// Name of the file, fit to be one anywhere.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Media type as announced.
    pub declared_type: String,
    /// Hex SHA-256 as announced.
    #[serde(default)]
    pub sha256: Option<String>,
    /// What it is served as; known once it is committed.
    #[serde(default)]
    pub content: Option<Content>,
    /// Who attached it.
    pub author: Actor,
    /// When it was announced.
    pub created_at: Timestamp,
    /// When its upload must be complete.
    pub upload_until: Timestamp,
    /// How far it is.
    pub state: State,
}

/// What a caller announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Name of the file, as typed.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Media type.
    pub content_type: String,
    /// Hex SHA-256, where the caller wants it checked.
    pub sha256: Option<String>,
}

/// What an installation permits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits<'a> {
    /// Bytes of one attachment at most.
    pub max_bytes: u64,
    /// Media types that are taken, such as `image/*, application/pdf`; empty takes every type.
    pub allowed_types: &'a str,
}

impl Announced {
    /// The same in the form that is stored.
    ///
    /// # Errors
    /// Every field that is not acceptable; a limit is named.
    pub fn checked(&self, limits: &Limits<'_>) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = name::file_name(&self.name);
        if name.is_none() {
            errors.add("name", "Give the file a name, not just a path, dots or invisible characters.");
        }
        if self.size == 0 {
            errors.add("size", "An empty file cannot be attached.");
        }
        if self.size > limits.max_bytes {
            let (size, limit) = (self.size, limits.max_bytes);
            errors.add("size", format!("An attachment has at most {limit} bytes; this one has {size}."));
        }
        let content_type = content::essence(&self.content_type);
        match &content_type {
            None => errors.add("contentType", "Give a media type such as image/png or text/plain."),
            Some(wanted) if !is_allowed(wanted, limits.allowed_types) => errors.add(
                "contentType",
                format!(
                    "{wanted} is not accepted here. Accepted types are: {}.",
                    limits.allowed_types.trim()
                ),
            ),
            Some(_) => {}
        }
        let sha256 = self.sha256.as_ref().map(|sum| sum.to_ascii_lowercase());
        if sha256.as_ref().is_some_and(|sum| sum.len() != 64 || !sum.bytes().all(|b| b.is_ascii_hexdigit())) {
            errors.add("sha256", "A SHA-256 has 64 hexadecimal digits.");
        }
        errors.into_result()?;
        let (name, content_type) = (name.unwrap_or_default(), content_type.unwrap_or_default());
        Ok(Self { name, size: self.size, content_type, sha256 })
    }
}

/// Whether a media type is one of a list such as `image/*, application/pdf`.
fn is_allowed(wanted: &str, list: &str) -> bool {
    let mut patterns = list.split(',').map(str::trim).filter(|pattern| !pattern.is_empty()).peekable();
    if patterns.peek().is_none() {
        return true;
    }
    patterns.any(|pattern| match pattern.strip_suffix("/*") {
        Some(class) => wanted.split_once('/').is_some_and(|(own, _)| own.eq_ignore_ascii_case(class)),
        None => wanted.eq_ignore_ascii_case(pattern),
    })
}

/// Bytes that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// How many.
    pub size: u64,
    /// The first of them: all, or at least [`content::HEAD`].
    pub head: Vec<u8>,
    /// Their hex SHA-256, where one was announced.
    pub sha256: Option<String>,
}

impl Attachment {
    /// What the bytes that arrived are served as, when they are what was announced.
    ///
    /// # Errors
    /// Every announcement that they do not keep.
    pub fn verify(&self, arrived: &Arrived) -> Result<Content, FieldErrors> {
        let mut errors = FieldErrors::default();
        if arrived.size != self.size {
            errors.add("size", format!("{} bytes were announced, but {} arrived.", self.size, arrived.size));
        }
        if self.sha256.is_some() && arrived.sha256 != self.sha256 {
            errors.add("sha256", "The uploaded file does not have the announced SHA-256.");
        }
        let content = errors.check("contentType", Content::of(&self.declared_type, &arrived.head));
        errors.into_result()?;
        Ok(content.unwrap_or_else(Content::opaque))
    }

    /// What it is served as; opaque bytes as long as nobody has looked at them.
    pub fn served(&self) -> Content {
        self.content.clone().unwrap_or_else(Content::opaque)
    }

    /// The comment that it belongs to.
    pub const fn comment(&self) -> Option<CommentId> {
        match self.target {
            Target::Item => None,
            Target::Comment(comment) => comment,
        }
    }

    /// Whether everybody who sees what it belongs to sees it.
    pub const fn is_public(&self) -> bool {
        matches!(self.state, State::Attached)
    }
}

#[cfg(test)]
mod tests {
    use super::{Announced, Limits, is_allowed};

    const LIMITS: Limits<'_> = Limits { max_bytes: 1_000, allowed_types: " image/*, application/pdf " };

    fn announced(name: &str, size: u64, content_type: &str, sha256: Option<&str>) -> Announced {
        let sha256 = sha256.map(str::to_owned);
        Announced { name: name.into(), size, content_type: content_type.into(), sha256 }
    }

    #[test]
    fn every_wrong_field_is_named_with_its_limit() {
        let errors = announced("../..", 1_001, "text/html", Some("abc")).checked(&LIMITS).unwrap_err();
        insta::assert_debug_snapshot!(errors.0);
        let empty = announced("a.png", 0, "png", None).checked(&LIMITS).unwrap_err();
        assert_eq!(empty.0.into_keys().collect::<Vec<_>>(), ["contentType", "size"]);
    }

    #[test]
    fn what_is_stored_is_tidied() {
        let stored = announced("C:\\Users\\ada\\shot.png", 1_000, "Image/PNG; q=1", Some(&"AB".repeat(32)))
            .checked(&LIMITS)
            .unwrap();
        let expected = announced("shot.png", 1_000, "image/png", Some(&"ab".repeat(32)));
        assert_eq!(stored, expected);
    }

    #[test]
    fn a_list_of_types_may_have_classes() {
        for (wanted, list, allowed) in [
            ("image/png", "image/*", true),
            ("imagery/png", "image/*", false),
            ("application/pdf", "image/*,Application/PDF", true),
            ("text/plain", "image/*,application/pdf", false),
            ("text/plain", " , ", true),
        ] {
            assert_eq!(is_allowed(wanted, list), allowed, "{wanted} in {list:?}");
        }
    }
}
