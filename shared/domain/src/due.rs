//! The days by which items can be due.

use jiff::civil::{Date, date};

/// The first of them.
const FIRST: Date = date(1970, 1, 1);
/// The last of them.
const LAST: Date = date(2999, 12, 31);

/// Why no item can be due on a day; `None` when one can.
pub fn due_problem(day: Date) -> Option<String> {
    (!(FIRST..=LAST).contains(&day)).then(|| format!("Give a day from {FIRST} to {LAST}."))
}
