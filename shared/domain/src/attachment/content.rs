//! What the bytes of an attachment are, and what they are served as.
//!
//! | bytes                        | announced as       | served as                    | shown in place |
//! |------------------------------|--------------------|------------------------------|----------------|
//! | PNG, JPEG, GIF, WebP, AVIF   | that, or opaque    | what they are                | yes            |
//! | PDF                          | that, or opaque    | `application/pdf`            | no             |
//! | one of these                 | another type       | refused                      |                |
//! | none of these                | one of these       | refused                      |                |
//! | anything else                | a scriptable type  | `application/octet-stream`   | no             |
//! | anything else                | any other type     | as announced                 | no             |
//!
//! *Opaque* is `application/octet-stream`. *Scriptable* is what a browser may run code in: HTML, SVG and every
//! other XML, JavaScript, MHTML. It is saved, never shown, and never under its own type.

use imagesize::{Compression, ImageType};
use serde::{Deserialize, Serialize};

/// Bytes of the beginning that are enough to look at.
pub const HEAD: u64 = 64 * 1024;

/// Bytes of no known type.
const OPAQUE: &str = "application/octet-stream";

/// Types that are told by their first bytes, so that an announcement can be checked. The images among them
/// are shown in place.
const TOLD: &[&str] =
    &["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "application/pdf"];

/// What an attachment is served as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Media type.
    pub content_type: String,
    /// Whether it is an image that may be shown in place.
    pub is_image: bool,
    /// Width in pixels, where the first bytes tell it.
    #[serde(default)]
    pub width: Option<u32>,
    /// Height in pixels, likewise.
    #[serde(default)]
    pub height: Option<u32>,
}

/// The bytes are not of the type that was announced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongType {
    /// They are of another type.
    #[error("{announced} was announced, but the file is {found}.")]
    Other {
        /// Type announced.
        announced: String,
        /// Type of what arrived.
        found: &'static str,
    },
    /// They are not of this one.
    #[error("{0} was announced, but the file has a different type.")]
    Not(String),
}

impl Content {
    /// Bytes of no known type.
    pub fn opaque() -> Self {
        Self::saved(OPAQUE)
    }

    fn saved(content_type: &str) -> Self {
        Self { content_type: content_type.to_owned(), is_image: false, width: None, height: None }
    }

    /// What bytes that begin with `head` are served as when they were announced as `announced`.
    ///
    /// # Errors
    /// [`WrongType`] when they are not what was announced.
    pub fn of(announced: &str, head: &[u8]) -> Result<Self, WrongType> {
        let announced = canonical(announced);
        match told(head) {
            Some(found) if announced != found && announced != OPAQUE => {
                Err(WrongType::Other { announced: announced.to_owned(), found })
            }
            Some(found) => Ok(Self::known(found, head)),
            None if TOLD.contains(&announced) => Err(WrongType::Not(announced.to_owned())),
            None if is_scriptable(announced) => Ok(Self::opaque()),
            None => Ok(Self::saved(announced)),
        }
    }

    fn known(found: &str, head: &[u8]) -> Self {
        let is_image = found.starts_with("image/");
        let size = imagesize::blob_size(head).ok().filter(|_| is_image);
        let pixels = |length: usize| u32::try_from(length).ok();
        Self {
            content_type: found.to_owned(),
            is_image,
            width: size.and_then(|size| pixels(size.width)),
            height: size.and_then(|size| pixels(size.height)),
        }
    }
}

/// The type of bytes that tell theirs.
fn told(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"%PDF-") {
        return Some("application/pdf");
    }
    match imagesize::image_type(head).ok()? {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        ImageType::Heif(Compression::Av1) => Some("image/avif"),
        _ => None,
    }
}

/// One name for types that have several.
fn canonical(announced: &str) -> &str {
    match announced {
        "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/x-png" => "image/png",
        "application/x-pdf" => "application/pdf",
        "" | "binary/octet-stream" => OPAQUE,
        other => other,
    }
}

fn is_scriptable(announced: &str) -> bool {
    let (class, kind) = announced.split_once('/').unwrap_or((announced, ""));
    matches!(kind, "html" | "xml" | "xhtml" | "svg" | "javascript" | "x-javascript" | "ecmascript")
        || kind.ends_with("+xml")
        || kind.contains("script")
        || kind.contains("html")
        || matches!(kind, "x-shockwave-flash" | "xslt" | "mathml" | "cache-manifest" | "vbs")
        || matches!(class, "multipart" | "message")
}

/// `type/subtype` of a media type, in lower case and without parameters; `None` when it is none.
pub fn essence(text: &str) -> Option<String> {
    let essence = text.split(';').next()?.trim().to_ascii_lowercase();
    let token = |part: &str| {
        (1..=100).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    let (class, kind) = essence.split_once('/')?;
    (token(class) && token(kind)).then_some(essence)
}

#[cfg(test)]
mod tests {
    use super::{Content, essence};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0";
    const GIF: &[u8] = b"GIF89a\x10\0\x20\0\0\0\0";
    const JPEG: &[u8] =
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x30\0\x40";
    const WEBP: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\0\0\0\0\0\0\0\0\0";
    const AVIF: &[u8] = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf";
    const PDF: &[u8] = b"%PDF-1.7\n";
    const TEXT: &[u8] = b"Some words.\n";
    const HTML: &[u8] = b"<!doctype html><script>alert(1)</script>";
    const SVG: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";

    #[test]
    fn bytes_times_announcement() {
        let bytes: [(&str, &[u8]); 10] = [
            ("png", PNG),
            ("gif", GIF),
            ("jpeg", JPEG),
            ("webp", WEBP),
            ("avif", AVIF),
            ("pdf", PDF),
            ("text", TEXT),
            ("html", HTML),
            ("svg", SVG),
            ("nothing", b""),
        ];
        let announced = [
            "image/png",
            "image/jpg",
            "image/svg+xml",
            "application/pdf",
            "text/plain",
            "text/html",
            "application/zip",
            "application/octet-stream",
        ];
        let mut table = String::new();
        for (name, bytes) in bytes {
            for announced in announced {
                let result = match Content::of(announced, bytes) {
                    Ok(Content { content_type, is_image, width, height }) => {
                        let size = width.zip(height).map(|(w, h)| format!(" {w}×{h}")).unwrap_or_default();
                        format!("{content_type}{}{size}", if is_image { " shown" } else { "" })
                    }
                    Err(wrong) => format!("refused: {wrong}"),
                };
                table += &format!("{name:8} {announced:25} {result}\n");
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn nothing_that_a_browser_may_run_keeps_its_type() {
        for announced in [
            "text/html",
            "application/xhtml+xml",
            "image/svg+xml",
            "text/xml",
            "application/xml",
            "application/rss+xml",
            "text/javascript",
            "application/javascript",
            "application/x-javascript",
            "text/ecmascript",
            "text/vbscript",
            "multipart/related",
            "message/rfc822",
            "application/x-shockwave-flash",
        ] {
            assert_eq!(Content::of(announced, SVG), Ok(Content::opaque()), "{announced}");
        }
    }

    #[test]
    fn media_types_are_read_without_their_parameters() {
        assert_eq!(essence(" Text/Plain; charset=utf-8").as_deref(), Some("text/plain"));
        assert_eq!(essence("application/vnd.ms-excel").as_deref(), Some("application/vnd.ms-excel"));
        for text in ["", "png", "image/", "/png", "image/p ng", "image/png/x", "a\r\nb/c", "ä/b"] {
            assert_eq!(essence(text), None, "{text:?}");
        }
    }
}
