//! Markdown as a terminal shows it: headings, emphasis, lists, tasks, quotes, code, tables, and links with their
//! addresses. Without colour the marks of emphasis and headings stay, since nothing else would show them.
//!
//! The text may be anybody's: what steers a terminal is taken out of each piece after parsing, because `&#27;` is
//! one such piece, and what is nested too deeply is laid flat, so that the output grows with the text alone. A link
//! always shows where it leads.

mod flow;
mod grid;

use anstyle::{AnsiColor, Effects, Style};
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use svc_text::markdown::events;

use self::flow::{Flow, Line, cleaned};
use self::grid::Grid;
use super::sanitize::one_line;

/// Quotes and lists within each other that are shown as such.
const DEEPEST: usize = 8;
/// No line is broken to less.
const NARROWEST: usize = 24;
const CODE: Style = AnsiColor::Cyan.on_default();
const FAINT: Style = AnsiColor::BrightBlack.on_default();

/// The text as a terminal of this width shows it. Each line ends with a newline.
pub(super) fn rendered(markdown: &str, width: usize, color: bool) -> String {
    let mut page = Page { width, color, ..Page::default() };
    events(markdown).for_each(|event| page.take(event));
    page.text
}

/// What was rendered, and what is open.
#[derive(Default)]
struct Page {
    text: String,
    width: usize,
    color: bool,
    /// The words of the open paragraph, heading or cell.
    flow: Flow,
    effects: Vec<Effects>,
    /// Quotes and items of lists around what comes next.
    around: Vec<Around>,
    /// Number of the next item of each open list, where it has numbers.
    lists: Vec<Option<u64>>,
    /// Where each open link leads, and where its text begins.
    links: Vec<(String, usize)>,
    code: Option<String>,
    grid: Option<Grid>,
    /// Whether an empty line comes before the next block.
    apart: bool,
}

