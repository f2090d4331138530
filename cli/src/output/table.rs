//! Plain tables: two spaces between columns, the last column never cut (specification section 4.2). On a terminal that is
//! too narrow for it, it goes on below itself.
//!
//! On a terminal the columns before the last are cut until they fit, the widest first; those that are copied
//! into the next command (keys, ids) and states never are. Where that would leave little of a value, columns of less use
//! are left out: first ids, which have a name beside them, then the others from the last on. Spare columns are shown where
//! everything fits with them.

use anstyle::{Ansi256Color, AnsiColor, Style};
use console::{measure_text_width, truncate_str};

use super::sanitize::one_line;

const GAP: &str = "  ";
/// No column is cut to less.
const LEAST: usize = 6;
/// A column of less use is left out before another is cut to less.
const READABLE: usize = 14;
const HEAD: Style = Style::new().bold();
const NAME: Style = Style::new().dimmed();

/// A column's heading and whether its values may be cut.
#[derive(Clone)]
pub(crate) struct Column {
    title: &'static str,
    fixed: bool,
    /// Whether it is left out where the terminal is too narrow for all.
    minor: bool,
    /// Whether it is the first to be left out.
    id: bool,
    /// Whether it is shown only on a terminal that has room for all.
    spare: bool,
}

impl Column {
    /// A column whose values are never cut.
    pub(crate) const fn fixed(title: &'static str) -> Self {
        Self { title, fixed: true, minor: false, id: false, spare: false }
    }

    /// A column whose values are cut where the terminal is narrow.
    pub(crate) const fn flexible(title: &'static str) -> Self {
        Self { title, fixed: false, minor: false, id: false, spare: false }
    }

    /// A column of ids of what has a name, too: left out where there is no room.
    pub(crate) const fn id(title: &'static str) -> Self {
        Self { title, fixed: true, minor: true, id: true, spare: false }
    }

    /// The column is shown only where there is room for all.
    pub(crate) const fn spare(self) -> Self {
        Self { spare: true, ..self }
    }

    /// The column is of less use than the others.
    pub(crate) const fn minor(self) -> Self {
        Self { minor: true, ..self }
    }
}

/// A value of a table.
#[derive(Clone)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    /// What a person tells it by at a glance, on a terminal.
    glyph: Option<char>,
}

impl Cell {
    /// A value in good, bad or middling colour.
    pub(crate) fn colored(text: impl Into<String>, color: AnsiColor) -> Self {
        Self { style: color.on_default(), ..Self::from(text) }
    }

    /// A value in the colour of three bytes, red, green and blue.
    pub(crate) fn painted(text: impl Into<String>, [red, green, blue]: [u8; 3]) -> Self {
        // Of the 216 colours that every terminal has, the nearest.
        let level = |part: u8| ((u16::from(part) * 5 + 127) / 255) as u8;
        let index = 16 + 36 * level(red) + 6 * level(green) + level(blue);
        Self { style: Ansi256Color(index).on_default(), ..Self::from(text) }
    }

    /// The value after a glyph, which only a terminal shows.
    pub(crate) fn marked(self, glyph: char) -> Self {
        Self { glyph: Some(glyph), ..self }
    }

    fn with_glyph(&self) -> Self {
        match self.glyph {
            Some(glyph) => Self { text: format!("{glyph} {}", self.text), ..self.clone() },
            None => self.clone(),
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: one_line(&text.into()), style: Style::new(), glyph: None }
    }
}

/// Rows under headings.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A table of things of one kind while it is put together, column by column.
pub(crate) struct Columns<'a, T> {
    things: Vec<&'a T>,
    table: Table,
}

impl<'a, T> Columns<'a, T> {
    /// Adds a column whose values are never cut.
    pub(crate) fn fixed<C: Into<Cell>>(self, title: &'static str, cell: impl FnMut(&'a T) -> C) -> Self {
        self.column(Column::fixed(title), cell)
    }

    /// Adds a column whose values are cut where the terminal is narrow.
    pub(crate) fn flexible<C: Into<Cell>>(self, title: &'static str, cell: impl FnMut(&'a T) -> C) -> Self {
        self.column(Column::flexible(title), cell)
    }

    /// Adds a column of ids of what has a name, too.
    pub(crate) fn id<C: Into<Cell>>(self, title: &'static str, cell: impl FnMut(&'a T) -> C) -> Self {
        self.column(Column::id(title), cell)
    }

    fn column<C: Into<Cell>>(mut self, column: Column, mut cell: impl FnMut(&'a T) -> C) -> Self {
        self.table.columns.push(column);
        for (row, thing) in self.table.rows.iter_mut().zip(&self.things) {
            row.push(cell(thing).into());
        }
        self
    }

    /// The last column is of less use than the others.
    pub(crate) fn minor(mut self) -> Self {
        if let Some(last) = self.table.columns.last_mut() {
            last.minor = true;
        }
        self
    }

    /// The table, complete.
    pub(crate) fn end(self) -> Table {
        self.table
    }
}

