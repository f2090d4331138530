//! What people and scripts see: data to stdout, talk to stderr, colour only on a terminal.

mod fence;
mod fields;
mod interrupt;
mod jq;
mod markdown;
mod pager;
mod patch;
mod progress;
mod sanitize;
mod shape;
mod show;
mod table;
mod times;

use std::io::{self, IsTerminal as _, Read as _, Write as _};

use anstyle::{AnsiColor, Style};
use clap::builder::StyledStr;
use console::Term;
use serde::Serialize;
use svc_api::tracker::TextDiff;

pub(crate) use fence::{called, is_for_agent};
pub(crate) use interrupt::Interrupts;
pub(crate) use progress::Progress;
use sanitize::printable_json;
pub(crate) use sanitize::{one_line, printable, spelled_out};
pub(crate) use shape::Shape;
pub(crate) use show::{
    More, duration, harness, hyphenated, item_list, item_table, item_table_with, joined, listed, name,
    option, priority, run_table, size, state, status, wire, yes,
};
pub(crate) use table::{Cell, Column, Pairs, Table};
pub(crate) use times::when;

use crate::failure::Failure;
use crate::flags;
use crate::fresh;
use crate::globals::Globals;

/// Lines of prose are not longer than this on a wide terminal.
const WIDEST_PROSE: usize = 100;
/// The width of a terminal that does not tell its own.
const USUAL_WIDTH: usize = 80;
/// More than any token or password; what is piped in by mistake is not read to its end.
const LONGEST_INPUT: u64 = 16 * 1024;
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Where output goes and what it may look like.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    /// Whether the caller asked for JSON, or for what is made of it.
    pub(crate) json: bool,
    shape: Option<&'static Shape>,
    /// Whether what is longer than the screen may be shown in a pager.
    may_page: bool,
    stdout: Look,
    stderr: Look,
}

/// What a stream is good for.
#[derive(Clone, Copy)]
struct Look {
    terminal: bool,
    color: bool,
}

