//! Colours as people write them.

/// Names of CSS that people use for labels.
const NAMES: [(&str, &str); 32] = [
    ("aqua", "#00ffff"),
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("brown", "#a52a2a"),
    ("coral", "#ff7f50"),
    ("crimson", "#dc143c"),
    ("cyan", "#00ffff"),
    ("fuchsia", "#ff00ff"),
    ("gold", "#ffd700"),
    ("gray", "#808080"),
    ("green", "#008000"),
    ("grey", "#808080"),
    ("indigo", "#4b0082"),
    ("lavender", "#e6e6fa"),
    ("lime", "#00ff00"),
    ("magenta", "#ff00ff"),
    ("maroon", "#800000"),
    ("navy", "#000080"),
    ("olive", "#808000"),
    ("orange", "#ffa500"),
    ("orchid", "#da70d6"),
    ("pink", "#ffc0cb"),
    ("plum", "#dda0dd"),
    ("purple", "#800080"),
    ("red", "#ff0000"),
    ("salmon", "#fa8072"),
    ("silver", "#c0c0c0"),
    ("teal", "#008080"),
    ("turquoise", "#40e0d0"),
    ("violet", "#ee82ee"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];

/// Reads a colour: `#0ea5e9`, `#0af` or a name, with or without the number sign.
pub(super) fn color(text: &str) -> Result<String, String> {
    let wanted = text.trim().to_ascii_lowercase();
    if let Some((_, color)) = NAMES.iter().find(|(name, _)| *name == wanted) {
        return Ok((*color).to_owned());
    }
    let digits = wanted.strip_prefix('#').unwrap_or(&wanted);
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match digits.len() {
        6 if is_hexadecimal => Ok(format!("#{digits}")),
        3 if is_hexadecimal => Ok(digits.chars().fold("#".to_owned(), |color, c| format!("{color}{c}{c}"))),
        _ => {
            Err("give # and three or six hexadecimal digits, or a name such as red, orange or teal"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::color;

    #[test]
    fn a_color_is_read_in_every_spelling() {
        for (text, meant) in [
            ("#0ea5e9", "#0ea5e9"),
            ("0EA5E9", "#0ea5e9"),
            ("#0af", "#00aaff"),
            ("Teal", "#008080"),
            (" red ", "#ff0000"),
        ] {
            assert_eq!(color(text).as_deref(), Ok(meant), "{text}");
        }
        for wrong in ["", "#", "#12345", "reddish", "#ggg"] {
            assert!(color(wrong).is_err(), "{wrong}");
        }
    }
}
