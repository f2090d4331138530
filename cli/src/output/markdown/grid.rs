//! Tables of a text. Columns are as wide as their cells; where a line has no room for that, the widest are broken into
//! several lines, and a table of too many columns becomes lines with bars between the cells.

use anstyle::{AnsiColor, Style};
use pulldown_cmark::Alignment;

use super::flow::{Flow, Line};

const GAP: usize = 2;
/// No column is narrower.
const NARROWEST: usize = 8;
const BORDER: Style = AnsiColor::BrightBlack.on_default();

/// Cells under headings.
pub(super) struct Grid {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Flow>>,
}

impl Grid {
    pub(super) const fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    /// Begins a row.
    pub(super) fn row(&mut self) {
        self.rows.push(Vec::with_capacity(self.alignments.len()));
    }

    /// Adds a cell to the row.
    pub(super) fn cell(&mut self, cell: Flow) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// The table in lines that are printed.
    pub(super) fn lines(&self, width: usize, color: bool) -> Vec<String> {
        match self.widths(width) {
            Some(widths) => self.aligned(&widths, color),
            None => self.rows.iter().map(|row| in_a_line(row, color)).collect(),
        }
    }

    fn aligned(&self, widths: &[usize], color: bool) -> Vec<String> {
        let mut printed = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<Line>> =
                row.iter().zip(widths).map(|(cell, width)| cell.lines((*width).max(1))).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or_default();
            printed.extend((0..height).map(|line| self.side_by_side(&cells, line, widths, color)));
            if index == 0 {
                let rules: Vec<_> = widths.iter().map(|width| "─".repeat(*width)).collect();
                printed.push(Line::plain(&rules.join("  "), BORDER).painted(color));
            }
        }
        printed
    }

    /// One line of the cells of a row.
    fn side_by_side(&self, cells: &[Vec<Line>], number: usize, widths: &[usize], color: bool) -> String {
        let mut text = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let (shown, taken) =
                cell.get(number).map(|line| (line.painted(color), line.width)).unwrap_or_default();
            let spare = width.saturating_sub(taken);
            let before = match self.alignments.get(column) {
                Some(Alignment::Right) => spare,
                Some(Alignment::Center) => spare / 2,
                _ => 0,
            };
            text.push_str(&format!("{:before$}{shown}{:after$}", "", "", after = spare - before + GAP));
        }
        text.trim_end().to_owned()
    }

    /// Width of each column, or `None` where there are too many for the width of a line.
    fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let columns = self.alignments.len();
        let room = width.checked_sub(GAP * columns.saturating_sub(1))?;
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let natural: Vec<usize> =
            (0..columns).map(|column| cells(column).map(Flow::width).max().unwrap_or_default()).collect();
        if natural.iter().sum::<usize>() <= room {
            return Some(natural);
        }
        let most = fair_share(&natural, room);
        (most >= NARROWEST).then(|| natural.into_iter().map(|wanted| wanted.min(most)).collect())
    }
}

/// The width that no column may exceed, so that all of them together fit into the room.
fn fair_share(natural: &[usize], room: usize) -> usize {
    let mut sorted = natural.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (index, wanted) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if *wanted > share {
            return share;
        }
        left -= wanted;
    }
    room
}

fn in_a_line(row: &[Flow], color: bool) -> String {
    let cells = row.iter().flat_map(|cell| cell.lines(usize::MAX));
    cells.map(|line| line.painted(color)).collect::<Vec<_>>().join(" | ")
}