impl Look {
    fn of(terminal: bool) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { terminal, color: terminal && !dumb && !set("NO_COLOR") }
    }

    /// The same, as `--color` wants it. A label's colour is no wish of this kind.
    fn painted(self, color: Option<&str>) -> Self {
        match color {
            Some("always") => Self { color: true, ..self },
            Some("never") => Self { color: false, ..self },
            Some(_) | None => self,
        }
    }

    fn paint(self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

impl Output {
    /// Plain output, which a failure before the settings are read goes to.
    pub(crate) fn plain() -> Self {
        let stdout = Look::of(io::stdout().is_terminal());
        Self {
            json: false,
            shape: None,
            may_page: false,
            stdout,
            stderr: Look::of(io::stderr().is_terminal()),
        }
    }

    /// Output as the settings want it.
    ///
    /// # Errors
    /// The filter or template is not one (exit code 2).
    pub(crate) fn new(globals: &Globals) -> Result<Self, Failure> {
        let plain = Self::plain();
        let jq = || globals.jq.clone().map(Shape::Jq);
        let shape =
            globals.format.clone().map(Shape::Template).or_else(jq).map(Shape::checked).transpose()?;
        times::choose(plain.stdout.terminal && !globals.utc);
        // It lives as long as the program, which does one command.
        let shape = shape.map(|shape| &*Box::leak(Box::new(shape)));
        let json = globals.json || shape.is_some();
        let may_page = !json && !globals.no_pager && plain.is_read_in_pages();
        let color = globals.color.as_deref();
        let (stdout, stderr) = (plain.stdout.painted(color), plain.stderr.painted(color));
        Ok(Self { json, shape, may_page, stdout, stderr })
    }

    /// Whether a person reads stdout at a terminal that a pager can use.
    fn is_read_in_pages(&self) -> bool {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        self.stdout.terminal && !dumb && !is_for_agent()
    }

    /// Prints what `write` prints; on a terminal in a pager where it is longer than the screen.
    pub(crate) async fn paged(&self, write: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let Some(program) = pager::program().filter(|_| self.may_page) else { return write() };
        pager::hold();
        let written = write();
        let text = pager::release();
        if pager::fits(&text) || pager::show(&text, &program).await.is_err() {
            self.raw(&text)?;
        }
        written
    }

    /// Prints help that was asked for, in a pager where it is longer than the screen.
    pub(crate) async fn help(&self, help: &StyledStr, in_pages: bool) -> Result<(), Failure> {
        let paged = Self { may_page: in_pages && self.is_read_in_pages(), ..*self };
        let text = if self.stdout.color { help.ansi().to_string() } else { help.to_string() };
        paged.paged(|| paged.raw(&text)).await
    }

    /// Whether a person can be asked: they see the question and can answer it.
    pub(crate) fn can_ask(&self) -> bool {
        self.stderr.terminal && io::stdin().is_terminal()
    }

    /// Prints a value as JSON.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        match self.shape {
            Some(shape) => self.shaped(shape, value),
            None => self.json_text(serde_json::to_string_pretty(value).map_err(io::Error::other)?),
        }
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> Result<(), Failure> {
        match self.shape {
            Some(shape) => self.shaped(shape, value),
            None => self.json_text(serde_json::to_string(value).map_err(io::Error::other)?),
        }
    }

    /// Whether a person or program that is shown this value sees the text in it: a filter or template may leave it out.
    pub(crate) fn shows(&self, value: &impl Serialize, text: &str) -> bool {
        let Some(shape) = self.shape else { return true };
        let Ok(value) = serde_json::to_value(value) else { return false };
        let shown = shape.apply(&value).unwrap_or_default();
        let quoted = serde_json::to_string(text).unwrap_or_default();
        shown.contains(text.trim_end()) || shown.contains(quoted.trim_matches('"'))
    }

    fn shaped(&self, shape: &Shape, value: &impl Serialize) -> Result<(), Failure> {
        let text = shape.apply(&serde_json::to_value(value).map_err(io::Error::other)?)?;
        self.raw(&if self.stdout.terminal { printable(&text).into_owned() } else { text })
    }

    fn json_text(&self, text: String) -> Result<(), Failure> {
        let text = if self.stdout.terminal { printable_json(&text) } else { text };
        self.raw(&format!("{text}\n"))
    }

    /// Prints a table, cut to the width of the terminal where there is one.
    pub(crate) fn table(&self, table: &Table) -> Result<(), Failure> {
        if !self.stdout.terminal {
            return self.raw(&table.render(None, self.stdout.color));
        }
        let width = columns();
        self.raw(&table.with_glyphs().render(width, self.stdout.color))
    }

    /// Prints one thing: as JSON, or as a table with one row.
    pub(crate) fn one<T: Serialize>(&self, value: &T, table: fn(&[T]) -> Table) -> Result<(), Failure> {
        if self.json { self.json(value) } else { self.table(&table(std::slice::from_ref(value))) }
    }

    /// Prints a list: as JSON, or as a table. To a person `none` says that there is nothing to print.
    pub(crate) fn all<T: Serialize>(
        &self,
        values: &[T],
        none: &str,
        table: impl FnOnce(&[T]) -> Table,
    ) -> Result<(), Failure> {
        if self.json {
            return self.json(&values);
        }
        if values.is_empty() {
            self.say(none);
            return Ok(());
        }
        self.table(&table(values))
    }

    /// Prints names and values, one pair a line.
    pub(crate) fn pairs(&self, pairs: &Pairs) -> Result<(), Failure> {
        self.raw(&pairs.render(self.stdout.terminal, self.stdout.color))
    }

    /// Prints a line, or several, without the characters that would steer a terminal: what is piped may end at one.
    pub(crate) fn line(&self, text: &str) -> Result<(), Failure> {
        self.raw(&format!("{}\n", printable(text)))
    }

    /// Prints text that may end with its newline; on a terminal without what would steer it, else as it is, for programs
    /// that read it.
    pub(crate) fn exact(&self, text: &str) -> Result<(), Failure> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        if self.stdout.terminal { self.line(text) } else { self.raw(&format!("{text}\n")) }
    }

    /// Prints text that may end with its newline.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        self.line(text.strip_suffix('\n').unwrap_or(text))
    }

    /// Prints a text of another author: for an agent between lines that name its author, for people
    /// each line after `indent`.
    pub(crate) fn theirs(&self, what: &str, text: &str, indent: &str) -> Result<(), Failure> {
        if is_for_agent() {
            return self.text(&fence::fenced(what, text, &fresh::word()));
        }
        self.markdown(text, indent)
    }

    /// Prints Markdown: as it looks on a terminal, else as it is written; each line after `indent`.
    pub(crate) fn markdown(&self, text: &str, indent: &str) -> Result<(), Failure> {
        if !self.stdout.terminal {
            let text = text.strip_suffix('\n').unwrap_or(text);
            return text.split('\n').try_for_each(|line| self.line(&indented(indent, line)));
        }
        let columns = columns().unwrap_or(USUAL_WIDTH);
        let width = columns.min(WIDEST_PROSE).saturating_sub(indent.len());
        let shown = markdown::rendered(text, width, self.stdout.color);
        shown.lines().try_for_each(|line| self.raw(&format!("{}\n", indented(indent, line))))
    }

    /// Prints what changed of a text, each line after `indent`.
    pub(crate) fn diff(&self, diff: &TextDiff, indent: &str) -> Result<(), Failure> {
        self.raw(&patch::rendered(&diff.unified, indent, self.stdout.color))?;
        if diff.truncated {
            self.line(&format!("{indent}There are more differences than these."))
        } else {
            Ok(())
        }
    }

    /// Writes to stdout as it is.
    pub(crate) fn raw(&self, text: &str) -> Result<(), Failure> {
        if pager::takes(text) {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    /// Writes bytes to stdout as they are.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(io::stdout().lock().write_all(bytes)?)
    }

    /// Whether what goes to stdout is shown to a person.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.stdout.terminal
    }

    /// Whether a person sees at once what is said.
    pub(crate) const fn is_watched(&self) -> bool {
        self.stderr.terminal
    }

    /// Says something to the person. Nothing depends on it being heard.
    pub(crate) fn say(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{}", printable(text));
    }

    /// Says something that the person should act on some day.
    pub(crate) fn warn(&self, text: &str) {
        self.say_styled(WARNING, "warning:", text);
    }

    /// Says why the command failed and what to do next.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_silent() {
            return;
        }
        let told = [Some(failure.title.clone()), failure.detail.clone()].into_iter().flatten();
        let fields = flags::lines(&failure.fields);
        let lines: Vec<_> = match failure.title_is_general() {
            true => fields.into_iter().chain(told).collect(),
            false => told.chain(fields).collect(),
        };
        if let Some((first, more)) = lines.split_first() {
            self.say_styled(ERROR, "error:", first);
            more.iter()
                .map(String::as_str)
                .chain(failure.kept())
                .for_each(|line| self.say(&format!("  {line}")));
        }
        if let Some(hint) = &failure.hint {
            self.say(&format!("  next: {hint}"));
        }
    }

    fn say_styled(&self, style: Style, word: &str, text: &str) {
        let word = self.stderr.paint(style, word);
        let _ = writeln!(io::stderr(), "{word} {}", printable(text));
    }

    /// Asks for a line on the terminal.
    pub(crate) fn ask(&self, question: &str) -> Result<String, Failure> {
        let mut stderr = io::stderr();
        let _ = write!(stderr, "{question}").and_then(|()| stderr.flush());
        let mut line = String::new();
        io::stdin().read_line(&mut line).map_err(|error| Failure::io("cannot read the answer", &error))?;
        Ok(line.trim().to_owned())
    }

    /// Asks for a line that is not shown while it is typed; where stdin is no terminal, reads it from there.
    pub(crate) fn secret(&self, question: &str) -> Result<String, Failure> {
        if !io::stdin().is_terminal() {
            return piped_line();
        }
        let mut stderr = io::stderr();
        let _ = write!(stderr, "{question}").and_then(|()| stderr.flush());
        interrupt::give_terminal_back();
        let line = Term::stderr().read_secure_line();
        line.map(|line| line.trim().to_owned()).map_err(|error| Failure::io("cannot read the answer", &error))
    }
}

/// The width of the terminal: what COLUMNS says, else what the terminal does.
fn columns() -> Option<usize> {
    let said =
        std::env::var("COLUMNS").ok().and_then(|said| said.parse().ok()).filter(|columns| *columns > 0);
    said.or_else(|| Term::stdout().size_checked().map(|(_, columns)| usize::from(columns)))
}

/// A line after an indentation; an empty one stays empty.
fn indented(indent: &str, line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("{indent}{line}") }
}

/// What was piped in, on one line.
fn piped_line() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(LONGEST_INPUT).read_to_string(&mut text);
    read.map_err(|error| Failure::io("cannot read stdin", &error))?;
    Ok(text.trim().to_owned())
}
