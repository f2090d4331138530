//! Wiki pages as stored, and the rules of their paths (specification sections 2.5 and 2.9).
//!
//! A page is found by its path whatever its case, and however its letters are composed; the texts of its versions are rows of their own, so that
//! the tree of a wiki is read without them. Who may read or edit a page is decided in [`access`], the order
//! of a tree in [`tree`], what may move where in [`moves`].

pub mod access;
pub mod audience;
pub mod moves;
pub mod tree;

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use self::audience::PageAccess;
use crate::ids::{Actor, PageId};
use crate::label::{composed, folded};
use crate::name::text_problem;
use crate::refusal::{FieldErrors, Refusal};

/// Most names in a path.
pub const MAX_PARTS: usize = 10;
/// Longest name in a path, in characters.
pub const MAX_PART: usize = 80;
/// Longest path, in bytes of its lower-case form: it is part of a row's key.
pub const MAX_PATH_BYTES: usize = 900;
/// Longest text of a page, in characters.
pub const MAX_TEXT: usize = 200_000;
/// Longest text of a page, in bytes as it is stored: quoted, in UTF-8. A version is one row.
pub const MAX_STORED_BYTES: usize = 390 * 1024;
/// First name of the paths in the section that playbooks live in.
pub const FACTORY_SECTION: &str = "Factory";

/// The names from the root of a wiki to a page, separated by `/`, such as `Guides/Release`. What is read of people is
/// composed; what is stored is as it was stored, which earlier servers did as it came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PagePath(String);

/// A text is not the path of a page; tells why in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPath(String);

impl From<InvalidPath> for Refusal {
    fn from(invalid: InvalidPath) -> Self {
        Self::invalid("path", invalid.0)
    }
}

impl PagePath {
    /// The page of this name in the Factory section, where a playbook keeps its instructions.
    ///
    /// # Errors
    /// When the name cannot be one part of a path.
    pub fn in_factory_section(name: &str) -> Result<Self, InvalidPath> {
        if name.contains('/') {
            return Err(InvalidPath("A page name cannot contain a slash.".into()));
        }
        format!("{FACTORY_SECTION}/{name}").parse()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last name, which is the title of the page.
    pub fn title(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The page that this one is below of; `None` for a page at the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// The paths from the root to this page, which is the last.
    pub fn chain(&self) -> Vec<Self> {
        let ends = self.0.match_indices('/').map(|(end, _)| end);
        ends.chain([self.0.len()]).map(|end| Self(self.0[..end].to_owned())).collect()
    }

    /// Whether this is a page below that one.
    pub fn is_below(&self, above: &Self) -> bool {
        self.folded().strip_prefix(&above.folded()).is_some_and(|rest| rest.starts_with('/'))
    }

    /// What this path, which is `from` or below it, becomes when `from` becomes `to`.
    ///
    /// # Errors
    /// When that is no path: too long or too deep.
    pub fn moved(&self, from: &Self, to: &Self) -> Result<Self, InvalidPath> {
        let below = self.0.split('/').skip(from.0.split('/').count());
        let names: Vec<&str> = std::iter::once(to.as_str()).chain(below).collect();
        names.join("/").parse()
    }

    /// The composed lower-case form, by which paths are compared.
    pub fn folded(&self) -> String {
        folded(&self.0)
    }

    /// The same path with its letters in parts, as an earlier server may have stored it; `None` where that is no
    /// other.
    pub fn decomposed(&self) -> Option<Self> {
        let parts: String = self.0.nfd().collect();
        (parts != self.0).then_some(Self(parts))
    }

    /// Whether the page is in the Factory section, or is its root.
    pub fn is_in_factory_section(&self) -> bool {
        let first = self.0.split('/').next().unwrap_or(&self.0);
        first.to_lowercase() == FACTORY_SECTION.to_lowercase()
    }
}

impl fmt::Display for PagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PagePath {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, InvalidPath> {
        Self::try_from(composed(text))
    }
}

fn check_part(part: &str) -> Result<(), InvalidPath> {
    let length = part.chars().count();
    if length == 0 || length > MAX_PART {
        return Err(InvalidPath(format!("Each name in a path has 1 to {MAX_PART} characters.")));
    }
    if part.chars().any(char::is_control) {
        return Err(InvalidPath("A path cannot contain control characters.".into()));
    }
    if part.trim() != part {
        return Err(InvalidPath("A name in a path cannot begin or end with a space.".into()));
    }
    if matches!(part, "." | "..") {
        return Err(InvalidPath(
            "A name in a path cannot be . or .., because addresses resolve them.".into(),
        ));
    }
    Ok(())
}

impl TryFrom<String> for PagePath {
    type Error = InvalidPath;

    /// Reads a path that is stored, as it is.
    fn try_from(text: String) -> Result<Self, InvalidPath> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() > MAX_PARTS {
            return Err(InvalidPath(format!("A path has at most {MAX_PARTS} names.")));
        }
        for part in parts {
            check_part(part)?;
        }
        if text.to_lowercase().len() > MAX_PATH_BYTES {
            return Err(InvalidPath(format!("A path has at most {MAX_PATH_BYTES} bytes.")));
        }
        Ok(Self(text))
    }
}

impl From<PagePath> for String {
    fn from(path: PagePath) -> Self {
        path.0
    }
}

/// A page, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Id; names the partition of the versions.
    pub id: PageId,
    /// Where it is, as first written.
    pub path: PagePath,
    /// Number of the current version, from 1.
    pub version: u64,
    /// Who wrote that version.
    pub updated_by: Actor,
    /// When.
    pub updated_at: Timestamp,
    /// Place among its siblings: lower numbers first, then by name.
    #[serde(default)]
    pub position: i32,
    /// Who may read and edit it, beyond what is inherited. Older rows inherit everything.
    #[serde(default)]
    pub access: PageAccess,
}

