//! Takes secrets out of text before it leaves the process.
//!
//! Owns which forms of a secret are recognised and how a stream is cut so that none slips through between two
//! chunks. It never decides what is secret.
//!
//! Recognised, split over chunks at any byte and broken over lines (of 8 bytes or more): the text itself; JSON-escaped; hex;
//! percent-encoded; base64 and base64url at all three alignments, once and twice; hex with blanks or colons. Secrets shorter than 6 bytes are left
//! alone: taking out every `a` would blank a log and protect nothing. Of one shorter than 8 bytes only longer forms and
//! the text itself are recognised. Texts of which there may be thousands are recognised in fewer forms.

use std::collections::BTreeSet;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stands in the place of a secret.
pub const MASK: &str = "[redacted]";
/// The shortest secret that is looked for.
const SHORTEST_TEXT: usize = 6;
/// The shortest form of a secret that is looked for.
const SHORTEST: usize = 8;
/// Of more plain texts than this, none is looked for in other forms.
const MOST_ENCODED: usize = 2_000;
/// A line is shown at once unless at least so many bytes of a secret stand at its end. The forms without
/// their first bytes are patterns too, so that what follows on the next line is taken out all the same.
const ACROSS_LINES: usize = 8;
const UNRESERVED_KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Every form of every secret, ready to be looked for.
pub struct Secrets {
    matcher: AhoCorasick,
    patterns: Vec<Vec<u8>>,
    /// Indexes of the patterns that begin with a byte.
    by_first: Vec<Vec<usize>>,
    longest: usize,
}

impl Secrets {
    /// Prepares the forms of these secrets.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut patterns = BTreeSet::new();
        secrets.into_iter().for_each(|secret| add_patterns(secret, &mut patterns));
        Self::of(patterns)
    }

    /// These, and more. Texts that are `plain` are looked for as they are, and encoded once.
    pub fn with<'a>(
        &self,
        secrets: impl IntoIterator<Item = &'a str>,
        plain: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut patterns = self.patterns.iter().cloned().collect();
        secrets.into_iter().for_each(|secret| add_patterns(secret, &mut patterns));
        let plain: Vec<&str> = plain.into_iter().collect();
        let encoded = plain.len() <= MOST_ENCODED;
        plain.into_iter().for_each(|text| add_plain(text, encoded, &mut patterns));
        Self::of(patterns)
    }

    fn of(patterns: BTreeSet<Vec<u8>>) -> Self {
        let patterns: Vec<Vec<u8>> = patterns.into_iter().collect();
        let mut by_first = vec![Vec::new(); 256];
        for (index, pattern) in patterns.iter().enumerate() {
            by_first[usize::from(pattern[0])].push(index);
        }
        let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            // Made for every run, and fed little text: what is quick to build is quickest.
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(&patterns)
            .expect("a few hundred short patterns fit an automaton");
        Self { matcher, patterns, by_first, longest }
    }

    /// A whole text without its secrets.
    pub fn redact(self: &Arc<Self>, text: &str) -> String {
        let mut redactor = Redactor::new(Arc::clone(self));
        let mut bytes = redactor.push(text.as_bytes());
        bytes.extend(redactor.finish());
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn begins_pattern(&self, tail: &[u8]) -> bool {
        let Some(first) = tail.first() else { return false };
        let candidates = &self.by_first[usize::from(*first)];
        candidates.iter().any(|&index| {
            let pattern = &self.patterns[index];
            pattern.len() > tail.len() && pattern.starts_with(tail)
        })
    }
}

/// Every form of a secret that is worth looking for.
fn add_patterns(secret: &str, patterns: &mut BTreeSet<Vec<u8>>) {
    if secret.len() < SHORTEST_TEXT {
        return;
    }
    patterns.insert(secret.as_bytes().to_vec());
    patterns.extend(spaced_hex(secret));
    for form in forms(secret).into_iter().filter(|form| form.len() >= SHORTEST) {
        for cut in 0..ACROSS_LINES {
            if cut == 0 || form.len() >= cut + 2 * SHORTEST {
                patterns.insert(form[cut..].to_vec());
            }
        }
    }
}

/// The text, and what it becomes when a program quotes or encodes it.
fn add_plain(text: &str, encoded: bool, patterns: &mut BTreeSet<Vec<u8>>) {
    if text.len() < SHORTEST_TEXT {
        return;
    }
    patterns.extend([text.as_bytes().to_vec(), json_escaped(text).into_bytes()]);
    if encoded {
        let other = [hex::encode(text), utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()];
        let forms = base64_forms(text.as_bytes()).into_iter().chain(other.map(String::into_bytes));
        patterns.extend(forms.filter(|form| form.len() >= SHORTEST));
    }
}