/// What stands in front of each line of a quote or an item.
#[derive(Default)]
struct Around {
    first: Option<String>,
    rest: String,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push(&text, Style::new()),
            },
            Event::Code(text) => {
                self.mark("`");
                self.push(&text, CODE);
                self.mark("`");
            }
            Event::InlineHtml(html) if &*html == "<br>" => self.push("\n", Style::new()),
            // Other tags say how a browser shows what is in them.
            Event::InlineHtml(html) if html.starts_with('<') => {}
            Event::Html(text) | Event::InlineHtml(text) => self.push(&text, Style::new()),
            Event::SoftBreak => self.push(" ", Style::new()),
            Event::HardBreak => self.push("\n", Style::new()),
            Event::Rule => self.block(vec![Line::plain(&"─".repeat(self.room()), FAINT).painted(self.color)]),
            Event::TaskListMarker(done) => self.push(if done { "[x] " } else { "[ ] " }, CODE),
            Event::FootnoteReference(name) => self.push(&format!("[{name}]"), FAINT),
            // These are not asked for.
            Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.heading(level),
            Tag::BlockQuote(_) => self.enter(None, "│ "),
            Tag::CodeBlock(_) => {
                self.words();
                self.code = Some(String::new());
            }
            Tag::List(number) => {
                self.words();
                self.lists.push(number);
            }
            Tag::Item => {
                let marker = self.marker();
                let rest = " ".repeat(marker.chars().count());
                self.enter(Some(marker), &rest);
            }
            Tag::Table(alignments) => self.grid = Some(Grid::new(alignments)),
            Tag::TableHead => {
                self.effects.push(Effects::BOLD);
                self.row();
            }
            Tag::TableRow => self.row(),
            Tag::FootnoteDefinition(name) => {
                self.words();
                self.push(&format!("[{name}] "), FAINT);
            }
            Tag::Emphasis => self.emphasis("*", Effects::ITALIC),
            Tag::Strong => self.emphasis("**", Effects::BOLD),
            Tag::Strikethrough => self.emphasis("~~", Effects::STRIKETHROUGH),
            Tag::Link { dest_url, .. } => {
                self.effects.push(Effects::UNDERLINE);
                self.links.push((one_line(&dest_url), self.flow.here()));
            }
            Tag::Image { dest_url, .. } => {
                self.push("Image: ", FAINT);
                self.links.push((one_line(&dest_url), self.flow.here()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.paragraph(),
            TagEnd::Heading(_) => {
                self.paragraph();
                self.effects.pop();
            }
            TagEnd::BlockQuote(_) => self.leave(true),
            TagEnd::Item => self.leave(false),
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.apart |= self.lists.is_empty();
            }
            TagEnd::TableHead => {
                self.effects.pop();
            }
            TagEnd::TableCell => self.cell(),
            TagEnd::Table => {
                let lines = self.grid.take().map(|grid| grid.lines(self.room(), self.color));
                self.block(lines.unwrap_or_default());
            }
            TagEnd::Emphasis => self.plain("*"),
            TagEnd::Strong => self.plain("**"),
            TagEnd::Strikethrough => self.plain("~~"),
            TagEnd::Link => {
                self.effects.pop();
                self.address();
            }
            TagEnd::Image => self.address(),
            _ => {}
        }
    }

    /// Adds words in their style and that of what is around them.
    fn push(&mut self, text: &str, style: Style) {
        let effects = self.effects.iter().fold(style.get_effects(), |all, more| all | *more);
        self.flow.push(text, style.effects(effects));
    }

    /// A mark of the text, where no style shows what it means.
    fn mark(&mut self, mark: &str) {
        if !self.color {
            self.push(mark, Style::new());
        }
    }

    fn emphasis(&mut self, mark: &str, effects: Effects) {
        self.mark(mark);
        self.effects.push(effects);
    }

    fn plain(&mut self, mark: &str) {
        self.effects.pop();
        self.mark(mark);
    }

    fn heading(&mut self, level: HeadingLevel) {
        self.words();
        self.mark(&format!("{} ", "#".repeat(level as usize)));
        let first = level == HeadingLevel::H1;
        self.effects.push(if first { Effects::BOLD | Effects::UNDERLINE } else { Effects::BOLD });
    }

    fn row(&mut self) {
        if let Some(grid) = &mut self.grid {
            grid.row();
        }
    }

    fn cell(&mut self) {
        let cell = std::mem::take(&mut self.flow);
        if let Some(grid) = &mut self.grid {
            grid.cell(cell);
        }
    }

    /// Says where a link or an image leads, unless its text does.
    fn address(&mut self) {
        let Some((address, begin)) = self.links.pop() else { return };
        if !address.is_empty() && self.flow.since(begin) != address {
            self.push(&format!(" ({address})"), FAINT);
        }
    }

    /// What stands before the next item of the innermost list.
    fn marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "• ".to_owned(),
        }
    }

    fn enter(&mut self, first: Option<String>, rest: &str) {
        self.words();
        self.space();
        let shown = self.around.len() < DEEPEST;
        self.around.push(if shown { Around { first, rest: rest.to_owned() } } else { Around::default() });
    }

    fn leave(&mut self, apart: bool) {
        self.words();
        if self.around.last().is_some_and(|around| around.first.is_some()) {
            self.line("");
        }
        self.around.pop();
        self.apart |= apart;
    }

    /// Columns that are left for text.
    fn room(&self) -> usize {
        let taken: usize = self.around.iter().map(|around| around.rest.chars().count()).sum();
        self.width.saturating_sub(taken).max(NARROWEST)
    }

    /// Writes the open words, with an empty line after them.
    fn paragraph(&mut self) {
        if !self.flow.is_empty() {
            self.words();
            self.apart = true;
        }
    }

    /// Writes the open words.
    fn words(&mut self) {
        if self.flow.is_empty() || self.grid.is_some() {
            return;
        }
        self.space();
        let flow = std::mem::take(&mut self.flow);
        for line in flow.lines(self.room()) {
            self.line(&line.painted(self.color));
        }
    }

    fn code_block(&mut self) {
        let code = cleaned(&self.code.take().unwrap_or_default());
        let color = self.color;
        self.block(
            code.lines().map(|line| format!("    {}", Line::plain(line, CODE).painted(color))).collect(),
        );
    }

    /// Writes lines that stand alone.
    fn block(&mut self, lines: Vec<String>) {
        self.words();
        self.space();
        lines.iter().for_each(|line| self.line(line));
        self.apart = true;
    }

    /// Writes the empty line that is due.
    fn space(&mut self) {
        if std::mem::take(&mut self.apart) && !self.text.is_empty() {
            self.line("");
        }
    }

    fn line(&mut self, line: &str) {
        let begin = self.text.len();
        for around in &mut self.around {
            let before = around.first.take();
            self.text.push_str(before.as_deref().unwrap_or(&around.rest));
        }
        self.text.push_str(line);
        let end = self.text.trim_end_matches(' ').len().max(begin);
        self.text.truncate(end);
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::rendered;

    /// How a text is shown on a terminal without colour.
    fn plain(markdown: &str, width: usize) -> String {
        rendered(markdown, width, false)
    }

    #[test]
    fn words_run_on_to_the_width_of_the_terminal() {
        let text = "One two three\nfour five six seven,  \na new line\n\nand *another* **paragraph**";
        let shown = "One two three four five\nsix seven,\na new line\n\nand *another*\n**paragraph**\n";
        assert_eq!(plain(text, 24), shown);
    }

    #[test]
    fn lists_keep_their_shape() {
        let text = "Steps:\n\n1. open **cart**\n2. tap\n   - once\n   - twice\n\n- [ ] a\n- [x] b\n\n\nend";
        let shown = "Steps:\n\n1. open **cart**\n2. tap\n   • once\n   • twice\n\n• [ ] a\n• [x] b\n\nend\n";
        assert_eq!(plain(text, 60), shown);
        assert_eq!(plain("- a\n\n- b\n-\n", 60), "• a\n\n• b\n\n•\n");
    }

    #[test]
    fn lines_of_items_and_quotes_stand_below_each_other() {
        let text = "> they wrote a long line of words\n>\n> - an item of it that is long\n";
        let shown = "│ they wrote a long line of\n│ words\n│\n│ • an item of it that is\n│   long\n";
        assert_eq!(plain(text, 28), shown);
    }

    #[test]
    fn headings_code_and_rules() {
        let text = "# Top\ntext `code`\n## Below\n```rust\nfn main() {\n\tx();\n}\n```\n---\n    indented\n";
        let shown = "# Top\n\ntext `code`\n\n## Below\n\n    fn main() {\n        x();\n    }\n\n────────────────────────\n\n    indented\n";
        assert_eq!(plain(text, 24), shown);
    }

    #[test]
    fn links_say_where_they_lead() {
        for (text, shown) in [
            ("[pay](https://x.example)", "pay (https://x.example)\n"),
            ("<https://x.example>", "https://x.example\n"),
            ("[https://good.example](https://evil.example)", "https://good.example (https://evil.example)\n"),
            ("![a cat](cat.png)", "Image: a cat (cat.png)\n"),
        ] {
            assert_eq!(plain(text, 80), shown, "{text}");
        }
    }

    #[test]
    fn tables_are_aligned_and_broken_where_they_are_too_wide() {
        let text = "| name | count |\n|---|--:|\n| ä | 1 |\n| **long** | 12 |\n";
        assert_eq!(plain(text, 80), "name      count\n────────  ─────\nä             1\n**long**     12\n");
        let wide = "|a|b|\n|-|-|\n|short|many words that need more than one line|\n";
        let shown = "a      b\n─────  ───────────────────\nshort  many words that\n       need more than one\n       line\n";
        assert_eq!(plain(wide, 26), shown);
        let many = format!("{0}|\n{1}|\n{0}|\n", "|one two".repeat(9), "|-".repeat(9));
        let line = ["one two"; 9].join(" | ");
        assert_eq!(plain(&many, 30), format!("{line}\n{line}\n"));
    }

    #[test]
    fn styles_are_for_terminals_with_colour() {
        let shown = rendered("# Top\n\n**two words** and `code` [x](y)", 80, true);
        let expected = "\u{1b}[1m\u{1b}[4mTop\u{1b}[0m\n\n\u{1b}[1mtwo words\u{1b}[0m and \u{1b}[36mcode\u{1b}[0m \
                        \u{1b}[4mx\u{1b}[0m \u{1b}[90m(y)\u{1b}[0m\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn no_text_steers_the_terminal() {
        let text = "a\u{1b}[2Jb &#27;[31m &#x9b;2J &#x202e; `\u{1b}c` [x](https://e.example/\u{202e}y)\n\n```\n\u{1b}]0;t\u{7}\n```\n\n\
                    |\u{1b}[1m|\n|-|\n\n<b \u{1b}[0m>\n";
        let shown = plain(text, 80);
        assert!(!shown.contains(['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}']), "{shown:?}");
        assert!(shown.contains("[31m"), "{shown:?}");
    }

    #[test]
    fn the_output_grows_with_the_text_alone() {
        let deep = format!("{} word\n{}", ">".repeat(5_000), "word\n".repeat(5_000));
        assert!(plain(&deep, 80).len() < 8 * deep.len());
        let items = (0..200).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect::<String>();
        assert!(plain(&items, 80).len() < 8 * items.len());
    }

    #[test]
    fn wide_characters_break_anywhere() {
        assert_eq!(plain(&"漢".repeat(20), 24), format!("{}\n{}\n", "漢".repeat(12), "漢".repeat(8)));
    }
}