impl Table {
    /// A table with a row for each thing.
    pub(crate) fn of<'a, T>(things: impl IntoIterator<Item = &'a T>) -> Columns<'a, T> {
        let things: Vec<_> = things.into_iter().collect();
        let rows = things.iter().map(|_| Vec::new()).collect();
        Columns { things, table: Self { columns: Vec::new(), rows } }
    }

    pub(crate) fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row with one value for each column.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// The table as a person reads it: with the glyphs of its values.
    pub(crate) fn with_glyphs(&self) -> Self {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::with_glyph).collect();
        Self { columns: self.columns.clone(), rows: self.rows.iter().map(row).collect() }
    }

    /// The table as text, cut to `width` where it is given.
    pub(crate) fn render(&self, width: Option<usize>, color: bool) -> String {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        if width.is_none_or(|width| self.full_width() > width) {
            shown.retain(|&index| !self.columns[index].spare);
        }
        let widths = loop {
            let widths = self.widths(&shown, width);
            match self.too_much(&shown, &widths, width) {
                Some(position) => shown.remove(position),
                None => break widths,
            };
        };
        let below = width.and_then(|width| Below::of(&widths, width));
        let mut text = String::new();
        let heads = shown.iter().map(|&index| (self.columns[index].title, HEAD));
        push_row(&mut text, heads, &widths, color);
        for row in &self.rows {
            let mut cells: Vec<_> = shown.iter().filter_map(|&index| row.get(index)).collect();
            let (lines, style) = match (below, cells.pop()) {
                (Some(below), Some(last)) => (below.lines(&last.text), last.style),
                (None, Some(last)) => (vec![last.text.clone()], last.style),
                (_, None) => continue,
            };
            let before = cells.iter().map(|cell| (cell.text.as_str(), cell.style));
            let mut lines = lines.iter().map(String::as_str);
            push_row(&mut text, before.chain(lines.next().map(|line| (line, style))), &widths, color);
            for line in lines {
                let indent = below.map_or(0, |below| below.indent);
                text.push_str(&" ".repeat(indent));
                text.push_str(&painted(line, style, color));
                text.push('\n');
            }
        }
        text
    }

    /// What a line takes with every column, none of them cut.
    fn full_width(&self) -> usize {
        let columns = self.columns.len();
        (0..columns).map(|index| self.natural_width(index)).sum::<usize>()
            + GAP.len() * columns.saturating_sub(1)
    }

    /// Which of the shown columns is to be left out: an id, or the last of less use, where they do not fit.
    /// A value is not cut to much less than people can tell it by while there is a column of less use.
    fn too_much(&self, shown: &[usize], widths: &[usize], width: Option<usize>) -> Option<usize> {
        let last = shown.last().map_or(0, |&index| self.natural_width(index));
        let width = width?;
        let room = room(last.min(width / 2), shown.len(), width);
        let wanted = |(&index, &width): (&usize, &usize)| width.max(self.natural_width(index).min(READABLE));
        if shown.iter().zip(widths).map(wanted).sum::<usize>() <= room {
            return None;
        }
        let minor = |index: usize| self.columns[index].minor && Some(&index) != shown.last();
        let id = shown.iter().position(|&index| minor(index) && self.columns[index].id);
        id.or_else(|| shown.iter().rposition(|&index| minor(index)))
    }

    /// Width of each shown column but the last, which takes what it needs.
    fn widths(&self, shown: &[usize], width: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<_> = shown.iter().map(|&index| self.natural_width(index)).collect();
        let last = widths.pop().unwrap_or_default();
        let Some(width) = width else { return widths };
        let room = room(last.min(width / 3), shown.len(), width);
        while widths.iter().sum::<usize>() > room {
            let cuttable = |index: usize| !self.columns[shown[index]].fixed && widths[index] > LEAST;
            let widest =
                (0..widths.len()).filter(|&index| cuttable(index)).max_by_key(|&index| widths[index]);
            let Some(widest) = widest else { break };
            widths[widest] -= 1;
        }
        widths
    }

    fn natural_width(&self, index: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.text.as_str());
        let head = self.columns.get(index).map_or("", |column| column.title);
        cells.chain([head]).map(measure_text_width).max().unwrap_or_default()
    }
}

