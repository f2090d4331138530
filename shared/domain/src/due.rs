//! The days that can be planned for: by which items are due, and at which sprints begin and end.

use jiff::civil::{Date, date};

/// The first of them.
const FIRST: Date = date(1970, 1, 1);
/// The last of them.
const LAST: Date = date(2999, 12, 31);

/// Why a day cannot be planned for, as that by which an item is due; `None` when it can.
pub fn due_problem(day: Date) -> Option<String> {
    (!(FIRST..=LAST).contains(&day)).then(|| format!("Give a day from {FIRST} to {LAST}."))
}