/// What made a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum PageChange {
    /// Its text was written. Older rows say nothing else.
    #[default]
    Written,
    /// The text of an earlier version was brought back.
    Restored {
        /// That version.
        version: u64,
    },
    /// Who may read or edit it was changed; the text was not.
    Access,
    /// The page was deleted; the text was not changed.
    Deleted,
    /// It was moved, or put in another place among its siblings; the text was not changed.
    Moved {
        /// Where it was.
        from: PagePath,
    },
}

/// One version of a page, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// Number of the version.
    pub version: u64,
    /// Text, Markdown.
    pub body: String,
    /// Who wrote it.
    pub author: Actor,
    /// When.
    pub at: Timestamp,
    /// What made it.
    #[serde(default)]
    pub change: PageChange,
}

/// Whether a text can be that of a page. `field` is its name on the wire.
///
/// # Errors
/// The error of that field.
pub fn check_text(field: &str, text: &str) -> Result<(), FieldErrors> {
    if let Some(problem) = text_problem("A text", text, MAX_TEXT) {
        return Err(FieldErrors::one(field, problem));
    }
    let stored = stored_bytes(text);
    if stored > MAX_STORED_BYTES {
        let message = format!(
            "The text takes {stored} bytes to store, of at most {MAX_STORED_BYTES}. Split it into several pages."
        );
        return Err(FieldErrors::one(field, message));
    }
    Ok(())
}