/// Where the last column goes on: at its own beginning, between words.
#[derive(Clone, Copy)]
struct Below {
    indent: usize,
    room: usize,
}

impl Below {
    /// Where there is room for a few words beside columns of these widths.
    fn of(widths: &[usize], width: usize) -> Option<Self> {
        let indent = widths.iter().sum::<usize>() + GAP.len() * widths.len();
        let room = width.checked_sub(indent).filter(|room| *room >= READABLE)?;
        Some(Self { indent, room })
    }

    /// The text in lines that fit. A word that is longer than a line, such as an address, stays whole.
    fn lines(self, text: &str) -> Vec<String> {
        if measure_text_width(text) <= self.room {
            return vec![text.to_owned()];
        }
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let line = lines.last_mut().map_or(0, |line| measure_text_width(line));
            let begins = line == 0;
            if !begins && line + 1 + measure_text_width(word) > self.room {
                lines.push(word.to_owned());
            } else if let Some(line) = lines.last_mut() {
                line.push_str(if begins { "" } else { " " });
                line.push_str(word);
            }
        }
        lines
    }
}

/// What the columns before the last may take of a line. The last one is promised a part of it: a third before
/// others are cut, half before others are left out, or what it needs if that is less.
const fn room(promised: usize, columns: usize, width: usize) -> usize {
    width.saturating_sub(promised + GAP.len() * columns.saturating_sub(1))
}

