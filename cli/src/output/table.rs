//! Plain tables: two spaces between columns, the last column never cut (specification section 4.2).
//!
//! On a terminal the columns before the last are cut until they fit, the widest first; those that are copied
//! into the next command (keys, ids) never are.

use anstyle::{AnsiColor, Style};
use console::{measure_text_width, truncate_str};

use super::sanitize::one_line;

const GAP: &str = "  ";
/// No column is cut to less.
const LEAST: usize = 6;
const HEAD: Style = Style::new().bold();
const NAME: Style = Style::new().dimmed();

/// A column's heading and whether its values may be cut.
pub(crate) struct Column {
    title: &'static str,
    fixed: bool,
}

impl Column {
    /// A column whose values are never cut.
    pub(crate) const fn fixed(title: &'static str) -> Self {
        Self { title, fixed: true }
    }

    /// A column whose values are cut where the terminal is narrow.
    pub(crate) const fn flexible(title: &'static str) -> Self {
        Self { title, fixed: false }
    }
}

/// A value of a table.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A value in good, bad or middling colour.
    pub(crate) fn colored(text: impl Into<String>, color: AnsiColor) -> Self {
        Self { text: one_line(&text.into()), style: color.on_default() }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: one_line(&text.into()), style: Style::new() }
    }
}

/// Rows under headings.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row with one value for each column.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// The table as text, cut to `width` where it is given.
    pub(crate) fn render(&self, width: Option<usize>, color: bool) -> String {
        let widths = self.widths(width);
        let mut text = String::new();
        let heads = self.columns.iter().map(|column| (column.title, HEAD));
        push_row(&mut text, heads, &widths, color);
        for row in &self.rows {
            push_row(&mut text, row.iter().map(|cell| (cell.text.as_str(), cell.style)), &widths, color);
        }
        text
    }

    /// Width of each column but the last, which takes what it needs.
    fn widths(&self, width: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<_> = (0..self.columns.len()).map(|index| self.natural_width(index)).collect();
        let last = widths.pop().unwrap_or_default();
        let Some(width) = width else { return widths };
        // The last column is promised a third of the line, or what it needs if that is less.
        let room = width.saturating_sub(last.min(width / 3) + GAP.len() * widths.len());
        while widths.iter().sum::<usize>() > room {
            let cuttable = |index: usize| !self.columns[index].fixed && widths[index] > LEAST;
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

    pub(crate) fn render(&self, color: bool) -> String {
        let width = self.pairs.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut text = String::new();
        for (name, value) in &self.pairs {
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
}
