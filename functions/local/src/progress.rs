//! How far a command has come that takes a while: one line on a terminal, and nothing elsewhere.

use std::io::{IsTerminal as _, Write as _, stderr};

/// Puts a line in the place of the one before; an empty one takes it away.
pub(crate) fn tell(line: &str) {
    let mut stderr = stderr();
    if stderr.is_terminal() {
        // Whoever watches no more does not need it.
        let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
    }
}
