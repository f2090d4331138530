//! Names of files as they may stand in a list, in a header and on any disk.

use crate::untrusted::is_hidden;

/// Longest name, in bytes: what file systems hold, with room for a suffix.
const LONGEST: usize = 200;

/// Characters that no name may have on some system.
const NOWHERE: &[char] = &['<', '>', ':', '"', '|', '?', '*'];

/// Names that are devices on some system, whatever their extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// A name without the path before it, without characters that nobody sees or that turn the direction of
/// writing, and without what a file system refuses. `None` when nothing is left.
pub fn file_name(typed: &str) -> Option<String> {
    let last = typed.rsplit(['/', '\\']).next().unwrap_or_default();
    let seen: String = last
        .chars()
        .filter(|c| !is_hidden(*c) && !matches!(c, '\n' | '\t' | '\u{2028}' | '\u{2029}'))
        .map(|c| if NOWHERE.contains(&c) { '_' } else { c })
        .collect();
    // Spaces and dots at the end vanish on some systems, and would let a name become another.
    let name = seen.trim().trim_end_matches([' ', '.']);
    if name.trim_start_matches(['.', ' ']).is_empty() {
        return None;
    }
    let stem = name.split('.').next().unwrap_or_default();
    let port = |prefix: &str| {
        stem.len() == 4
            && stem.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && stem.ends_with(|c: char| c.is_ascii_digit())
    };
    let device = DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) || port("com") || port("lpt");
    let name = if device { format!("_{name}") } else { name.to_owned() };
    Some(shortened(&name))
}

/// The name cut to its longest, its extension kept.
fn shortened(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let extension = if extension.len() <= 16 { extension } else { "" };
    let room = LONGEST - extension.len() - 1;
    let stem = name[..name.floor_char_boundary(room)].trim_end_matches([' ', '.']);
    if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") }
}

/// The header `Content-Disposition` for a file of this name, shown in place or saved.
pub fn disposition(name: &str, inline: bool) -> String {
    let kind = if inline { "inline" } else { "attachment" };
    let plain: String =
        name.chars().map(|c| if c.is_ascii() && !matches!(c, '"' | '\\' | '%') { c } else { '_' }).collect();
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, disposition, file_name};
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn names_are_what_people_see_of_them() {
        for (typed, name) in [
            ("shot.png", Some("shot.png")),
            ("  Bericht März.pdf ", Some("Bericht März.pdf")),
            ("/etc/passwd", Some("passwd")),
            ("..\\..\\boot.ini", Some("boot.ini")),
            ("invoice\u{202e}gpj.exe", Some("invoicegpj.exe")),
            ("a\u{200b}b\r\nc\0.txt", Some("abc.txt")),
            ("a:b?.txt", Some("a_b_.txt")),
            ("trailing. . ", Some("trailing")),
            (".gitignore", Some(".gitignore")),
            ("CON.txt", Some("_CON.txt")),
            ("lpt1", Some("_lpt1")),
            ("", None),
            ("..", None),
            ("dir/", None),
            (" \u{200b} ", None),
        ] {
            assert_eq!(file_name(typed).as_deref(), name, "{typed:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let name = file_name(&format!("{}.png", "ü".repeat(300))).unwrap();
        assert!(name.len() <= LONGEST && name.ends_with("ü.png"), "{name}");
    }

    #[test]
    fn the_header_carries_any_name() {
        assert_eq!(
            disposition("Bericht \"März\" 100%.pdf", false),
            "attachment; filename=\"Bericht _M_rz_ 100_.pdf\"; \
             filename*=UTF-8''Bericht%20%22M%C3%A4rz%22%20100%25.pdf"
        );
    }

    proptest! {
        #[test]
        fn a_name_stays_the_same_when_it_is_named_again(typed in "\\PC{0,300}") {
            if let Some(name) = file_name(&typed) {
                prop_assert!(!name.is_empty() && name.len() <= LONGEST + 1);
                let dangerous = name.contains(['/', '\\', '\0', '\n', '\u{202e}']) || name == ".." || name == ".";
                prop_assert!(!dangerous);
                prop_assert_eq!(file_name(&name), Some(name.clone()));
                prop_assert!(disposition(&name, true).bytes().all(|b| (b' '..=b'~').contains(&b)));
            }
        }
    }
}