/// Bytes of a text as a quoted JSON string.
fn stored_bytes(text: &str) -> usize {
    let escapes = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..=0x1f => 6,
        _ => 1,
    });
    escapes.sum::<usize>() + 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MAX_PART, MAX_PARTS, MAX_STORED_BYTES, MAX_TEXT, PagePath, check_text, stored_bytes};

    #[test]
    fn a_path_is_one_to_ten_names() {
        let longest = vec!["a".repeat(MAX_PART); MAX_PARTS].join("/");
        for text in ["Home", "Guides/Release", "a/b/c", "…/ü.md", "What is . or ..", &longest] {
            assert_eq!(text.parse::<PagePath>().unwrap().as_str(), text);
        }
        assert_eq!("Guides/Release".parse::<PagePath>().unwrap().title(), "Release");
    }

    #[test]
    fn a_path_is_composed_where_it_is_read_of_people_and_left_alone_where_it_is_stored() {
        let parts = "Ka\u{308}se/x";
        let path: PagePath = parts.parse().unwrap();
        assert_eq!((path.as_str(), path.decomposed().unwrap().as_str()), ("Käse/x", parts));
        let stored: PagePath = serde_json::from_value(parts.into()).unwrap();
        assert_eq!((stored.as_str(), stored.folded()), (parts, path.folded()));
        assert!(stored.is_below(&"KÄSE".parse().unwrap()));
        assert_eq!("plain".parse::<PagePath>().unwrap().decomposed(), None);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let long_name = "a".repeat(MAX_PART + 1);
        let deep = ["a"; MAX_PARTS + 1].join("/");
        // Within the limits of each name, but longer than a row's key may be.
        let wide = vec!["語".repeat(MAX_PART); 5].join("/");
        for text in ["", "/", "/a", "a/", "a//b", " a", "a ", "a/ b", "a\nb", "a\0", ".", "a/../b"]
            .into_iter()
            .chain([long_name.as_str(), &deep, &wide])
        {
            assert!(text.parse::<PagePath>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_factory_section_is_known_whatever_its_case() {
        let inside = |text: &str| text.parse::<PagePath>().unwrap().is_in_factory_section();
        assert!(inside("Factory/Fix a bug") && inside("fACTORY/x") && inside("Factory"));
        assert!(!inside("Factory floor/x") && !inside("Guides/Factory"));
        assert_eq!(PagePath::in_factory_section("Fix a bug").unwrap().as_str(), "Factory/Fix a bug");
        assert!(PagePath::in_factory_section("a/b").is_err());
        assert!(PagePath::in_factory_section("").is_err());
    }

    #[test]
    fn a_chain_goes_from_the_root_to_the_page() {
        let path: PagePath = "a/b c/d".parse().unwrap();
        let chain: Vec<String> = path.chain().into_iter().map(String::from).collect();
        assert_eq!(chain, ["a", "a/b c", "a/b c/d"]);
        assert_eq!(path.parent().unwrap().as_str(), "a/b c");
        assert!(path.parent().unwrap().parent().unwrap().parent().is_none());
    }

    #[test]
    fn what_is_below_a_path_follows_it() {
        let path = |text: &str| text.parse::<PagePath>().unwrap();
        assert!(path("Ä/x/y").is_below(&path("ä/X")) && path("a/x").is_below(&path("A")));
        for other in ["a", "ab", "b/a/x", "a b/x"] {
            assert!(!path(other).is_below(&path("a")), "{other}");
        }
        let moved = |text: &str, from: &str, to: &str| path(text).moved(&path(from), &path(to));
        assert_eq!(moved("a/b/c/d", "A/B", "x").unwrap().as_str(), "x/c/d");
        assert_eq!(moved("a/b", "a/b", "x/y/z").unwrap().as_str(), "x/y/z");
        assert!(moved("a/b", "a", &["x"; MAX_PARTS].join("/")).is_err(), "too deep");
    }

    #[test]
    fn a_text_is_measured_in_characters_and_as_it_is_stored() {
        assert!(check_text("body", &"x".repeat(MAX_TEXT)).is_ok());
        assert!(check_text("body", &"x".repeat(MAX_TEXT + 1)).is_err());
        // Fewer characters, but three bytes of each.
        let errors = check_text("body", &"語".repeat(MAX_TEXT)).unwrap_err();
        assert!(errors.0["body"][0].contains("Split it"), "{errors:?}");
        assert!(
            check_text("body", &"\n".repeat(MAX_TEXT)).is_err(),
            "two bytes each, beyond {MAX_STORED_BYTES}"
        );
    }

    proptest! {
        #[test]
        fn what_is_counted_is_what_is_stored(text in any::<String>()) {
            prop_assert_eq!(stored_bytes(&text), serde_json::to_string(&text).unwrap().len());
        }
    }
}