fn json_escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn forms(secret: &str) -> Vec<Vec<u8>> {
    let bytes = secret.as_bytes();
    let hex = hex::encode(bytes);
    let every_byte: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
    let mut texts = vec![secret.to_owned(), hex.to_uppercase(), hex, every_byte.to_lowercase(), every_byte];
    for set in [NON_ALPHANUMERIC, UNRESERVED_KEPT] {
        let encoded = utf8_percent_encode(secret, set).to_string();
        texts.push(lower_escapes(&encoded));
        texts.push(encoded);
    }
    texts.push(json_escaped(secret));
    let mut forms: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    for once in base64_forms(bytes) {
        // Encoded twice: as a secret of Kubernetes is, or a header within a file.
        if once.len() >= 2 * SHORTEST {
            forms.extend(base64_forms(&once));
        }
        forms.push(once);
    }
    forms
}

/// Base64 and base64url of a text at all three alignments.
fn base64_forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let mut padded = vec![0; before];
        padded.extend_from_slice(bytes);
        // Characters that also carry bits of the neighbours differ from place to place: leave them out.
        let (from, to) = ((before * 8).div_ceil(6), padded.len() * 8 / 6);
        let standard = STANDARD_NO_PAD.encode(&padded).as_bytes()[from..to].to_vec();
        let url_safe = URL_SAFE_NO_PAD.encode(&padded).as_bytes()[from..to].to_vec();
        if url_safe != standard {
            forms.push(url_safe);
        }
        forms.push(standard);
    }
    forms
}

/// Hex with blanks, as programs that show bytes print it: any eight bytes in a row.
fn spaced_hex(secret: &str) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for window in secret.as_bytes().windows(SHORTEST) {
        let pairs: Vec<String> = window.iter().map(|byte| format!("{byte:02x}")).collect();
        let fours: Vec<String> = pairs.chunks(2).map(<[String]>::concat).collect();
        for form in [pairs.join(" "), pairs.join(":"), fours.join(" ")] {
            forms.push(form.to_uppercase().into_bytes());
            forms.push(form.into_bytes());
        }
    }
    forms
}

fn lower_escapes(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escape, rest) = part.split_at(2.min(part.len()));
        text.push('%');
        text.push_str(&escape.to_lowercase());
        text.push_str(rest);
    }
    text
}

/// One stream on its way through: holds back the end that may be the beginning of a secret.
pub struct Redactor {
    secrets: Arc<Secrets>,
    held: Vec<u8>,
}

impl Redactor {
    /// A stream with nothing held back.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self { secrets, held: Vec::new() }
    }

    /// From now on these secrets are looked for, those that were among them.
    pub fn learn(&mut self, secrets: Arc<Secrets>) {
        self.secrets = secrets;
    }

    /// Takes in the next bytes; answers those that are safe to show.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        // Secrets are looked for as if there were no line breaks: `base64` breaks its lines.
        let places: Vec<usize> =
            (0..self.held.len()).filter(|&at| !matches!(self.held[at], b'\n' | b'\r')).collect();
        let compact: Vec<u8> = places.iter().map(|&at| self.held[at]).collect();
        let found = self.matches(&compact);
        let mut hold = self.hold_from(0, &compact, &places);
        while let Some((_, end)) = found.iter().find(|(start, end)| *start < hold && hold < *end) {
            hold = self.hold_from(*end, &compact, &places);
        }
        let cut = places.get(hold).copied().unwrap_or(self.held.len());
        let shown = found.iter().filter(|(start, _)| *start < hold);
        let masked: Vec<(usize, usize)> =
            shown.map(|(start, end)| (places[*start], places[*end - 1] + 1)).collect();
        let rest = self.held.split_off(cut);
        let safe = mask(&self.held, &masked);
        self.held = rest;
        safe
    }

    /// The stream is over: the beginning of a secret at its very end is no less secret.
    pub fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        let whole = [(0, held.len())];
        if held.len() >= SHORTEST { mask(&held, &whole) } else { held }
    }

    /// Merged intervals of `compact` that are secret.
    fn matches(&self, compact: &[u8]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = self
            .secrets
            .matcher
            .find_overlapping_iter(compact)
            .map(|found| (found.start(), found.end()))
            .collect();
        found.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (start, end) in found {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        merged
    }

    /// The first place, not before `from`, from which on everything may belong to a secret still to come.
    fn hold_from(&self, from: usize, compact: &[u8], places: &[usize]) -> usize {
        let earliest = compact.len().saturating_sub(self.secrets.longest.saturating_sub(1)).max(from);
        (earliest..compact.len())
            .find(|&start| {
                let tail = &compact[start..];
                let broken = self.held.len() - places[start] > tail.len();
                (!broken || tail.len() >= ACROSS_LINES) && self.secrets.begins_pattern(tail)
            })
            .unwrap_or(compact.len())
    }
}