/// `widths` has no entry for the last column: it is neither cut nor padded.
fn push_row<'a>(
    text: &mut String,
    cells: impl Iterator<Item = (&'a str, Style)>,
    widths: &[usize],
    color: bool,
) {
    let mut line = String::new();
    for (index, (cell, style)) in cells.enumerate() {
        let shown = match widths.get(index) {
            Some(&width) => truncate_str(cell, width, "…"),
            None => cell.into(),
        };
        if index > 0 {
            line.push_str(GAP);
        }
        line.push_str(&painted(&shown, style, color));
        if let Some(width) = widths.get(index) {
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(measure_text_width(&shown))));
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

fn painted(text: &str, style: Style, color: bool) -> String {
    if color && style != Style::new() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// One thing: names and values, one pair a line.
#[derive(Default)]
pub(crate) struct Pairs {
    pairs: Vec<(&'static str, Cell)>,
}

impl Pairs {
    /// Adds a value.
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<Cell>) {
        self.pairs.push((name, value.into()));
    }

    /// Adds a value if there is one.
    pub(crate) fn maybe(&mut self, name: &'static str, value: Option<impl Into<Cell>>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    /// The pairs as text, on a terminal with the glyphs of the values.
    pub(crate) fn render(&self, terminal: bool, color: bool) -> String {
        let width = self.pairs.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut text = String::new();
        for (name, value) in &self.pairs {
            let value = if terminal { value.with_glyph() } else { value.clone() };
            push_row(
                &mut text,
                [(*name, NAME), (value.text.as_str(), value.style)].into_iter(),
                &[width],
                color,
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Column, Table};

    fn table(rows: &[[&str; 3]]) -> Table {
        let mut table =
            Table::new([Column::fixed("KEY"), Column::flexible("ASSIGNEE"), Column::flexible("TITLE")]);
        for row in rows {
            table.row(row.map(Cell::from));
        }
        table
    }

    #[test]
    fn columns_are_two_spaces_apart_and_nothing_trails() {
        let text = table(&[["PRJ-1", "Ada", "First"], ["PRJ-10", "", ""]]).render(None, false);
        assert_eq!(text, "KEY     ASSIGNEE  TITLE\nPRJ-1   Ada       First\nPRJ-10\n");
    }

    #[test]
    fn on_a_narrow_terminal_only_the_middle_is_cut() {
        let title = "A title that is far longer than any narrow terminal is wide";
        let text = table(&[["PRJ-1234567", "Augusta Ada King-Noel", title]]).render(Some(36), false);
        assert_eq!(text, format!("KEY          ASSIGNEE   TITLE\nPRJ-1234567  Augusta …  {title}\n"));
    }

    #[test]
    fn a_long_title_goes_on_below_itself() {
        let rows = [
            ["PRJ-1", "Ada", "A title that is far longer than any narrow terminal is wide"],
            ["PRJ-2", "Ben", "Short"],
        ];
        let text = table(&rows).render(Some(44), false);
        assert_eq!(
            text,
            "KEY    ASSIGNEE  TITLE\n\
             PRJ-1  Ada       A title that is far longer\n\
             \u{20}                than any narrow terminal is\n\
             \u{20}                wide\n\
             PRJ-2  Ben       Short\n"
        );
        let address = "https://code.example/team/search/pull/7/files/many/more/of/them";
        assert!(table(&[["PRJ-1", "Ada", address]]).render(Some(44), false).contains(address));
    }

    #[test]
    fn columns_of_less_use_are_left_out_before_little_is_left_of_others() {
        let mut table = Table::new([
            Column::fixed("KEY"),
            Column::fixed("TYPE").minor(),
            Column::flexible("ASSIGNEE"),
            Column::flexible("TITLE"),
        ]);
        table.row(["PRJ-1", "story", "Augusta Ada King", "Search box"].map(Cell::from));
        let text = table.render(Some(36), false);
        assert_eq!(text, "KEY    ASSIGNEE          TITLE\nPRJ-1  Augusta Ada King  Search box\n");
    }

    #[test]
    fn columns_of_less_use_are_left_out_before_anything_does_not_fit() {
        let mut table = Table::new([
            Column::fixed("KEY"),
            Column::fixed("TYPE").minor(),
            Column::fixed("STATE"),
            Column::flexible("CLAIM").minor(),
            Column::flexible("TITLE"),
        ]);
        table.row(["PRJ-12", "subtask", "In progress", "Augusta", "Search forgets"].map(Cell::from));
        let heads = |width| table.render(Some(width), false).lines().next().unwrap().to_owned();
        assert!(heads(80).contains("TYPE") && heads(80).contains("CLAIM"));
        assert!(heads(48).contains("TYPE") && !heads(48).contains("CLAIM"), "{}", heads(48));
        assert!(!heads(36).contains("TYPE") && heads(36).contains("STATE"), "{}", heads(36));
        assert!(table.render(Some(20), false).contains("In progress"), "states are never cut");
        assert!(table.render(Some(20), false).contains("Search forgets"), "nor is the last column");
    }

    #[test]
    fn ids_go_first_and_spare_columns_come_where_all_fit() {
        let mut table = Table::new([
            Column::id("ID"),
            Column::fixed("STATE"),
            Column::flexible("LABELS").spare(),
            Column::fixed("START").minor(),
            Column::flexible("NAME"),
        ]);
        let id = "0193a6e5-0000-7000-8000-000000000000";
        table.row([id, "planned", "ui, api", "2027-01-04", "Sprint 12"].map(Cell::from));
        let heads = |width: Option<usize>| table.render(width, false).lines().next().unwrap().to_owned();
        assert!(heads(Some(100)).contains("LABELS"), "{}", heads(Some(100)));
        assert!(heads(None).contains("ID") && !heads(None).contains("LABELS"), "scripts: {}", heads(None));
        assert_eq!(heads(Some(60)), "STATE    START       NAME");
        assert_eq!(heads(Some(20)), "STATE    NAME");
    }

    #[test]
    fn a_wide_terminal_cuts_nothing() {
        let row = [["PRJ-1", "Augusta Ada King-Noel", "Short"]];
        assert_eq!(table(&row).render(Some(80), false), table(&row).render(None, false));
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let text = table(&[["PRJ-1", "工程师", "x"], ["PRJ-2", "Ada", "y"]]).render(None, false);
        assert_eq!(text, "KEY    ASSIGNEE  TITLE\nPRJ-1  工程师    x\nPRJ-2  Ada       y\n");
    }

    #[test]
    fn a_title_cannot_start_a_row_or_steer_the_terminal() {
        let text = table(&[["PRJ-1", "Ada", "a\nPRJ-2  forged\u{1b}[2J"]]).render(None, false);
        assert_eq!(text.lines().count(), 2);
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn glyphs_are_for_terminals() {
        let mut table = Table::new([Column::fixed("STATE"), Column::flexible("TITLE")]);
        table.row([Cell::from("Closed").marked('●'), Cell::from("x")]);
        assert_eq!(table.render(None, false), "STATE   TITLE\nClosed  x\n");
        assert_eq!(table.with_glyphs().render(None, false), "STATE     TITLE\n● Closed  x\n");
    }

    #[test]
    fn a_colour_is_the_nearest_that_terminals_have() {
        let mut table = Table::new([Column::fixed("COLOR")]);
        table.row([Cell::painted("#ff0000", [255, 0, 0])]);
        assert!(table.render(None, true).contains("\u{1b}[38;5;196m#ff0000"), "{}", table.render(None, true));
    }
}
