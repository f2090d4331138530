//! Cuts a text into terms, and folds them so that what people take for the same word is the same term.
//!
//! A word is letters, digits and their marks in a row. It is folded to NFKC without case and without the
//! accents of Latin, Greek and Cyrillic letters. Scripts that are written without spaces (Chinese, Japanese,
//! Korean, Thai, Lao, Burmese, Khmer) give a term for every two neighbours, and one for the last character
//! of a row, so that every character of it begins a term.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Longest term in characters; what follows is not looked at.
pub const MAX_TERM: usize = 40;

/// A term and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The folded term.
    pub term: String,
    /// First byte of it in the text.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
    /// Whether it is the last character of two or more that are written without spaces: it is part of the
    /// term before.
    pub overlaps: bool,
}

/// The terms of a text, in order.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut run = Run::default();
    for (at, c) in text.char_indices() {
        let script = match script(c) {
            Script::Mark if run.units.is_empty() => Script::Gap,
            Script::Mark => run.script,
            other => other,
        };
        if script != run.script {
            std::mem::take(&mut run).end(text, &mut tokens);
        }
        run.add(script, at, c);
    }
    run.end(text, &mut tokens);
    tokens
}

/// The form of a word that terms compare by.
///
/// Composing comes after all that takes characters away or replaces them, as what they kept apart may
/// belong together then; cutting comes last.
pub fn fold(word: &str) -> String {
    unaccented(word)
        .filter(|c| c.is_alphanumeric() || is_combining_mark(*c))
        .flat_map(spelled_out)
        .nfc()
        .take(MAX_TERM)
        .collect()
}

/// A whole text in the form that terms compare by, with what stands between its words: a part of it is a part of
/// the folded text.
pub fn fold_text(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    decomposed(text).nfc().collect()
}

/// The same, decomposed: what is folded in parts is the same as what is folded whole.
pub(crate) fn decomposed(text: &str) -> impl Iterator<Item = char> {
    unaccented(text).flat_map(spelled_out)
}

/// The characters without case, and without the accents of Latin, Greek and Cyrillic letters.
fn unaccented(text: &str) -> impl Iterator<Item = char> {
    text.nfkd()
        .flat_map(char::to_lowercase)
        .flat_map(|c| c.nfkd())
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
}

/// The Latin letters, and the Greek one, that people also write as others, which Unicode does not know of.
fn spelled_out(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' => ('d', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        other => (other, None),
    };
    std::iter::once(first).chain(second)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Script {
    /// What separates words.
    #[default]
    Gap,
    /// Belongs to the character before it.
    Mark,
    /// Written with spaces between words.
    Spaced,
    /// Written without them.
    Dense,
}

fn script(c: char) -> Script {
    if is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}') {
        Script::Mark
    } else if !c.is_alphanumeric() {
        Script::Gap
    } else if is_dense(c) {
        Script::Dense
    } else {
        Script::Spaced
    }
}

/// Whether a character is of a script that is written without spaces.
pub(crate) const fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Characters of one script in a row.
#[derive(Default)]
struct Run {
    script: Script,
    /// First byte of each character; marks belong to the one before.
    units: Vec<usize>,
    end: usize,
}

impl Run {
    fn add(&mut self, script: Script, at: usize, c: char) {
        self.script = script;
        if script != Script::Gap && self::script(c) != Script::Mark {
            self.units.push(at);
        }
        self.end = at + c.len_utf8();
    }

    fn end(self, text: &str, tokens: &mut Vec<Token>) {
        let mut push = |start: usize, end: usize, overlaps: bool| {
            let term = fold(&text[start..end]);
            if !term.is_empty() {
                tokens.push(Token { term, start, end, overlaps });
            }
        };
        match (self.script, self.units.as_slice()) {
            (Script::Gap | Script::Mark, _) | (_, []) => {}
            (Script::Spaced, [first, ..]) => push(*first, self.end, false),
            (Script::Dense, units) => {
                for (place, start) in units.iter().enumerate() {
                    let end = units.get(place + 2).copied().unwrap_or(self.end);
                    push(*start, end, place > 0 && place + 1 == units.len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, tokens};
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.term).collect()
    }

    #[test]
    fn texts_fall_into_terms() {
        for (text, expected) in [
            ("", vec![]),
            (" -!? …", vec![]),
            ("Fix the Login-Timeout (PRJ-12)", vec!["fix", "the", "login", "timeout", "prj", "12"]),
            ("Crème brûlée, CAFÉ cafe\u{301}", vec!["creme", "brulee", "cafe", "cafe"]),
            ("Straße ΟΔΟΣ Łódź Ærø İstanbul", vec!["strasse", "οδοσ", "lodz", "aero", "istanbul"]),
            ("ﬁle Ｆｕｌｌ ① x²", vec!["file", "full", "1", "x2"]),
            ("Ёлка", vec!["елка"]),
            ("日本語", vec!["日本", "本語", "語"]),
            ("本", vec!["本"]),
            ("v2日本のAPI", vec!["v2", "日本", "本の", "の", "api"]),
            ("ｶﾞｽ ガス", vec!["ガス", "ス", "ガス", "ス"]),
            ("결제 오류", vec!["결제", "제", "오류", "류"]),
            ("हिन्दी", vec!["हिन्दी"]),
        ] {
            assert_eq!(terms(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_a_dropped_character_kept_apart_is_one() {
        assert_eq!(fold("\u{1100}\u{200d}\u{1161}"), "가");
    }

    #[test]
    fn every_folded_character_stays_as_it_is() {
        for c in '\0'..='\u{32fff}' {
            let once = fold(&c.to_string());
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }

    #[test]
    fn a_long_term_counts_by_its_beginning() {
        assert_eq!(terms(&"a".repeat(100)), ["a".repeat(super::MAX_TERM)]);
    }

    proptest! {
        #[test]
        fn tokens_are_places_of_the_text_in_order(text in "\\PC{0,60}") {
            let mut last = 0;
            for token in tokens(&text) {
                prop_assert!(token.start >= last && token.end > token.start);
                prop_assert!(text.get(token.start..token.end).is_some());
                prop_assert!(!token.term.is_empty() && !token.term.contains(char::is_whitespace));
                last = token.start;
            }
        }

        #[test]
        fn a_folded_word_stays_as_it_is(text in "\\w{1,20}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
