//! Pieces of text in their styles, broken into lines that fit a width. A word that is wider stays whole, so that
//! addresses can be copied; scripts without spaces break after any wide character.

use anstyle::Style;
use console::measure_text_width;

use crate::output::sanitize::printable;

/// Columns that a tab takes.
const TAB: &str = "    ";

/// What runs on within a paragraph, a heading or a cell.
#[derive(Default)]
pub(super) struct Flow {
    spans: Vec<(String, Style)>,
}

impl Flow {
    /// Adds text; `\n` in it ends a line.
    pub(super) fn push(&mut self, text: &str, style: Style) {
        self.spans.push((cleaned(text), style));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Where the text that is added next begins.
    pub(super) const fn here(&self) -> usize {
        self.spans.len()
    }

    /// The text that was added since, without its styles.
    pub(super) fn since(&self, place: usize) -> String {
        self.spans[place..].iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Columns that the text takes on one line.
    pub(super) fn width(&self) -> usize {
        self.spans.iter().map(|(text, _)| measure_text_width(text)).sum()
    }

    /// The text in lines of at most `width` columns.
    pub(super) fn lines(&self, width: usize) -> Vec<Line> {
        let (mut lines, mut line) = (Vec::new(), Line::default());
        for word in self.words() {
            let gap = usize::from(word.after_space && line.width > 0);
            if word.begins_line || (line.width > 0 && line.width + gap + word.width > width) {
                lines.push(std::mem::take(&mut line));
            } else if gap > 0 {
                line.space(word.style());
            }
            line.append(word);
        }
        lines.push(line);
        lines
    }

    fn words(&self) -> Vec<Word> {
        let (mut words, mut word) = (Vec::new(), Word::default());
        for (text, style) in &self.spans {
            for c in text.chars() {
                if c.is_whitespace() && c != '\u{a0}' {
                    finish(&mut words, &mut word);
                    word.after_space = true;
                    word.begins_line |= c == '\n';
                    continue;
                }
                let width = measure_text_width(c.encode_utf8(&mut [0; 4]));
                word.push(c, *style, width);
                if width > 1 {
                    finish(&mut words, &mut word);
                }
            }
        }
        finish(&mut words, &mut word);
        words
    }
}

/// The text without what steers a terminal, and with spaces for tabs.
pub(super) fn cleaned(text: &str) -> String {
    printable(text).replace('\t', TAB)
}

fn finish(words: &mut Vec<Word>, word: &mut Word) {
    if !word.parts.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// What is not broken.
#[derive(Default)]
struct Word {
    parts: Vec<(String, Style)>,
    width: usize,
    after_space: bool,
    begins_line: bool,
}

impl Word {
    fn push(&mut self, c: char, style: Style, width: usize) {
        add(&mut self.parts, c.encode_utf8(&mut [0; 4]), style);
        self.width += width;
    }

    fn style(&self) -> Style {
        self.parts.first().map(|(_, style)| *style).unwrap_or_default()
    }
}

/// A line of text in its styles.
#[derive(Default)]
pub(super) struct Line {
    parts: Vec<(String, Style)>,
    pub(super) width: usize,
}

impl Line {
    /// A line in one style.
    pub(super) fn plain(text: &str, style: Style) -> Self {
        Self { parts: vec![(text.to_owned(), style)], width: measure_text_width(text) }
    }

    fn append(&mut self, word: Word) {
        self.width += word.width;
        for (text, style) in word.parts {
            add(&mut self.parts, &text, style);
        }
    }

    /// A space before a word. It has the style of what stands on both sides.
    fn space(&mut self, next: Style) {
        let same = self.parts.last().is_some_and(|(_, style)| *style == next);
        add(&mut self.parts, " ", if same { next } else { Style::new() });
        self.width += 1;
    }

    /// The line as it is printed.
    pub(super) fn painted(&self, color: bool) -> String {
        let paint = |(text, style): &(String, Style)| {
            if color && *style != Style::new() { format!("{style}{text}{style:#}") } else { text.clone() }
        };
        self.parts.iter().map(paint).collect()
    }
}

fn add(parts: &mut Vec<(String, Style)>, text: &str, style: Style) {
    match parts.last_mut() {
        Some((before, same)) if *same == style => before.push_str(text),
        _ => parts.push((text.to_owned(), style)),
    }
}