fn mask(bytes: &[u8], intervals: &[(usize, usize)]) -> Vec<u8> {
    let mut safe = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for &(start, end) in intervals {
        safe.extend_from_slice(&bytes[at..start]);
        safe.extend_from_slice(MASK.as_bytes());
        safe.extend(bytes[start..end].iter().filter(|byte| **byte == b'\n'));
        at = end;
    }
    safe.extend_from_slice(&bytes[at..]);
    safe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use base64::engine::general_purpose::STANDARD;

    use super::*;

    const TOKEN: &str = "jrt_Zm9v+YmFy/c3VwZXItc2VjcmV0X3Rva2VuLTEyMzQ";

    fn secrets(list: &[&str]) -> Arc<Secrets> {
        Arc::new(Secrets::new(list.iter().copied()))
    }

    fn stream(secrets: &Arc<Secrets>, chunks: &[&[u8]]) -> String {
        let mut redactor = Redactor::new(Arc::clone(secrets));
        let mut out: Vec<u8> = chunks.iter().flat_map(|chunk| redactor.push(chunk)).collect();
        out.extend(redactor.finish());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_secret_split_at_every_byte_is_taken_out() {
        let secrets = secrets(&[TOKEN]);
        let text = format!("before {TOKEN} after\n");
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let bytes = text.as_bytes();
                let chunks = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(stream(&secrets, &chunks), format!("before {MASK} after\n"));
            }
        }
    }

    #[test]
    fn encoded_forms_are_taken_out_at_every_alignment() {
        let secrets = secrets(&[TOKEN]);
        let mut encoded = vec![
            hex::encode(TOKEN),
            hex::encode_upper(TOKEN),
            utf8_percent_encode(TOKEN, NON_ALPHANUMERIC).to_string(),
            utf8_percent_encode(TOKEN, NON_ALPHANUMERIC)
                .to_string()
                .replace("%2B", "%2b")
                .replace("%2F", "%2f"),
        ];
        for prefix in ["", "x", "xy", "xyz", "user:"] {
            for suffix in ["", "1", "12", "\n"] {
                encoded.push(STANDARD_NO_PAD.encode(format!("{prefix}{TOKEN}{suffix}")));
                encoded.push(URL_SAFE_NO_PAD.encode(format!("{prefix}{TOKEN}{suffix}")));
            }
        }
        for text in encoded {
            let out = stream(&secrets, &[text.as_bytes()]);
            // At most the characters shared with the neighbours on both sides are left.
            assert!(out.contains(MASK) && out.replace(MASK, "").len() <= 12, "{text} -> {out}");
        }
    }

    #[test]
    fn base64_of_base64_and_hex_with_blanks_are_taken_out() {
        let secrets = secrets(&[TOKEN]);
        for prefix in ["", "x", "user:"] {
            for outer in ["", "y", "yz"] {
                let twice =
                    STANDARD.encode(format!("{outer}{}", STANDARD.encode(format!("{prefix}{TOKEN}"))));
                let out = stream(&secrets, &[twice.as_bytes()]);
                assert!(out.contains(MASK) && out.replace(MASK, "").len() <= 24, "{twice} -> {out}");
            }
        }
        let pairs: Vec<String> = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
        let fours: Vec<String> = pairs.chunks(2).map(<[String]>::concat).collect();
        for text in [pairs.join(" "), pairs.join(":"), fours.join(" "), pairs.join(" ").to_uppercase()] {
            let out = stream(&secrets, &[text.as_bytes()]);
            assert!(out.replace(MASK, "").len() <= 6, "{text} -> {out}");
        }
    }

    #[test]
    fn base64_broken_over_lines_is_taken_out() {
        let secrets = secrets(&[TOKEN]);
        let encoded = STANDARD_NO_PAD.encode(TOKEN);
        for width in [9, 10, 40] {
            let lines: Vec<&[u8]> = encoded.as_bytes().chunks(width).collect();
            let broken: Vec<u8> = lines.join(&b'\n');
            let bytes: Vec<&[u8]> = broken.chunks(1).collect();
            let shown = stream(&secrets, &bytes).replace(MASK, "");
            assert!(shown.bytes().filter(|b| *b != b'\n').count() <= ACROSS_LINES, "{width}: {shown}");
        }
    }

    #[test]
    fn many_secrets_are_ready_within_the_time_that_a_run_may_take_to_start() {
        let list: Vec<String> = (0..8).map(|n| format!("{TOKEN}{n}")).collect();
        let begun = std::time::Instant::now();
        let secrets = Secrets::new(list.iter().map(String::as_str));
        assert!(secrets.patterns.len() > 100);
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_secret_that_is_learnt_on_the_way_is_taken_out_from_then_on() {
        let first = secrets(&[TOKEN]);
        let mut redactor = Redactor::new(Arc::clone(&first));
        let mut out = redactor.push(format!("a {}", &TOKEN[..20]).as_bytes());
        redactor.learn(Arc::new(first.with(["ghs_another-secret"], [])));
        out.extend(redactor.push(format!("{} b ghs_another-secret c {TOKEN} d", &TOKEN[20..]).as_bytes()));
        out.extend(redactor.finish());
        assert_eq!(String::from_utf8(out).unwrap(), format!("a {MASK} b {MASK} c {MASK} d"));
    }

    #[test]
    fn short_secrets_do_not_blank_the_log() {
        let secrets = secrets(&["a", "", "token", "12345"]);
        assert_eq!(stream(&secrets, &[b"a token 12345 at large"]), "a token 12345 at large");
    }

    #[test]
    fn a_short_password_is_taken_out_as_it_is() {
        let secrets = secrets(&["hunter2"]);
        assert_eq!(stream(&secrets, &[b"it is hun", b"ter2."]), format!("it is {MASK}."));
    }

    #[test]
    fn thousands_of_plain_texts_are_taken_out_quickly() {
        let texts: Vec<String> = (0..5_000).map(|n| format!("value \"{n}\" of a file")).collect();
        let none = secrets(&[]);
        let (few, many) = (&texts[..9], &texts[..]);
        let begun = std::time::Instant::now();
        for texts in [few, many] {
            let secrets = Arc::new(none.with([], texts.iter().map(String::as_str)));
            let text = format!("{} {}", texts[3], json_escaped(&texts[7]));
            assert_eq!(stream(&secrets, &[text.as_bytes()]), format!("{MASK} {MASK}"));
        }
        let few = Arc::new(none.with([], few.iter().map(String::as_str)));
        for form in [hex::encode(&texts[0]), STANDARD.encode(&texts[0])] {
            assert!(stream(&few, &[form.as_bytes()]).contains(MASK), "{form}");
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_line_that_ends_like_the_beginning_of_a_secret_is_shown_at_once() {
        let mut redactor = Redactor::new(secrets(&[TOKEN]));
        assert_eq!(redactor.push(b"the letter j\n"), b"the letter j\n");
        assert_eq!(redactor.push(b"jrt_"), b"");
        assert_eq!(redactor.push(b"other\n"), b"jrt_other\n");
    }

    #[test]
    fn the_beginning_of_a_secret_at_the_very_end_is_taken_out() {
        assert_eq!(stream(&secrets(&[TOKEN]), &[b"it is jrt_Zm9v+YmFy"]), format!("it is {MASK}"));
    }

    #[test]
    fn a_secret_that_begins_another_does_not_uncover_it() {
        let secrets = secrets(&["secret-one", "secret-one-and-more"]);
        assert_eq!(stream(&secrets, &[b"secret-one", b"-and-more."]), format!("{MASK}."));
        assert_eq!(stream(&secrets, &[b"secret-one", b" x"]), format!("{MASK} x"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However a text with secrets is cut, no secret comes through, not even over lines.
        #[test]
        fn no_cut_lets_a_secret_through(
            parts in proptest::collection::vec("[a-zA-Z0-9+/_ \n-]{0,20}", 1..6),
            secret in "[a-zA-Z0-9_+/-]{8,40}",
            cuts in proptest::collection::vec(0usize..400, 0..12),
        ) {
            let secrets = secrets(&[&secret]);
            let text = parts.join(&secret);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &text.as_bytes()[cut[0]..cut[1]]).collect();
            let out = stream(&secrets, &chunks);
            prop_assert!(!out.replace('\n', "").contains(&secret), "{out}");
        }

        /// Text without secrets comes out as it went in, whatever the cuts.
        #[test]
        fn other_text_is_untouched(text in "[ -~\n]{0,300}", cut in 0usize..300) {
            let secrets = secrets(&["\u{1}\u{2}never-in-the-text\u{3}"]);
            let (first, second) = text.as_bytes().split_at(cut.min(text.len()));
            prop_assert_eq!(stream(&secrets, &[first, second]), text.clone());
        }
    }
}
